/*
 * spans.c - all spans are in one array; those of an owner are linked, newest first. The map of owners has no removal:
 * when it is full it is rebuilt from the owners that have open spans.
 */
#include "analyse/spans.h"

enum { CPU_MAX = 8192, FIRST_ITEMS = 64 };

void spans_init(struct spans *s, size_t size, const struct spans_limits *limits)
{
	*s = (struct spans){ .limits = *limits, .size = size };
}

void spans_deinit(struct spans *s)
{
	map_deinit(&s->newest);
	vec_free(&s->of_cpu);
	free(s->items);
}

/* Items are aligned: malloc'ed memory is, and the size of a structure is a multiple of its alignment. */
static struct span *item(const struct spans *s, uint32_t number)
{
	return (struct span *)(void *)(s->items + number * s->size);
}

static uint32_t number_of(const struct spans *s, const struct span *sp)
{
	return (uint32_t)((size_t)((const uint8_t *)sp - s->items) / s->size);
}

/* --- losses -------------------------------------------------------------------------------------------------- */

static uint64_t losses_of(const struct spans *s, uint32_t cpu, bool pinned)
{
	cpu = MIN(cpu, (uint32_t)CPU_MAX - 1);
	return !pinned ? s->losses : cpu < s->of_cpu.n ? s->of_cpu.v[cpu] : 0;
}

int spans_lose(struct spans *s, uint32_t cpu)
{
	cpu = MIN(cpu, (uint32_t)CPU_MAX - 1);
	s->losses++;
	while (s->of_cpu.n <= cpu)
		if (!vec_add(&s->of_cpu))
			return -ENOMEM;
	s->of_cpu.v[cpu]++;
	return 0;
}

int spans_follow(struct spans *s, const struct tstream_rec *rec)
{
	if (rec->lost)
		return spans_lose(s, rec->cpu);
	s->losses += rec->in_gap;
	return 0;
}

bool spans_whole(const struct spans *s, const struct span *sp, uint32_t cpu)
{
	return sp->losses == losses_of(s, sp->cpu, sp->pinned) && (!sp->pinned || sp->cpu == cpu);
}

/* --- lists --------------------------------------------------------------------------------------------------- */

struct span *spans_newest(const struct spans *s, uint64_t owner)
{
	const uint64_t *at = map_get(&s->newest, owner);

	return at && *at ? item(s, (uint32_t)*at) : NULL;
}

struct span *spans_older(const struct spans *s, const struct span *sp)
{
	return sp->older ? item(s, sp->older) : NULL;
}

void spans_close(struct spans *s, struct span *sp)
{
	uint64_t *newest = map_get(&s->newest, sp->owner);
	uint32_t number = number_of(s, sp);
	struct span *newer = NULL;

	for (uint32_t at = (uint32_t)*newest; at != number; at = newer->older) {
		newer = item(s, at);
		newer->rank--;
	}
	if (newer)
		newer->older = sp->older;
	else
		*newest = sp->older;
	sp->older = s->free;
	s->free = number;
}

static void drop(struct spans *s, struct span *sp, enum spans_limit why)
{
	spans_close(s, sp);
	if (s->limits.dropped)
		s->limits.dropped(s->limits.arg, sp, why);
}

void spans_end(struct spans *s, void (*give)(void *arg, const struct span *sp), void *arg)
{
	for (size_t i = 0; i < s->newest.cap; i++) {
		struct span *sp;

		while (s->newest.used[i] && (sp = spans_newest(s, s->newest.slot[i].key)) != NULL) {
			spans_close(s, sp);
			give(arg, sp);
		}
	}
}

/* --- limits -------------------------------------------------------------------------------------------------- */

/* Is a span that started at ts younger than age, ns? */
static bool younger(uint64_t ts, uint64_t now, uint64_t age)
{
	return now - MIN(ts, now) < age;
}

/* Number of owners whose newest span is younger than age; *oldest: the highest age of all. */
static size_t owners_younger(const struct spans *s, uint64_t now, uint64_t age, uint64_t *oldest)
{
	size_t n = 0;

	*oldest = 0;
	for (size_t i = 0; i < s->newest.cap; i++) {
		uint64_t number = s->newest.used[i] ? s->newest.slot[i].val : 0, ts;

		if (!number)
			continue;
		ts = item(s, (uint32_t)number)->ts;
		n += younger(ts, now, age);
		*oldest = MAX(*oldest, now - MIN(ts, now));
	}
	return n;
}

/* The age up to which owners are kept, so that half of the table becomes free. */
static uint64_t keep_age(const struct spans *s, uint64_t now)
{
	uint64_t oldest, unused, age = UINT64_MAX;

	for (size_t n = owners_younger(s, now, age, &oldest); n > s->limits.owners / 2;
	     n = owners_younger(s, now, age, &unused))
		age = MIN(age, oldest) / 2;
	return age;
}

static int make_room(struct spans *s, uint64_t now)
{
	uint64_t age = keep_age(s, now);
	struct map old = s->newest, kept = { 0 };
	int r = 0;

	for (size_t i = 0; i < old.cap && !r; i++) {
		uint64_t owner = old.slot[i].key, *at;
		struct span *sp = old.used[i] ? spans_newest(s, owner) : NULL;

		if (sp && younger(sp->ts, now, age)) {
			at = map_add(&kept, owner, NULL);
			if (at)
				*at = old.slot[i].val;
			r = at ? 0 : -ENOMEM;
			continue;
		}
		for (; sp; sp = spans_newest(s, owner))
			drop(s, sp, SPANS_OLD);
	}
	if (r) {
		map_deinit(&kept);
		return r;
	}
	map_deinit(&old);
	s->newest = kept;
	return 0;
}

/* --- open ---------------------------------------------------------------------------------------------------- */

static int grow(struct spans *s)
{
	uint32_t cap = s->cap ? s->cap * 2 : FIRST_ITEMS;
	uint8_t *items = cap > s->cap ? realloc(s->items, cap * s->size) : NULL;

	if (!items)
		return -ENOMEM;
	s->items = items;
	s->cap = cap;
	s->n = MAX(s->n, 1u);
	return 0;
}

/* Index of a new item; 0: no memory. */
static uint32_t new_item(struct spans *s)
{
	uint32_t number = s->free;

	if (number) {
		s->free = item(s, number)->older;
		return number;
	}
	return s->n < s->cap || !grow(s) ? s->n++ : 0;
}

static void drop_oldest(struct spans *s, struct span *sp)
{
	while (sp->older)
		sp = item(s, sp->older);
	drop(s, sp, SPANS_DEEP);
}

void *spans_open(struct spans *s, const struct span *start)
{
	struct span *sp = spans_newest(s, start->owner);
	uint64_t *newest;
	uint32_t number;

	if (sp && sp->rank >= s->limits.deep)
		drop_oldest(s, sp);
	if (!sp && s->newest.n >= s->limits.owners && make_room(s, start->ts))
		return NULL;
	newest = map_add(&s->newest, start->owner, NULL);
	number = newest ? new_item(s) : 0;
	if (!number)
		return NULL;
	sp = memset(item(s, number), 0, s->size);
	*sp = *start;
	sp->losses = losses_of(s, start->cpu, start->pinned);
	sp->older = (uint32_t)*newest;
	sp->rank = sp->older ? item(s, sp->older)->rank + 1 : 1;
	*newest = number;
	return sp;
}
