/* undo.c - changes settings so that they can be restored. */
#include "tracing/undo.h"

#include "base/map.h"
#include "tracing/sweep.h"
#include "tracing/value.h"
#include "sys/child.h"
#include "sys/guard.h"

struct undo {
	const struct sys *sys;
	struct journal journal;
	bool claimed;           /* we have announced changes of shared settings */
	bool open;              /* the journal exists: something was or is about to be changed */
	int guard;              /* pid of the guard, 0: none */
	struct names changed;   /* "INSTANCE/FILE" of every setting that has an old value in the journal */
	unsigned instances;
	char note[200];
};

struct undo *undo_new(const struct sys *sys, struct err *e)
{
	struct undo *u = calloc(1, sizeof(*u));

	if (!u) {
		err_nomem(e);
		return NULL;
	}
	u->sys = sys;
	undo_sweep(sys, UNDO_DEAD, NULL, NULL, NULL);
	return u;
}

const char *undo_note(const struct undo *u)
{
	return u->note;
}

/* Run in the guard. False: a change is still in use and could not be undone. */
static bool put_back_for_the_dead(struct undo *u)
{
	struct sweep s = { .sys = u->sys, .fd = u->journal.fd };
	bool done = true;
	char *text;
	size_t n;

	if (journal_load(u->sys, u->journal.fd, &text, &n))
		return done;
	if (sweep_is_kept((struct sv){ text, n }) != SWEEP_KEPT) {
		done = sweep_log(&s, (struct sv){ text, n }) != -EBUSY;
		if (done)
			journal_remove(u->sys, u->journal.path);
	}
	free(text);
	return done;
}

/*
 * In the guard, when the run is dead: its readers, killed with it, keep tracers and buffers busy until they have
 * exited, too. On a stalled machine that takes longer than the two seconds of sweep.c, which a user would wait for; the
 * guard can wait longer.
 */
static void after_death(void *arg)
{
	enum { TRIES = 10 };

	for (int i = 0; i < TRIES && !put_back_for_the_dead(arg); i++)
		;
}

static int open_journal(struct undo *u, struct err *e)
{
	int r = journal_init(&u->journal, u->sys, e);

	if (r) {
		journal_deinit(&u->journal);
		return r;
	}
	u->open = true;
	if (u->journal.fd < 0) {
		snprintf(u->note, sizeof(u->note),
			 "no folder for a journal (/run, TMPDIR, /dev/shm, /tmp): after SIGKILL nothing would be put "
			 "back");
		return 0;
	}
	/* Only one guard: a second one could go on writing after the first has removed the journal. */
	r = guard_start(u->journal.fd, after_death, u, NULL);
	u->guard = r > 0 ? r : 0;
	return 0;
}

static int record(struct undo *u, const struct jrec *rec, struct err *e)
{
	int r = u->open ? 0 : open_journal(u, e);

	return r ? r : journal_add(&u->journal, rec, e);
}

static int set(struct undo *u, const struct tfs *t, const char *file, uint64_t mark, struct err *e)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)mark);
	return record(
		u, &(struct jrec){J_SET, sv_from(t->name), sv_from(file), sv_from(mark == VALUE_UNKNOWN ? "?" : text)},
		e);
}

/* The first change records the old value; a second one only invalidates the mark of the value set. */
static int remember(struct undo *u, const struct tfs *t, const char *file, const char *old, struct err *e)
{
	char key[TFS_PATH * 2];
	size_t n = (size_t)snprintf(key, sizeof(key), "%s/%s", t->name, file);

	if (names_find(&u->changed, key, n) != NAMES_NONE)
		return set(u, t, file, VALUE_UNKNOWN, e);
	if (names_add(&u->changed, key, n) == NAMES_NONE)
		return err_nomem(e);
	return record(u, &(struct jrec){ J_PUT, sv_from(t->name), sv_from(file), sv_from(old) }, e);
}

/*
 * Which buffer a setting belongs to: a file that an instance lacks is the top buffer's (set_graph_function), and the
 * options of the function tracers are shared by all buffers (at least up to 6.18), so they outlive the instance.
 */
static struct tfs owner_of(const struct tfs *t, const char *file)
{
	static const char *const shared[] = { "options/func", "options/sleep-time", "options/graph-time" };
	char path[PATH_MAX];
	struct tfs top = *t;
	bool own = snprintf(path, sizeof(path), "%s/%s", t->dir, file) > 0 && sys_exists(t->sys, path);

	for (size_t i = 0; own && i < ARRAY_SIZE(shared); i++)
		own = strncmp(file, shared[i], strlen(shared[i])) != 0 || !strcmp(file, "options/function-fork");
	if (own)
		return top;
	memcpy(top.dir, t->root, sizeof(top.dir));
	top.name[0] = '\0';
	return top;
}

/*
 * Announce the first change of a shared setting in the journal, then look for other runs that have done so: of two that
 * begin together, at least one sees the other.
 */
