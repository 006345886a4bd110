/* verb_check_events.c - sonde ftrace check-events: can the formats of this kernel's events be read? */
#include "cmd/ftrace/verbs.h"
#include "tracefs/format/events.h"
#include "tracing/tfs.h"

struct check_want {
	bool ignored;
};

/* -N disables plugins; sonde has none. */
static const struct opt opts[] = { OPT_IGNORED('N', NULL, FLAG, struct check_want, ignored), OPT_END };

struct check {
	struct ctx *c;
	unsigned events, partly, fields, bad;
};

/* Parse one format and compile its print fmt; print what is not understood. */
static int check_one(struct check *k, const char *system, const char *name, const char *path)
{
	struct arena arena = { 0 };
	struct tfmt fmt;
	struct err e = { 0 };
	char *text;
	size_t n;
	int r = sys_read_all(k->c->sys, path, 1 << 20, &text, &n, &e);

	if (r)
		return r == -ENOMEM ? r : 0;
	k->events++;
	if (tfmt_parse(&fmt, &arena, (struct sv){ text, n }, (struct tmachine){ .long_size = sizeof(long) }, &e)) {
		k->bad++;
		out_printf(k->c->out, "%s:%s: %s\n", system, name, e.text);
	} else {
		struct tprint *p = tprint_new(&fmt, &arena);
		enum tprint_state state = p ? tprint_state(p) : TPRINT_FIELDS;

		k->partly += state == TPRINT_PARTLY;
		k->fields += state == TPRINT_FIELDS;
		if (state != TPRINT_WHOLE)
			out_printf(k->c->out, "%s:%s: %s (%s)\n", system, name,
				   state == TPRINT_PARTLY ? "a value cannot be computed" : "shown field by field",
				   p ? tprint_reason(p) : "no memory");
	}
	free(text);
	arena_deinit(&arena);
	return 0;
}

static int check_system(struct check *k, const struct tfs *t, const char *system)
{
	struct sys_list names;
	char dir[PATH_MAX], path[PATH_MAX];
	int r;

	snprintf(dir, sizeof(dir), "%s/events/%s", t->dir, system);
	if (sys_list_dir(k->c->sys, dir, &names))
		return 0;
	r = 0;
	for (size_t i = 0; !r && i < names.n; i++) {
		if (snprintf(path, sizeof(path), "%s/%s/format", dir, names.v[i]) < (int)sizeof(path) &&
		    sys_exists(k->c->sys, path))
			r = check_one(k, system, names.v[i], path);
	}
	sys_list_free(&names);
	return r;
}

static int check_run(struct ctx *c, void *want UNUSED, int argc UNUSED, char **argv UNUSED)
{
	struct check k = { .c = c };
	struct sys_list systems;
	struct err e = { 0 };
	char dir[PATH_MAX];
	struct tfs t;
	int r = tfs_open(&t, c->sys, &e);

	if (r)
		return cmd_fail(c, &e);
	snprintf(dir, sizeof(dir), "%s/events", t.dir);
	r = sys_list_dir(c->sys, dir, &systems);
	if (r) {
		err_set(&e, -r, "cannot read %s: %s", dir, err_name(-r));
		return cmd_fail(c, &e);
	}
	for (size_t i = 0; !r && i < systems.n; i++)
		r = check_system(&k, &t, systems.v[i]);
	sys_list_free(&systems);
	if (r) {
		err_nomem(&e);
		return cmd_fail(c, &e);
	}
	out_printf(c->out,
		   "%u events: %u understood, %u with a value that cannot be computed, %u shown field by field, "
		   "%u formats not readable\n",
		   k.events, k.events - k.partly - k.fields - k.bad, k.partly, k.fields, k.bad);
	return k.bad ? EXIT_FAILED : EXIT_DONE;
}

DEFINE_VERB(check_events, "check-events", .brief = "Check that the formats of all events can be parsed",
	    .examples = PACKED(
	    	"sonde ftrace check-events\tevents of this kernel that cannot be parsed or printed\n"),
	    .opts = opts, .want_size = sizeof(struct check_want), .run = check_run);
