/* fifo.c - see fifo.h. */
#include "sys/fifo.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int failed(const char *path, int code, struct err *e)
{
	err_set(e, code, "cannot make %s: %s", path, err_name(code));
	return code == EEXIST ? err_hint(e, "something else than a pipe has that name") : -code;
}

/* Set the owner by descriptor, whatever the path leads to by then. O_NONBLOCK does not wait for the other end. */
static int own(const char *path, unsigned mode, int64_t gid)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC), r = 0;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || !S_ISFIFO(st.st_mode))
		r = fd < 0 ? -errno : -EEXIST;
	if (!r && gid != FIFO_GROUP_OURS && fchown(fd, (uid_t)-1, (gid_t)gid))
		r = -errno;
	if (!r && fchmod(fd, (mode_t)mode))
		r = -errno;
	if (fd >= 0)
		close(fd);
	return r;
}

int fifo_make(const struct sys *sys, const char *path, unsigned mode, int64_t gid, struct err *e)
{
	char full[PATH_MAX];
	int r;

	if (snprintf(full, sizeof(full), "%s%s", sys->root ? sys->root : "", path) >= PATH_MAX)
		return failed(path, ENAMETOOLONG, e);
	r = mkfifo(full, 0600) && errno != EEXIST ? -errno : own(full, mode, gid);
	return r ? failed(path, r == -ELOOP ? EEXIST : -r, e) : 0;
}

int fifo_folder(const struct sys *sys, const char *path, unsigned mode, struct err *e)
{
	char part[PATH_MAX];
	size_t n = strlen(path);
	int r;

	for (size_t i = 1; i <= n && n < sizeof(part); i++) {
		if (path[i] && path[i] != '/')
			continue;
		str_copy(part, sizeof(part), (struct sv){ path, i });
		r = sys->mkdir(sys, part, mode);
		if (r && r != -EEXIST)
			return failed(part, -r, e);
	}
	return n < sizeof(part) ? 0 : failed(path, ENAMETOOLONG, e);
}

/* name:password:gid:members */
int fifo_group(const struct sys *sys, const char *name, int64_t *gid, struct err *e)
{
	struct sv rest, line, word;
	uint64_t v;
	char *text;
	size_t n;

	if (str_u64(sv_from(name), 10, &v) && v < UINT32_MAX) {
		*gid = (int64_t)v;
		return 0;
	}
	*gid = FIFO_GROUP_OURS;
	if (sys_read_all(sys, "/etc/group", 1 << 20, &text, &n, e))
		return -e->code;
	for (rest = (struct sv){ text, n }; *gid == FIFO_GROUP_OURS && sv_cut(&rest, '\n', &line); )
		if (sv_cut(&line, ':', &word) && sv_eq(word, name) && sv_cut(&line, ':', &word) &&
		    sv_cut(&line, ':', &word) && str_u64(word, 10, &v) && v < UINT32_MAX)
			*gid = (int64_t)v;
	free(text);
	return *gid == FIFO_GROUP_OURS ? err_set(e, ENOENT, "there is no group '%s'", name) : 0;
}
