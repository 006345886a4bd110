/* lines.c - see lines.h. */
#include "report/lines.h"

#include "sys/jobs.h"

enum {
	BATCH = 96 << 10,        /* bytes of items in a batch: their texts are a few times larger, and fit into L2 */
	TEXT = 256 << 10,        /* initial bytes for the texts of a batch */
	ROOM = 16 << 10,         /* bytes free before an item is formatted: most texts are shorter */
};

struct batch {
	const struct lines *of;
	uint8_t *items;          /* each preceded by its size, u64 */
	size_t n, cap;
	struct out out;          /* buffer for the texts */
	struct mem_out spill;    /* earlier texts, if a text did not fit into the buffer */
	void *own;
};

struct lines {
	struct lines_want want;
	struct jobs *jobs;       /* NULL: no batch was full yet */
	struct batch *batch[JOBS_MAX + 1];
	size_t n_batches, given;
	struct batch *fill;
};

static int spill(void *arg, const char *bytes, size_t n)
{
	struct batch *b = arg;

	out_bytes(&b->spill.out, bytes, n);
	return b->spill.out.error;
}

static void batch_free(struct batch *b)
{
	if (!b)
		return;
	mem_out_deinit(&b->spill);
	free(b->out.buf);
	free(b->items);
	free(b->own);
	free(b);
}

/* Allocate a batch, and fill it next. */
static int batch_new(struct lines *l)
{
	struct batch *b = calloc(1, sizeof(*b));
	bool alone = l->want.jobs <= 1;

	if (!b)
		return -ENOMEM;
	b->of = l;
	mem_out_init(&b->spill);
	b->out = (struct out){ .write = spill, .arg = b, .cap = TEXT };
	b->out.buf = alone ? NULL : malloc(TEXT);
	b->own = calloc(1, MAX(l->want.own, (size_t)1));
	if ((!alone && !b->out.buf) || !b->own) {
		batch_free(b);
		return -ENOMEM;
	}
	l->fill = l->batch[l->n_batches++] = b;
	return 0;
}

struct lines *lines_new(const struct lines_want *want)
{
	struct lines *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->want = *want;
	if (!batch_new(l))
		return l;
	free(l);
	return NULL;
}

void lines_free(struct lines *l)
{
	if (!l)
		return;
	while (l->given && jobs_take(l->jobs))
		l->given--;
	jobs_free(l->jobs);
	for (size_t i = 0; i < l->n_batches; i++)
		batch_free(l->batch[i]);
	free(l);
}

/* Grow the buffer for the text of an item; without memory the text spills. */
static void make_room(struct out *o)
{
	char *buf;

	if (o->cap - o->n >= ROOM)
		return;
	buf = realloc(o->buf, o->cap * 2);
	if (buf) {
		o->buf = buf;
		o->cap *= 2;
	}
}

static void write_all(void *piece)
{
	struct batch *b = piece;
	const struct lines_want *w = &b->of->want;
	uint64_t n;

	for (size_t at = 0; at < b->n; at += n) {
		memcpy(&n, b->items + at, sizeof(n));
		make_room(&b->out);
		w->write(w->arg, b->own, b->items + at + sizeof(n), &b->out);
	}
}

static int put_out(struct lines *l, struct batch *b)
{
	struct out *o = l->want.out;
	int r = b->out.error;

	if (b->spill.out.total) {
		out_flush(&b->spill.out);
		out_bytes(o, b->spill.v, b->spill.n);
		mem_out_deinit(&b->spill);
		mem_out_init(&b->spill);
	}
	out_bytes(o, b->out.buf, b->out.n);
	b->out.n = b->n = 0;
	b->out.total = 0;
	b->out.error = 0;
	return r ? r : o->error;
}

/* Write the texts of the oldest batch given to a thread, and fill it next. */
static int take_back(struct lines *l)
{
	l->fill = jobs_take(l->jobs);
	l->given--;
	return put_out(l, l->fill);
}

/* The batch is full: give it to a thread and fill another one. */
static int hand_over(struct lines *l)
{
	if (!l->jobs)
		l->jobs = jobs_new(l->want.jobs, write_all);
	if (!l->jobs)
		return -ENOMEM;
	jobs_give(l->jobs, l->fill);
	if (++l->given < jobs_room(l->jobs) && l->n_batches < jobs_room(l->jobs))
		return batch_new(l);
	return take_back(l);
}

int lines_settle(struct lines *l)
{
	int r = 0;

	if (!l->given) {
		write_all(l->fill);
		return put_out(l, l->fill);
	}
	jobs_give(l->jobs, l->fill);
	l->given++;
	while (!r && l->given)
		r = take_back(l);
	return r;
}

static int grow(struct batch *b, size_t n)
{
	size_t cap = MAX(b->cap ? b->cap * 2 : (size_t)BATCH, b->n + n);
	uint8_t *items = realloc(b->items, cap);

	if (!items)
		return -ENOMEM;
	b->items = items;
	b->cap = cap;
	return 0;
}

void *lines_room(struct lines *l, size_t n)
{
	struct batch *b = l->fill;

	n += sizeof(uint64_t);
	if (n > b->cap - b->n && grow(b, n))
		return NULL;
	return b->items + b->n + sizeof(uint64_t);
}

int lines_add(struct lines *l, size_t n)
{
	struct batch *b = l->fill;
	uint64_t whole = (sizeof(whole) + n + 7) & ~UINT64_C(7);

	if (l->want.jobs <= 1) {
		l->want.write(l->want.arg, b->own, b->items + b->n + sizeof(whole), l->want.out);
		return l->want.out->error;
	}
	memcpy(b->items + b->n, &whole, sizeof(whole));
	b->n += whole;
	return b->n < BATCH ? 0 : hand_over(l);
}
