/* target.c - options to CPUs, threads and cgroups. */
#include "live/target.h"

#include "live/cgroups_like.h"

#include <fcntl.h>

const struct opt target_opts[] = {
	OPT_HEAD("Target (default without a command: the whole system)"),
	OPT_FLAG('a', "all-cpus", struct target_want, all, "the whole system, on all CPUs"),
	OPT_STR('C', "cpu", struct target_want, cpus, "<list>", "the whole system, on these CPUs: 0,2-5"),
	OPT_STR('p', "pid", struct target_want, pids, "<pids>", "processes with all their threads: 12,34"),
	OPT_STR('t', "tid", struct target_want, tids, "<tids>", "only these threads, by TID: 12,34"),
	OPT_STR('u', "uid", struct target_want, user, "<user>", "all threads of this user, by name or UID"),
	OPT_STR('G', "cgroup", struct target_want, cgroups, "<names>", "tasks in these cgroups, v1 or v2"),
	OPT_FLAG('i', "no-inherit", struct target_want, no_inherit, "do not follow new threads and child processes"),
	OPT_STR('D', "delay", struct target_want, delay, "<ms>",
		"start measuring this long after the command"),
	OPT_END,
};

enum { DELAY_MAX = INT_MAX };   /* ms */

static bool wants_tasks(const struct target_want *w)
{
	return w->pids || w->tids || w->user;
}

/* Does `threads` apply? Not with -C, because no thread stays on some CPUs only. */
static bool is_every_thread(const struct target_want *w)
{
	return w->threads && w->all && !w->cpus && !w->cgroups;
}

struct add_tids {
	struct target *t;
	int r;
};

static int add_tid(void *arg, const char *name)
{
	struct add_tids *a = arg;
	uint64_t tid;
	int *slot;

	if (!str_u64(sv_from(name), 10, &tid) || tid > INT_MAX)
		return 0;
	slot = vec_add(&a->t->tids);
	if (!slot)
		return -ENOMEM;
	*slot = (int)tid;
	return 0;
}

static int no_such(const char *what, struct sv id, struct err *e)
{
	err_set(e, ESRCH, "no such %s: %.*s", what, (int)MIN(id.n, 40u), id.s);
	return err_hint(e, "it may have ended; 'ps -e' lists what runs");
}

static int add_process(struct target *t, const struct sys *sys, struct sv id, struct err *e)
{
	char path[64];
	uint64_t pid;
	struct add_tids a = { .t = t };

	id = sv_trim(id);
	if (!str_u64(id, 10, &pid) || !pid || pid > INT_MAX)
		return err_set(e, EINVAL, "bad process id '%.*s'", (int)MIN(id.n, 40u), id.s);
	snprintf(path, sizeof(path), "/proc/%llu/task", (unsigned long long)pid);

	size_t before = t->tids.n;
	int r = sys->each_entry(sys, path, add_tid, &a);

	/* An empty listing means that the process ended meanwhile. */
	if (r == -ENOENT || r == -ESRCH || (!r && t->tids.n == before))
		return no_such("process", id, e);
	if (r == -ENOMEM)
		return err_nomem(e);
	return r < 0 ? err_set(e, -r, "cannot read %s: %s", path, err_name(-r)) : 0;
}

static int add_thread(struct target *t, const struct sys *sys, struct sv id, struct err *e)
{
	char path[64];
	uint64_t tid;

	id = sv_trim(id);
	if (!str_u64(id, 10, &tid) || !tid || tid > INT_MAX)
		return err_set(e, EINVAL, "bad thread id '%.*s'", (int)MIN(id.n, 40u), id.s);
	snprintf(path, sizeof(path), "/proc/%llu", (unsigned long long)tid);
	if (!sys_exists(sys, path))
		return no_such("thread", id, e);

	int *slot = vec_add(&t->tids);

	if (!slot)
		return err_nomem(e);
	*slot = (int)tid;
	return 0;
}

