/* sweep.c - undoes journals backwards; removes instances and journals of dead processes. */
#include "tracing/sweep.h"

#include "base/map.h"
#include "tracing/allow.h"
#include "tracing/undo.h"
#include "tracing/value.h"
#include "sys/child.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

struct change {
	struct jrec rec;
	uint64_t mark;   /* of a J_PUT: the mark of its latest value */
};

struct changes {
	VEC(struct change) v;
};

static bool same(struct sv a, struct sv b)
{
	return a.n == b.n && !memcmp(a.s, b.s, a.n);
}

static void PRINTF(3, 4) told(struct sweep *s, int r, const char *fmt, ...)
{
	char line[400];
	va_list ap;

	if (r) {
		s->error = s->error ? s->error : r;
		return;
	}
	s->done++;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	for (char *p = line; (p = strchr(p, '\n')); )
		*p = ' ';
	if (s->say)
		s->say(s->arg, line);
}

/* Where the next step reports an error: only the first one is kept. */
static struct err *first(struct sweep *s)
{
	return s->error ? NULL : s->e;
}

/* The latest change of that kind to which this record refers. */
static struct change *find_change(struct changes *c, char kind, const struct jrec *rec)
{
	for (size_t i = c->v.n; i--;)
		if (c->v.v[i].rec.kind == kind && same(c->v.v[i].rec.what, rec->what) &&
		    same(c->v.v[i].rec.where, rec->where) && (kind != J_ADD || same(c->v.v[i].rec.is, rec->is)))
			return &c->v.v[i];
	return NULL;
}

/* Collect the changes. *log: the rest, a truncated record. */
static int collect(struct changes *c, struct sv *log)
{
	struct jrec rec;
	struct change *at;

	while (journal_next(log, &rec)) {
		switch (rec.kind) {
		case J_SET:
			at = find_change(c, J_PUT, &rec);
			if (at && !str_u64(rec.old, 10, &at->mark))
				at->mark = VALUE_UNKNOWN;
			break;
		case J_NOT:
			at = find_change(c, J_ADD, &rec);
			if (at)
				at->rec.kind = 0;
			break;
		case J_PUT: case J_ADD: case J_MAKE:
			at = vec_add(&c->v);
			if (!at)
				return -ENOMEM;
			*at = (struct change){ .rec = rec, .mark = VALUE_UNKNOWN };
		}
	}
	return 0;
}

/* Settings of an instance that will be removed need not be restored. */
static bool is_made_here(const struct changes *c, struct sv where)
{
	for (size_t i = 0; where.n && i < c->v.n; i++)
		if (c->v.v[i].rec.kind == J_MAKE && same(c->v.v[i].rec.where, where))
			return true;
	return false;
}

/* A histogram with variables keeps its instance busy, so triggers must go first. */
static bool is_trigger(const struct jrec *rec)
{
	static const char name[] = "/trigger";
	size_t n = sizeof(name) - 1;

	return rec->kind == J_ADD && rec->what.n > n && !memcmp(rec->what.s + rec->what.n - n, name, n);
}

static void note(const struct sweep *s, const struct jrec *rec)
{
	struct journal j = { .sys = s->sys, .fd = s->fd };

	if (s->fd >= 0)
		journal_add(&j, rec, NULL);
	vec_free(&j.log);
}

/* Record that we sweep: while we are dying nobody may continue where we stopped (see journal_life). */
static void sign(const struct sweep *s)
{
	char pid[24], start[24];

	snprintf(pid, sizeof(pid), "%d", sys_self());
	snprintf(start, sizeof(start), "%llu", (unsigned long long)journal_started(s->sys, sys_self()));
	note(s, &(struct jrec){ .kind = J_HAND, .what = sv_from(pid), .old = sv_from(start) });
}

/* Retry while EBUSY: the readers of a dead run keep tracers and probes busy until they have exited, too. */
static int patient(struct sweep *s,
		   int (*write)(const struct tfs *t, const char *file, const char *text, struct err *e),
		   const struct tfs *t, const char *file, const char *text, struct err *e)
{
	enum { TRIES = 100, PAUSE_MS = 20 };   /* for the whole sweep */
	int r = write(t, file, text, e);

	for (; r == -EBUSY && s->waits < TRIES; s->waits++) {
		t->sys->poll(t->sys, NULL, 0, PAUSE_MS);
		r = write(t, file, text, e);
	}
	return r;
}

