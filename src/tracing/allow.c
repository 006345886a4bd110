/* allow.c - tables of files and the forms of their values; what a user may write to. */
#include "tracing/allow.h"

#include "sys/child.h"

#include <sys/stat.h>

enum form { SWITCH, OFF, NOP, WORD, SIZE, MASK, PIDS, FUNCTIONS, FILTER };

static const struct {
	const char *file;    /* in a buffer; a star stands for one name */
	enum form form;
} settings[] = {
	{ "tracing_on", SWITCH },
	{ "current_tracer", NOP },
	{ "trace_clock", WORD },
	{ "tracing_cpumask", MASK },
	{ "buffer_size_kb", SIZE },
	{ "per_cpu/*/buffer_size_kb", SIZE },
	{ "set_event_pid", PIDS },
	{ "set_event_notrace_pid", PIDS },
	{ "set_ftrace_pid", PIDS },
	{ "set_ftrace_notrace_pid", PIDS },
	{ "set_ftrace_filter", FUNCTIONS },
	{ "set_ftrace_notrace", FUNCTIONS },
	{ "set_graph_function", FUNCTIONS },
	{ "set_graph_notrace", FUNCTIONS },
	/* Switching these on would make each event expensive: only off is allowed. */
	{ "options/stacktrace", OFF },
	{ "options/func_stack_trace", OFF },
	{ "options/userstacktrace", OFF },
	{ "options/*", SWITCH },
	{ "events/enable", OFF },
	{ "events/*/enable", OFF },
	{ "events/*/*/enable", OFF },
	{ "events/*/filter", FILTER },
	{ "events/*/*/filter", FILTER },
};

static const char whole[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

static bool consists_of(struct sv s, const char *chars)
{
	for (size_t i = 0; i < s.n; i++)
		if (!s.s[i] || !strchr(chars, s.s[i]))
			return false;
	return true;
}

static bool is_name(struct sv s)
{
	return s.n && s.n < 128 && consists_of(s, whole);
}

/* --- does the name belong to a dead process? --- */

int allow_init(struct allow *a, const struct sys *sys, const char *root, struct err *e)
{
	struct sys_list l;
	uint64_t pid;
	int r;

	*a = (struct allow){ .sys = sys, .root = root };
	r = sys_list_dir(sys, "/proc", &l);
	if (r)
		return err_set(e, -r, "cannot list /proc: %s", err_name(-r));
	a->starts = malloc((l.n + 1) * sizeof(*a->starts));
	for (size_t i = 0; a->starts && i < l.n; i++)
		if (str_u64(sv_from(l.v[i]), 10, &pid) && pid <= INT_MAX)
			a->starts[a->n++] = journal_started(sys, (int)pid);
	sys_list_free(&l);
	return a->starts ? 0 : err_nomem(e);
}

void allow_deinit(struct allow *a)
{
	free(a->starts);
}

/*
 * "sonde_PID_START" or "sonde-PID-START". In a container the pid is a different one: any process with that start time,
 * or one that started after us, may be the maker.
 */
static bool is_dead(const struct allow *a, struct sv name, char separator)
{
	struct sv rest = name, word;
	uint64_t start;

	if (!is_name(name) || !journal_maker_is_gone(a->sys, name, separator))
		return false;
	for (int i = 0; i < 3; i++)
		sv_cut(&rest, separator, &word);
	if (!str_u64(word, 10, &start) || start >= journal_started(a->sys, sys_self()))
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->starts[i] == start)
			return false;
	return true;
}

/* removal: "-:GROUP/EVENT" */
static bool is_dead_probe(const struct allow *a, struct sv removal)
{
	struct sv rest = removal, group;

	if (!sv_starts(removal, "-:") || !memchr(removal.s, '/', removal.n))
		return false;
	rest = (struct sv){ rest.s + 2, rest.n - 2 };
	sv_cut(&rest, '/', &group);
	return is_dead(a, group, '_') && is_name(rest);
}

