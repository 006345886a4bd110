/* sink.c - see sink.h; a full disk ends the recording, but the file stays readable. */
#include "record/sink.h"

#include "sys/tty.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

int sink_choose(const struct sys *sys, const char **path, struct err *e)
{
	if (!*path)
		*path = sys_is_fifo(sys, STDOUT_FILENO) ? "-" : "perf.data";
	if (strcmp(*path, "-") || !tty_is(STDOUT_FILENO))
		return 0;
	err_set(e, EINVAL, "a recording is not for a terminal");
	return err_hint(e, "send -o - into a pipe or a file: ... -o - ... | cat > perf.data");
}

int sink_open(struct sink *s, const struct sys *sys, const char *path, struct err *e)
{
	struct stat st;
	int r;

	*s = (struct sink){ .sys = sys, .path = "standard output", .fd = STDOUT_FILENO };
	if (strcmp(path, "-")) {
		s->path = path;
		r = output_open(&s->file, sys, path, OUTPUT_KEEP_OLD, OUTPUT_PRIVATE, O_RDWR, e);
		s->fd = s->file.fd;
		if (r == -ENOENT || r == -EROFS || r == -EACCES || r == -EISDIR)
			return err_hint(e, "choose another place with -o, for example -o /var/tmp/perf.data, or a pipe "
					   "with -o -");
		if (r)
			return r;
	}
	s->pipe = sys->fstat(sys, s->fd, &st) || !S_ISREG(st.st_mode) || s->fd == STDOUT_FILENO;
	return 0;
}

void sink_close(struct sink *s)
{
	if (s->fd >= 0 && s->fd != STDOUT_FILENO)
		output_close(&s->file);
	s->fd = -1;
}

void sink_discard(struct sink *s)
{
	if (s->fd >= 0 && s->fd != STDOUT_FILENO)
		output_discard(&s->file);
	s->fd = -1;
}

static bool no_room(int code)
{
	return code == ENOSPC || code == EDQUOT || code == EFBIG;
}

void sink_cut(struct sink *s, uint64_t pos)
{
	s->pos = pos;
	s->sys->ftruncate(s->sys, s->fd, pos);
	s->sys->seek(s->sys, s->fd, pos);
}

static int write_failed(struct sink *s, uint64_t start, uint64_t wanted, int code, struct err *e)
{
	if (no_room(code) && !s->pipe) {
		s->full = true;
		s->dropped += wanted;
		/* The part that was written may end within a record. */
		sink_cut(s, start);
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
			sink_cut(s, s->marks[i]);
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
