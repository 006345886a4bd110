/*
 * event_names.c - perf's portable names: hardware, software and cache events. The name of a cache event is a cache, an
 * operation and a result joined by '-', each with several spellings; its config is cache | op << 8 | result << 16.
 */
#include "perf/event_impl.h"

struct names_row {
	const char *name[5];
};

/* Indexed by enum perf_hw and enum perf_sw; the first name is the one shown, the second is listed as its alias. */
static const struct names_row hw_names[] = {
	{ { "cycles", "cpu-cycles" } },
	{ { "instructions" } },
	{ { "cache-references" } },
	{ { "cache-misses" } },
	{ { "branches", "branch-instructions" } },
	{ { "branch-misses" } },
	{ { "bus-cycles" } },
	{ { "stalled-cycles-frontend", "idle-cycles-frontend" } },
	{ { "stalled-cycles-backend", "idle-cycles-backend" } },
	{ { "ref-cycles" } },
};

static const struct names_row sw_names[] = {
	{ { "cpu-clock" } },
	{ { "task-clock" } },
	{ { "page-faults", "faults" } },
	{ { "context-switches", "cs" } },
	{ { "cpu-migrations", "migrations" } },
	{ { "minor-faults" } },
	{ { "major-faults" } },
	{ { "alignment-faults" } },
	{ { "emulation-faults" } },
	{ { "dummy" } },
	{ { "bpf-output" } },
	{ { "cgroup-switches" } },
};

static const struct names_row cache_names[] = {
	{ { "L1-dcache", "l1-d", "l1d", "L1-data" } },
	{ { "L1-icache", "l1-i", "l1i", "L1-instruction" } },
	{ { "LLC", "L2" } },
	{ { "dTLB", "d-tlb", "Data-TLB" } },
	{ { "iTLB", "i-tlb", "Instruction-TLB" } },
	{ { "branch", "branches", "bpu", "btb", "bpc" } },
	{ { "node" } },
};

static const struct names_row op_names[] = {
	{ { "load", "loads", "read" } },
	{ { "store", "stores", "write" } },
	{ { "prefetch", "prefetches", "speculative-read", "speculative-load" } },
};

static const struct names_row result_names[] = {
	{ { "refs", "Reference", "ops", "access" } },
	{ { "misses", "miss" } },
};

/* Which operations each cache has: bit 0 read, 1 write, 2 prefetch. */
static const uint8_t cache_ops[] = { 7, 5, 7, 7, 1, 1, 7 };

static_assert(ARRAY_SIZE(cache_ops) == ARRAY_SIZE(cache_names), "one mask per cache");

/* The index of the row that has the whole text as a name, or -1. */
static int row_find(const struct names_row *rows, size_t n, struct sv text)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < ARRAY_SIZE(rows[i].name) && rows[i].name[j]; j++) {
			if (sv_eq(text, rows[i].name[j]))
				return (int)i;
		}
	}
	return -1;
}

/* The row of the longest name that *rest starts with, up to a '-' or the end; name and '-' are cut off. */
static int row_take(const struct names_row *rows, size_t n, struct sv *rest)
{
	size_t best = 0;
	int row = -1;

	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < ARRAY_SIZE(rows[i].name) && rows[i].name[j]; j++) {
			size_t len = strlen(rows[i].name[j]);

			if (len > best && sv_starts(*rest, rows[i].name[j]) &&
			    (len == rest->n || rest->s[len] == '-')) {
				best = len;
				row = (int)i;
			}
		}
	}
	if (row >= 0) {
		size_t skip = MIN(best + 1, rest->n);

		rest->s += skip;
		rest->n -= skip;
	}
	return row;
}

static bool cache_find(struct sv text, uint64_t *config)
{
	struct sv rest = text;
	int cache = row_take(cache_names, ARRAY_SIZE(cache_names), &rest), op = -1, result = -1;

	if (cache < 0 || (text.s[text.n - 1] == '-'))
		return false;
	while (rest.n) {
		int r = op < 0 ? row_take(op_names, ARRAY_SIZE(op_names), &rest) : -1;

		if (r >= 0) {
			op = r;
			continue;
		}
		if (result >= 0 || (result = row_take(result_names, ARRAY_SIZE(result_names), &rest)) < 0)
			return false;
	}
	op = MAX(op, 0);
	if (!(cache_ops[cache] >> op & 1))
		return false;
	*config = (uint64_t)cache | (uint64_t)op << 8 | (uint64_t)MAX(result, 0) << 16;
	return true;
}

