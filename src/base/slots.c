/* slots.c - linear probing, growth at three quarters. */
#include "base/slots.h"

#include "base/mem.h"

enum { CAP_MIN = 64 };

static void put(struct slots *s, uint64_t slot)
{
	size_t i = slot >> 32, mask = s->cap - 1;

	while (s->v[i & mask])
		i++;
	s->v[i & mask] = slot;
}

static int grow(struct slots *s)
{
	struct slots big = { .n = s->n, .cap = s->cap ? s->cap * 2 : CAP_MIN };

	big.v = mem_zeroed(big.cap, sizeof(*big.v));
	if (!big.v)
		return -ENOMEM;
	for (size_t i = 0; i < s->cap; i++)
		if (s->v[i])
			put(&big, s->v[i]);
	free(s->v);
	*s = big;
	return 0;
}

int slots_add(struct slots *s, uint32_t hash, uint32_t n)
{
	if (n == SLOTS_NONE || (s->n >= s->cap / 4 * 3 && grow(s)))
		return -ENOMEM;
	put(s, (uint64_t)hash << 32 | (n + 1));
	s->n++;
	return 0;
}

void slots_deinit(struct slots *s)
{
	free(s->v);
	*s = (struct slots){ 0 };
}
