#include "source/process_files.h"

#include "sym/maps.h"
#include "sys/inside.h"

#include <fcntl.h>
#include <sys/stat.h>

enum { MAPS_TEXT_MAX = 64 << 20 };

static bool is_number(const struct sys *s, int fd, uint64_t ino)
{
	struct stat st;

	return !s->fstat(s, fd, &st) && (!ino || st.st_ino == ino);
}

/* By /proc/PID/map_files, which needs root. */
static int open_range(const struct sys *s, int pid, uint64_t ino)
{
	char path[80], *text;
	struct sv rest, line;
	struct maps_line l;
	int fd = -ENOENT;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	if (sys_read_all(s, path, MAPS_TEXT_MAX, &text, &rest.n, NULL))
		return -ENOENT;
	rest.s = text;
	while (fd == -ENOENT && sv_cut(&rest, '\n', &line)) {
		if (!maps_parse_line(line, &l) || l.inode != ino)
			continue;
		snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx", pid, (unsigned long long)l.start,
			 (unsigned long long)l.end);
		fd = s->open(s, path, O_RDONLY | O_NONBLOCK, 0);
	}
	free(text);
	return fd;
}

/* Open the file with this inode number that the process has mapped, even if it was deleted or replaced. */
static int open_mapped(const struct sys *s, int pid, uint64_t ino)
{
	char exe[32];
	int fd;

	if (!ino)
		return -ENOENT;
	snprintf(exe, sizeof(exe), "/proc/%d/exe", pid);
	fd = s->open(s, exe, O_RDONLY | O_NONBLOCK, 0);
	if (fd >= 0 && is_number(s, fd, ino))
		return fd;
	if (fd >= 0)
		s->close(s, fd);
	return open_range(s, pid, ino);
}

/* O_NONBLOCK: opening a FIFO must not block. */
static int open_inside(const struct sys *s, int pid, uint64_t ino, const char *path)
{
	char root[32];
	int fd = inside_open(s, inside_root(pid, root), path, O_NONBLOCK);

	if (fd >= 0 && is_number(s, fd, ino))
		return fd;
	if (fd >= 0)
		s->close(s, fd);
	return fd >= 0 ? -ESTALE : fd;
}

int process_files_map(const struct sys *s, int pid, uint64_t ino, const char *path, struct sv *bytes)
{
	const uint8_t *p = NULL;
	struct stat st;
	int fd = -ENOENT, mapped, r;

	if (inside_differs(s, pid))
		fd = open_inside(s, pid, ino, path);
	else if (!s->stat(s, path, &st) && (!ino || st.st_ino == ino))
		return -ENOENT;
	mapped = fd < 0 ? open_mapped(s, pid, ino) : fd;
	if (mapped < 0)
		return fd;
	r = sys_map_fd(s, mapped, path, &p, &bytes->n);
	s->close(s, mapped);
	bytes->s = (const char *)p;
	return r;
}

/* A number in /proc/PID/status: the first or the last one of a line. */
enum which { FIRST, LAST };

static bool status(const struct sys *s, int pid, const char *key, enum which which, uint64_t *v)
{
	char text[4096];
	struct sv rest, line, word;
	const char *at;
	bool found = false;

	if (sys_read_line(s, text, sizeof(text), "/proc/%d/status", pid) <= 0)
		return false;
	at = strstr(text, key);
	if (!at)
		return false;
	rest = sv_from(at + strlen(key));
	sv_cut(&rest, '\n', &line);
	while ((!found || which == LAST) && sv_cut(&line, '\t', &word))
		found = str_u64(sv_trim(word), 10, v);
	return found;
}

static bool may_name(const struct sys *s, int pid, uint64_t owner)
{
	uint64_t user = s->uid(s);

	status(s, pid, "\nUid:\t", FIRST, &user);
	return !owner || owner == user;
}

/* The process writes it to /tmp of its own mount namespace, with the pid of its own pid namespace. */
static int open_map(const struct sys *s, int pid)
{
	const int flags = O_NONBLOCK | O_NOFOLLOW;
	char path[64], root[32];
	uint64_t own = (uint64_t)pid;
	int fd = -ENOENT;

	status(s, pid, "\nNSpid:\t", LAST, &own);
	snprintf(path, sizeof(path), "/tmp/perf-%llu.map", (unsigned long long)own);
	if (inside_differs(s, pid))
		fd = inside_open(s, inside_root(pid, root), path, flags);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", pid);
	return fd >= 0 ? fd : s->open(s, path, O_RDONLY | flags, 0);
}

int process_files_jit(const struct sys *s, int pid, int (*feed)(void *to, const char *text, size_t n), void *to)
{
	struct stat st;
	int fd = open_map(s, pid), r;

	if (fd < 0)
		return fd;
	r = s->fstat(s, fd, &st);
	if (!r && !S_ISREG(st.st_mode))
		r = -EINVAL;
	if (!r && !may_name(s, pid, st.st_uid))
		r = -EPERM;
	if (!r)
		r = sys_feed(s, fd, feed, to);
	s->close(s, fd);
	return r;
}
