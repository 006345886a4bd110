/* dsos.c - mapped files by path, and their build ids at the end. */
#include "flow/dsos.h"

#include "flow/facts.h"

#include <sys/stat.h>

int dsos_add(struct dsos *d, struct sv path, int pid, uint64_t ino)
{
	uint32_t i = vec_reserve(&d->seen, 1) ? NAMES_NONE : names_add(&d->names, path.s, path.n);

	if (i == NAMES_NONE)
		return -ENOMEM;
	if (i < d->seen.n) {
		struct dso_seen *s = &d->seen.v[i];

		s->ambiguous |= ino && s->ino && ino != s->ino;
		return 0;
	}

	d->seen.v[d->seen.n++] = (struct dso_seen){ .pid = pid, .ino = ino };
	return 0;
}

/* The device is left out: overlay and btrfs show another one in mappings than in stat. */
static bool same_file(const struct sys *sys, const char *path, uint64_t ino, struct stat *st)
{
	return !sys->stat(sys, path, st) && S_ISREG(st->st_mode) && (!ino || st->st_ino == ino);
}

static uint64_t changed(const struct stat *st)
{
	return (uint64_t)st->st_ctim.tv_sec * 1000000000u + (uint64_t)st->st_ctim.tv_nsec;
}

bool dsos_build_id(const struct dsos *d, const struct sys *sys, size_t i, struct build_id *id)
{
	const char *name = names_str(&d->names, (uint32_t)i);
	const struct dso_seen *s = &d->seen.v[i];
	char inside[PATH_MAX];
	struct stat st;

	if (name[0] == '[')
		return facts_module_build_id(sys, name, id);
	if (s->ambiguous)
		return false;
	/* As long as the process lives this is its own view, whatever it has mounted or been chrooted to. */
	if (snprintf(inside, sizeof(inside), "/proc/%d/root%s", s->pid, name) < (int)sizeof(inside) &&
	    same_file(sys, inside, s->ino, &st))
		return facts_file_build_id(sys, inside, id);
	/* The numbers of deleted inodes are given to new files soon. */
	return same_file(sys, name, s->ino, &st) && (!d->since || changed(&st) < d->since) &&
	       facts_file_build_id(sys, name, id);
}

void dsos_deinit(struct dsos *d)
{
	names_deinit(&d->names);
	vec_free(&d->seen);
}