static void put_back(struct sweep *s, const struct tfs *t, const char *file, const char *old, uint64_t mark)
{
	const char *slash = *t->name ? "/" : "";
	char *now;

	if (value_read(t, file, &now, NULL))
		return;   /* the event of a probe that is gone by now */
	if (strcmp(now, old) || value_hides(file)) {
		bool ours = value_state(file, now, mark) == VALUE_IS_OURS;
		char known[24];
		int r;

		/*
		 * A list is emptied and then written word by word: if we are killed in between, a partial list remains.
		 * The next sweep must not take it for somebody else's value.
		 */
		if (ours && *old)
			note(s, &(struct jrec){ J_SET, sv_from(t->name), sv_from(file), SV("?") });
		r = ours ? patient(s, value_write, t, file, old, first(s)) : 0;
		/* The old value is there now: should the journal have to stay, a later change is the user's. */
		snprintf(known, sizeof(known), "%llu", (unsigned long long)value_mark(old));
		if (ours && !r)
			note(s, &(struct jrec){ J_SET, sv_from(t->name), sv_from(file), sv_from(known) });
		if (ours)
			told(s, r, "%s%s%s: %.200s", t->name, slash, file, old);
		else if (s->say)
			told(s, 0, "%s%s%s: left as it is, it was changed since", t->name, slash, file);
	}
	free(now);
}

static void take_away(struct sweep *s, const struct tfs *t, const char *file, const char *removal)
{
	struct err e;
	int r = patient(s, tfs_append, t, file, removal, &e);

	/* It is already gone: somebody else removed it. */
	if (r == -ENOENT || r == -EINVAL || r == -ESRCH)
		return;
	if (r && first(s))
		*s->e = e;
	told(s, r, "%s%s%s: %.200s", t->name, *t->name ? "/" : "", file, removal);
}

static void remove_instance(struct sweep *s, const struct tfs *t)
{
	if (sys_exists(t->sys, t->dir))
		told(s, tfs_remove(t, first(s)), "instances/%s: removed", t->name);
}

static void undo_one(struct sweep *s, const struct tfs *top, const struct change *c)
{
	char *where = strndup(c->rec.where.s, c->rec.where.n), *what = strndup(c->rec.what.s, c->rec.what.n);
	char *old = strndup(c->rec.old.s, c->rec.old.n);
	struct tfs t = *top;

	if (!where || !what || !old) {
		told(s, err_nomem(first(s)), "%s", "");
	} else if (*top->root && !strstr(what, "..") && (!*where || !tfs_instance(&t, top, where, NULL))) {
		if (c->rec.kind == J_MAKE)
			remove_instance(s, &t);
		else if (c->rec.kind == J_PUT)
			put_back(s, &t, what, old, c->mark);
		else if (c->rec.kind == J_ADD)
			take_away(s, &t, what, old);
	}
	free(where);
	free(what);
	free(old);
}

/* True, and reported shortened, if this record of another user must not be carried out. */
static bool is_left(struct sweep *s, const struct jrec *rec)
{
	enum { SHOWN = 10 };
	const char *why = s->allow ? allow_why_not(s->allow, rec) : NULL;
	char line[400];

	if (!why)
		return false;
	if (++s->left <= SHOWN && s->say) {
		snprintf(line, sizeof(line), "user %u: left as it is: %.*s%s%.*s%s%.*s (%s)", s->allow->uid,
			 (int)MIN(rec->where.n, 60u), rec->where.s, rec->where.n && rec->what.n ? "/" : "",
			 (int)MIN(rec->what.n, 100u), rec->what.s, rec->old.n ? ": " : "", (int)MIN(rec->old.n, 60u),
			 rec->old.s, why);
		for (char *p = line; (p = strchr(p, '\n')); )
			*p = ' ';
		s->say(s->arg, line);
	}
	return true;
}

int sweep_log(struct sweep *s, struct sv log)
{
	struct changes c = { 0 };
	size_t all = log.n;
	struct tfs top;
	int before = s->error, r;

	s->error = 0;
	if (tfs_open(&top, s->sys, NULL))
		top.root[0] = '\0';
	r = collect(&c, &log);
	if (r)
		told(s, err_nomem(first(s)), "%s", "");
	/* Cut off a truncated record: nothing behind it could be read. */
	if (!r && log.n && s->fd >= 0 && s->sys->ftruncate(s->sys, s->fd, all - log.n))
		s->fd = -1;
	if (s->fd >= 0)
		sign(s);
	for (size_t i = c.v.n; i--;) {
		const struct jrec *rec = &c.v.v[i].rec;

		if (rec->kind && (rec->kind == J_MAKE || is_trigger(rec) || !is_made_here(&c, rec->where)) &&
		    !is_left(s, rec))
			undo_one(s, &top, &c.v.v[i]);
	}
	vec_free(&c.v);
	r = s->error;
	s->error = before ? before : r;
	return r;
}

