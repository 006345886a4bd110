/* batch.c - copy samples, and sum them up. */
#include "analyse/batch.h"

#include "base/map.h"
#include "base/mem.h"

enum { MEMOS = 1 << 14, PATHS = 8, FIRST_SLOTS = 1 << 12, ROOM_MIN = 1 << 17, NODE_BYTES = 64 };

/* The header of a sample in `words`, which its chain follows. */
struct head {
	const struct sample_layout *layout;
	uint64_t ip, weight;
	uint32_t group, user, kernel;
	uint32_t n_chain;
	uint64_t cpumode;
};

enum { HEAD_WORDS = sizeof(struct head) / 8 };

int batch_init(struct batch *b, size_t bytes, size_t max_frames)
{
	*b = (struct batch){ .cap = MAX(bytes, (size_t)ROOM_MIN) / 8, .max_frames = max_frames, .slots = FIRST_SLOTS };
	b->most_nodes = b->cap * 8 / NODE_BYTES;
	b->words = mem_alloc(b->cap * 8);
	b->memo = mem_zeroed(MEMOS, sizeof(*b->memo));
	b->paths = mem_zeroed(PATHS, sizeof(*b->paths));
	b->slot = mem_zeroed(b->slots, sizeof(*b->slot));
	if (b->words && b->memo && b->paths && b->slot && !calltree_init(&b->tree))
		return 0;
	batch_deinit(b);
	return -ENOMEM;
}

void batch_deinit(struct batch *b)
{
	free(b->words);
	free(b->memo);
	free(b->paths);
	free(b->slot);
	vec_free(&b->places);
	calltree_deinit(&b->tree);
	*b = (struct batch){ 0 };
}

void batch_clear(struct batch *b)
{
	memset(b->memo, 0, MEMOS * sizeof(*b->memo));
	memset(b->slot, 0, b->slots * sizeof(*b->slot));
	for (size_t i = 0; i < PATHS; i++)
		b->paths[i].n = 0;
	calltree_clear(&b->tree);
	b->places.n = b->n = 0;
}

/* --- samples in ---------------------------------------------------------------------------------------------- */

static bool put_whole(struct batch *b, const struct batch_sample *s)
{
	size_t left = b->cap - b->n, room = left - MIN(left, (size_t)HEAD_WORDS), n = s->sample->n_chain;
	struct head h = {
		.layout = s->layout, .ip = s->sample->ip, .weight = s->weight, .group = s->group,
		.user = s->user, .kernel = s->kernel, .cpumode = s->sample->cpumode,
	};

	if (b->n && n > room)
		return false;
	n = MIN(n, room);
	if (left < HEAD_WORDS + n)
		return false;
	h.n_chain = (uint32_t)n;
	memcpy(b->words + b->n, &h, sizeof(h));
	if (n)
		memcpy(b->words + b->n + HEAD_WORDS, s->sample->chain.p, n * 8);
	b->n += HEAD_WORDS + n;
	return true;
}

/* --- places -------------------------------------------------------------------------------------------------- */

static inline bool same_place(const struct batch_place *a, const struct batch_place *b)
{
	return a->ip == b->ip && a->space == b->space && a->cpumode == b->cpumode && a->returns == b->returns;
}

static size_t slot_of(const struct batch *b, const struct batch_place *p)
{
	size_t i = hash_u64(p->ip ^ (uint64_t)p->space << 44 ^ (uint64_t)p->returns << 63) & (b->slots - 1);

	while (b->slot[i] && !same_place(&b->places.v[b->slot[i] - 1], p))
		i = (i + 1) & (b->slots - 1);
	return i;
}

