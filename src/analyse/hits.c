/* hits.c - tables of functions and of places in them, with their sums in parallel tables. */
#include "analyse/hits.h"

#include "base/mem.h"
#include "base/sort.h"

/* INDEX_MAX: instructions of a function with an index, 4 bytes each; sizes in a file may be wrong. */
enum { INDEX_MAX = 1 << 20, INDEX_SHARE = 32 };

int hits_init(struct hits *h, size_t n_events, const struct arch *arch)
{
	*h = (struct hits){ .n_events = n_events, .shift = arch->insn_size == 4 ? 2 : 0 };
	h->all = calloc(MAX(n_events, 1u), sizeof(*h->all));
	return h->all ? 0 : -ENOMEM;
}

void hits_deinit(struct hits *h)
{
	for (size_t i = 0; i < h->funcs.n; i++)
		free(h->funcs.v[i].index);
	vec_free(&h->funcs);
	vec_free(&h->places);
	vec_free(&h->of_func);
	vec_free(&h->of_place);
	map_deinit(&h->func_of);
	map_deinit(&h->place_of);
	free(h->all);
	h->all = NULL;
}

/* Append zeroed sums for a function or place. */
#define MORE_SUMS(h, vec) \
	(vec_reserve(vec, (h)->n_events) ? -ENOMEM : \
	 (memset((vec)->v + (vec)->n, 0, (h)->n_events * sizeof(*(vec)->v)), (vec)->n += (h)->n_events, 0))

/* Functions are identified by file and start; of aliases the name found first counts. */
uint32_t hits_func_of(struct hits *h, const struct sym_loc *l)
{
	uint64_t *head = map_add(&h->func_of, hash_u64((uintptr_t)l->dso ^ hash_u64(l->start)), NULL);
	struct hits_func *f;

	if (!head)
		return HITS_NONE;
	for (uint32_t i = (uint32_t)*head; i; i = h->funcs.v[i - 1].same_hash)
		if (h->funcs.v[i - 1].at.dso == l->dso && h->funcs.v[i - 1].at.start == l->start)
			return i - 1;
	f = vec_add(&h->funcs);
	if (!f || MORE_SUMS(h, &h->of_func))
		return HITS_NONE;
	*f = (struct hits_func){ .at = *l, .first = HITS_NONE, .same_hash = (uint32_t)*head };
	*head = h->funcs.n;
	return (uint32_t)h->funcs.n - 1;
}

/* Make an index if a good part of the function's instructions was hit, or it has many samples. */
static void make_index(struct hits *h, uint32_t func)
{
	struct hits_func *f = &h->funcs.v[func];
	uint64_t n = f->at.len >> h->shift, samples = 0;

	if (f->index || !n || n > INDEX_MAX)
		return;
	for (size_t i = 0; i < h->n_events; i++)
		samples += hits_func_sum(h, func, i)->samples;
	if (samples < n && f->n_places < n / INDEX_SHARE)
		return;
	/* It is optional: without memory lookups are just slower. */
	f->index = mem_zeroed((size_t)n, sizeof(*f->index));
	f->n_index = f->index ? (size_t)n : 0;
	for (uint32_t i = f->first; i != HITS_NONE; i = h->places.v[i].next) {
		uint64_t step = hits_step(h, f->at.start, h->places.v[i].addr);

		if (step < f->n_index)
			f->index[step] = i + 1;
	}
}

static uint32_t place_new(struct hits *h, uint32_t func, uint64_t addr, uint32_t same_hash)
{
	struct hits_place *p = vec_add(&h->places);
	struct hits_func *f = &h->funcs.v[func];

	if (!p || MORE_SUMS(h, &h->of_place))
		return HITS_NONE;
	*p = (struct hits_place){ .addr = addr, .func = func, .next = f->first, .same_hash = same_hash };
	f->first = (uint32_t)h->places.n - 1;
	f->n_places++;
	f->last = MAX(f->last, addr);
	return f->first;
}

static uint32_t find_place(struct hits *h, uint32_t func, uint64_t addr)
{
	uint64_t *head = map_add(&h->place_of, hash_u64(addr ^ (uint64_t)func << 40), NULL);
	uint32_t new;

	if (!head)
		return HITS_NONE;
	for (uint32_t i = (uint32_t)*head; i; i = h->places.v[i - 1].same_hash)
		if (h->places.v[i - 1].addr == addr && h->places.v[i - 1].func == func)
			return i - 1;
	new = place_new(h, func, addr, (uint32_t)*head);
	if (new != HITS_NONE)
		*head = new + 1;
	return new;
}