enum sweep_kept sweep_is_kept(struct sv log)
{
	struct jrec rec;

	while (journal_next(&log, &rec))
		if (rec.kind == J_KEEP)
			return SWEEP_KEPT;
	return SWEEP_LOST;
}

/* --- other runs --- */

/* Remember the instances of a journal that stays. */
static void remember(struct names *kept, struct sv log)
{
	struct jrec rec;

	while (journal_next(&log, &rec))
		if (rec.kind == J_MAKE)
			names_add(kept, rec.where.s, rec.where.n);
}

/* Is the run that wrote "FOLDER/undo-START-PID-N" alive? */
static enum journal_life writer_life(const struct sys *sys, const char *path, int *pid)
{
	struct sv rest = sv_from(strrchr(path, '/') + 1 + strlen(JOURNAL_NAME)), start, word;
	uint64_t when = 0, who = 0;

	if (!sv_cut(&rest, '-', &start) || !sv_cut(&rest, '-', &word) || !str_u64(start, 10, &when) ||
	    !str_u64(word, 10, &who) || who > INT_MAX)
		return JOURNAL_GONE;
	*pid = (int)who;
	return journal_life(sys, *pid, when);
}

/* Is a process that made or undid changes of this journal still exiting? */
static bool is_dying(const struct sys *sys, const char *path, struct sv log)
{
	int pid;
	bool dying = writer_life(sys, path, &pid) == JOURNAL_DYING;
	uint64_t who, when;
	struct jrec rec;

	while (!dying && journal_next(&log, &rec))
		dying = rec.kind == J_HAND && str_u64(rec.what, 10, &who) && who <= INT_MAX &&
			str_u64(rec.old, 10, &when) && journal_life(sys, (int)who, when) == JOURNAL_DYING;
	return dying;
}

enum found {
	FOUND_FREE,     /* not locked; undone if that was asked for */
	FOUND_HELD,     /* its run or guard lives, another run sweeps it, or one of those is exiting */
};

static enum found one_journal(struct sweep *s, const char *path, enum undo_which which, struct names *kept)
{
	const struct sys *sys = s->sys;
	int fd = sys->open(sys, path, O_RDWR | O_APPEND | O_NOFOLLOW, 0);
	enum found found = FOUND_FREE;
	struct stat a, b;
	char *text;
	size_t n;

	if (fd < 0)
		return found;
	if (sys->flock(sys, fd, LOCK_EX | LOCK_NB)) {
		found = FOUND_HELD;
	/* The path is another file by now: another sweep removed ours. */
	} else if (!sys->fstat(sys, fd, &a) && !sys->stat(sys, path, &b) && a.st_ino == b.st_ino &&
		   !journal_load(sys, fd, &text, &n)) {
		struct sv log = { text, n };
		bool current = n && journal_is_current(sys, log);

		if (current && is_dying(sys, path, log)) {
			found = FOUND_HELD;
		} else if (current && which == UNDO_DEAD && sweep_is_kept(log) == SWEEP_KEPT) {
			remember(kept, log);
		} else {
			s->fd = fd;
			if (!current || sweep_log(s, log) != -EBUSY)
				journal_remove(sys, path);
		}
		free(text);
	}
	sys->close(sys, fd);
	return found;
}

/* Call each for every journal there is, the newest first, until it returns non-zero. */
static int each_journal(const struct sys *sys, int (*each)(void *arg, const char *path), void *arg)
{
	char folder[TFS_PATH], path[PATH_MAX];
	struct sys_list l;
	int r = 0;

	for (unsigned i = 0; !r && journal_folder(sys, i, folder); i++) {
		if (!journal_folder_is_safe(sys, folder) || sys_list_dir(sys, folder, &l))
			continue;
		for (size_t k = l.n; !r && k--;) {
			if (strncmp(l.v[k], JOURNAL_NAME, strlen(JOURNAL_NAME)))
				continue;
			snprintf(path, sizeof(path), "%s/%s", folder, l.v[k]);
			r = each(arg, path);
		}
		if (!l.n)
			journal_remove_folder(sys, folder);
		sys_list_free(&l);
	}
	return r;
}