static int grow(struct batch *b)
{
	uint32_t *slot = mem_zeroed(b->slots * 2, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	free(b->slot);
	b->slot = slot;
	b->slots *= 2;
	for (size_t i = 0; i < b->places.n; i++)
		slot[slot_of(b, &b->places.v[i])] = (uint32_t)i + 1;
	return 0;
}

/* Index of a place; CALLTREE_NONE: no memory. */
static uint32_t place_of(struct batch *b, const struct batch_place *p)
{
	size_t i = slot_of(b, p);
	struct batch_place *new;

	if (b->slot[i])
		return b->slot[i] - 1;
	if (b->places.n >= b->slots / 4 * 3) {
		if (grow(b))
			return CALLTREE_NONE;
		i = slot_of(b, p);
	}
	new = vec_add(&b->places);
	if (!new)
		return CALLTREE_NONE;
	*new = *p;
	b->slot[i] = (uint32_t)b->places.n;
	return (uint32_t)b->places.n - 1;
}

/* --- chains -------------------------------------------------------------------------------------------------- */

static struct batch_path *path_of(struct batch *b, uint32_t group)
{
	struct batch_path *path = &b->paths[group % PATHS];

	if (path->group != group)
		path->n = 0;
	path->group = group;
	return path;
}

static inline bool same_frame(const struct chain_frame *a, const struct chain_frame *b)
{
	return a->ip == b->ip && a->cpumode == b->cpumode && a->returns == b->returns;
}

/* How many of the outermost frames are equal to those of the last chain. */
static size_t in_common(const struct batch_path *path, const struct head *h, const struct chain_frame *f, size_t n)
{
	const struct chain_frame *was = path->frame[path->turn];
	size_t most = MIN(n, (size_t)path->n), same = 0;

	if (path->user != h->user || path->kernel != h->kernel)
		return 0;
	while (same < most && same_frame(&f[n - 1 - same], &was[path->n - 1 - same]))
		same++;
	return same;
}

static uint32_t frame_place(struct batch *b, const struct head *h, const struct chain_frame *f)
{
	struct batch_place p = {
		.ip = f->ip, .space = chain_in_kernel(f) ? h->kernel : h->user, .cpumode = f->cpumode,
		.returns = f->returns,
	};

	return place_of(b, &p);
}

/* The node of the sample's innermost frame; that of its group when it has none. CALLTREE_NONE: no memory. */
static uint32_t add_chain(struct batch *b, const struct head *h, const uint64_t *chain)
{
	struct sample smp = {
		.ip = h->ip, .cpumode = (uint8_t)h->cpumode, .n_chain = h->n_chain,
		.chain = { (const uint8_t *)chain, h->n_chain * 8 },
	};
	struct batch_path *path = path_of(b, h->group);
	struct chain_frame *f = path->frame[!path->turn];
	size_t n = sample_frames(h->layout, &smp, f, b->max_frames), same = in_common(path, h, f, n);
	uint32_t at = same ? path->node[same - 1] : calltree_child(&b->tree, 0, h->group);

	for (size_t i = same; i < n && at != CALLTREE_NONE; i++) {
		uint32_t place = frame_place(b, h, &f[n - 1 - i]);

		path->node[i] = at = place == CALLTREE_NONE ? place : calltree_child(&b->tree, at, place);
	}
	path->n = at == CALLTREE_NONE ? 0 : (uint32_t)n;
	path->user = h->user;
	path->kernel = h->kernel;
	path->turn = !path->turn;
	return at;
}

__extension__ typedef unsigned __int128 uint128;

/* A 128-bit product folded to 64 bits. */
static inline uint64_t fold(uint64_t a, uint64_t b)
{
	uint128 product = (uint128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/*
 * Most chains recur, so they are found by their hash alone. Two different chains with the same 64-bit hash would be
 * merged: among a million distinct chains the probability of that is about one in ten million.
 */
static uint64_t chain_hash(const struct head *h, const uint64_t *chain)
{
	uint64_t hash = hash_u64(((uint64_t)h->user << 32 | h->kernel) ^ (uint64_t)h->group << 48 ^ h->cpumode) ^
			hash_u64(h->ip + h->group);
	uint32_t i = 0;

	for (; i + 1 < h->n_chain; i += 2)
		hash = fold(hash ^ chain[i], chain[i + 1] ^ UINT64_C(0x9e3779b97f4a7c15));
	if (i < h->n_chain)
		hash = fold(hash ^ chain[i], UINT64_C(0x9e3779b97f4a7c15));
	return hash_u64(hash + h->n_chain);
}

/* The node of the sample's innermost frame, by the memo of chains or by its frames. */
static uint32_t node_of(struct batch *b, const struct head *h, const uint64_t *chain)
{
	uint64_t hash = chain_hash(h, chain);
	struct batch_memo *m = &b->memo[hash % MEMOS];
	uint32_t node;

	if (m->hash == hash && m->node)
		return m->node;
	node = add_chain(b, h, chain);
	if (node != CALLTREE_NONE)
		*m = (struct batch_memo){ hash, node };
	return node;
}

/* --- samples that are one address ---------------------------------------------------------------- */

/* Node of a place in its group; CALLTREE_NONE: no memory. */
static uint32_t add_place(struct batch *b, uint32_t group, const struct batch_place *p)
{
	uint32_t at = calltree_child(&b->tree, 0, group), place = place_of(b, p);

	return at == CALLTREE_NONE || place == CALLTREE_NONE ? CALLTREE_NONE : calltree_child(&b->tree, at, place);
}

static bool put_place(struct batch *b, const struct batch_sample *s)
{
	uint8_t mode = b->nowhere ? PERF_MISC_USER : s->sample->cpumode;
	struct chain_frame f = { b->nowhere ? 0 : s->sample->ip, mode, false };
	struct batch_place p = { .ip = f.ip, .space = chain_in_kernel(&f) ? s->kernel : s->user, .cpumode = f.cpumode };
	uint64_t hash = hash_u64(hash_u64(p.ip) ^ ((uint64_t)s->group << 32 | p.space) ^ (uint64_t)p.cpumode << 61);
	struct batch_memo *m = &b->memo[hash % MEMOS];

	if (m->hash != hash || !m->node) {
		uint32_t node = b->tree.nodes.n < b->most_nodes ? add_place(b, s->group, &p) : 0;

		if (!node)
			return false;
		if (node == CALLTREE_NONE) {
			b->failed = true;
			return true;
		}
		*m = (struct batch_memo){ hash, node };
	}
	calltree_add(&b->tree, m->node, s->weight, 1);
	return true;
}

bool batch_put(struct batch *b, const struct batch_sample *s)
{
	bool alone = b->max_frames == 1 || !s->sample->n_chain;

	return alone && s->layout->sample_type & PERF_SAMPLE_IP ? put_place(b, s) : put_whole(b, s);
}

void batch_run(struct batch *b)
{
	struct head h;

	for (size_t at = 0; at < b->n && !b->failed; at += HEAD_WORDS + h.n_chain) {
		uint32_t node;

		memcpy(&h, b->words + at, sizeof(h));
		node = node_of(b, &h, b->words + at + HEAD_WORDS);
		if (node == CALLTREE_NONE)
			b->failed = true;
		else
			calltree_add(&b->tree, node, h.weight, 1);
	}
}
