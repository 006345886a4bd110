/* The size of pieces, then a recording that comes through a pipe in them: all its records, or it is left to others. */
#include "perf/file.h"
#include "source/perf_pipe.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { PIPE = 2000, LINE = 1000 };

/* off: in the pipe; line: what is left of one that says that the machine is the one that recorded. */
struct pipe {
	struct sys sys;
	struct bytes all;
	size_t off, piece;
	struct perf_file whole;
	const char *line;
};

static int open_line(const struct sys *s, const char *path, int flags UNUSED, unsigned mode UNUSED)
{
	struct pipe *k = (struct pipe *)(uintptr_t)s;

	k->line = strstr(path, "hostname") ? k->whole.head.hostname : k->whole.head.release;
	return k->line ? (int)LINE : -ENOENT;
}

static int close_line(const struct sys *s UNUSED, int fd UNUSED)
{
	return 0;
}

static ssize_t read_some(const struct sys *s, int fd, void *p, size_t n)
{
	struct pipe *k = (struct pipe *)(uintptr_t)s;

	if (fd == LINE) {
		n = MIN(n, strlen(k->line));
		memcpy(p, k->line, n);
		k->line += n;
		return (ssize_t)n;
	}
	n = MIN(MIN(n, k->piece), k->all.n - k->off);
	if (n)
		memcpy(p, k->all.p + k->off, n);
	k->off += n;
	return (ssize_t)n;
}

static void idle(void *arg UNUSED)
{
}

static void take_all(struct source *s, size_t n)
{
	struct source_rec rec;
	struct err e;

	while (source_next(s, &rec, &e) == SOURCE_RECORD) {
		if (rec.perf.body.n > n || (rec.event && rec.event >= s->head->events.v + s->head->events.n))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	const struct perf_pipe_want want = { PIPE, idle, NULL };
	struct pipe k = { .sys = { .open = open_line, .close = close_line, .read = read_some } };
	struct perf_pipe *pipe = NULL;
	struct bytes head;
	struct err e;

	if (!n)
		return 0;
	k.all = (struct bytes){ p + 1, n - 1 };
	k.piece = 16 + (size_t)p[0] * 16;
	if (perf_file_init(&k.whole, k.all, NULL, NULL))
		return 0;
	if (perf_pipe_open(&pipe, &k.sys, &want, &head, &e) == 1) {
		take_all(perf_pipe_source(pipe), n);
		source_close(perf_pipe_source(pipe));
	}
	perf_pipe_free(pipe);
	free((void *)(uintptr_t)head.p);
	perf_file_deinit(&k.whole);
	return 0;
}
