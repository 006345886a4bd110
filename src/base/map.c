/* map.c - linear probing, growth at three quarters. */
#include "base/map.h"

#include "base/mem.h"

/* FNV-1a, finished by hash_u64 so that the low bits, which select the slot, depend on all input bits. */
uint32_t hash_bytes(const void *p, size_t n)
{
	const uint8_t *b = p;
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		h = (h ^ b[i]) * UINT64_C(0x100000001b3);
	return (uint32_t)hash_u64(h);
}

/*
 * Fibonacci hashing (Knuth, vol. 3, 6.4): one multiplication, by 2^64 / golden ratio. It spreads consecutive keys, such
 * as tids and page numbers, evenly over the table.
 */
static inline size_t first_slot(const struct map *m, uint64_t key)
{
	return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (m->cap - 1);
}

static size_t map_slot_of(const struct map *m, uint64_t key)
{
	size_t i = first_slot(m, key);

	while (m->used[i] && m->slot[i].key != key)
		i = (i + 1) & (m->cap - 1);
	return i;
}

uint64_t *map_get(const struct map *m, uint64_t key)
{
	if (!m->cap)
		return NULL;

	size_t i = first_slot(m, key);

	if (m->used[i] && m->slot[i].key != key)
		i = map_slot_of(m, key);
	return m->used[i] ? &m->slot[i].val : NULL;
}

static int map_grow(struct map *m)
{
	struct map big = { .cap = m->cap ? m->cap * 2 : 64, .n = m->n };

	big.slot = mem_zeroed(big.cap, sizeof(*big.slot));
	big.used = mem_zeroed(big.cap, 1);
	if (!big.slot || !big.used) {
		map_deinit(&big);
		return -ENOMEM;
	}
	for (size_t i = 0; i < m->cap; i++) {
		if (!m->used[i])
			continue;

		size_t j = map_slot_of(&big, m->slot[i].key);

		big.used[j] = 1;
		big.slot[j] = m->slot[i];
	}
	free(m->slot);
	free(m->used);
	*m = big;
	return 0;
}

uint64_t *map_add(struct map *m, uint64_t key, bool *is_new)
{
	if (m->n + 1 > m->cap / 4 * 3 && map_grow(m))
		return NULL;

	size_t i = map_slot_of(m, key);

	if (is_new)
		*is_new = !m->used[i];
	if (!m->used[i]) {
		m->used[i] = 1;
		m->slot[i] = (struct map_slot){ .key = key };
		m->n++;
	}
	return &m->slot[i].val;
}

void map_deinit(struct map *m)
{
	free(m->slot);
	free(m->used);
	*m = (struct map){ 0 };
}

/* Hashes eight bytes at a time. If n is no multiple of 8, the last step takes the last eight bytes, which overlap. */
static uint32_t name_hash(const char *s, size_t n)
{
	uint64_t h = n * UINT64_C(0x9e3779b97f4a7c15), v = 0;

	for (size_t i = 0; i + 8 <= n; i += 8) {
		memcpy(&v, s + i, 8);
		h = (h ^ v) * UINT64_C(0xbf58476d1ce4e5b9);
		h ^= h >> 32;
	}
	if (n > 8 && n % 8)
		memcpy(&v, s + n - 8, 8);
	else
		for (size_t i = n & ~(size_t)7; i < n; i++)
			v = v << 8 | (uint8_t)s[i];
	return (uint32_t)hash_u64(n % 8 ? h ^ v : h);
}

static size_t names_slot(const struct names *t, const char *s, size_t n, uint32_t hash)
{
	size_t i = hash & (t->cap - 1);

	for (; t->slot[i]; i = (i + 1) & (t->cap - 1)) {
		const struct name *k = &t->list.v[t->slot[i] - 1];

		if (k->hash == hash && k->len == n && !memcmp(k->s, s, n))
			break;
	}
	return i;
}

static int names_grow(struct names *t)
{
	size_t cap = t->cap ? t->cap * 2 : 64;
	uint32_t *slot = calloc(cap, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	for (size_t id = 0; id < t->list.n; id++) {
		size_t i = t->list.v[id].hash & (cap - 1);

		while (slot[i])
			i = (i + 1) & (cap - 1);
		slot[i] = (uint32_t)id + 1;
	}
	free(t->slot);
	t->slot = slot;
	t->cap = cap;
	return 0;
}

uint32_t names_find(const struct names *t, const char *s, size_t n)
{
	if (!t->cap)
		return NAMES_NONE;

	uint32_t id = t->slot[names_slot(t, s, n, name_hash(s, n))];

	return id ? id - 1 : NAMES_NONE;
}

uint32_t names_add(struct names *t, const char *s, size_t n)
{
	uint32_t hash = name_hash(s, n);

	if (n >= UINT32_MAX || t->list.n >= UINT32_MAX / 2)
		return NAMES_NONE;
	if (t->list.n + 1 > t->cap / 4 * 3 && names_grow(t))
		return NAMES_NONE;

	size_t i = names_slot(t, s, n, hash);

	if (t->slot[i])
		return t->slot[i] - 1;

	char *copy = arena_dup(&t->arena, s, n);
	struct name *k = copy ? vec_add(&t->list) : NULL;

	if (!k)
		return NAMES_NONE;
	*k = (struct name){ .s = copy, .len = (uint32_t)n, .hash = hash };
	t->slot[i] = (uint32_t)t->list.n;
	return t->slot[i] - 1;
}

const char *names_str(const struct names *t, uint32_t id)
{
	return id < t->list.n ? t->list.v[id].s : "";
}

void names_deinit(struct names *t)
{
	vec_free(&t->list);
	free(t->slot);
	arena_deinit(&t->arena);
	*t = (struct names){ 0 };
}
