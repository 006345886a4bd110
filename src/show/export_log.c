/*
 * export_log.c - an entry is three numbers in LEB128 (7 bits per byte, low ones first): time difference, chain, and
 * weight difference, differences in zigzag encoding.
 */
#include "show/export_log.h"

enum { BLOCK = 240, ENTRY_MAX = 3 * 10 };

struct export_block {
	struct export_block *next;
	uint16_t n;
	uint8_t bytes[BLOCK];
};

static void put(struct export_block *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		b->bytes[b->n++] = (uint8_t)(v | 0x80);
	b->bytes[b->n++] = (uint8_t)v;
}

static uint64_t get(struct export_reader *r)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t b;

	do {
		b = r->block->bytes[r->at++];
		v |= (uint64_t)(b & 0x7f) << shift;
		shift += 7;
	} while (b & 0x80);
	return v;
}

static uint64_t fold(uint64_t new, uint64_t old)
{
	uint64_t d = new - old;

	return d << 1 ^ -(d >> 63);
}

static uint64_t unfold(uint64_t folded, uint64_t old)
{
	return old + (folded >> 1 ^ -(folded & 1));
}

static struct export_block *room(struct export_log *l, struct export_lane_log *lane)
{
	struct export_block *b = lane->last;

	if (b && BLOCK - b->n >= ENTRY_MAX)
		return b;
	b = arena_alloc(&l->arena, sizeof(*b));
	if (!b)
		return NULL;
	if (lane->last)
		lane->last->next = b;
	else
		lane->first = b;
	lane->last = b;
	return b;
}

int export_log_add(struct export_log *l, const struct export_sample *s)
{
	struct export_lane_log *lane;
	struct export_block *b;

	while (l->lanes.n <= s->lane)
		if (!vec_add(&l->lanes))
			return -ENOMEM;
	lane = &l->lanes.v[s->lane];
	b = room(l, lane);
	if (!b)
		return -ENOMEM;
	put(b, fold(s->time, lane->time));
	put(b, s->stack);
	put(b, fold(s->weight, lane->weight));
	lane->time = s->time;
	lane->weight = s->weight;
	return l->arena.total > l->limit ? -ENOSPC : 0;
}

void export_log_deinit(struct export_log *l)
{
	arena_deinit(&l->arena);
	vec_free(&l->lanes);
}

struct export_reader export_log_begin(const struct export_log *l, uint32_t lane)
{
	return (struct export_reader){ .block = lane < l->lanes.n ? l->lanes.v[lane].first : NULL };
}

bool export_log_next(struct export_reader *r)
{
	while (r->block && r->at == r->block->n) {
		r->block = r->block->next;
		r->at = 0;
	}
	if (!r->block)
		return false;
	r->time = unfold(get(r), r->time);
	r->stack = (uint32_t)get(r);
	r->weight = unfold(get(r), r->weight);
	return true;
}