static int settle(struct undo *u, const struct tfs *t, const char *file, struct tfs *at, struct err *e)
{
	int r;

	*at = owner_of(t, file);
	if (!tfs_is_top(at) || u->claimed)
		return 0;
	u->claimed = true;
	r = record(u, &(struct jrec){ .kind = J_TOP }, e);
	return r || u->journal.fd < 0 ? r : sweep_others(u->sys, SWEEP_CLAIM, u->journal.path, e);
}

int undo_put(struct undo *u, const struct tfs *t, const char *file, const char *text, struct err *e)
{
	char *old, *now;
	struct tfs at;
	int r = settle(u, t, file, &at, e);

	if (r)
		return r;
	r = tfs_has(&at, file) ? value_read(&at, file, &old, e) : err_set(e, ENOENT, "this kernel has no %s", file);
	if (r)
		return r;
	if (!strcmp(old, text)) {
		free(old);
		return 0;
	}
	r = remember(u, &at, file, old, e);
	free(old);
	r = r ? r : tfs_put(&at, file, text, e);
	if (!r && !value_read(&at, file, &now, NULL)) {
		r = set(u, &at, file, value_mark(now), e);
		free(now);
	}
	return r;
}

int undo_append(struct undo *u, const struct tfs *t, const char *file, const char *text, const char *removal,
		struct err *e)
{
	struct tfs at = owner_of(t, file);
	/* kprobe_events, synthetic_events ...: definitions have names of their own and do not disturb other runs. */
	int r = strstr(file, "_events") ? 0 : settle(u, t, file, &at, e);
	struct jrec rec = { J_ADD, sv_from(at.name), sv_from(file), sv_from(removal), sv_from(text) };

	r = r ? r : record(u, &rec, e);
	if (r)
		return r;
	r = tfs_append(&at, file, text, e);
	rec.kind = J_NOT;
	if (r)
		record(u, &rec, NULL);
	return r;
}

/* --- instances --- */

static int make(struct undo *u, struct tfs *t, const struct tfs *top, const char *name, struct err *e)
{
	int r = record(u, &(struct jrec){ J_MAKE, .where = sv_from(name) }, e);

	return r ? r : tfs_make(t, top, name, e);
}

/*
 * "7 (expanded: 1408)": the top buffer grows at its first use. Linux before 6.7 takes the first use of any instance for
 * it, and the top buffer would stay small.
 */
static int remember_expansion(struct undo *u, const struct tfs *top, struct err *e)
{
	static const char file[] = "buffer_size_kb";
	char text[64];
	const char *more = tfs_get(top, file, text, sizeof(text)) > 0 ? strstr(text, " (expanded: ") : NULL;
	struct sv size = more ? sv_from(more + 12) : (struct sv){ 0 };
	int r;

	if (!more)
		return 0;
	size.n = strcspn(size.s, ")");
	text[more - text] = '\0';
	r = record(u, &(struct jrec){ J_PUT, sv_from(top->name), sv_from(file), size }, e);
	return r ? r : set(u, top, file, value_mark(text), e);
}

int undo_instance(struct undo *u, struct tfs *t, const struct tfs *top, struct err *e)
{
	int pid = sys_self();
	char name[sizeof(t->name)], number[16] = "", ns[JOURNAL_NAMESPACE];

	/* The name is taken if another undo of this process has made an instance. */
	do {
		if (u->instances++)
			snprintf(number, sizeof(number), "-%u", u->instances);
		snprintf(name, sizeof(name), "sonde-%d-%llu%s%s", pid,
			 (unsigned long long)journal_started(u->sys, pid), number, journal_namespace(u->sys, ns));
	} while (!tfs_instance(t, top, name, NULL));

	int r = remember_expansion(u, top, e);

	return r ? r : make(u, t, top, name, e);
}

int undo_named_instance(struct undo *u, struct tfs *t, const struct tfs *top, const char *name, struct err *e)
{
	/* First sweep: an instance of a dead run goes, and an existing one must not be read half restored. */
	int r = sweep_others(u->sys, SWEEP_WAIT, u->journal.path, e);

	r = r ? r : tfs_instance(t, top, name, e);
	return r == -ENOENT ? make(u, t, top, name, e) : r;
}

/* --- the end --- */

static void undo_free(struct undo *u)
{
	if (u->guard)
		guard_end(u->guard);
	if (u->open)
		journal_deinit(&u->journal);
	names_deinit(&u->changed);
	free(u);
}

int undo_finish(struct undo *u, struct err *e)
{
	struct sweep s = { .sys = u->sys, .fd = u->open ? u->journal.fd : -1, .e = e };

	if (u->open) {
		int r = sweep_log(&s, (struct sv){ u->journal.log.v, u->journal.log.n });

		if (u->journal.fd >= 0 && r != -EBUSY)
			journal_remove(u->sys, u->journal.path);
	}
	undo_free(u);
	return s.error;
}

int undo_keep(struct undo *u, struct err *e)
{
	int r = u->open ? record(u, &(struct jrec){ .kind = J_KEEP }, e) : 0;

	undo_free(u);
	return r;
}
