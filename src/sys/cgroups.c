#include "sys/cgroups.h"

#include <sys/stat.h>

enum { DEEPEST = 64 };   /* limit of nesting */

/* A folder without this file is only a parent of mount points. */
const char *cgroups_mount(const struct sys *sys)
{
	static const char *const places[] = {
		"/sys/fs/cgroup/perf_event", "/sys/fs/cgroup/perf_event,net_cls,net_prio", "/sys/fs/cgroup/unified",
		"/sys/fs/cgroup",
	};
	char path[100];

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		snprintf(path, sizeof(path), "%s/cgroup.procs", places[i]);
		if (sys_exists(sys, path))
			return places[i];
	}
	return NULL;
}

struct walk {
	const struct sys *sys;
	int (*each)(void *arg, const char *name, const struct stat *st);
	void *arg;
	size_t root;               /* length of the mount's path */
	unsigned deep;
	int r;
	char path[PATH_MAX];
};

static int visit(void *arg, const char *name)
{
	struct walk *w = arg;
	size_t n = strlen(w->path), more = strlen(name);
	struct stat st;

	if (n + 1 + more >= sizeof(w->path) || w->deep == DEEPEST)
		return 0;
	w->path[n] = '/';
	memcpy(w->path + n + 1, name, more + 1);
	if (!w->sys->lstat(w->sys, w->path, &st) && S_ISDIR(st.st_mode)) {
		w->r = w->each(w->arg, w->path + w->root, &st);
		w->deep++;
		if (!w->r)
			w->sys->each_entry(w->sys, w->path, visit, w);
		w->deep--;
	}
	w->path[n] = '\0';
	return w->r;
}

int cgroups_each(const struct sys *sys, int (*each)(void *arg, const char *name, const struct stat *st), void *arg)
{
	struct walk w = { .sys = sys, .each = each, .arg = arg };
	const char *root = cgroups_mount(sys);
	struct stat st;

	if (!root || sys->stat(sys, root, &st))
		return -ENOENT;
	w.root = strlen(root);
	memcpy(w.path, root, w.root + 1);
	w.r = each(arg, "/", &st);
	if (!w.r)
		sys->each_entry(sys, root, visit, &w);
	return w.r;
}
