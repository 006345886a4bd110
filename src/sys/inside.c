/* inside.c - resolves paths in another root. */
#include "sys/inside.h"

#include <fcntl.h>
#include <sys/stat.h>

/* Replace the component at `done` by its link in `rest`; done: the resolved part, to which the link is relative. */
static bool follow(char rest[PATH_MAX], char done[PATH_MAX], const char *link, const char *behind)
{
	char more[PATH_MAX];
	int n = snprintf(more, sizeof(more), "%s/%s", link, behind);

	if (link[0] == '/')
		done[0] = '\0';
	else
		*strrchr(done, '/') = '\0';
	memcpy(rest, more, sizeof(more));
	return n < PATH_MAX;
}

bool inside_path(const struct sys *sys, const char *root, char path[PATH_MAX])
{
	enum { LINKS = 40 };
	char done[PATH_MAX] = "", rest[PATH_MAX], at[PATH_MAX], link[PATH_MAX];
	unsigned links = 0;

	memcpy(rest, path, PATH_MAX);
	while (rest[0]) {
		struct sv left = sv_from(rest), word;
		size_t n = strlen(done);
		ssize_t got;

		sv_cut(&left, '/', &word);
		if (sv_eq(word, "..")) {
			char *slash = strrchr(done, '/');

			*(slash ? slash : done) = '\0';
		} else if (word.n && !sv_eq(word, ".")) {
			if (n + 1 + word.n >= PATH_MAX)
				return false;
			snprintf(done + n, PATH_MAX - n, "/%.*s", (int)word.n, word.s);
			if (snprintf(at, sizeof(at), "%s%s", root, done) >= PATH_MAX)
				return false;
			got = sys->readlink(sys, at, link, sizeof(link) - 1);
			if (got > 0) {
				link[got] = '\0';
				if (++links > LINKS || !follow(rest, done, link, left.s ? left.s : ""))
					return false;
				continue;
			}
		}
		memmove(rest, left.s ? left.s : "", left.n + 1);
		rest[left.n] = '\0';
	}
	return snprintf(path, PATH_MAX, "%s%s", root, done) < PATH_MAX;
}

int inside_open(const struct sys *s, const char *root, const char *path, int flags)
{
	int dir = s->open_inside ? s->open(s, root, O_PATH | O_DIRECTORY, 0) : -ENOSYS, fd = -ENOSYS;
	char real[PATH_MAX];

	if (dir >= 0) {
		fd = s->open_inside(s, dir, path, O_RDONLY | flags);
		s->close(s, dir);
	}
	/* An older kernel, or a seccomp filter that does not know openat2. */
	if (fd != -ENOSYS && fd != -EPERM)
		return fd;
	if (str_copy(real, sizeof(real), sv_from(path)) >= sizeof(real) || !inside_path(s, root, real))
		return -ENAMETOOLONG;
	return s->open(s, real, O_RDONLY | O_NOFOLLOW | flags, 0);
}

static bool same_place(const struct sys *s, const char *a, const char *b)
{
	struct stat x, y;

	return !s->stat(s, a, &x) && !s->stat(s, b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

const char *inside_root(int pid, char buf[32])
{
	snprintf(buf, 32, "/proc/%d/root", pid);
	return buf;
}

bool inside_differs(const struct sys *s, int pid)
{
	char ns[32], root[32];

	snprintf(ns, sizeof(ns), "/proc/%d/ns/mnt", pid);
	inside_root(pid, root);
	return sys_exists(s, ns) && !(same_place(s, ns, "/proc/self/ns/mnt") && same_place(s, root, "/proc/self/root"));
}
