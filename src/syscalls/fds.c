#include "syscalls/fds.h"

enum { UNKNOWN = 0, NO_PATH = 1, FIRST_PATH = 2 };

static uint64_t key_of(uint32_t pid, int fd)
{
	return (uint64_t)pid << 32 | (uint32_t)fd;
}

void fds_deinit(struct fds *f)
{
	map_deinit(&f->of);
	map_deinit(&f->lives);
	map_deinit(&f->parents);
	names_deinit(&f->paths);
}

static uint64_t life_of(const struct fds *f, uint32_t pid)
{
	const uint64_t *at = map_get(&f->lives, pid);

	return at ? *at : 0;
}

/* The descriptor's path in the current life of the process: FIRST_PATH + index, NO_PATH or UNKNOWN. */
static uint32_t known(const struct fds *f, uint32_t pid, int fd)
{
	const uint64_t *at = map_get(&f->of, key_of(pid, fd));

	return at && *at >> 32 == life_of(f, pid) ? (uint32_t)*at : UNKNOWN;
}

static int put(struct fds *f, uint32_t pid, int fd, uint32_t path)
{
	uint64_t *at = map_add(&f->of, key_of(pid, fd), NULL);

	if (!at)
		return -ENOMEM;
	*at = life_of(f, pid) << 32 | path;
	return 0;
}

static void make_room(struct fds *f)
{
	const struct sys *sys = f->sys;
	bool learns = f->learns;

	if (f->of.n < FDS_MOST && f->lives.n < FDS_MOST && f->parents.n < FDS_MOST && f->paths.list.n < FDS_PATHS)
		return;
	fds_deinit(f);
	*f = (struct fds){ .sys = sys, .learns = learns };
}

int fds_set(struct fds *f, uint32_t pid, int fd, const char *path, size_t n)
{
	uint32_t id;

	make_room(f);
	if (!n)
		return put(f, pid, fd, UNKNOWN);
	id = names_add(&f->paths, path, n);
	return id == NAMES_NONE ? -ENOMEM : put(f, pid, fd, id + FIRST_PATH);
}

int fds_copy(struct fds *f, uint32_t pid, int from, int to)
{
	make_room(f);
	return put(f, pid, to, known(f, pid, from));
}

int fds_forget(struct fds *f, uint32_t pid)
{
	uint64_t *at;

	make_room(f);
	at = map_add(&f->lives, pid, NULL);
	if (!at)
		return -ENOMEM;
	*at = (*at + 1) & UINT32_MAX;
	at = map_get(&f->parents, pid);
	if (at)
		*at = 0;
	return 0;
}

int fds_child(struct fds *f, uint32_t parent, uint32_t child)
{
	int r = fds_forget(f, child);
	uint64_t *at = r ? NULL : map_add(&f->parents, child, NULL);

	if (!at)
		return -ENOMEM;
	*at = parent;
	return 0;
}

size_t fds_now(const struct fds *f, uint32_t pid, int fd, char *path, size_t size)
{
	char link[64];
	ssize_t n;

	if (!f->sys)
		return 0;
	snprintf(link, sizeof(link), "/proc/%u/fd/%d", pid, fd);
	n = f->sys->readlink(f->sys, link, path, size);
	return n > 0 ? (size_t)n : 0;
}

/* A descriptor that /proc does not have any more may be inherited: then the parent's path is the right one. */
static uint32_t of_parent(const struct fds *f, uint32_t pid, int fd)
{
	const uint64_t *parent = map_get(&f->parents, pid);

	return parent && *parent ? known(f, (uint32_t)*parent, fd) : (uint32_t)UNKNOWN;
}

static uint32_t meet(struct fds *f, uint32_t pid, int fd)
{
	size_t n = fds_now(f, pid, fd, f->now, sizeof(f->now) - 1);
	uint32_t id;

	if (n && !fds_set(f, pid, fd, f->now, n))
		return known(f, pid, fd);
	id = of_parent(f, pid, fd);
	if (id == UNKNOWN)
		id = NO_PATH;
	make_room(f);
	return put(f, pid, fd, id) ? (uint32_t)NO_PATH : known(f, pid, fd);
}

const char *fds_path(struct fds *f, uint32_t pid, int fd)
{
	uint32_t id;

	if (fd < 0 || !f->sys)
		return NULL;
	if (!f->learns) {
		f->now[fds_now(f, pid, fd, f->now, sizeof(f->now) - 1)] = '\0';
		return *f->now ? f->now : NULL;
	}
	id = known(f, pid, fd);
	if (id == UNKNOWN)
		id = meet(f, pid, fd);
	return id >= FIRST_PATH ? names_str(&f->paths, id - FIRST_PATH) : NULL;
}