/* removal: "!NAME" */
static bool is_dead_synthetic(const struct allow *a, struct sv removal)
{
	return sv_starts(removal, "!") && is_dead(a, (struct sv){ removal.s + 1, removal.n - 1 }, '_');
}

/* --- files --- */

static bool fits(struct sv file, const char *pattern)
{
	struct sv want = sv_from(pattern), part, name;

	while (sv_cut(&want, '/', &part)) {
		if (!sv_cut(&file, '/', &name) || !is_name(name))
			return false;
		if (!sv_eq(part, "*") && (part.n != name.n || memcmp(part.s, name.s, name.n)))
			return false;
	}
	return !file.n;
}

/* The path of that file in that buffer, if it exists and is nothing else (a link, say). */
static bool find_file(const struct allow *a, const struct jrec *rec, char path[PATH_MAX], struct stat *st)
{
	const char *between = rec->where.n ? "/instances/" : "";

	snprintf(path, PATH_MAX, "%s%s%.*s/%.*s", a->root, between, (int)rec->where.n, rec->where.s, (int)rec->what.n,
		 rec->what.s);
	return !a->sys->lstat(a->sys, path, st) && S_ISREG(st->st_mode);
}

/* --- who may write --- */

/* Does the file have a matching line, with at least four fields between colons? */
static bool has_line(const struct sys *sys, const char *path, bool (*is_it)(struct sv f[4], const void *arg),
		     const void *arg)
{
	enum { DATABASE_MAX = 4 << 20 };
	struct sv rest, line, f[4];
	bool found = false;
	char *text;
	size_t n;

	if (sys_read_all(sys, path, DATABASE_MAX, &text, &n, NULL))
		return false;
	rest = (struct sv){ text, n };
	while (!found && sv_cut(&rest, '\n', &line)) {
		size_t k = 0;

		while (k < ARRAY_SIZE(f) && sv_cut(&line, ':', &f[k]))
			k++;
		found = k == ARRAY_SIZE(f) && is_it(f, arg);
	}
	free(text);
	return found;
}

struct member {
	unsigned uid, gid;
	char name[64];
};

static bool is_number(struct sv text, unsigned want)
{
	uint64_t v;

	return str_u64(text, 10, &v) && v == want;
}

/* passwd: NAME:x:UID:GID; stores name and group for the search in `group`. */
static bool is_user(struct sv f[4], const void *arg)
{
	struct member *m = *(struct member *const *)arg;

	if (!is_number(f[2], m->uid))
		return false;
	str_copy(m->name, sizeof(m->name), f[0]);
	return is_number(f[3], m->gid);
}

/* group: NAME:x:GID:MEMBER,MEMBER */
static bool has_member(struct sv f[4], const void *arg)
{
	const struct member *m = *(struct member *const *)arg;
	struct sv word;
	bool found = false;

	while (is_number(f[2], m->gid) && *m->name && !found && sv_cut(&f[3], ',', &word))
		found = sv_eq(word, m->name);
	return found;
}

static bool is_in_group(const struct sys *sys, unsigned uid, unsigned gid)
{
	struct member m = { .uid = uid, .gid = gid }, *p = &m;

	return has_line(sys, "/etc/passwd", is_user, &p) || has_line(sys, "/etc/group", has_member, &p);
}

/* bit: 2 write, 1 search, as in the permissions of others. */
static bool may(const struct allow *a, const struct stat *st, unsigned bit)
{
	if (st->st_uid == a->uid)
		return st->st_mode & bit << 6;
	if ((st->st_mode & bit << 3) && is_in_group(a->sys, a->uid, st->st_gid))
		return true;
	return st->st_mode & bit;
}

static bool user_may_write(const struct allow *a, const struct stat *st)
{
	struct stat root;

	return !a->sys->stat(a->sys, a->root, &root) && may(a, &root, 1) && may(a, st, 2);
}

/* --- values --- */

