/*
 * perf_pipe.c - the header of a pipe-mode recording is a sequence of records before all others. The records after it
 * are fed to a perf_rings source without rings: a round of the recorder becomes a sweep.
 */
#include "source/perf_pipe.h"

#include "perf/file.h"
#include "source/perf_rings.h"

enum {
	ROOM = 64 << 10,           /* bytes of buffer for one read */
	HEAD_MAX = 64 << 20,       /* bytes up to the first kernel record */
	ROUND_MAX = 128 << 20,     /* bytes of a round; records of a longer one may come late */
	PIPE_HEADER = 16,
};

struct perf_pipe {
	const struct sys *sys;
	struct perf_pipe_want want;
	struct source *source;
	uint8_t *p;                /* bytes read and not fed yet: a partial record, or the start of the next round */
	size_t n, cap;
	uint64_t at;               /* position of p[0] in the pipe */
	size_t round;              /* bytes fed since the last round ended */
};

/* --- bytes --- */

/* Append what one read returns to the buffer: number of bytes, 0 at the end, -errno. */
static ssize_t read_more(const struct sys *sys, int fd, uint8_t **p, size_t *n, size_t *cap)
{
	ssize_t got;

	if (*cap - *n < ROOM) {
		size_t more = *cap * 2 + ROOM;
		uint8_t *bytes = realloc(*p, more);

		if (!bytes)
			return -ENOMEM;
		*p = bytes;
		*cap = more;
	}
	got = sys->read(sys, fd, *p + *n, *cap - *n);
	*n += got > 0 ? (size_t)got : 0;
	return got;
}

/* --- header --- */

enum head_is { HEAD_MORE, HEAD_WHOLE, HEAD_OTHER };   /* MORE: not complete yet; OTHER: cannot be streamed */

/* *off: where to start; set to the first record that does not belong to the header. */
static enum head_is look_at_head(struct bytes b, uint64_t *off)
{
	struct perf_record r;
	uint64_t word[2], from = *off;

	if (b.n < PIPE_HEADER)
		return HEAD_MORE;
	memcpy(word, b.p, sizeof(word));
	if (memcmp(b.p, "PERFILE2", 8) || word[1] != PIPE_HEADER || b.n > HEAD_MAX)
		return HEAD_OTHER;
	while (perf_record_next(b, false, &from, &r, NULL) == 1) {
		if (r.type == PERF_REC_AUXTRACE_INFO || r.type == PERF_REC_COMPRESSED || r.type == PERF_REC_COMPRESSED2)
			return HEAD_OTHER;
		if (r.type < PERF_REC_USER)
			return HEAD_WHOLE;
		*off = from;
	}
	return HEAD_MORE;
}

static bool is_now(const struct sys *sys, const char *file, const char *recorded)
{
	char line[256];

	return recorded && sys_read_line(sys, line, sizeof(line), "/proc/sys/kernel/%s", file) >= 0 &&
	       !strcmp(line, recorded);
}

static bool can_flow(const struct sys *sys, const struct perf_head *h)
{
	return !h->feature[PERF_FEAT_COMPRESSED].p && !h->feature[PERF_FEAT_AUXTRACE].p &&
	       is_now(sys, "hostname", h->hostname) && is_now(sys, "osrelease", h->release);
}

/* --- rounds --- */

/* Feed the whole records up to the end of a round: 1; 0: all whole records were fed, the round continues; -errno. */
static int give_round(struct perf_pipe *p)
{
	const struct bytes b = { p->p, p->n };
	uint64_t off = 0, from = 0;
	struct perf_record r;
	bool ends = false;

	while (!ends && perf_record_next(b, false, &off, &r, NULL) == 1) {
		ends = r.type == PERF_REC_FINISHED_ROUND;
		from = ends ? r.off : off;
	}
	if (from && perf_rings_give(p->source, (struct bytes){ p->p, (size_t)from }))
		return -ENOMEM;
	p->round += (size_t)from;
	p->at += off;
	p->n -= (size_t)off;
	memmove(p->p, p->p + off, p->n);
	p->source->stats.rounds += ends;
	/* No record is longer than UINT16_MAX: so many bytes without a whole one are no records. */
	return ends || p->round > ROUND_MAX ? 1 : p->n > UINT16_MAX ? -EBADMSG : 0;
}

