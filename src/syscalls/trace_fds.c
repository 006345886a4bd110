/* trace_fds.c - sonde trace: update the paths of descriptors by calls. */
#include "syscalls/trace.h"

/* The path argument of the call; empty: not known. */
static struct sv path_of(const struct trace_end *e)
{
	const struct texts_rec *r = e->thread->text[0];
	const uint8_t *p = r && r->got[0] > 0 ? r->bytes[0] : NULL;
	const uint8_t *end = p ? memchr(p, '\0', (size_t)r->got[0]) : NULL;

	return end ? (struct sv){ (const char *)p, (size_t)(end - p) } : (struct sv){ "", 0 };
}

static bool has_same_name(struct sv a, struct sv b)
{
	size_t n = 0;

	while (n < a.n && a.s[a.n - 1 - n] != '/')
		n++;
	return n && n <= b.n && !memcmp(a.s + a.n - n, b.s + b.n - n, n);
}

/* A relative path is completed from /proc, if it still has the same file name there: the fd may be reused by now. */
static int open_one(struct trace *t, const struct trace_end *e)
{
	struct sv asked = path_of(e), is;
	char now[PATH_MAX];

	if (sv_starts(asked, "/"))
		return fds_set(&t->fds, e->thread->pid, (int)e->ret, asked.s, asked.n);
	is = (struct sv){ now, fds_now(&t->fds, e->thread->pid, (int)e->ret, now, sizeof(now)) };
	if (asked.n && !has_same_name(asked, is))
		is = asked;
	return fds_set(&t->fds, e->thread->pid, (int)e->ret, is.s, is.n);
}

/* A new descriptor that is no file: its link in /proc, if it is of the expected kind, else only the kind. */
static int make_one(struct trace *t, const struct trace_end *e, int fd)
{
	struct sv kind = sv_from(e->call->fds_are), is;
	char now[PATH_MAX];

	is = (struct sv){ now, fds_now(&t->fds, e->thread->pid, fd, now, sizeof(now)) };
	if (!sv_starts(is, e->call->fds_are)) {
		is = kind;
		is.n -= is.n && is.s[is.n - 1] == ':';
	}
	return fds_set(&t->fds, e->thread->pid, fd, is.s, is.n);
}

static int make_two(struct trace *t, const struct trace_end *e)
{
	const struct texts_rec *r = e->thread->text[1];
	int32_t fd[2];
	int code;

	if (!r || r->got[0] < (int32_t)sizeof(fd))
		return 0;
	memcpy(fd, r->bytes[0], sizeof(fd));
	code = make_one(t, e, fd[0]);
	return code ? code : make_one(t, e, fd[1]);
}

static bool copies(const struct trace_end *e)
{
	enum { DUPFD = 0, DUPFD_CLOEXEC = 1030 };
	uint32_t how = (uint32_t)e->thread->arg[1];

	return e->call->fds == CALL_FDS_COPIES || how == DUPFD || how == DUPFD_CLOEXEC;
}

int trace_follow_fds(struct trace *t, const struct trace_end *e)
{
	enum { RANGE_MOST = 256 };
	const uint64_t *arg = e->thread->arg;
	uint32_t pid = e->thread->pid;
	int r = 0;

	if (!t->fds.learns || e->ret < 0)
		return 0;
	switch (e->call->fds) {
	case CALL_FDS_OPENS: return open_one(t, e);
	case CALL_FDS_NEW: return make_one(t, e, (int)e->ret);
	case CALL_FDS_PAIR: return make_two(t, e);
	case CALL_FDS_COPIES:
	case CALL_FDS_FCNTL: return copies(e) ? fds_copy(&t->fds, pid, (int)arg[0], (int)e->ret) : 0;
	case CALL_FDS_CLOSES: return fds_set(&t->fds, pid, (int)arg[0], NULL, 0);
	case CALL_FDS_RANGE:
		if ((uint32_t)arg[1] < (uint32_t)arg[0] || (uint32_t)arg[1] - (uint32_t)arg[0] >= RANGE_MOST)
			return fds_forget(&t->fds, pid);
		for (uint32_t fd = (uint32_t)arg[0]; !r && fd <= (uint32_t)arg[1] && fd < INT32_MAX; fd++)
			r = fds_set(&t->fds, pid, (int)fd, NULL, 0);
		return r;
	case CALL_FDS_FORKS: return e->ret ? fds_child(&t->fds, pid, (uint32_t)e->ret) : 0;
	case CALL_FDS_EXECS: return fds_forget(&t->fds, pid);
	default: return 0;
	}
}
