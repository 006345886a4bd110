/* session_ahead.c - two chunks in turn: of one the records are looked at while the other is filled. */
#include "source/session_ahead.h"

#include "sys/jobs.h"

enum { CHUNK = 4096 };

struct chunk {
	struct session *session;
	size_t n, at;
	int end;          /* what is behind the records: as of session_read_one; 1: the other chunk */
	bool lent;        /* the last record goes when the next one is read */
	struct perf_record v[CHUNK];
};

struct ahead {
	struct jobs *jobs;
	struct chunk *chunk[2];   /* the first one is looked at, the second one is filled */
	bool off;                 /* records are no longer such that they can wait */
};

static void fill(void *piece)
{
	struct chunk *c = piece;

	c->n = c->at = 0;
	c->end = 1;
	while (c->n < CHUNK && c->end == 1 && !c->lent) {
		c->end = session_read_one(c->session, &c->v[c->n]);
		c->n += c->end == 1;
		c->lent = session_read_lends(c->session);
	}
}

static struct chunk *chunk_new(struct session *s)
{
	struct chunk *c = malloc(sizeof(*c));

	if (c) {
		c->session = s;
		c->n = c->at = 0;
		c->end = 1;
		c->lent = false;
	}
	return c;
}

struct ahead *ahead_new(struct session *s)
{
	struct ahead *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->jobs = jobs_new(2, fill);
	a->chunk[0] = chunk_new(s);
	a->chunk[1] = chunk_new(s);
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

/* The chunk that was filled is to be looked at, and the other one is filled. */
static void turn(struct ahead *a)
{
	struct chunk *filled = jobs_take(a->jobs);

	a->chunk[1] = a->chunk[0];
	a->chunk[0] = filled;
	a->off = filled->lent;
	if (filled->end == 1 && !a->off)
		jobs_give(a->jobs, a->chunk[1]);
}

int ahead_next(struct ahead *a, struct perf_record *r)
{
	struct chunk *c = a->chunk[0];

	while (c->at == c->n && c->end == 1) {
		if (a->off)
			return session_read_one(c->session, r);
		turn(a);
		c = a->chunk[0];
	}
	if (c->at == c->n)
		return c->end;
	*r = c->v[c->at++];
	return 1;
}