/* --- journals of this user's other runs --- */

struct visit {
	struct sweep *s;
	enum undo_which which;
	enum sweep_how how;
	const char *own;     /* path of our own journal, or "" */
	struct names kept;   /* instances of journals that stay */
	struct err *e;
};

struct holder {
	bool top;       /* it changes settings that all runs share */
	bool foreign;   /* from another pid namespace, or /proc is missing */
};

static struct holder holder_of(const struct sys *sys, const char *path)
{
	int fd = sys->open(sys, path, O_RDONLY | O_NOFOLLOW, 0);
	/* Without /proc no process can be looked up. */
	struct holder h = { .foreign = !journal_started(sys, sys_self()) };
	char ns[JOURNAL_NAMESPACE];
	struct jrec rec;
	char *text;
	size_t n;

	if (fd < 0)
		return h;
	if (!journal_load(sys, fd, &text, &n)) {
		struct sv log = { text, n };

		while (journal_next(&log, &rec)) {
			h.top |= rec.kind == J_TOP;
			h.foreign |= rec.kind == J_HEAD && !sv_eq(rec.where, journal_namespace(sys, ns));
		}
		free(text);
	}
	sys->close(sys, fd);
	return h;
}

static int visit_one(void *arg, const char *path)
{
	enum { TRIES = 500, PAUSE_MS = 20 };
	struct visit *v = arg;
	const struct sys *sys = v->s->sys;

	for (int i = 0, pid = 0; strcmp(path, v->own); i++) {
		if (one_journal(v->s, path, v->which, &v->kept) == FOUND_FREE || v->how == SWEEP_PASS)
			return 0;

		struct holder h = holder_of(sys, path);

		if (v->how == SWEEP_CLAIM && !h.top)
			return 0;
		if (writer_life(sys, path, &pid) == JOURNAL_LIVES || h.foreign) {
			if (v->how != SWEEP_CLAIM)
				return 0;
			char process[32] = "";

			if (pid && !h.foreign)
				snprintf(process, sizeof(process), " (process %d)", pid);
			err_set(v->e, EBUSY, "another run of sonde%s has changed settings that exist only once",
				process);
			return err_hint(v->e, "wait for its end: each would put back what the other has set");
		}
		if (i == TRIES) {
			/* All that can be undone is undone. */
			struct err *e = v->which == UNDO_OURS ? first(v->s) : v->e;
			int r = err_set(e, EBUSY, "what a dead run has changed is still being put back (%s)", path);

			v->s->error = v->s->error ? v->s->error : r;
			return v->which == UNDO_OURS ? 0 : r;
		}
		sys->poll(sys, NULL, 0, PAUSE_MS);
	}
	return 0;
}

int sweep_others(const struct sys *sys, enum sweep_how how, const char *own, struct err *e)
{
	struct sweep s = { .sys = sys, .fd = -1 };
	struct visit v = { .s = &s, .how = how, .own = own, .e = e };
	int r = each_journal(sys, visit_one, &v);

	names_deinit(&v.kept);
	return r;
}

/* --- instances of dead processes --- */

static void dead_instances(struct sweep *s, const struct tfs *top, const struct names *kept)
{
	char dir[PATH_MAX];
	struct sys_list l;
	struct tfs t;

	snprintf(dir, sizeof(dir), "%s/instances", top->root);
	if (sys_list_dir(s->sys, dir, &l))
		return;
	for (size_t i = 0; i < l.n; i++)
		if (journal_maker_is_gone(s->sys, sv_from(l.v[i]), '-') &&
		    names_find(kept, l.v[i], strlen(l.v[i])) == NAMES_NONE && !tfs_instance(&t, top, l.v[i], NULL))
			remove_instance(s, &t);
	sys_list_free(&l);
}

/* --- journals of other users' runs --- */

struct strangers {
	struct sweep *s;
	bool all;            /* carry them out, do not only report them */
	struct allow allow;
};

