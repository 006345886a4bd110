/* spe_rings.c - see spe_rings.h. */
#include "source/spe_rings.h"

struct spe_rings {
	struct source source;
	struct source *rings;
	struct spe_feed *feed;
	struct err *e;               /* of the current call of next() */
};

static int next_plain(struct source *s, struct source_rec *rec)
{
	struct spe_rings *p = (struct spe_rings *)s;
	int r = p->rings->kind->next(p->rings, rec, p->e);

	s->stats = p->rings->stats;
	return r;
}

static int next(struct source *s, struct source_rec *rec, struct err *e)
{
	struct spe_rings *p = (struct spe_rings *)s;

	int r;

	p->e = e;
	r = spe_feed_next(p->feed, s, rec, next_plain);
	return r >= 0 || (e && e->code) ? r : err_set(e, -r, "traces of SPE cannot be read: %s", err_name(-r));
}

static void end(struct source *s)
{
	struct spe_rings *p = (struct spe_rings *)s;

	p->rings->kind->end(p->rings);
}

static void close(struct source *s)
{
	struct spe_rings *p = (struct spe_rings *)s;

	spe_feed_free(p->feed);
	tevents_deinit(&s->trace);
	source_close(p->rings);
	free(p);
}

static const struct source_kind spe_rings = { .form = SOURCE_PERF, .next = next, .end = end, .close = close };

int spe_rings_open(struct source **to, struct source *rings, const struct spe_live *live, struct err *e)
{
	static const struct spe_want want = { .kinds = 1u << SPE_MEMORY };
	struct spe_rings *p = calloc(1, sizeof(*p));
	int r = p ? spe_feed_new_live(&p->feed, rings->head, live, &want, e) : err_nomem(e);

	if (r) {
		free(p);
		return r;
	}
	p->source.kind = &spe_rings;
	p->source.head = rings->head;
	p->source.trace = rings->trace;
	rings->trace = (struct tevents){ 0 };
	p->rings = rings;
	*to = &p->source;
	return 0;
}

const struct spe_told *spe_rings_told(const struct source *s)
{
	return s->kind == &spe_rings ? spe_feed_told(((const struct spe_rings *)s)->feed) : NULL;
}