/* r and 1 to 16 hex digits */
static bool raw_find(struct sv text, uint64_t *config)
{
	struct sv digits = { text.s + 1, text.n - 1 };

	if (text.n < 2 || text.s[0] != 'r')
		return false;
	for (size_t i = 0; i < digits.n; i++) {
		if (digits.s[i] == 'x' && (i != 1 || digits.s[0] != '0'))
			return false;
	}
	return str_u64(digits, 16, config);
}

bool event_name_find(struct sv text, uint32_t *type, uint64_t *config)
{
	int i = row_find(hw_names, ARRAY_SIZE(hw_names), text);

	if (i >= 0) {
		*type = PERF_HARDWARE;
		*config = (uint64_t)i;
		return true;
	}
	i = row_find(sw_names, ARRAY_SIZE(sw_names), text);
	if (i >= 0) {
		*type = PERF_SOFTWARE;
		*config = (uint64_t)i;
		return true;
	}
	*type = PERF_HW_CACHE;
	if (cache_find(text, config))
		return true;
	*type = PERF_RAW;
	return raw_find(text, config);
}

/* perf's own spelling: "L1-dcache-load-misses", "LLC-loads" */
static const char *cache_text(uint64_t config, char *buf, size_t size)
{
	uint64_t cache = config & 255, op = config >> 8 & 255, result = config >> 16;

	if (cache >= ARRAY_SIZE(cache_names) || op >= ARRAY_SIZE(op_names) || result > 1 ||
	    !(cache_ops[cache] >> op & 1))
		return NULL;
	snprintf(buf, size, "%s-%s%s", cache_names[cache].name[0], op_names[op].name[result ? 0 : 1],
		 result ? "-misses" : "");
	return buf;
}

const char *event_config_name(uint32_t type, uint64_t config, char *buf, size_t size)
{
	const struct names_row *rows = type == PERF_HARDWARE ? hw_names : sw_names;
	size_t n = type == PERF_HARDWARE ? ARRAY_SIZE(hw_names) : ARRAY_SIZE(sw_names);

	/* The upper half is the PMU's type (extended hardware type). */
	if (type == PERF_HARDWARE || type == PERF_HW_CACHE)
		config &= UINT32_MAX;
	if (type == PERF_HW_CACHE)
		return cache_text(config, buf, size);
	if (type > PERF_SOFTWARE || config >= n)
		return NULL;
	snprintf(buf, size, "%s", rows[config].name[0]);
	return buf;
}

/* The names of cache events, by config; nearest_feed() and lists keep pointers, so they must be static strings. */
static const char *const cache_list[] = {
	"L1-dcache-loads", "L1-dcache-load-misses", "L1-dcache-stores", "L1-dcache-store-misses",
	"L1-dcache-prefetches", "L1-dcache-prefetch-misses", "L1-icache-loads", "L1-icache-load-misses",
	"L1-icache-prefetches", "L1-icache-prefetch-misses", "LLC-loads", "LLC-load-misses", "LLC-stores",
	"LLC-store-misses", "LLC-prefetches", "LLC-prefetch-misses", "dTLB-loads", "dTLB-load-misses", "dTLB-stores",
	"dTLB-store-misses", "dTLB-prefetches", "dTLB-prefetch-misses", "iTLB-loads", "iTLB-load-misses",
	"branch-loads", "branch-load-misses", "node-loads", "node-load-misses", "node-stores", "node-store-misses",
	"node-prefetches", "node-prefetch-misses",
};

const char *event_generic_name(unsigned kind, size_t i, const char **alias)
{
	const struct names_row *rows = kind == PERF_HARDWARE ? hw_names : sw_names;
	size_t n = kind == PERF_HARDWARE ? ARRAY_SIZE(hw_names) : kind == PERF_SOFTWARE ? ARRAY_SIZE(sw_names) : 0;

	if (alias)
		*alias = NULL;
	if (kind == PERF_HW_CACHE)
		return i < ARRAY_SIZE(cache_list) ? cache_list[i] : NULL;
	if (i >= n)
		return NULL;
	if (alias)
		*alias = rows[i].name[1];
	return rows[i].name[0];
}
