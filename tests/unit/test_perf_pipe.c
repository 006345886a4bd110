/* source/perf_pipe: a recording as it comes through a pipe, against the same one as a whole. */
#include "perf/file.h"
#include "source/perf_data.h"
#include "source/perf_pipe.h"
#include "t.h"

enum { PIPE = 2000, LINE = 1000 };

static struct {
	struct bytes all;
	size_t off, piece;           /* of the pipe: what was read, and how much there is at once */
	const char *hostname, *release, *line;
	unsigned idle;
} k;

static int open_line(const struct sys *s UNUSED, const char *path, int flags UNUSED, unsigned mode UNUSED)
{
	k.line = !strcmp(path, "/proc/sys/kernel/hostname") ? k.hostname
	       : !strcmp(path, "/proc/sys/kernel/osrelease") ? k.release : NULL;
	return k.line ? (int)LINE : -ENOENT;
}

static int close_line(const struct sys *s UNUSED, int fd)
{
	CHECK_EQ(fd, LINE);
	return 0;
}

static ssize_t read_some(const struct sys *s UNUSED, int fd, void *p, size_t n)
{
	if (fd == LINE) {
		n = MIN(n, strlen(k.line));
		memcpy(p, k.line, n);
		k.line += n;
		return (ssize_t)n;
	}
	CHECK_EQ(fd, PIPE);
	n = MIN(MIN(n, k.piece), k.all.n - k.off);
	memcpy(p, k.all.p + k.off, n);
	k.off += n;
	return (ssize_t)n;
}

static const struct sys sys = { .open = open_line, .close = close_line, .read = read_some };

static void idle(void *arg)
{
	CHECK(arg == &k);
	k.idle++;
}

static const struct perf_pipe_want want = { PIPE, idle, &k };

static void start(size_t piece)
{
	if (!k.all.p)
		k.all.p = (const uint8_t *)t_read("data/perf/pipe.data", &k.all.n);
	k.off = k.idle = 0;
	k.piece = piece;
	k.hostname = k.release = "";
}

/* The machine is the one that recorded. */
static void be_there(const struct perf_head *h)
{
	static char names[2][80];

	snprintf(names[0], sizeof(names[0]), "%s\n", h->hostname);
	snprintf(names[1], sizeof(names[1]), "%s\n", h->release);
	k.hostname = names[0];
	k.release = names[1];
}

/* The kernel's records: kind, time, how long. Those of the header are not given. */
static void put_all(struct source *s, struct out *o)
{
	struct source_rec rec;
	struct err e;

	while (source_next(s, &rec, &e) == SOURCE_RECORD)
		if (rec.perf.type < PERF_REC_USER)
			out_printf(o, "%u %llu %zu %d\n", rec.perf.type, (unsigned long long)rec.time, rec.perf.body.n,
				   rec.event ? (int)(rec.event - s->head->events.v) : -1);
}

/* of: the recording's first bytes. */
static void put_whole(size_t n, struct out *o)
{
	const struct found found = { .path = "-", .bytes = { k.all.p, n }, .owned = true };
	struct perf_data_want w = { .how = 0 };
	struct source *s;
	struct err e;

	CHECK_EQ(perf_data_open(&s, &sys, &found, &w, &e), 0);
	be_there(s->head);
	put_all(s, o);
	source_close(s);
}

static void check_same(size_t n, size_t piece, bool cut)
{
	struct mem_out whole, got;
	struct perf_pipe *p = NULL;
	struct bytes head;
	struct err e;

	start(piece);
	mem_out_init(&whole);
	mem_out_init(&got);
	put_whole(n, &whole.out);
	k.all.n = n;
	CHECK_EQ(perf_pipe_open(&p, &sys, &want, &head, &e), 1);
	if (p) {
		struct source *s = perf_pipe_source(p);

		put_all(s, &got.out);
		CHECK_EQ(s->end.code != 0, cut);
		CHECK(k.idle);
		source_close(s);
	}
	CHECK(strlen(mem_out_str(&whole)) > 200);
	CHECK_STR(mem_out_str(&got), mem_out_str(&whole));
	perf_pipe_free(p);
	free((void *)(uintptr_t)head.p);
	mem_out_deinit(&whole);
	mem_out_deinit(&got);
}

TEST(perf_pipe_gives_what_the_whole_recording_has)
{
	static const size_t pieces[] = { 24, 1000, 4096, 1 << 16 };
	size_t n;

	start(1);
	n = k.all.n;
	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		check_same(n, pieces[i], false);
		check_same(n - 5, pieces[i], true);
		k.all.n = n;
	}
}

/* Of another machine, cut within its header, or none: what was read is there for who reads it whole. */
TEST(perf_pipe_leaves_others_to_be_read_whole)
{
	struct bytes all, head;
	struct perf_pipe *p;
	struct err e;

	start(1 << 16);
	all = k.all;
	CHECK_EQ(perf_pipe_open(&p, &sys, &want, &head, &e), 0);
	CHECK(head.n == k.off && !memcmp(head.p, all.p, head.n));
	free((void *)(uintptr_t)head.p);
	start(100);
	k.all.n = 200;
	CHECK_EQ(perf_pipe_open(&p, &sys, &want, &head, &e), 0);
	CHECK(head.n == 200 && !memcmp(head.p, all.p, head.n));
	free((void *)(uintptr_t)head.p);
	start(1 << 16);
	k.all = (struct bytes){ (const uint8_t *)"text that is no recording at all", 32 };
	CHECK_EQ(perf_pipe_open(&p, &sys, &want, &head, &e), 0);
	CHECK_EQ(head.n, 32);
	free((void *)(uintptr_t)head.p);
	k.all = all;
	start(1 << 16);
	k.all.n = 0;
	CHECK_EQ(perf_pipe_open(&p, &sys, &want, &head, &e), 0);
	CHECK_EQ(head.n, 0);
	free((void *)(uintptr_t)head.p);
}
