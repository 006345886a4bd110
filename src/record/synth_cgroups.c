/* synth_cgroups.c - folders of the control groups' file system to CGROUP records. */
#include "record/synth.h"

#include <sys/stat.h>

enum { DEEPEST = 64 };   /* groups below groups */

/* Where v1's hierarchy of events is mounted, or v2's. A folder without this file is only a place for mounts. */
static const char *hierarchy(const struct sys *sys)
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
	struct synth *s;
	size_t root;               /* length of the hierarchy's own path */
	unsigned deep;
	char path[PATH_MAX];
};

/* A group's id is the number of its folder (kernfs, where inode numbers have 64 bits). */
static void put_group(struct walk *w, const struct stat *st)
{
	perf_write_cgroup(w->s->out, &w->s->id, st->st_ino, w->path[w->root] ? w->path + w->root : "/");
}

static int visit(void *arg, const char *name)
{
	struct walk *w = arg;
	size_t n = strlen(w->path), more = strlen(name);
	struct stat st;
	int r = 0;

	if (n + 1 + more >= sizeof(w->path) || w->deep == DEEPEST)
		return 0;
	w->path[n] = '/';
	memcpy(w->path + n + 1, name, more + 1);
	/* One that has just gone is not told. */
	if (!w->s->sys->lstat(w->s->sys, w->path, &st) && S_ISDIR(st.st_mode)) {
		put_group(w, &st);
		w->deep++;
		r = w->s->sys->each_entry(w->s->sys, w->path, visit, w);
		w->deep--;
	}
	w->path[n] = '\0';
	return r > 0 ? r : w->s->out->error;
}

int synth_cgroups(struct synth *s, struct err *e)
{
	struct walk w = { .s = s };
	const char *root = hierarchy(s->sys);
	struct stat st;

	if (!root || s->sys->stat(s->sys, root, &st))
		return err_set(e, ENOENT, "--all-cgroups: no hierarchy of control groups is mounted in /sys/fs/cgroup");
	w.root = strlen(root);
	memcpy(w.path, root, w.root + 1);
	put_group(&w, &st);
	s->sys->each_entry(s->sys, root, visit, &w);
	return s->out->error;
}
