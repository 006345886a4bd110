/* synth_cgroups.c - make CGROUP records from the directories of cgroupfs. */
#include "record/synth.h"

#include "sys/cgroups.h"

#include <sys/stat.h>

/* A group's id is the inode number of its directory (kernfs, with 64-bit inode numbers). */
static int put_group(void *arg, const char *name, const struct stat *st)
{
	struct synth *s = arg;

	perf_write_cgroup(s->out, &s->id, st->st_ino, name);
	return s->out->error;
}

int synth_cgroups(struct synth *s, struct err *e)
{
	int r = cgroups_each(s->sys, put_group, s);

	return r != -ENOENT ? r : err_set(e, ENOENT, "--all-cgroups: no hierarchy of control groups is mounted in "
					  "/sys/fs/cgroup");
}