/* r: 0 at the end of the pipe, or -errno. */
static bool end_pipe(struct perf_pipe *p, int r)
{
	struct err *end = &p->source->end;

	if (r == -EBADMSG || (!r && p->n))
		err_at(end, EBADMSG, p->at, "no whole record follows, %zu bytes are left", p->n);
	else if (r)
		err_set(end, -r, "cannot read the pipe: %s", err_name(-r));
	return false;
}

static bool wait_for_round(void *arg)
{
	struct perf_pipe *p = arg;
	int r;

	while (!(r = give_round(p))) {
		ssize_t got;

		p->want.idle(p->want.arg);
		got = read_more(p->sys, p->want.fd, &p->p, &p->n, &p->cap);
		if (got <= 0)
			return end_pipe(p, (int)got);
	}
	if (r < 0)
		return end_pipe(p, r);
	p->round = 0;
	perf_rings_round(p->source);
	return true;
}

/* --- open and close --- */

static int open_source(struct perf_pipe *p, struct perf_file *file, struct bytes rest, struct err *e)
{
	struct ring_map *none = NULL;
	struct perf_rings_want w = { .head = file->head, .rings = &none };
	int r = perf_rings_open(&p->source, &w, e);

	if (r)
		return r;
	p->source->wait = wait_for_round;
	p->source->wait_arg = p;
	p->cap = rest.n + ROOM;
	p->p = malloc(p->cap);
	if (!p->p) {
		source_close(p->source);
		return err_nomem(e);
	}
	memcpy(p->p, rest.p, rest.n);
	p->n = rest.n;
	p->at = (uint64_t)(rest.p - file->bytes.p);
	return 0;
}

/* Open the source. all: the bytes read so far, of which the first n are the header. */
static int begin(struct perf_pipe **to, const struct sys *sys, const struct perf_pipe_want *w, struct bytes all,
		 size_t n, struct err *e)
{
	struct perf_file file;
	struct perf_pipe *p;
	int r;

	/* Not an error here: found_rest() reads all of it, and perf_file_init() then reports what is wrong. */
	if (perf_file_init(&file, (struct bytes){ all.p, n }, NULL, NULL))
		return 0;
	if (!can_flow(sys, &file.head)) {
		perf_file_deinit(&file);
		return 0;
	}
	p = calloc(1, sizeof(*p));
	if (!p) {
		perf_file_deinit(&file);
		return err_nomem(e);
	}
	*p = (struct perf_pipe){ .sys = sys, .want = *w };
	r = open_source(p, &file, (struct bytes){ all.p + n, all.n - n }, e);
	if (r)
		free(p);
	else
		*to = p;
	return r ? r : 1;
}

int perf_pipe_open(struct perf_pipe **to, const struct sys *sys, const struct perf_pipe_want *w, struct bytes *head,
		   struct err *e)
{
	enum head_is is = HEAD_MORE;
	uint64_t off = PIPE_HEADER;
	size_t n = 0, cap = 0;
	uint8_t *p = NULL;
	ssize_t got = 1;
	int r = 0;

	while (is == HEAD_MORE && got > 0) {
		got = read_more(sys, w->fd, &p, &n, &cap);
		is = look_at_head((struct bytes){ p, n }, &off);
	}
	*head = (struct bytes){ p, n };
	if (got < 0)
		r = err_set(e, (int)-got, "cannot read the recording: %s", err_name((int)-got));
	else if (is == HEAD_WHOLE)
		r = begin(to, sys, w, *head, (size_t)off, e);
	if (r < 0) {
		free(p);
		*head = (struct bytes){ 0 };
	}
	return r;
}

void perf_pipe_free(struct perf_pipe *p)
{
	if (p)
		free(p->p);
	free(p);
}

struct source *perf_pipe_source(struct perf_pipe *p)
{
	return p->source;
}