static int add_each(struct target *t, const struct sys *sys, const char *list,
		    int (*add)(struct target *, const struct sys *, struct sv, struct err *), struct err *e)
{
	struct sv rest = sv_from(list), one;

	while (sv_cut(&rest, ',', &one)) {
		int r = add(t, sys, one, e);

		if (r)
			return r;
	}
	return 0;
}

static int user_id(const struct sys *sys, const char *user, uint64_t *uid, struct err *e)
{
	char *text;
	size_t n;

	if (str_u64(sv_from(user), 10, uid))
		return 0;

	int r = sys_read_all(sys, "/etc/passwd", 1 << 22, &text, &n, e);

	if (r)
		return r;

	struct sv rest = { text, n }, line, name, pass, id;
	bool found = false;

	while (!found && sv_cut(&rest, '\n', &line))
		found = sv_cut(&line, ':', &name) && sv_cut(&line, ':', &pass) && sv_cut(&line, ':', &id) &&
			sv_eq(name, user) && str_u64(id, 10, uid);
	free(text);
	if (found)
		return 0;
	err_set(e, EINVAL, "no such user: %s", user);
	return err_hint(e, "/etc/passwd does not name it; a number does as well");
}

struct add_user {
	struct target *t;
	const struct sys *sys;
	bool any;
	uint64_t uid;
	struct err *e;
};

static bool is_of_user(const struct add_user *a, const char *pid)
{
	char buf[2048];
	uint64_t uid;
	struct sv rest, word;
	const char *at;

	if (sys_read_line(a->sys, buf, sizeof(buf), "/proc/%s/status", pid) <= 0)
		return false;
	at = strstr(buf, "\nUid:\t");
	if (!at)
		return false;
	/* Fields are the real, effective, saved and file system uid; the effective one decides. */
	rest = sv_from(at + 6);
	sv_cut(&rest, '\t', &word);
	sv_cut(&rest, '\t', &word);
	return str_u64(word, 10, &uid) && uid == a->uid;
}

static int add_of_user(void *arg, const char *name)
{
	struct add_user *a = arg;
	uint64_t pid;
	int r;

	if (!str_u64(sv_from(name), 10, &pid) || !(a->any || is_of_user(a, name)))
		return 0;
	r = add_process(a->t, a->sys, sv_from(name), a->e);
	return r == -ESRCH ? 0 : r;
}

/* Add all threads of a user; NULL: of all users. */
static int add_user_tasks(struct target *t, const struct sys *sys, const char *user, struct err *e)
{
	struct add_user a = { .t = t, .sys = sys, .any = !user, .e = e };
	int r = user ? user_id(sys, user, &a.uid, e) : 0;

	if (r)
		return r;
	r = sys->each_entry(sys, "/proc", add_of_user, &a);
	if (r == -ENOMEM)
		return err_nomem(e);
	if (r)
		return err_set(e, -r, "cannot read /proc: %s", err_name(-r));
	return t->tids.n ? 0 : err_set(e, ESRCH, "user %s has no process", user);
}

/* Try the usual mount points of v1's perf_event and of v2; names are relative to these, with or without a slash. */
static int open_cgroup(const struct sys *sys, struct sv name)
{
	static const char *const places[] = {
		"/sys/fs/cgroup/perf_event/", "/sys/fs/cgroup/perf_event,net_cls,net_prio/", "/sys/fs/cgroup/unified/",
		"/sys/fs/cgroup/",
	};
	char path[PATH_MAX];
	int fd = -ENOENT;

	for (size_t i = 0; i < ARRAY_SIZE(places) && (fd == -ENOENT || fd == -ENOTDIR); i++) {
		snprintf(path, sizeof(path), "%s%.*s", places[i], (int)MIN(name.n, 3000u), name.s);
		fd = sys->open(sys, path, O_RDONLY | O_DIRECTORY, 0);
	}
	/* The name may also be an absolute path, for a hierarchy mounted elsewhere. */
	snprintf(path, sizeof(path), "%.*s", (int)MIN(name.n, 3000u), name.s);
	return fd < 0 && path[0] == '/' ? sys->open(sys, path, O_RDONLY | O_DIRECTORY, 0) : fd;
}