/* A list of functions as value_read returns it: "vfs_read", "ext4_read [ext4]". */
static bool are_functions(struct sv text)
{
	static const char extra[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$";
	struct sv line, name;

	while (sv_cut(&text, '\n', &line)) {
		sv_cut(&line, ' ', &name);
		if (!consists_of(name, extra))
			return false;
		if (line.n && (line.n < 3 || line.s[0] != '[' || line.s[line.n - 1] != ']' ||
			       !is_name((struct sv){ line.s + 1, line.n - 2 })))
			return false;
	}
	return true;
}

/*
 * A size may not demand more memory than the buffer has now or has at first. The kernel rounds sizes up to whole
 * sub-buffers of at most 64 KB: a buffer set to the initial 1408 shows 1410.
 */
static bool is_no_more(const struct allow *a, const char *path, struct sv text)
{
	enum { FIRST_KB = 1408 + 64 };
	char now[64];
	uint64_t want, has = 0;

	if (!str_u64(text, 10, &want))
		return false;
	if (sys_read_line(a->sys, now, sizeof(now), "%s", path) > 0)
		str_u64((struct sv){ now, strcspn(now, " ") }, 10, &has);
	return want <= MAX(has, (uint64_t)FIRST_KB);
}

static bool is_text(struct sv text)
{
	for (size_t i = 0; i < text.n; i++)
		if (text.s[i] < ' ' || text.s[i] > '~')
			return false;
	return text.n < 4096;
}

static bool is_safe(const struct allow *a, enum form form, const char *path, struct sv text)
{
	switch (form) {
	case SWITCH:
		return sv_eq(text, "0") || sv_eq(text, "1");
	case OFF:
		return sv_eq(text, "0");
	case NOP:
		return sv_eq(text, "nop");
	case WORD:
		return is_name(text);
	case SIZE:
		return is_no_more(a, path, text);
	case MASK:
		return text.n && consists_of(text, "0123456789abcdef,");
	case PIDS:
		return consists_of(text, "0123456789\n");
	case FUNCTIONS:
		return are_functions(text);
	case FILTER:
		return is_text(text);
	}
	return false;
}

/* --- records --- */

static const char *setting(const struct allow *a, const struct jrec *rec)
{
	char path[PATH_MAX];
	struct stat st;
	size_t i = 0;

	while (i < ARRAY_SIZE(settings) && !fits(rec->what, settings[i].file))
		i++;
	if (i == ARRAY_SIZE(settings) || (rec->where.n && !is_name(rec->where)) || !find_file(a, rec, path, &st))
		return "it is none of the settings that are put back for others";
	if (!user_may_write(a, &st))
		return "that user may not write to it";
	return is_safe(a, settings[i].form, path, rec->old) ? NULL : "that is no value that is put back for others";
}

static const char *addition(const struct allow *a, const struct jrec *rec)
{
	char path[PATH_MAX];
	struct stat st;
	bool dead = false;

	if (!rec->where.n && (sv_eq(rec->what, "kprobe_events") || sv_eq(rec->what, "uprobe_events") ||
			      sv_eq(rec->what, "dynamic_events")))
		dead = is_dead_probe(a, rec->old);
	else if (!rec->where.n && sv_eq(rec->what, "synthetic_events"))
		dead = is_dead_synthetic(a, rec->old);
	else if (rec->where.n && fits(rec->what, "events/*/*/trigger"))
		dead = is_dead(a, rec->where, '-') && rec->old.n && rec->old.s[0] == '!' && is_text(rec->old) &&
		       find_file(a, rec, path, &st);
	return dead ? NULL : "its name is not that of a dead run";
}

const char *allow_why_not(const struct allow *a, const struct jrec *rec)
{
	switch (rec->kind) {
	case J_PUT:
		return setting(a, rec);
	case J_ADD:
		return addition(a, rec);
	case J_MAKE:
		return is_dead(a, rec->where, '-') ? NULL : "its name is not that of a dead run";
	}
	return "files are not removed on another user's word";
}
