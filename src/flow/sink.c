/* sink.c - writev until all is out; a full disk is an end, not a broken file. */
#include "flow/sink.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static int open_failed(const char *path, int code, struct err *e)
{
	err_set(e, code, "cannot write %s: %s", path, err_name(code));
	if (!*path)
		err_set(e, code, "cannot write a file without a name");
	if (code == ENOENT || code == EROFS || code == EACCES || code == EISDIR)
		return err_hint(e, "choose another place with -o, for example -o /tmp/perf.data, or a pipe with -o -");
	return -code;
}

static bool old_name(const char *path, char old[PATH_MAX])
{
	return snprintf(old, PATH_MAX, "%s.old", path) < PATH_MAX;
}

static bool keep_old(const struct sys *sys, const char *path)
{
	char old[PATH_MAX];
	struct stat st;

	/* Anything but a regular file (/dev/null, a fifo) stays where it is. */
	if (sys->stat(sys, path, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return false;
	return old_name(path, old) && !sys->rename(sys, path, old);
}

int sink_open(struct sink *s, const struct sys *sys, const char *path, struct err *e)
{
	struct stat st;

	*s = (struct sink){ .sys = sys, .path = "standard output", .fd = STDOUT_FILENO };
	if (strcmp(path, "-")) {
		s->path = path;
		s->kept_old = keep_old(sys, path);
		s->fd = sys->open(sys, path, O_RDWR | O_CREAT | O_TRUNC, 0600);
		if (s->fd < 0)
			return open_failed(path, -s->fd, e);
	}
	s->pipe = sys->fstat(sys, s->fd, &st) || !S_ISREG(st.st_mode) || s->fd == STDOUT_FILENO;
	return 0;
}

void sink_close(struct sink *s)
{
	if (s->fd >= 0 && s->fd != STDOUT_FILENO)
		s->sys->close(s->sys, s->fd);
	s->fd = -1;
}

void sink_discard(struct sink *s)
{
	char old[PATH_MAX];
	bool ours = s->fd >= 0 && !s->pipe;

	sink_close(s);
	if (!ours)
		return;
	s->sys->unlink(s->sys, s->path);
	if (s->kept_old && old_name(s->path, old))
		s->sys->rename(s->sys, old, s->path);
}

static bool no_room(int code)
{
	return code == ENOSPC || code == EDQUOT || code == EFBIG;
}

static void cut_to(struct sink *s, uint64_t pos)
{
	s->pos = pos;
	s->sys->ftruncate(s->sys, s->fd, pos);
}

static int write_failed(struct sink *s, uint64_t start, uint64_t wanted, int code, struct err *e)
{
	if (no_room(code) && !s->pipe) {
		s->full = true;
		s->dropped += wanted;
		/* What was written of these pieces may end inside a record. */
		cut_to(s, start);
	}
	return err_set(e, code, "cannot write %s: %s", s->path, err_name(code));
}

int sink_write(struct sink *s, const struct bytes *pieces, size_t n, struct err *e)
{
	struct iovec v[4];
	size_t at = 0;
	uint64_t start = s->pos, wanted = 0;

	assert(n <= ARRAY_SIZE(v));
	for (size_t i = 0; i < n; i++) {
		v[i] = (struct iovec){ (void *)(uintptr_t)pieces[i].p, pieces[i].n };
		wanted += pieces[i].n;
	}
	while (at < n) {
		if (!v[at].iov_len) {
			at++;
			continue;
		}

		ssize_t done = s->sys->writev(s->sys, s->fd, v + at, (int)(n - at));

		if (done == -EINTR || (done == -EAGAIN && !sys_wait_writable(s->sys, s->fd)))
			continue;
		if (done <= 0)
			return write_failed(s, start, wanted, done ? (int)-done : EIO, e);
		s->pos += (uint64_t)done;
		for (size_t left = (size_t)done; left; ) {
			size_t take = MIN(left, v[at].iov_len);

			v[at].iov_base = (char *)v[at].iov_base + take;
			v[at].iov_len -= take;
			left -= take;
			at += !v[at].iov_len;
		}
	}
	return 0;
}

void sink_mark(struct sink *s)
{
	if (s->marks[SINK_MARKS - 1] == s->pos)
		return;
	memmove(s->marks, s->marks + 1, sizeof(s->marks) - sizeof(s->marks[0]));
	s->marks[SINK_MARKS - 1] = s->pos;
}

bool sink_step_back(struct sink *s)
{
	for (size_t i = SINK_MARKS; i-- > 0; ) {
		if (s->marks[i] && s->marks[i] < s->pos) {
			s->dropped += s->pos - s->marks[i];
			cut_to(s, s->marks[i]);
			return true;
		}
	}
	return false;
}

int sink_patch(struct sink *s, uint64_t off, const void *p, size_t n, struct err *e)
{
	const char *at = p;

	while (n) {
		ssize_t done = s->sys->pwrite(s->sys, s->fd, at, n, off);

		if (done == -EINTR)
			continue;
		if (done <= 0)
			return err_set(e, done ? (int)-done : EIO, "cannot write %s: %s", s->path,
				       err_name(done ? (int)-done : EIO));
		at += done;
		off += (uint64_t)done;
		n -= (size_t)done;
	}
	return 0;
}
