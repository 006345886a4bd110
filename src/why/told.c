/* told.c - from /proc and cgroup files: page faults in the window, and how often control groups were throttled. */
#include "why/why.h"

/* --- control groups --- */

/* The mount point: of cgroup v1's cpu hierarchy, or (no controllers) of cgroup v2. */
static const char *mount_of(const struct sys *sys, struct sv controllers)
{
	static const char *const v1[] = { "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup/cpu", "/cgroup/cpu" };
	static const char *const v2[] = { "/sys/fs/cgroup/unified", "/sys/fs/cgroup" };
	const char *const *v = controllers.n ? v1 : v2;
	size_t n = controllers.n ? ARRAY_SIZE(v1) : ARRAY_SIZE(v2);
	char path[100];

	for (size_t i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/cgroup.procs", v[i]);
		if (sys_exists(sys, path))
			return v[i];
	}
	return NULL;
}

static bool has_cpu(struct sv controllers)
{
	struct sv one;

	while (sv_cut(&controllers, ',', &one))
		if (sv_eq(one, "cpu"))
			return true;
	return false;
}

/* Read cpu.stat: nr_periods, nr_throttled, and throttled_usec (v2) or throttled_time in ns (v1). */
static bool read_group(struct why_group *g, const struct sys *sys)
{
	char path[sizeof(g->path) + 16], text[1024];
	struct sv rest, line, key;
	bool found = false;
	ssize_t n;

	snprintf(path, sizeof(path), "%s/cpu.stat", g->path);
	n = sys_read_text(sys, path, text, sizeof(text));
	if (n < 0)
		return false;
	rest = (struct sv){ text, (size_t)n };
	while (sv_cut(&rest, '\n', &line)) {
		uint64_t v;

		if (!sv_cut(&line, ' ', &key) || !str_u64(sv_trim(line), 10, &v))
			continue;
		if (sv_eq(key, "nr_periods"))
			g->periods = v;
		else if (sv_eq(key, "nr_throttled"))
			g->throttled = v;
		else if (sv_eq(key, "throttled_usec") || sv_eq(key, "throttled_time"))
			g->ns = sv_eq(key, "throttled_usec") ? v * 1000 : v;
		else
			continue;
		found = true;
	}
	return found;
}

/* Add a group and its ancestors: any of them may have a limit. */
static void add_groups(struct why_told *t, const struct sys *sys, const char *mount, struct sv name)
{
	struct why_group g = { .mount = strlen(mount) };
	char *slash;

	if (snprintf(g.path, sizeof(g.path), "%s%.*s", mount, (int)name.n, name.s) >= (int)sizeof(g.path))
		return;
	while (t->n < WHY_LEVELS && strlen(g.path) > g.mount + 1) {
		if (read_group(&g, sys))
			t->group[t->n++] = g;
		slash = strrchr(g.path, '/');
		*slash = '\0';
		g.periods = g.throttled = g.ns = 0;
	}
}

static void find_groups(struct why_told *t, const struct sys *sys, uint32_t pid)
{
	char path[40], text[4096];
	struct sv rest, line, number, controllers;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%u/cgroup", pid);
	n = sys_read_text(sys, path, text, sizeof(text));
	rest = (struct sv){ text, n > 0 ? (size_t)n : 0 };
	/* Lines of /proc/PID/cgroup: "4:cpu,cpuacct:/a/b" (v1), "0::/a/b" (v2) */
	while (sv_cut(&rest, '\n', &line)) {
		const char *mount;

		if (!sv_cut(&line, ':', &number) || !sv_cut(&line, ':', &controllers))
			continue;
		mount = !controllers.n || has_cpu(controllers) ? mount_of(sys, controllers) : NULL;
		if (mount)
			add_groups(t, sys, mount, line);
	}
}

const struct why_group *why_throttled(const struct why_told *t)
{
	const struct why_group *most = NULL;

	for (size_t i = 0; i < t->n; i++)
		if (t->group[i].throttled && (!most || t->group[i].ns > most->ns))
			most = &t->group[i];
	return most;
}

/* --- all --- */

bool why_stat(const struct sys *sys, const char *path, struct why_stat *st)
{
	char text[1024], *at;
	struct sv rest, piece;
	ssize_t n = sys_read_text(sys, path, text, sizeof(text));
	unsigned i = 4;

	*st = (struct why_stat){ 0 };
	/* The name may contain ')', too: search for the last one. */
	at = n > 0 ? strrchr(text, ')') : NULL;
	if (!at || !at[1] || !at[2])
		return false;
	st->state = at[2];
	rest = sv_from(at[3] ? at + 4 : "");
	for (; i < ARRAY_SIZE(st->v) && sv_cut(&rest, ' ', &piece); i++)
		if (!str_u64(piece, 10, &st->v[i]))
			st->v[i] = 0;
	return i == ARRAY_SIZE(st->v);
}

static void count_faults(struct why_told *t, const struct sys *sys, uint32_t pid, bool thread)
{
	struct why_stat st;
	char path[64];

	/* A process' counts include all of its threads, and those that have ended. */
	snprintf(path, sizeof(path), thread ? "/proc/%u/task/%u/stat" : "/proc/%u/stat", pid, pid);
	if (!why_stat(sys, path, &st))
		return;
	t->minor += st.v[WHY_STAT_MINOR];
	t->major += st.v[WHY_STAT_MAJOR];
	t->has_faults = true;
}

void why_told_now(struct why_told *t, const struct sys *sys, const uint32_t *pids, size_t n, bool threads)
{
	*t = (struct why_told){ 0 };
	for (size_t i = 0; i < n; i++)
		count_faults(t, sys, pids[i], threads);
	if (n)
		find_groups(t, sys, pids[0]);
}

static uint64_t since(uint64_t now, uint64_t before)
{
	return now - MIN(before, now);
}

void why_told_since(struct why_told *t, const struct sys *sys, const uint32_t *pids, size_t n, bool threads)
{
	struct why_told now = { 0 };

	for (size_t i = 0; i < n; i++)
		count_faults(&now, sys, pids[i], threads);
	t->has_faults &= now.has_faults;
	t->minor = since(now.minor, t->minor);
	t->major = since(now.major, t->major);
	for (size_t i = 0; i < t->n; i++) {
		struct why_group *g = &t->group[i], was = *g;

		if (!read_group(g, sys))
			*g = was;
		g->periods = since(g->periods, was.periods);
		g->throttled = since(g->throttled, was.throttled);
		g->ns = since(g->ns, was.ns);
	}
}
