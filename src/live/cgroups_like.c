#include "live/cgroups_like.h"

#include "base/rex.h"
#include "sys/cgroups.h"

struct like {
	struct rex rex;
	int (*each)(void *arg, const char *name);
	void *arg;
	size_t n;
};

static int match(void *arg, const char *name, const struct stat *st UNUSED)
{
	struct like *l = arg;
	int r;

	if (name[1])
		name++;
	if (!rex_match(&l->rex, sv_from(name)))
		return 0;
	r = l->each(l->arg, name);
	l->n += !r;
	return r == -ENOENT ? 0 : r;
}

int cgroups_like(const struct sys *sys, struct sv pattern, int (*each)(void *arg, const char *name), void *arg,
		 struct err *e)
{
	struct like l = { .each = each, .arg = arg };
	struct arena arena = { 0 };
	int r;

	if (!cgroups_mount(sys))
		return err_set(e, ENOENT, "%.*s: no hierarchy of control groups is mounted in /sys/fs/cgroup",
			       (int)MIN(pattern.n, 200u), pattern.s);
	r = rex_init_extended(&l.rex, &arena, pattern, e);
	sys->raise_fd_limit(sys);
	r = r ? r : cgroups_each(sys, match, &l);
	arena_deinit(&arena);
	if (!r && !l.n)
		return err_set(e, ENOENT, "no control group matches %.*s", (int)MIN(pattern.n, 200u), pattern.s);
	return r;
}