/* Write the group's ancestors into text, the root first: ". a a/b". */
static void put_parents(const char *group, char *text, size_t size)
{
	size_t n = (size_t)snprintf(text, size, ".");

	for (const char *p = group; (p = strchr(p, '/')) && n < size; p++)
		if (p > group && p[1])
			n += (size_t)snprintf(text + n, size - n, " %.*s", (int)(p - group), group);
}

/* v2 enables perf_event implicitly, but only in groups made after some controller was enabled in their ancestors. */
int target_no_cgroup(const char *event, const char *group, struct err *e)
{
	char parents[200];

	err_set(e, ENOENT, "%s: not supported for control group %s: perf_event is not active in it", event, group);
	group += strspn(group, "/");
	put_parents(group, parents, sizeof(parents));
	return err_hint(e, "from the root down: cd /sys/fs/cgroup; for g in %s; do "
			"echo +memory > $g/cgroup.subtree_control; done", parents);
}

static int add_one_cgroup(struct target *t, const struct sys *sys, struct sv name, struct err *e)
{
	struct target_cgroup *g;
	int fd = name.n ? open_cgroup(sys, name) : -ENOENT;

	if (fd < 0 && fd != -ENOENT && fd != -ENOTDIR)
		return err_set(e, -fd, "cannot open the control group %.*s: %s", (int)MIN(name.n, 200u), name.s,
			       err_name(-fd));
	if (fd < 0) {
		err_set(e, -fd, "no such control group: %.*s", (int)MIN(name.n, 200u), name.s);
		return err_hint(e, "names are relative to /sys/fs/cgroup, for example system.slice/cron.service");
	}
	g = vec_add(&t->cgroups);
	if (!g) {
		sys->close(sys, fd);
		return err_nomem(e);
	}
	/* Copied, as the name is a piece of the option's text without a NUL. */
	*g = (struct target_cgroup){ .name = strndup(name.s, name.n), .fd = fd };
	return g->name ? 0 : err_nomem(e);
}

struct by_pattern {
	struct target *t;
	const struct sys *sys;
	struct err *e;
};

static int add_matching(void *arg, const char *name)
{
	struct by_pattern *b = arg;

	return add_one_cgroup(b->t, b->sys, sv_from(name), b->e);
}

/* Has the name a character of regular expressions? perf decides by the same ones. */
static bool is_pattern(struct sv name)
{
	for (size_t i = 0; i < name.n; i++)
		if (strchr("{}[]()|*+?^$", name.s[i]))
			return true;
	return false;
}

static int add_cgroup(struct target *t, const struct sys *sys, struct sv name, struct err *e)
{
	struct by_pattern b = { .t = t, .sys = sys, .e = e };

	name = sv_trim(name);
	return is_pattern(name) ? cgroups_like(sys, name, add_matching, &b, e) : add_one_cgroup(t, sys, name, e);
}

static int choose_cpus(struct target *t, const struct target_want *w, const struct sys *sys, struct err *e)
{
	int r = sys_cpus_online(sys, &t->online, e);

	if (r)
		return r;
	t->cpus = t->online;
	if (!w->cpus)
		return 0;
	t->cpus_chosen = true;
	r = cpus_parse(&t->cpus, sv_from(w->cpus), e);
	if (!r && !cpus_count(&t->cpus))
		r = err_set(e, EINVAL, "bad CPU list: it is empty");
	for (int c = cpus_next(&t->cpus, 0); !r && c >= 0; c = cpus_next(&t->cpus, (unsigned)c + 1)) {
		char buf[128];

		if (!cpus_has(&t->online, (unsigned)c))
			r = err_set(e, EINVAL, "CPU %d is not online; online are %s", c,
				    cpus_text(&t->online, buf, sizeof(buf)));
	}
	return r;
}

static int choose_tasks(struct target *t, const struct target_want *w, const struct sys *sys, struct err *e)
{
	int r = w->pids ? add_each(t, sys, w->pids, add_process, e) : 0;

	if (!r && w->tids)
		r = add_each(t, sys, w->tids, add_thread, e);
	if (!r && (w->user || is_every_thread(w)))
		r = add_user_tasks(t, sys, w->user, e);
	return r;
}

