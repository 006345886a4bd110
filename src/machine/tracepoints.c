/* tracepoints.c - reads directories of tracefs; ids are only read for matching events. */
#include "machine/tracepoints.h"

#include <unistd.h>

struct search {
	const struct sys *sys;
	const char *root;              /* of tracefs */
	const char *system, *name;     /* as typed */
	int (*found)(void *to, const char *system, const char *name, uint64_t id);
	void *to;
	struct err *e;
	int n;
};

/* The reason why tracefs or a part of it is inaccessible. */
static int explain(const struct sys *sys, int code, struct err *e)
{
	if (code == EACCES || code == EPERM) {
		err_set(e, EACCES, "tracepoints: no permission to read /sys/kernel/tracing");
		return err_hint(e, "run as root, or let others look: mount -o remount,mode=755 /sys/kernel/tracing");
	}
	err_set(e, ENOENT, "tracepoints: the tracing file system is not mounted");
	if (sys->access(sys, "/sys/kernel/tracing", F_OK))
		return err_hint(e, "there is no /sys/kernel/tracing: mount /sys, or use a kernel with CONFIG_TRACING");
	return err_hint(e, "mount -t tracefs nodev /sys/kernel/tracing");
}

static int find_root(struct search *s)
{
	int r;

	s->root = sys_tracefs(s->sys);
	if (s->root)
		return 0;
	r = s->sys->access(s->sys, "/sys/kernel/tracing/trace_pipe", F_OK);
	return explain(s->sys, r == -EACCES ? EACCES : ENOENT, s->e);
}

/* The one event system:name, if it is there. */
static int one(struct search *s, const char *system, const char *name)
{
	uint64_t id;
	int r = sys_read_u64(s->sys, &id, "%s/events/%s/%s/id", s->root, system, name);

	if (r == -EACCES || r == -EPERM)
		return explain(s->sys, EACCES, s->e);
	if (r)
		return 0;
	s->n++;
	return s->found(s->to, system, name, id);
}

/* Matching names in a directory. NULL pattern: all. */
static int match_dir(struct search *s, const char *path, const char *pattern, const char *system,
		     int (*each)(struct search *s, const char *system, const char *name))
{
	struct sys_list names;
	int r = sys_list_dir(s->sys, path, &names);

	if (r)
		return r == -EACCES ? explain(s->sys, EACCES, s->e) : r == -ENOMEM ? err_nomem(s->e) : 0;
	for (size_t i = 0; !r && i < names.n; i++) {
		if (str_glob(pattern, sv_from(names.v[i])))
			r = each(s, system, names.v[i]);
	}
	sys_list_free(&names);
	return r;
}

static int in_system(struct search *s, const char *none UNUSED, const char *system)
{
	char path[PATH_MAX];

	if (system != s->system && !strcmp(system, "ftrace"))
		return 0;
	if (!str_is_glob(sv_from(s->name)))
		return one(s, system, s->name);
	snprintf(path, sizeof(path), "%s/events/%s", s->root, system);
	return match_dir(s, path, s->name, system, one);
}

static int search(struct search *s)
{
	char path[PATH_MAX];

	if (!str_is_glob(sv_from(s->system)))
		return in_system(s, NULL, s->system);
	snprintf(path, sizeof(path), "%s/events", s->root);
	return match_dir(s, path, s->system, NULL, in_system);
}

static bool is_name(const char *s)
{
	return *s && *s != '.' && !strchr(s, '/');
}

int tracepoints_each(const struct sys *sys, const char *system, const char *name,
		     int (*found)(void *to, const char *system, const char *name, uint64_t id), void *to, struct err *e)
{
	struct search s = { .sys = sys, .system = system, .name = name, .found = found, .to = to, .e = e };
	int r = find_root(&s);

	if (r || !is_name(system) || !is_name(name))
		return r;
	r = search(&s);
	return r ? r : s.n;
}

struct feed {
	void (*feed)(void *to, const char *name);
	void *to;
};

static int feed_one(struct search *s, const char *system, const char *name)
{
	const struct feed *f = s->to;
	char text[256];

	/* Skip the directory's own files. */
	if (strcmp(name, "enable") && strcmp(name, "filter")) {
		snprintf(text, sizeof(text), "%s:%s", system, name);
		f->feed(f->to, text);
	}
	return 0;
}

static int feed_system(struct search *s, const char *none UNUSED, const char *system)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/events/%s", s->root, system);
	return match_dir(s, path, "*", system, feed_one);
}

void tracepoints_names(const struct sys *sys, void (*feed)(void *to, const char *name), void *to)
{
	struct feed f = { .feed = feed, .to = to };
	struct search s = { .sys = sys, .to = &f };
	char path[PATH_MAX];

	if (find_root(&s))
		return;
	snprintf(path, sizeof(path), "%s/events", s.root);
	match_dir(&s, path, "*", NULL, feed_system);
}
