/* timeline.c - a ring buffer of records: header, raw bytes and call chain. */
#include "engine/timeline.h"

struct kept {
	uint32_t size;                   /* of the whole record, a multiple of 8 */
	uint32_t raw, chain;             /* bytes */
	uint64_t seq, key;
	struct hit hit;
	uint64_t ip, period, n_chain;
	uint8_t cpumode;
};

int timeline_open(struct timeline *t, size_t bytes)
{
	*t = (struct timeline){ .cap = bytes & ~(size_t)7, .bytes = malloc(bytes) };
	return t->bytes ? 0 : -ENOMEM;
}

void timeline_close(struct timeline *t)
{
	free(t->bytes);
	t->bytes = NULL;
}

/* Bytes from pos to the end of the buffer. A record never wraps: if it would, this rest is skipped. */
static size_t left_at(const struct timeline *t, uint64_t pos)
{
	return t->cap - (size_t)(pos % t->cap);
}

/* The record at *pos, or behind a skipped rest. NULL: none. */
static const struct kept *at_pos(const struct timeline *t, uint64_t *pos)
{
	const struct kept *k;

	while (*pos < t->head) {
		size_t left = left_at(t, *pos);

		k = (const struct kept *)(const void *)(t->bytes + *pos % t->cap);
		if (left >= sizeof(*k) && k->size)
			return k;
		*pos += left;
	}
	return NULL;
}

static void drop_oldest(struct timeline *t)
{
	const struct kept *k = at_pos(t, &t->tail);

	t->tail = k ? t->tail + k->size : t->head;
	t->first++;
}

/* Make room for n contiguous bytes at head, dropping the oldest records. */
static void make_room(struct timeline *t, size_t n)
{
	size_t left = left_at(t, t->head);

	if (left < n) {
		while (t->head + left - t->tail > t->cap)
			drop_oldest(t);
		if (left >= sizeof(uint32_t))
			memset(t->bytes + t->head % t->cap, 0, sizeof(uint32_t));
		t->head += left;
	}
	while (t->head + n - t->tail > t->cap && t->tail < t->head)
		drop_oldest(t);
}

uint64_t timeline_add(struct timeline *t, const struct hit *h, uint64_t key)
{
	const struct sample *s = h->sample;
	size_t chain = s ? s->chain.n : 0, n = (sizeof(struct kept) + h->raw.n + chain + 7 + 7) & ~(size_t)7;
	struct kept *k;
	uint8_t *to;

	if (n > t->cap / 4)
		return t->next++;
	make_room(t, n);
	k = (struct kept *)(void *)(t->bytes + t->head % t->cap);
	*k = (struct kept){ .size = (uint32_t)n, .raw = (uint32_t)h->raw.n, .chain = (uint32_t)chain, .seq = t->next,
			    .key = key, .hit = *h };
	to = (uint8_t *)(k + 1);
	if (h->raw.n)
		memcpy(to, h->raw.p, h->raw.n);
	to += (h->raw.n + 7) & ~(size_t)7;
	if (chain)
		memcpy(to, s->chain.p, chain);
	if (s) {
		k->ip = s->ip;
		k->period = s->period;
		k->n_chain = s->n_chain;
		k->cpumode = s->cpumode;
	}
	if (t->tail == t->head)
		t->first = t->next;
	if (!(t->next % TIMELINE_STEP))
		t->marks[t->next / TIMELINE_STEP % TIMELINE_MARKS] = t->head;
	t->head += n;
	return t->next++;
}

static void fill(const struct kept *k, struct timeline_item *item)
{
	const uint8_t *raw = (const uint8_t *)(k + 1);

	item->seq = k->seq;
	item->key = k->key;
	item->hit = k->hit;
	item->hit.raw = (struct bytes){ raw, k->raw };
	item->sample = (struct sample){
		.ip = k->ip, .period = k->period, .cpumode = k->cpumode, .pid = k->hit.pid, .tid = k->hit.tid,
		.cpu = k->hit.cpu, .time = k->hit.time, .n_chain = k->n_chain,
		.chain = { raw + ((k->raw + 7u) & ~7u), k->chain },
	};
	item->hit.sample = &item->sample;
}

/* A position at or before hit `seq`. The mark may be of an older hit (if its own was not kept): that is fine, too. */
static uint64_t start_of(const struct timeline *t, uint64_t seq)
{
	uint64_t mark = t->marks[seq / TIMELINE_STEP % TIMELINE_MARKS], pos = mark;
	const struct kept *k = mark > t->tail && mark < t->head ? at_pos(t, &pos) : NULL;

	return k && k->seq <= seq ? mark : t->tail;
}

bool timeline_next(const struct timeline *t, struct timeline_walk *w, uint64_t seq, struct timeline_item *item)
{
	const struct kept *k;

	if (!w->begun)
		w->at = start_of(t, seq);
	w->begun = true;
	while ((k = at_pos(t, &w->at)) != NULL) {
		w->at += k->size;
		if (k->seq < seq)
			continue;
		fill(k, item);
		return true;
	}
	return false;
}