static uint32_t place_of(struct hits *h, uint32_t func, uint64_t addr)
{
	const struct hits_func *f = &h->funcs.v[func];
	uint64_t step = hits_step(h, f->at.start, addr);
	uint32_t *at = step < f->n_index ? &f->index[step] : NULL;

	if (!at)
		return find_place(h, func, addr);
	if (!*at)
		*at = place_new(h, func, addr, 0) + 1;   /* without memory: none */
	return *at - 1;
}

int hits_add_rare(struct hits *h, uint32_t func, uint64_t addr, size_t event, uint64_t weight)
{
	uint32_t place;

	make_index(h, func);
	place = place_of(h, func, addr);
	hits_pass(h, event, weight);
	if (place == HITS_NONE)
		return -ENOMEM;
	hits_count(&h->of_place.v[place * h->n_events + event], weight);
	hits_count(&h->of_func.v[func * h->n_events + event], weight);
	return 0;
}

int hits_add(struct hits *h, const struct sym_loc *l, size_t event, uint64_t weight)
{
	uint32_t func = l->sym ? hits_func_of(h, l) : HITS_NONE;

	if (func != HITS_NONE)
		return hits_add_at(h, func, l->addr, event, weight);
	hits_pass(h, event, weight);
	return l->sym ? -ENOMEM : 0;
}

static void fade(struct hits_sum *v, size_t n, unsigned eighths)
{
	for (size_t i = 0; i < n; i++) {
		v[i].weight = v[i].weight / 8 * eighths + v[i].weight % 8 * eighths / 8;
		/* A sum with weight keeps at least one sample. */
		v[i].samples = v[i].samples * eighths / 8 + (v[i].weight && v[i].samples == 1);
	}
}

void hits_fade(struct hits *h, unsigned eighths)
{
	fade(h->of_func.v, h->of_func.n, eighths);
	fade(h->of_place.v, h->of_place.n, eighths);
	fade(h->all, h->n_events, eighths);
}

struct by_weight {
	const struct hits *h;
	size_t event;
};

/* Functions of equal weight by name, then by file and address, so that the order is deterministic. */
static int heavier(const void *arg, uint32_t a, uint32_t b)
{
	const struct by_weight *o = arg;
	const struct hits_func *fa = &o->h->funcs.v[a], *fb = &o->h->funcs.v[b];
	uint64_t wa = hits_func_sum(o->h, a, o->event)->weight, wb = hits_func_sum(o->h, b, o->event)->weight;
	int by_name;

	if (wa != wb)
		return wa > wb ? -1 : 1;
	by_name = strcmp(fa->at.sym, fb->at.sym);
	if (!by_name)
		by_name = strcmp(fa->at.dso, fb->at.dso);
	return by_name ? by_name : fa->at.start < fb->at.start ? -1 : fa->at.start > fb->at.start;
}

static int lower(const void *arg, uint32_t a, uint32_t b)
{
	const struct hits *h = arg;

	return h->places.v[a].addr < h->places.v[b].addr ? -1 : h->places.v[a].addr > h->places.v[b].addr;
}

static bool sorted(uint32_t *v, size_t n, sort_order *order, const void *arg)
{
	uint32_t *spare = malloc(MAX(n, 1u) * sizeof(*spare));

	if (spare)
		sort_u32(v, spare, n, order, arg);
	free(spare);
	return spare;
}

uint32_t *hits_order(const struct hits *h, size_t event)
{
	struct by_weight o = { h, event };
	uint32_t *v = malloc(MAX(h->funcs.n, 1u) * sizeof(*v));

	for (uint32_t i = 0; v && i < h->funcs.n; i++)
		v[i] = i;
	if (v && sorted(v, h->funcs.n, heavier, &o))
		return v;
	free(v);
	return NULL;
}

/* List the places; if the index has all of them, they are in order. */
static size_t list_places(const struct hits *h, const struct hits_func *f, uint32_t *v)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n_index; i++)
		if (f->index[i])
			v[n++] = f->index[i] - 1;
	if (n == f->n_places)
		return 0;
	n = 0;
	for (uint32_t i = f->first; i != HITS_NONE; i = h->places.v[i].next)
		v[n++] = i;
	return n;
}

int hits_places(const struct hits *h, uint32_t func, uint32_t **v)
{
	const struct hits_func *f = &h->funcs.v[func];

	*v = malloc(MAX(f->n_places, 1u) * sizeof(**v));
	if (*v && sorted(*v, list_places(h, f, *v), lower, h))
		return (int)f->n_places;
	free(*v);
	*v = NULL;
	return -ENOMEM;
}
