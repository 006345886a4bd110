/* ahead.c - double buffering: the records of one chunk are processed while the other one is filled. */
#include "source/ahead.h"

#include "sys/jobs.h"

enum { CHUNK = 1024, BYTES = 128 << 10 };   /* a chunk is full at so many records or bytes of stretches */

struct chunk {
	struct source *source;
	const struct ahead_from *from;
	size_t n, at;
	int end;          /* what source_next() returned after the records; 1: the other chunk continues */
	bool lent;        /* the last record is only valid until the next one is read */
	struct source_rec v[CHUNK];
};

struct ahead {
	struct ahead_from from;
	struct jobs *jobs;
	struct chunk *chunk[2];   /* [0] is processed while [1] is filled */
	bool off;                 /* a record could not wait: this thread reads from now on */
};

static void fill(void *piece)
{
	struct chunk *c = piece;
	size_t bytes = 0;

	c->n = c->at = 0;
	c->end = 1;
	while (c->n < CHUNK && bytes < BYTES && c->end == 1 && !c->lent) {
		struct source_rec *rec = &c->v[c->n];

		rec->more = 0;
		rec->upto = UINT64_MAX;
		c->end = c->from->next(c->source, rec);
		bytes += rec->more;
		c->n += c->end == 1;
		c->lent = c->from->lends(c->source);
	}
}

static struct chunk *chunk_new(struct source *s, const struct ahead_from *from)
{
	struct chunk *c = malloc(sizeof(*c));

	if (c) {
		c->source = s;
		c->from = from;
		c->n = c->at = 0;
		c->end = 1;
		c->lent = false;
	}
	return c;
}

struct ahead *ahead_new(struct source *s, const struct ahead_from *from)
{
	struct ahead *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->from = *from;
	a->jobs = jobs_new(2, fill);
	a->chunk[0] = chunk_new(s, &a->from);
	a->chunk[1] = chunk_new(s, &a->from);
	if (!a->jobs || !a->chunk[0] || !a->chunk[1]) {
		ahead_free(a);
		return NULL;
	}
	jobs_give(a->jobs, a->chunk[1]);
	return a;
}

void ahead_free(struct ahead *a)
{
	if (!a)
		return;
	if (a->jobs)
		jobs_take(a->jobs);
	jobs_free(a->jobs);
	free(a->chunk[0]);
	free(a->chunk[1]);
	free(a);
}

/* Swap the chunks: process the one that was filled, and let the thread fill the other. */
static void turn(struct ahead *a)
{
	struct chunk *filled = jobs_take(a->jobs);

	a->chunk[1] = a->chunk[0];
	a->chunk[0] = filled;
	a->off = filled->lent;
	if (filled->end == 1 && !a->off)
		jobs_give(a->jobs, a->chunk[1]);
}

int ahead_next(struct ahead *a, struct source_rec *rec)
{
	struct chunk *c = a->chunk[0];

	while (c->at == c->n && c->end == 1) {
		if (a->off)
			return a->from.next(c->source, rec);
		turn(a);
		c = a->chunk[0];
	}
	if (c->at == c->n)
		return c->end;
	*rec = c->v[c->at++];
	return 1;
}
