#include "c2c/nodes.h"

#include "base/find.h"

static int add_node(struct c2c_nodes *n, uint32_t number)
{
	if (n->n == C2C_NODES_MAX)
		return -1;
	n->number[n->n] = number;
	return (int)n->n++;
}

static int index_of(const struct c2c_nodes *n, uint64_t number)
{
	for (size_t i = 0; i < n->n; i++)
		if (n->number[i] == number)
			return (int)i;
	return -1;
}

static void read_cpus(struct c2c_nodes *n, struct cursor c)
{
	for (uint32_t left = cur_u32(&c); left && !c.bad; left--) {
		uint32_t number = cur_u32(&c);
		const char *text;
		int i;

		cur_skip(&c, 2 * sizeof(uint64_t));
		text = perf_head_string(&c);
		i = c.bad ? -1 : add_node(n, number);
		if (i >= 0 && cpus_parse(&n->cpus[i], sv_from(text), NULL))
			n->cpus[i] = (struct cpus){ 0 };
	}
}

/* Append a block; one that continues the last one is merged with it. */
static int add_block(struct c2c_nodes *n, uint64_t start, uint64_t bytes, uint32_t node)
{
	struct c2c_block *b = n->blocks.n ? &n->blocks.v[n->blocks.n - 1] : NULL;

	if (b && b->node == node && b->end == start) {
		b->end += bytes;
		return 0;
	}
	b = vec_add(&n->blocks);
	if (!b)
		return -ENOMEM;
	*b = (struct c2c_block){ start, start + bytes, node };
	return 0;
}

static int read_bitmap(struct c2c_nodes *n, struct cursor *c, uint64_t bytes, int node)
{
	uint64_t bits = cur_u64(c);

	for (uint64_t at = 0; at < bits && !c->bad; at += 64) {
		uint64_t word = cur_u64(c);

		for (; word && !c->bad && node >= 0; word &= word - 1) {
			uint64_t block = at + (unsigned)__builtin_ctzll(word), start;

			if (__builtin_mul_overflow(block, bytes, &start) || start + bytes < start)
				return 0;
			if (add_block(n, start, bytes, (uint32_t)node))
				return -ENOMEM;
		}
	}
	return 0;
}

static int read_memory(struct c2c_nodes *n, struct cursor c)
{
	uint64_t version = cur_u64(&c), bytes = cur_u64(&c);
	int r = 0;

	for (uint64_t left = cur_u64(&c); version == 1 && bytes && left && !c.bad && !r; left--) {
		uint64_t number = cur_u64(&c);

		cur_skip(&c, sizeof(uint64_t));
		r = read_bitmap(n, &c, bytes, index_of(n, number));
	}
	return r;
}

static int by_start(const void *a, const void *b)
{
	const struct c2c_block *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

int c2c_nodes_read(struct c2c_nodes *n, const struct perf_head *h)
{
	int r;

	*n = (struct c2c_nodes){ 0 };
	read_cpus(n, perf_head_feature(h, PERF_FEAT_NUMA_TOPOLOGY));
	if (!n->n) {
		add_node(n, 0);
		memset(&n->cpus[0], 0xff, sizeof(n->cpus[0]));
	}
	r = read_memory(n, perf_head_feature(h, PERF_FEAT_MEM_TOPOLOGY));
	if (n->blocks.n)
		qsort(n->blocks.v, n->blocks.n, sizeof(*n->blocks.v), by_start);
	return r;
}

void c2c_nodes_deinit(struct c2c_nodes *n)
{
	vec_free(&n->blocks);
}

int c2c_node_of_cpu(const struct c2c_nodes *n, uint32_t cpu)
{
	for (size_t i = 0; cpu < CPUS_MAX && i < n->n; i++)
		if (cpus_has(&n->cpus[i], cpu))
			return (int)i;
	return -1;
}

static bool holds(const struct c2c_block *b, uint64_t physical)
{
	return physical >= b->start && physical < b->end;
}

int c2c_node_of_memory(struct c2c_nodes *n, uint64_t physical)
{
	size_t at;

	if (n->last < n->blocks.n && holds(&n->blocks.v[n->last], physical))
		return (int)n->blocks.v[n->last].node;
	at = find_upto(n->blocks.v, n->blocks.n, end, physical);
	if (at == n->blocks.n || !holds(&n->blocks.v[at], physical))
		return -1;
	n->last = at;
	return (int)n->blocks.v[at].node;
}
