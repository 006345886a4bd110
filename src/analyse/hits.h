/*
 * hits.h - sums of samples by function and by instruction, for several events side by side.
 *
 * Memory grows with distinct addresses.
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
	struct sym_loc at;        /* location of one of its samples: name, file, start */
	uint32_t first;           /* its first place, or HITS_NONE; see hits_place.next */
	uint32_t n_places;
	uint32_t same_hash;       /* next function with the same hash, index + 1 */
	uint64_t last;            /* the highest address */
	uint32_t *index;          /* for each possible instruction: place + 1, 0: none; NULL: not worth it yet */
	size_t n_index;
};

struct hits_place {
	uint64_t addr;
	uint32_t func, next;
	uint32_t same_hash;
};

struct hits {
	size_t n_events;
	unsigned shift;           /* instructions are aligned to 1 << shift bytes */
	VEC(struct hits_func) funcs;
	VEC(struct hits_place) places;
	VEC(struct hits_sum) of_func, of_place;   /* n_events for each function and place */
	struct hits_sum *all;                     /* for each event, including samples in no function */
	struct map func_of, place_of;
};

int hits_init(struct hits *h, size_t n_events, const struct arch *arch);   /* 0 or -ENOMEM */
void hits_deinit(struct hits *h);

/* The function of an address that has a symbol; HITS_NONE: no memory. */
uint32_t hits_func_of(struct hits *h, const struct sym_loc *l);

/* Add a sample in func at addr, an address in the same terms as `last`. 0 or -ENOMEM. */
int hits_add_rare(struct hits *h, uint32_t func, uint64_t addr, size_t event, uint64_t weight);

/* Add a sample at a location; without a symbol it only counts in `all`. 0 or -ENOMEM. */
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

/* Add a sample to `all` only. */
static inline void hits_pass(struct hits *h, size_t event, uint64_t weight)
{
	hits_count(&h->all[event], weight);
}

/* The address' position in the index; an unaligned address gets a huge one (by rotation), beyond every index. */
static inline uint64_t hits_step(const struct hits *h, uint64_t start, uint64_t addr)
{
	uint64_t bytes = addr - start;

	return bytes >> h->shift | bytes << (-h->shift & 63);
}

/* Prefetch for an address of a function, in two steps: the entry of the index, then the sums. */
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

/* As hits_add_rare(), but fast for addresses that have a place. */
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
 * Fast path for consecutive samples of one event in one function: sums that all of them share are kept in the run.
 * No other sample may be added until hits_run_end().
 */
struct hits_run {
	uint32_t func;            /* HITS_NONE: there is no run */
	size_t event;
	uint64_t start;
	const uint32_t *index;
	size_t n_index;
	struct hits_sum *places;  /* hits.of_place */
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

/* As hits_add_at(), for the run's event; another function starts a new run. */
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

/* Multiply all sums by eighths / 8. */
void hits_fade(struct hits *h, unsigned eighths);

static inline const struct hits_sum *hits_func_sum(const struct hits *h, uint32_t func, size_t event)
{
	return &h->of_func.v[func * h->n_events + event];
}

static inline const struct hits_sum *hits_place_sum(const struct hits *h, uint32_t place, size_t event)
{
	return &h->of_place.v[place * h->n_events + event];
}

/* Functions sorted by weight of the event, heaviest first. Malloc'ed; NULL: no memory. */
uint32_t *hits_order(const struct hits *h, size_t event);

/* The places of a function sorted by address, in *v, malloc'ed; returns their number or -ENOMEM. */
int hits_places(const struct hits *h, uint32_t func, uint32_t **v);

#endif
