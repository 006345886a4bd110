/*
 * machine.c - the header features that -I shows in full (tools/perf/Documentation/perf.data-file-format.txt):
 *
 *   CPU_TOPOLOGY, NUMA_TOPOLOGY   perf/topology.h
 *   CACHE         u32 version, u32 n, for each u32 level, line size, sets, ways, texts: type, size, CPUs that share it
 *   MEM_TOPOLOGY  u64 version, u64 bytes of a block, u64 n, for each u64 node, u64 bits, and these bits: u64 how many,
 *                 and so many of them in u64
 */
#include "cmd/report/machine.h"

#include "perf/topology.h"

/* The feature's bytes. Bad if the recording lacks it, or if !full, after a line that says that it exists. */
static struct cursor section(const struct perf_head *h, unsigned feature, const char *name, bool full, struct out *o)
{
	struct cursor c = perf_head_feature(h, feature);

	if (!full && !c.bad)
		out_printf(o, "# %s info available, use -I to display\n", name);
	c.bad |= !full;
	return c;
}

static uint32_t put_lists(struct cursor *c, const char *head, struct out *o)
{
	uint32_t n = cur_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		const char *text = perf_head_string(c);

		if (!c->bad)
			out_printf(o, "# sibling %-8s: %.900s\n", head, text);
	}
	return n;
}

/* As perf does, print dies before threads, although they come last in the file. */
static void put_cpus(struct cursor c, const struct perf_head *h, struct out *o)
{
	struct cpu_places p;
	struct cursor threads;
	uint32_t dies = 0;

	put_lists(&c, "sockets", o);
	threads = c;
	topology_skip_lists(&c);
	cur_skip(&c, (size_t)MIN(h->cpus_available, (uint32_t)CPUS_MAX) * 8);
	if (!c.bad && cur_left(&c))
		dies = put_lists(&c, "dies", o);
	put_lists(&threads, "threads", o);
	if (topology_read(&p, h))
		return;
	for (size_t i = 0; i < p.v.n; i++) {
		out_printf(o, "# CPU %zu: Core ID %d, ", i, (int)p.v.v[i].core);
		if (dies)
			out_printf(o, "Die ID %d, ", (int)p.v.v[i].die);
		out_printf(o, "Socket ID %d\n", (int)p.v.v[i].socket);
	}
	cpu_places_deinit(&p);
}

static void put_nodes(struct cursor c, struct out *o)
{
	for (uint32_t n = cur_u32(&c); n && !c.bad; n--) {
		unsigned node = cur_u32(&c);
		unsigned long long kib = cur_u64(&c), left = cur_u64(&c);
		const char *cpus = perf_head_string(&c);

		if (c.bad)
			return;
		out_printf(o, "# node%u meminfo  : total = %llu kB, free = %llu kB\n", node, kib, left);
		out_printf(o, "# node%u cpu list : %.900s\n", node, cpus);
	}
}

void report_topology(const struct perf_head *h, bool full, struct out *o)
{
	struct cursor cpus = section(h, PERF_FEAT_CPU_TOPOLOGY, "CPU_TOPOLOGY", full, o);
	struct cursor nodes = section(h, PERF_FEAT_NUMA_TOPOLOGY, "NUMA_TOPOLOGY", full, o);

	if (!cpus.bad)
		put_cpus(cpus, h, o);
	if (!nodes.bad)
		put_nodes(nodes, o);
}

void report_caches(const struct perf_head *h, bool full, struct out *o)
{
	struct cursor c = section(h, PERF_FEAT_CACHE, "CACHE", full, o);

	if (c.bad)
		return;
	cur_skip(&c, 4);
	out_str(o, "# CPU cache info:\n");
	for (uint32_t n = cur_u32(&c); n && !c.bad; n--) {
		uint32_t level = cur_u32(&c);

		cur_skip(&c, 12);

		const char *type = perf_head_string(&c), *size = perf_head_string(&c), *cpus = perf_head_string(&c);

		if (!c.bad)
			out_printf(o, "#  L%u %-15.40s %8.40s [%.900s]\n", level, type, size, cpus);
	}
}

/* A size as in perf: in the largest unit of which there are at least two. */
static void put_size(uint64_t bytes, struct out *o)
{
	static const char units[] = "BKMG";
	unsigned unit = 0;

	for (; bytes / 1024 > 1 && unit < 3; unit++)
		bytes /= 1024;
	out_printf(o, "%llu%c", (unsigned long long)bytes, units[unit]);
}

/* Print which of n bits are set, as a list of ranges. */
static void put_bits(const uint64_t *v, uint64_t n, struct out *o)
{
	const char *between = "";

	for (uint64_t i = 0, end; i < n; i = end + 1) {
		end = i;
		if (!(v[i / 64] >> i % 64 & 1))
			continue;
		while (end + 1 < n && v[(end + 1) / 64] >> (end + 1) % 64 & 1)
			end++;
		out_printf(o, "%s%llu", between, (unsigned long long)i);
		if (end > i)
			out_printf(o, "-%llu", (unsigned long long)end);
		between = ",";
	}
}

static bool put_blocks(struct cursor *c, uint64_t block, struct out *o)
{
	unsigned long long node = cur_u64(c);
	uint64_t bits, words, set = 0, *v;

	cur_skip(c, 8);
	bits = cur_u64(c);
	words = bits / 64 + (bits % 64 > 0);
	if (c->bad || words > cur_left(c) / 8)
		return false;
	v = malloc(words * sizeof(*v) + 1);
	if (!v)
		return false;
	for (uint64_t i = 0; i < words; i++)
		set += (unsigned)__builtin_popcountll(v[i] = cur_u64(c));
	out_printf(o, "#  %3llu [", node);
	put_size(block * set, o);
	out_str(o, "]: ");
	put_bits(v, bits, o);
	out_char(o, '\n');
	free(v);
	return true;
}

void report_memory(const struct perf_head *h, bool full, struct out *o)
{
	struct cursor c = section(h, PERF_FEAT_MEM_TOPOLOGY, "MEM_TOPOLOGY", full, o);
	uint64_t block, n;

	if (c.bad)
		return;
	cur_skip(&c, 8);
	block = cur_u64(&c);
	n = cur_u64(&c);
	if (c.bad)
		return;
	out_printf(o, "# memory nodes (nr %llu, block size 0x%llx):\n", (unsigned long long)n,
		   (unsigned long long)block);
	while (n-- && put_blocks(&c, block, o))
		;
}
