/*
 * hits.h - where samples fell: sums by function and by instruction, of several events side by side.
 *
 * Memory follows distinct addresses.
 */
#ifndef ANALYSE_HITS_H
#define ANALYSE_HITS_H

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
	uint32_t same_hash;
	uint64_t last;            /* the highest address */
};

struct hits_place {
	uint64_t addr;
	uint32_t func, next;
	uint32_t same_hash;
};

struct hits {
	size_t n_events;
	VEC(struct hits_func) funcs;
	VEC(struct hits_place) places;
	VEC(struct hits_sum) of_func, of_place;   /* n_events for each */
	struct hits_sum *all;                     /* of each event, also of what is in no function */
	struct map func_of, place_of;
};

int hits_init(struct hits *h, size_t n_events);   /* 0 or -ENOMEM */
void hits_deinit(struct hits *h);

/* l has a symbol, or counts only in `all`. 0 or -ENOMEM. */
int hits_add(struct hits *h, const struct sym_loc *l, size_t event, uint64_t weight);

/* A sample that is in no function that is looked at: it counts in `all`. */
static inline void hits_pass(struct hits *h, size_t event, uint64_t weight)
{
	h->all[event].samples++;
	h->all[event].weight += weight;
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
