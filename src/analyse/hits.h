/*
 * hits.h - where samples fell: sums by function and by instruction, of several events side by side.
 *
 * Memory follows distinct addresses.
 */
#ifndef ANALYSE_HITS_H
#define ANALYSE_HITS_H

#include "arch/arch.h"
#include "base/map.h"
#include "base/vec.h"
#include "sym/resolver.h"

#define HITS_NONE UINT32_MAX

struct hits_sum {
	uint64_t samples, weight;
};

struct hits_func {
	struct sym_loc at;        /* of one of its samples: its name, file, start */
	uint32_t first;           /* place, or HITS_NONE; see next */
	uint32_t n_places;
	uint32_t same_hash;
	uint64_t last;            /* the highest address */
	uint32_t *index;          /* of each instruction that may be there: place + 1, 0: none; NULL: too few are */
	size_t n_index;
};

struct hits_place {
	uint64_t addr;
	uint32_t func, next;
	uint32_t same_hash;
};

struct hits {
	size_t n_events;
	unsigned shift;           /* instructions lie at multiples of two to the power of that */
	VEC(struct hits_func) funcs;
	VEC(struct hits_place) places;
	VEC(struct hits_sum) of_func, of_place;   /* n_events for each */
	struct hits_sum *all;                     /* of each event, also of what is in no function */
	struct map func_of, place_of;
};

int hits_init(struct hits *h, size_t n_events, const struct arch *arch);   /* 0 or -ENOMEM */
void hits_deinit(struct hits *h);

/* The function of an address that has a symbol; HITS_NONE: no memory. */
uint32_t hits_func_of(struct hits *h, const struct sym_loc *l);

/* A sample at an address of it; `last`'s numbers. 0 or -ENOMEM. */
int hits_add_rare(struct hits *h, uint32_t func, uint64_t addr, size_t event, uint64_t weight);

/* l has a symbol, or counts only in `all`. 0 or -ENOMEM. */
int hits_add(struct hits *h, const struct sym_loc *l, size_t event, uint64_t weight);

static inline void hits_count(struct hits_sum *s, uint64_t weight)
{
	s->samples++;
	s->weight += weight;
}

static inline void hits_join(struct hits_sum *s, const struct hits_sum *more)
{
	s->samples += more->samples;
	s->weight += more->weight;
}

/* A sample that is in no function that is looked at: it counts in `all`. */
static inline void hits_pass(struct hits *h, size_t event, uint64_t weight)
{
	hits_count(&h->all[event], weight);
}

/* Which of the index is the address's? Of one between two instructions: none that is there. */
static inline uint64_t hits_step(const struct hits *h, uint64_t start, uint64_t addr)
{
	uint64_t bytes = addr - start;

	return bytes >> h->shift | bytes << (-h->shift & 63);
}

/* What an address of a function will need is fetched: first this, then that. */
static inline void hits_ask_index(const struct hits *h, uint32_t func, uint64_t addr)
{
	const struct hits_func *f = &h->funcs.v[func];
	uint64_t step = hits_step(h, f->at.start, addr);

	if (step < f->n_index)
		__builtin_prefetch(&f->index[step]);
}

static inline void hits_ask_sums(const struct hits *h, uint32_t func, uint64_t addr)
{
	const struct hits_func *f = &h->funcs.v[func];
	uint64_t step = hits_step(h, f->at.start, addr);

	if (step < f->n_index && f->index[step])
		__builtin_prefetch(&h->of_place.v[(f->index[step] - 1) * h->n_events]);
}

/* As hits_add_rare, for addresses that mostly were hit before. */
static inline int hits_add_at(struct hits *h, uint32_t func, uint64_t addr, size_t event, uint64_t weight)
{
	const struct hits_func *f = &h->funcs.v[func];
	uint64_t step = hits_step(h, f->at.start, addr);
	uint32_t place = step < f->n_index ? f->index[step] : 0;

	if (!place)
		return hits_add_rare(h, func, addr, event, weight);
	hits_pass(h, event, weight);
	hits_count(&h->of_place.v[(place - 1) * h->n_events + event], weight);
	hits_count(&h->of_func.v[func * h->n_events + event], weight);
	return 0;
}

/*
 * Samples of one event in one function, one after the other: those sums that all of them are in are added up aside.
 * Nothing else is counted until hits_run_end.
 */
struct hits_run {
	uint32_t func;            /* HITS_NONE: there is no run */
	size_t event;
	uint64_t start;
	const uint32_t *index;
	size_t n_index;
	struct hits_sum *places;  /* see of_place */
	struct hits_sum sum;
};

static inline void hits_run_begin(struct hits_run *r, const struct hits *h, uint32_t func, size_t event)
{
	const struct hits_func *f = &h->funcs.v[func];

	*r = (struct hits_run){
		.func = func, .event = event, .start = f->at.start, .index = f->index, .n_index = f->n_index,
		.places = h->of_place.v,
	};
}

static inline void hits_run_end(struct hits_run *r, struct hits *h)
{
	if (r->func == HITS_NONE)
		return;
	hits_join(&h->all[r->event], &r->sum);
	hits_join(&h->of_func.v[r->func * h->n_events + r->event], &r->sum);
	r->func = HITS_NONE;
}

/* As hits_add_at, of the run's event; another function is another run. */
static inline int hits_run_add(struct hits_run *r, struct hits *h, uint32_t func, uint64_t addr, uint64_t weight)
{
	size_t event = r->event;
	uint64_t step;

	if (r->func != func) {
		hits_run_end(r, h);
		hits_run_begin(r, h, func, event);
	}
	step = hits_step(h, r->start, addr);
	if (step >= r->n_index || !r->index[step]) {
		hits_run_end(r, h);
		return hits_add_rare(h, func, addr, event, weight);
	}
	hits_count(&r->places[(r->index[step] - 1) * h->n_events + r->event], weight);
	hits_count(&r->sum, weight);
	return 0;
}

/* What was added up so far counts for so many eighths of it from now on. */
void hits_fade(struct hits *h, unsigned eighths);

static inline const struct hits_sum *hits_func_sum(const struct hits *h, uint32_t func, size_t event)
{
	return &h->of_func.v[func * h->n_events + event];
}

static inline const struct hits_sum *hits_place_sum(const struct hits *h, uint32_t place, size_t event)
{
	return &h->of_place.v[place * h->n_events + event];
}

/* Functions, the one of the most weight of the event first. Malloc'ed; NULL: no memory. */
uint32_t *hits_order(const struct hits *h, size_t event);

/* The places of a function by address: how many, in *v, malloc'ed; -ENOMEM. */
int hits_places(const struct hits *h, uint32_t func, uint32_t **v);

#endif
