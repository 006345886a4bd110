/* verb_sqlhist.c - sonde ftrace sqlhist: histograms, and synthetic events of two others, defined by SQL. They stay. */
#include "base/arena.h"
#include "cmd/ftrace/buffers.h"
#include "cmd/ftrace/verbs.h"
#include "tracing/sqlhist.h"

enum { SQL_MAX = 1 << 16 };

struct mine {
	const char *name, *dir, *file, *max, *change, *buffer;
	char *fields;                  /* a copy of -S, cut at the commas */
	struct opt_list save;
	bool execute, snapshot, both;
};

static int add_save(void *want, const char *value, struct err *e)
{
	struct mine *w = want;
	struct sv rest = sv_from(value), one;

	if (w->fields)
		return err_set(e, EINVAL, "all fields in one, with commas");
	w->fields = strdup(value);
	if (!w->fields)
		return err_nomem(e);
	while (sv_cut(&rest, ',', &one)) {
		if (!one.n || w->save.n == OPT_LIST_MAX)
			return err_set(e, EINVAL, "'%s' is no list of fields", value);
		w->save.v[w->save.n++] = w->fields + (one.s - value);
		w->fields[one.s - value + (ptrdiff_t)one.n] = '\0';
	}
	return 0;
}

static const struct opt opts[] = {
	OPT_FLAG('e', NULL, struct mine, execute, "execute the commands, do not only print them"),
	OPT_STR('n', NULL, struct mine, name, "<name>", "name of the new event"),
	OPT_STR('m', NULL, struct mine, max, "<name>", "trigger only when this selected field reaches a new maximum"),
	OPT_STR('c', NULL, struct mine, change, "<name>", "trigger only when this selected field changes"),
	OPT_FLAG('s', NULL, struct mine, snapshot, "with -m, -c: take a snapshot instead of the event"),
	OPT_FLAG('T', NULL, struct mine, both, "with -m, -c: take a snapshot, too"),
	OPT_CALL_WANT('S', NULL, 0, add_save, "<fields>",
		      "with -m, -c: save these fields of the joined event with the maximum"),
	OPT_STR('B', NULL, struct mine, buffer, "<name>",
		"create the histogram in this buffer (instance), created if missing"),
	OPT_STR('f', NULL, struct mine, file, "<file>", "read the statement from this file; -: standard input"),
	OPT_STR('t', NULL, struct mine, dir, "<dir>", "use this copy of the kernel's tracing folder"),
	OPT_END,
};

static int check(const struct mine *w, int argc, struct err *e)
{
	if (!argc == !w->file)
		return err_set(e, EINVAL, argc ? "-f and a statement exclude each other" : "what is to be selected?");
	if (w->max && w->change)
		return err_set(e, EINVAL, "-m and -c exclude each other");
	if ((w->snapshot || w->both || w->fields) && !w->max && !w->change)
		return err_set(e, EINVAL, "-s, -S and -T are for -m or -c");
	return w->dir && w->execute ? err_set(e, EINVAL, "-e is for the kernel, -t for a copy") : 0;
}

/* The statement: the words of the command line, or the file. */
static int statement(const struct ctx *c, const struct mine *w, char **argv, char **sql, struct err *e)
{
	const char *path = w->file && !strcmp(w->file, "-") ? "/dev/stdin" : w->file;
	struct mem_out m;
	size_t n;

	if (path)
		return sys_read_all(c->sys, path, SQL_MAX, sql, &n, e);
	mem_out_init(&m);
	for (size_t i = 0; argv[i]; i++) {
		out_str(&m.out, i ? " " : "");
		out_str(&m.out, argv[i]);
	}
	*sql = strdup(mem_out_str(&m));
	mem_out_deinit(&m);
	return *sql ? 0 : err_nomem(e);
}

static int open_top(const struct ctx *c, const struct mine *w, struct tfs *t, struct err *e)
{
	if (!w->dir)
		return tfs_open(t, c->sys, e);
	*t = (struct tfs){ .sys = c->sys };
	if (snprintf(t->root, sizeof(t->root), "%s", w->dir) >= (int)sizeof(t->root))
		return err_set(e, ENAMETOOLONG, "'%.80s...' is too long a name", w->dir);
	memcpy(t->dir, t->root, sizeof(t->dir));
	return 0;
}

static int execute(const struct mine *w, const struct sqlhist *s, const struct tfs *top, struct err *e)
{
	struct tfs t = *top;
	int r = 0;

	if (w->buffer && !s->joined) {
		r = tfs_make(&t, top, w->buffer, e);
		if (r == -EEXIST)
			r = tfs_instance(&t, top, w->buffer, e);
	}
	return r ? r : sqlhist_apply(s, &t, e);
}

static int without_effect(struct ctx *c, const struct mine *w, const struct sqlhist *s, struct err *e)
{
	if (!s->joined && (w->max || w->change))
		return err_set(e, EINVAL, "-m and -c are for the values of a join");
	if (!s->joined && w->name)
		cmd_note(c, "-n: a histogram of one event makes no other");
	if (s->joined && w->buffer)
		cmd_note(c, "-B: an event that is made is there for all buffers");
	return 0;
}

static int run(struct ctx *c, const struct mine *w, const char *sql, struct err *e)
{
	struct sqlhist_want sw = {
		.sql = sql, .name = w->name, .save = w->save, .var = w->max ? w->max : w->change,
		.when = w->max ? SQLHIST_MAX : w->change ? SQLHIST_CHANGE : SQLHIST_MATCH,
	};
	struct sqlhist s;
	struct tfs top;
	int r = open_top(c, w, &top, e);

	if (r)
		return r;
	if (w->snapshot || w->both)
		sw.actions |= SQLHIST_SNAPSHOT;
	if (w->both)
		sw.actions |= SQLHIST_TRACE;
	if (w->save.n)
		sw.actions |= SQLHIST_SAVE;
	r = sqlhist_init(&s, &top, &sw, e);
	r = r ? r : without_effect(c, w, &s, e);
	if (!r && w->execute)
		r = execute(w, &s, &top, e);
	if (!r)
		sqlhist_print(&s, w->dir ? "/sys/kernel/tracing" : top.root, w->buffer ? w->buffer : "", c->out);
	sqlhist_deinit(&s);
	return r;
}

static int sqlhist_verb(struct ctx *c, void *want, int argc, char **argv)
{
	struct mine *w = want;
	struct err e = { 0 };
	char *sql = NULL;
	int r = check(w, argc, &e);

	if (r) {
		free(w->fields);
		return cmd_usage(c, cmd_verb(verbs, "sqlhist"), &e);
	}
	r = statement(c, w, argv, &sql, &e);
	r = r ? r : run(c, w, sql, &e);
	free(sql);
	free(w->fields);
	return r ? cmd_fail(c, &e) : cmd_finish(c, EXIT_DONE);
}

DEFINE_VERB(sqlhist, "sqlhist", .brief = "Create histograms and synthetic events from an SQL statement",
	    .synopsis = "[options] <select ...>",
	    .details = PACKED(
	    	"What -e creates stays until 'reset'. 'hist --sql' counts while a command runs."),
	    .examples = PACKED(
			"sonde ftrace sqlhist -e 'select irq from irq_handler_entry'\tprint it with show --hist\n"
			"sonde ftrace sqlhist -e -n lat 'select end.next_comm as comm, TIMESTAMP_DELTA_USECS as us "
				"from sched_waking as start join sched_switch as end on start.pid = "
				"end.next_pid'\tthen: record -e lat\n"),
	    .opts = opts, .want_size = sizeof(struct mine), .run = sqlhist_verb);