static void PRINTF(3, 4) name_it(const struct strangers *x, const struct journal_foreign *f, const char *fmt, ...)
{
	char line[400], what[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	snprintf(line, sizeof(line), "%.150s: left by a run of user %u: %s", f->path, f->uid, what);
	if (x->s->say)
		x->s->say(x->s->arg, line);
}

static bool is_of_this_namespace(const struct sys *sys, struct sv log)
{
	char ns[JOURNAL_NAMESPACE];
	struct jrec head;

	return journal_next(&log, &head) && sv_eq(head.where, journal_namespace(sys, ns));
}

/* Undo what is allowed. Why the journal must stay; NULL: it is not needed any more. */
static const char *carry_out(struct strangers *x, const struct journal_foreign *f, struct sv log)
{
	enum { RECORDS_MAX = 20000 };
	const struct sys *sys = x->s->sys;
	struct sv rest = log;
	struct jrec rec;
	size_t records = 0;
	int r;

	if (!journal_is_current(sys, log))
		return NULL;
	if (!is_of_this_namespace(sys, log))
		return "its processes have other numbers here";
	if (is_dying(sys, f->path, log))
		return "it is still being put back";
	while (journal_next(&rest, &rec))
		records++;
	if (records > RECORDS_MAX)
		return "it is too long to be believed";
	x->allow.uid = f->uid;
	x->s->allow = &x->allow;
	x->s->left = 0;
	x->s->fd = -1;
	r = sweep_log(x->s, log);
	x->s->allow = NULL;
	if (r)
		return "not all of it could be put back";
	return x->s->left ? "'reset --ours' as that user puts back the rest" : NULL;
}

static const char *carry_out_file(struct strangers *x, const struct journal_foreign *f)
{
	enum { SIZE_MAX_FOREIGN = 4 << 20 };
	const struct sys *sys = x->s->sys;
	int fd = journal_open_foreign(sys, f), r;
	const char *why = "it cannot be read, or is not that user's own file";
	char *text = NULL;
	size_t n = 0;

	if (fd < 0)
		return why;
	r = sys->flock(sys, fd, LOCK_EX | LOCK_NB);
	if (r)
		why = "somebody holds it";
	else if ((r = journal_load_foreign(sys, fd, f->uid, SIZE_MAX_FOREIGN, &text, &n)))
		why = r == -EFBIG ? "it is too long to be believed" : why;
	else
		why = n ? carry_out(x, f, (struct sv){ text, n }) : NULL;
	if (!why && sys->unlink_in && !sys->unlink_in(sys, f->folder, f->name))
		told(x->s, 0, "%.200s: done with", f->path);
	if (!r)
		free(text);
	sys->close(sys, fd);
	return why;
}

/* The contents are another user's word: as root only do what the tables of allow.c allow. */
static void foreign_journal(void *arg, const struct journal_foreign *f)
{
	struct strangers *x = arg;
	const char *why;
	int pid = 0;

	if (writer_life(x->s->sys, f->path, &pid) != JOURNAL_GONE)
		return;
	if (!x->all) {
		name_it(x, f, "'reset --ours' as that user, or 'reset --all-users', puts it back");
		return;
	}
	why = carry_out_file(x, f);
	if (why)
		name_it(x, f, "%s", why);
}

int undo_sweep(const struct sys *sys, enum undo_which which, void (*say)(void *arg, const char *line), void *arg,
	       struct err *e)
{
	struct sweep s = { .sys = sys, .fd = -1, .say = say, .arg = arg, .e = e };
	struct strangers strangers = { .s = &s, .all = which == UNDO_ALL_USERS };
	struct visit v = { .s = &s, .which = strangers.all ? UNDO_OURS : which, .own = "", .e = e };
	struct tfs top;
	int r;

	if (strangers.all && sys->uid(sys))
		return err_set(e, EPERM, "only root can put back what the runs of other users have left");
	r = tfs_open(&top, sys, e);
	if (r)
		return r;
	r = strangers.all ? allow_init(&strangers.allow, sys, top.root, e) : 0;
	if (r)
		return r;
	v.how = v.which == UNDO_OURS ? SWEEP_WAIT : SWEEP_PASS;
	r = each_journal(sys, visit_one, &v);
	/* Before the instances: triggers of other users would keep these busy. */
	if (v.which == UNDO_OURS && (say || strangers.all))
		journal_each_foreign(sys, foreign_journal, &strangers);
	dead_instances(&s, &top, &v.kept);
	names_deinit(&v.kept);
	allow_deinit(&strangers.allow);
	r = r ? r : s.error;
	return r ? r : (int)s.done;
}
