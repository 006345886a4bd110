/* c2c: what a word of where data came from counts as, and on which node CPUs and memory are. */
#include "c2c/counts.h"
#include "c2c/nodes.h"

#include "t.h"

#define LVL(x)  ((uint64_t)(x) << 5)
#define SNP(x)  ((uint64_t)(x) << 19)
#define REMOTE  (UINT64_C(1) << 37)
#define PEER    (UINT64_C(2) << 38)
#define HOPS(x) ((uint64_t)(x) << 43)

enum { LOAD = 2, STORE = 4, HIT = 2, MISS = 4, L1 = 8, L2 = 0x20, L3 = 0x40, CACHE_1 = 0x400, HITM = 0x10, SHARED = 4 };

static struct c2c_counts counts_of(uint64_t word, bool has_addr)
{
	struct c2c_counts c = { { 0 } };
	struct c2c_word w;

	c2c_word_of(&w, word, has_addr);
	c2c_add(&c, &w);
	return c;
}

/* Every count but those that any access has. */
static uint64_t only(uint64_t word, uint32_t set)
{
	struct c2c_counts c = counts_of(word, true);
	uint32_t any = set | C2C_SET(RECORDS) | C2C_SET(LOADS) | C2C_SET(STORES);
	uint32_t others = ((UINT32_C(1) << C2C_COUNTS) - 1) & ~any;

	CHECK_EQ(c2c_sum(&c, others), 0);
	return c2c_sum(&c, set);
}

TEST(c2c_a_changed_line_of_the_last_cache_is_local)
{
	CHECK_EQ(only(LOAD | LVL(L3 | HIT) | SNP(HITM), C2C_SET(LCL_HITM)), 1);
	CHECK_EQ(only(LOAD | LVL(L3 | HIT) | SNP(SHARED), C2C_SET(LD_LLC)), 1);
	CHECK_EQ(only(LOAD | LVL(CACHE_1 | HIT) | SNP(HITM), C2C_SET(RMT_HITM)), 1);
	CHECK_EQ(only(LOAD | LVL(L2 | HIT) | PEER, C2C_SET(LD_L2) | C2C_SET(LCL_PEER)), 2);
}

TEST(c2c_remote_is_another_node_where_hops_say_nothing_else)
{
	CHECK_EQ(only(LOAD | LVL(1) | REMOTE | PEER, C2C_SET(RMT_HIT) | C2C_SET(RMT_PEER)), 2);
	CHECK_EQ(only(LOAD | LVL(1) | REMOTE | PEER | HOPS(1), 0), 0);
}

TEST(c2c_an_address_that_is_not_known_is_nowhere)
{
	struct c2c_counts c = counts_of(LOAD | LVL(L1 | HIT), false);

	CHECK_EQ(c.n[C2C_LD_NO_ADDR], 1);
	CHECK_EQ(c.n[C2C_LD_L1], 0);
	CHECK_EQ(counts_of(STORE, false).n[C2C_ST_NO_ADDR], 1);
	CHECK_EQ(counts_of(0, true).n[C2C_UNPARSED], 1);
	CHECK_EQ(only(STORE | LVL(L1 | MISS), C2C_SET(ST_L1_MISS)), 1);
}

/* A count may come twice; no word has more counts than there is room for. */
TEST(c2c_no_word_is_too_long)
{
	uint64_t seed = 1;

	for (int i = 0; i < 200000; i++) {
		struct c2c_word w;

		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		c2c_word_of(&w, i ? seed ^ seed >> 29 : UINT64_MAX, true);
		CHECK(w.n >= 2 && w.n < C2C_WORD_MAX);
		for (unsigned k = 0; k < w.n; k++)
			CHECK(w.v[k] < C2C_COUNTS && w.set >> w.v[k] & 1);
	}
}

/* --- nodes --- */

struct image {
	uint8_t v[512];
	size_t n;
};

static void put(struct image *m, const void *p, size_t n)
{
	memcpy(m->v + m->n, p, n);
	m->n += n;
}

static void put_u32(struct image *m, uint32_t v)
{
	put(m, &v, sizeof(v));
}

