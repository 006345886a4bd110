#include "timeline/lane.h"

unsigned lane_number(uint8_t *to, uint64_t v)
{
	unsigned n = 0;

	for (; v > 127; v >>= 7)
		to[n++] = (uint8_t)(v | 128);
	to[n++] = (uint8_t)v;
	return n;
}

static struct lane_level *level_of(struct lane *l, unsigned level)
{
	if (level < LANE_LEVELS && !l->level[level])
		l->level[level] = calloc(1, sizeof(*l->level[level]));
	return level < LANE_LEVELS ? l->level[level] : NULL;
}

static int put(struct lane_level *v, const struct lane_item *it, const void *more, size_t n)
{
	int64_t gap = it->start - v->end;
	uint8_t head[3 * LANE_NUMBER];
	unsigned used = lane_number(head, (uint64_t)gap << 1 ^ (gap < 0 ? UINT64_MAX : 0));

	used += lane_number(head + used, it->length);
	used += lane_number(head + used, it->id);
	if (vec_reserve(&v->bytes, used + n))
		return -ENOMEM;
	memcpy(v->bytes.v + v->bytes.n, head, used);
	if (n)
		memcpy(v->bytes.v + v->bytes.n + used, more, n);
	v->bytes.n += used + n;
	v->end = it->start + (int64_t)it->length;
	return 0;
}

/* Sum up the time by id; a merged item counts with its own id for all of its time. */
static void weigh(struct lane_node *n, uint64_t id, uint64_t time)
{
	unsigned i = 0;

	while (i < n->n_ids && n->id[i] != id)
		i++;
	if (i == n->n_ids) {
		n->id[i] = id;
		n->of[i] = 0;
		n->n_ids++;
	}
	n->of[i] += time;
	if (n->n_ids == 1 || n->of[i] > n->most) {
		n->most = n->of[i];
		n->item.id = id;
	}
}

static void merge(const struct lane *l, struct lane_node *n, const struct lane_item *it, uint64_t busy, uint64_t count)
{
	int64_t end = it->start + (int64_t)it->length;

	if (!n->n) {
		n->item = *it;
		n->busy = n->count = n->n_ids = 0;
	}
	n->n++;
	n->busy += busy;
	n->count += count;
	if (end > n->item.start + (int64_t)n->item.length)
		n->item.length = (uint64_t)(end - n->item.start);
	if (l->kind != LANE_COUNTER)
		weigh(n, it->id, busy ? busy : count);
	else if (it->id > n->item.id)
		n->item.id = it->id;
}

static int close_node(struct lane *l, unsigned level);

/* Merge an item of `level` into the incomplete item of the level above. */
static int rise(struct lane *l, unsigned level, const struct lane_item *it, uint64_t busy, uint64_t count)
{
	struct lane_level *above = level_of(l, level + 1);

	if (level + 1 >= LANE_LEVELS)
		return 0;
	if (!above)
		return -ENOMEM;
	merge(l, &above->open, it, busy, count);
	return above->open.n == LANE_FAN ? close_node(l, level + 1) : 0;
}

static int close_node(struct lane *l, unsigned level)
{
	struct lane_level *v = l->level[level];
	struct lane_node *n = &v->open;
	uint8_t more[2 * LANE_NUMBER];
	unsigned used = lane_number(more, n->busy);

	used += lane_number(more + used, n->count);
	n->n = 0;
	if (put(v, &n->item, more, used))
		return -ENOMEM;
	return rise(l, level, &n->item, n->busy, n->count);
}

int lane_add(struct lane *l, const struct lane_item *item, const void *more, size_t n)
{
	struct lane_level *v = level_of(l, 0);

	if (!v || put(v, item, more, n))
		return -ENOMEM;
	l->items++;
	l->highest = MAX(l->highest, item->id);
	return rise(l, 0, item, item->length, 1);
}

/* From the lowest level up, as long as the level below has more than one item: closing a level fills the next one. */
int lane_end(struct lane *l)
{
	uint64_t below = l->items;
	int r = 0;

	for (unsigned i = 1; i < LANE_LEVELS && l->level[i] && below > 1 && !r; i++) {
		if (l->level[i]->open.n)
			r = close_node(l, i);
		below = (below + LANE_FAN - 1) / LANE_FAN;
	}
	return r;
}

void lane_deinit(struct lane *l)
{
	for (unsigned i = 0; i < LANE_LEVELS && l->level[i]; i++) {
		vec_free(&l->level[i]->bytes);
		free(l->level[i]);
		l->level[i] = NULL;
	}
}