static int by_number(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

/* Remove duplicates (-p 12,12, or -p and -u of the same process): such a thread would be counted twice. */
static void each_once(struct target *t)
{
	size_t n = 0;

	if (t->tids.n)
		qsort(t->tids.v, t->tids.n, sizeof(*t->tids.v), by_number);
	for (size_t i = 0; i < t->tids.n; i++)
		if (!n || t->tids.v[n - 1] != t->tids.v[i])
			t->tids.v[n++] = t->tids.v[i];
	t->tids.n = n;
}

static int read_delay(struct target *t, const char *text, struct err *e)
{
	const char *range = strchr(text + (*text == '-'), '-');

	if (range)
		return err_set(e, EINVAL, "--delay: '%s': ranges of time are not available, one delay in ms is", text);
	if (!str_i64(sv_from(text), 10, &t->delay_ms) || t->delay_ms < -1 || t->delay_ms > DELAY_MAX)
		return err_set(e, EINVAL, "--delay: '%s' is not a number of milliseconds, nor -1", text);
	return 0;
}

const char *target_settle(struct target_want *w)
{
	const char *left_out = w->all ? "SYSTEM" : w->cpus ? "CPU" : NULL;

	if (!wants_tasks(w) || !left_out)
		return NULL;
	w->all = false;
	w->cpus = NULL;
	return left_out;
}

static int contradictions(const struct target_want *w, struct err *e)
{
	bool tasks = wants_tasks(w);

	if (tasks && (w->all || w->cpus))
		return err_set(e, EINVAL, "%s and %s say two different things: watch tasks, or CPUs",
			       w->pids ? "--pid" : w->tids ? "--tid" : "--uid", w->all ? "--all-cpus" : "--cpu");
	if (tasks && w->cgroups)
		return err_set(e, EINVAL, "--cgroup watches CPUs: it does not go with --pid, --tid or --uid");
	return 0;
}

int target_init(struct target *t, const struct target_want *w, const struct sys *sys, int argc, char **argv,
		struct err *e)
{
	*t = (struct target){ .inherit = !w->no_inherit, .argc = argc, .argv = argc ? argv : NULL };

	int r = contradictions(w, e);

	if (!r && w->delay)
		r = read_delay(t, w->delay, e);
	if (!r)
		r = choose_cpus(t, w, sys, e);
	if (!r && w->cgroups)
		r = add_each(t, sys, w->cgroups, add_cgroup, e);
	if (!r)
		r = choose_tasks(t, w, sys, e);
	if (r) {
		target_deinit(t, sys);
		return r;
	}
	each_once(t);
	if (wants_tasks(w) || is_every_thread(w))
		t->kind = TARGET_TASKS;
	else if (t->argv && !w->all && !w->cpus && !w->cgroups)
		t->kind = TARGET_COMMAND;
	else
		t->kind = TARGET_CPUS;
	return 0;
}

void target_deinit(struct target *t, const struct sys *sys)
{
	for (size_t i = 0; i < t->cgroups.n; i++) {
		if (t->cgroups.v[i].fd >= 0)
			sys->close(sys, t->cgroups.v[i].fd);
		free((char *)(uintptr_t)t->cgroups.v[i].name);
	}
	vec_free(&t->cgroups);
	vec_free(&t->tids);
}

const char *target_name(struct target *t, const struct target_want *w)
{
	size_t n = sizeof(t->name_buf);

	if (w->pids)
		snprintf(t->name_buf, n, "process id '%s'", w->pids);
	else if (w->tids)
		snprintf(t->name_buf, n, "thread id '%s'", w->tids);
	else if (w->user)
		snprintf(t->name_buf, n, "user '%s'", w->user);
	else if (w->cpus)
		snprintf(t->name_buf, n, "CPU(s) %s", w->cpus);
	else if (t->kind == TARGET_COMMAND)
		snprintf(t->name_buf, n, "'%s'", t->argv[0]);
	else
		snprintf(t->name_buf, n, "system wide");
	return t->name_buf;
}