static void put_u64(struct image *m, uint64_t v)
{
	put(m, &v, sizeof(v));
}

static void put_node(struct image *m, uint32_t number, const char *cpus)
{
	char text[8] = "";

	memcpy(text, cpus, strlen(cpus));
	put_u32(m, number);
	put_u64(m, 0);
	put_u64(m, 0);
	put_u32(m, sizeof(text));
	put(m, text, sizeof(text));
}

static void put_blocks(struct image *m, uint64_t node, uint64_t bits, uint64_t word)
{
	put_u64(m, node);
	put_u64(m, 1);
	put_u64(m, bits);
	put_u64(m, word);
}

static struct bytes bytes_of(const struct image *m, size_t n)
{
	return (struct bytes){ n ? guard_dup(m->v, n) : NULL, n };
}

/* Two nodes with two CPUs each, numbers 0 and 8; blocks of 1 KiB: 0, 1 and 4 are the first one's, 2 the other's. */
static void two_nodes(struct image *cpus, struct image *memory)
{
	put_u32(cpus, 2);
	put_node(cpus, 0, "0-1");
	put_node(cpus, 8, "2,5");
	put_u64(memory, 1);
	put_u64(memory, 1024);
	put_u64(memory, 2);
	put_blocks(memory, 8, 64, 1 << 2);
	put_blocks(memory, 0, 64, 1 << 0 | 1 << 1 | 1 << 4);
}

TEST(c2c_cpus_and_memory_are_on_their_nodes)
{
	struct image cpus = { .n = 0 }, memory = { .n = 0 };
	struct perf_head *h = calloc(1, sizeof(*h));
	struct c2c_nodes *n = calloc(1, sizeof(*n));

	two_nodes(&cpus, &memory);
	h->feature[PERF_FEAT_NUMA_TOPOLOGY] = bytes_of(&cpus, cpus.n);
	h->feature[PERF_FEAT_MEM_TOPOLOGY] = bytes_of(&memory, memory.n);
	CHECK_EQ(c2c_nodes_read(n, h), 0);
	CHECK_EQ(n->n, 2);
	CHECK_EQ(n->number[1], 8);
	CHECK_EQ(c2c_node_of_cpu(n, 1), 0);
	CHECK_EQ(c2c_node_of_cpu(n, 5), 1);
	CHECK_EQ(c2c_node_of_cpu(n, 3), -1);
	CHECK_EQ(c2c_node_of_cpu(n, UINT32_MAX), -1);
	CHECK_EQ(n->blocks.n, 3);
	CHECK_EQ(c2c_node_of_memory(n, 2047), 0);
	CHECK_EQ(c2c_node_of_memory(n, 2048), 1);
	CHECK_EQ(c2c_node_of_memory(n, 3072), -1);
	CHECK_EQ(c2c_node_of_memory(n, 4096), 0);
	CHECK_EQ(c2c_node_of_memory(n, 0), 0);
	CHECK_EQ(c2c_node_of_memory(n, UINT64_MAX), -1);
	c2c_nodes_deinit(n);
	free(n);
	free(h);
}

TEST(c2c_nodes_that_are_cut_are_read_as_far_as_they_are)
{
	struct image cpus = { .n = 0 }, memory = { .n = 0 };
	struct perf_head *h = calloc(1, sizeof(*h));
	struct c2c_nodes *n = calloc(1, sizeof(*n));

	two_nodes(&cpus, &memory);
	for (size_t cut = 0; cut < memory.n; cut++) {
		h->feature[PERF_FEAT_NUMA_TOPOLOGY] = bytes_of(&cpus, MIN(cut, cpus.n));
		h->feature[PERF_FEAT_MEM_TOPOLOGY] = bytes_of(&memory, cut);
		CHECK_EQ(c2c_nodes_read(n, h), 0);
		CHECK(n->n >= 1);
		c2c_nodes_deinit(n);
	}
	/* Nobody tells: one node that has all. */
	memset(h, 0, sizeof(*h));
	CHECK_EQ(c2c_nodes_read(n, h), 0);
	CHECK_EQ(c2c_node_of_cpu(n, 77), 0);
	c2c_nodes_deinit(n);
	free(n);
	free(h);
}
