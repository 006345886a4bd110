/* local.c - finds a process's sockets in the kernel's list of its network namespace, and connects to them. */
#include "sys/local.h"

#include "base/map.h"
#include "sys/inside.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { LISTED_MAX = 8 << 20, FDS_MAX = 1 << 16 };

/* Open the socket file itself by O_PATH, in the process's root, and connect to that. */
static int open_socket(const struct sys *sys, int pid, const char *path)
{
	char root[32], full[PATH_MAX];

	if (path[0] == '/')
		return inside_open(sys, inside_root(pid, root), path, O_PATH | O_NOFOLLOW);
	/* A relative path: from the process's working directory. */
	if (snprintf(full, sizeof(full), "/proc/%d/cwd/%s", pid, path) >= (int)sizeof(full))
		return -ENAMETOOLONG;
	return sys->open(sys, full, O_PATH | O_NOFOLLOW, 0);
}

int local_connect(const struct sys *sys, enum local_kind kind, int pid, const char *path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int type = (kind == LOCAL_STREAM ? SOCK_STREAM : SOCK_SEQPACKET) | SOCK_CLOEXEC | SOCK_NONBLOCK;
	int place = open_socket(sys, pid, path), fd, r = 0;

	if (place < 0)
		return place;
	snprintf(a.sun_path, sizeof(a.sun_path), "/proc/self/fd/%d", place);
	fd = socket(AF_UNIX, type, 0);
	/* EAGAIN: the listener's backlog is full; do not wait for it. */
	if (fd < 0 || connect(fd, (const struct sockaddr *)&a, sizeof(a)))
		r = -errno;
	sys->close(sys, place);
	if (r && fd >= 0)
		close(fd);
	return r ? r : fd;
}

/* --- which process owns a socket --- */

struct found {
	const struct sys *sys;
	int pid;
	struct map inodes;
};

static int note_fd(void *arg, const char *name)
{
	struct found *f = arg;
	struct sv text;
	uint64_t inode;
	char path[64], to[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/fd/%.20s", f->pid, name);
	n = f->sys->readlink(f->sys, path, to, sizeof(to));
	text = (struct sv){ to, n > 0 ? (size_t)n : 0 };
	if (!sv_starts(text, "socket:[") || text.n < 10 || f->inodes.n >= FDS_MAX)
		return 0;
	text.s += 8;
	text.n -= 8 + 1;
	return !str_u64(text, 10, &inode) || map_add(&f->inodes, inode, NULL) ? 0 : -ENOMEM;
}

/*
 * "Num RefCount Protocol Flags Type St Inode Path": flags 10000 mean a listener (__SO_ACCEPTCON). The path, the rest of
 * the line, may contain spaces. Abstract names begin with '@', and are skipped.
 */
static bool is_listener(const struct found *f, struct sv line, struct sv *path)
{
	struct sv word, flags = { 0 }, inode = { 0 };
	uint64_t number;

	for (int i = 0; i < 7; i++) {
		while (line.n && *line.s == ' ') {
			line.s++;
			line.n--;
		}
		if (!sv_cut(&line, ' ', &word))
			return false;
		flags = i == 3 ? word : flags;
		inode = i == 6 ? word : inode;
	}
	*path = line;
	return sv_eq(flags, "00010000") && str_u64(inode, 10, &number) && map_get(&f->inodes, number) && path->n &&
	       *path->s != '@';
}

int local_listening(const struct sys *sys, int pid, int (*each)(void *arg, const char *path), void *arg)
{
	struct found f = { .sys = sys, .pid = pid };
	char full[PATH_MAX], *text = NULL;
	struct sv rest = { 0 }, line, path;
	int r;

	snprintf(full, sizeof(full), "/proc/%d/fd", pid);
	r = sys->each_entry(sys, full, note_fd, &f);
	snprintf(full, sizeof(full), "/proc/%d/net/unix", pid);
	r = r ? r : sys_read_all(sys, full, LISTED_MAX, &text, &rest.n, NULL);
	rest.s = text;
	while (!r && sv_cut(&rest, '\n', &line))
		if (is_listener(&f, line, &path) && str_copy(full, sizeof(full), path) < sizeof(full))
			r = each(arg, full);
	free(text);
	map_deinit(&f.inodes);
	return r;
}
