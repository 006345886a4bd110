/* dsos.c - mapped files by path, and their build-ids at the end. */
#include "record/dsos.h"

#include "machine/facts.h"
#include "sys/inside.h"

#include <fcntl.h>
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

/* Devices are not compared: with overlayfs and btrfs that of a mapping differs from that of stat. */
static bool is_file(const struct stat *st, uint64_t ino)
{
	return S_ISREG(st->st_mode) && (!ino || st->st_ino == ino);
}

/* 1; 0: the file has no build-id; -errno: it is gone, or is another file. */
static int id_inside(const struct sys *sys, const struct dso_seen *s, const char *name, struct build_id *id)
{
	char root[32];
	int fd = inside_open(sys, inside_root(s->pid, root), name, O_NONBLOCK), r;
	struct stat st;

	if (fd < 0)
		return fd;
	r = sys->fstat(sys, fd, &st);
	if (!r)
		r = is_file(&st, s->ino) ? facts_fd_build_id(sys, fd, name, id) : -ESTALE;
	sys->close(sys, fd);
	return r;
}

static uint64_t changed(const struct stat *st)
{
	return (uint64_t)st->st_ctim.tv_sec * 1000000000u + (uint64_t)st->st_ctim.tv_nsec;
}

int dsos_build_id(const struct dsos *d, const struct sys *sys, size_t i, struct build_id *id)
{
	const char *name = names_str(&d->names, (uint32_t)i);
	const struct dso_seen *s = &d->seen.v[i];
	struct stat st;
	int inside;

	if (name[0] == '[')
		return facts_module_build_id(sys, name, id);
	if (s->ambiguous)
		return -ESTALE;
	/* While the process lives, use its own view, with its mounts and its root. */
	inside = id_inside(sys, s, name, id);
	if (inside >= 0)
		return inside;
	/* Inode numbers are reused soon, so an equal number does not prove that it is the same file. */
	if (sys->stat(sys, name, &st) || !is_file(&st, s->ino) || (d->since && changed(&st) >= d->since))
		return -ESTALE;
	return facts_file_build_id(sys, name, id);
}

void dsos_deinit(struct dsos *d)
{
	names_deinit(&d->names);
	vec_free(&d->seen);
}
