/* slabs.c - a row for each call site, and for each block. */
#include "analyse/slabs.h"

void slabs_deinit(struct slabs *s)
{
	slots_deinit(&s->of_site);
	slots_deinit(&s->of_block);
	vec_free(&s->sites);
	vec_free(&s->blocks);
}

static bool is_site(const void *rows, uint32_t n, const void *at)
{
	return ((const struct slabs_row *)rows)[n].at == *(const uint64_t *)at;
}

static bool is_block(const void *rows, uint32_t n, const void *at)
{
	return ((const struct slabs_block *)rows)[n].row.at == *(const uint64_t *)at;
}

static void add(struct slabs_row *r, const struct slabs_event *ev)
{
	r->asked += ev->asked;
	r->given += ev->given;
	r->hits++;
}

static int new_site(struct slabs *s, uint64_t at)
{
	struct slabs_row *r;

	if (s->sites.n >= SLABS_SITES)
		return 0;
	r = vec_add(&s->sites);
	if (!r)
		return -ENOMEM;
	r->at = at;
	return slots_add(&s->of_site, slots_hash(at), (uint32_t)s->sites.n - 1);
}

static int new_block(struct slabs *s, uint64_t at)
{
	struct slabs_block *b;

	if (s->blocks.n >= SLABS_BLOCKS)
		return 0;
	b = vec_add(&s->blocks);
	if (!b)
		return -ENOMEM;
	*b = (struct slabs_block){ .row.at = at, .cpu = -1 };
	return slots_add(&s->of_block, slots_hash(at), (uint32_t)s->blocks.n - 1);
}

static inline uint32_t find_site(const struct slabs *s, uint64_t at)
{
	return slots_find(&s->of_site, slots_hash(at), is_site, s->sites.v, &at);
}

static bool may_be_block(const void *rows UNUSED, uint32_t n UNUSED, const void *at UNUSED)
{
	return true;
}

static inline uint32_t find_block(const struct slabs *s, const struct slabs_event *ev)
{
	if (ev->row != SLOTS_NONE && s->blocks.v[ev->row].row.at == ev->block)
		return ev->row;
	return slots_find(&s->of_block, slots_hash(ev->block), is_block, s->blocks.v, &ev->block);
}

/* Sums over all events, including those without a row. */
static inline void add_sums(struct slabs *s, const struct slabs_event *ev)
{
	s->allocs++;
	s->asked += ev->asked;
	s->given += ev->given;
	s->elsewhere += ev->elsewhere;
}

/* Make sure that the rows of both call site and block exist. */
static int meet(struct slabs *s, const struct slabs_event *ev, uint32_t *site, uint32_t *block)
{
	int r = *site == SLOTS_NONE ? new_site(s, ev->site) : 0;

	if (!r && *site == SLOTS_NONE)
		*site = find_site(s, ev->site);
	if (!r && *site != SLOTS_NONE && *block == SLOTS_NONE) {
		r = new_block(s, ev->block);
		*block = r ? SLOTS_NONE : find_block(s, ev);
	}
	return r;
}

static int do_alloc(struct slabs *s, const struct slabs_event *ev)
{
	uint32_t site = find_site(s, ev->site), block = find_block(s, ev);
	struct slabs_block *b;

	if ((site == SLOTS_NONE || block == SLOTS_NONE) && meet(s, ev, &site, &block))
		return -ENOMEM;
	add_sums(s, ev);
	if (site != SLOTS_NONE)
		add(&s->sites.v[site], ev);
	if (site == SLOTS_NONE || block == SLOTS_NONE) {
		s->dropped++;
		return 0;
	}
	b = &s->blocks.v[block];
	add(&b->row, ev);
	b->site = site;
	b->size = (uint32_t)ev->given;
	b->cpu = ev->cpu;
	return 0;
}

static void do_free(struct slabs *s, const struct slabs_event *ev)
{
	uint32_t i = find_block(s, ev);
	struct slabs_block *b = i == SLOTS_NONE ? NULL : &s->blocks.v[i];

	if (!b)
		return;
	s->freed += b->size;
	if (b->cpu != ev->cpu) {
		b->row.moved++;
		s->sites.v[b->site].moved++;
	}
	b->cpu = -1;
}

/* --- delayed processing -------------------------------------------------------------------------------------- */

/* Second step of prefetching: the hash table is in the cache by now, so find and prefetch the row. */
static inline void fetch_row(const struct slabs *s, struct slabs_event *ev)
{
	const char *row;

	ev->row = slots_find(&s->of_block, slots_hash(ev->block), may_be_block, NULL, NULL);
	if (ev->row == SLOTS_NONE)
		return;
	row = (const char *)&s->blocks.v[ev->row];
	__builtin_prefetch(row, 1);
	__builtin_prefetch(row + sizeof(struct slabs_block) - 1, 1);
}

static inline int do_first(struct slabs *s)
{
	const struct slabs_event *ev = &s->late[s->first % SLABS_LATE];
	int r = 0;

	if (ev->is_free)
		do_free(s, ev);
	else
		r = do_alloc(s, ev);
	s->first++;
	s->n_late--;
	return r;
}

/* A slot of `late` for the next event; if it is full, the oldest event is processed, with result *r. */
static inline struct slabs_event *next_late(struct slabs *s, uint64_t block, int *r)
{
	*r = s->n_late == SLABS_LATE ? do_first(s) : 0;
	slots_fetch(&s->of_block, slots_hash(block));
	s->n_late++;
	if (s->n_late > SLABS_LATE / 2)
		fetch_row(s, &s->late[(s->first + s->n_late - 1 - SLABS_LATE / 2) % SLABS_LATE]);
	return &s->late[(s->first + s->n_late - 1) % SLABS_LATE];
}

int slabs_alloc(struct slabs *s, const struct slabs_event *ev)
{
	int r;
	struct slabs_event *late = next_late(s, ev->block, &r);

	*late = *ev;
	late->row = SLOTS_NONE;
	late->is_free = false;
	return r;
}

int slabs_free(struct slabs *s, uint64_t block, int32_t cpu)
{
	int r;

	*next_late(s, block, &r) = (struct slabs_event){
		.block = block, .cpu = cpu, .row = SLOTS_NONE, .is_free = true,
	};
	return r;
}

int slabs_settle(struct slabs *s)
{
	int r = 0;

	while (s->n_late)
		r = do_first(s) ? -ENOMEM : r;
	return r;
}

static void begin_row(struct slabs_row *r)
{
	*r = (struct slabs_row){ .at = r->at };
}

int slabs_forget(struct slabs *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->sites.n; i++)
		begin_row(&s->sites.v[i]);
	slots_deinit(&s->of_block);
	for (size_t i = 0; i < s->blocks.n; i++) {
		struct slabs_block *b = &s->blocks.v[i];

		if (b->cpu == -1)
			continue;
		if (slots_add(&s->of_block, slots_hash(b->row.at), (uint32_t)n))
			return -ENOMEM;
		begin_row(&b->row);
		s->blocks.v[n++] = *b;
	}
	s->blocks.n = n;
	s->allocs = s->asked = s->given = s->freed = s->elsewhere = 0;
	return 0;
}
