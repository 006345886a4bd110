/* totals.c - perf's sections of totals: of all accesses, and of those to shared lines. */
#include "c2c/parts.h"

struct total {
	const char *text;
	uint32_t of;
	uint32_t whole;          /* print the sum of `of` as a percentage of this set's; 0: print it as a number */
};

static const struct total totals[] = {
	{ "Total records", C2C_SET(RECORDS), 0 },
	{ "Locked Load/Store Operations", C2C_SET(LOCKED), 0 },
	{ "Load Operations", C2C_SET(LOADS), 0 },
	{ "Loads - uncacheable", C2C_SET(LD_UNCACHED), 0 },
	{ "Loads - IO", C2C_SET(LD_IO), 0 },
	{ "Loads - Miss", C2C_SET(LD_MISS), 0 },
	{ "Loads - no mapping", C2C_SET(LD_NO_ADDR), 0 },
	{ "Load Fill Buffer Hit", C2C_SET(LD_FB), 0 },
	{ "Load L1D hit", C2C_SET(LD_L1), 0 },
	{ "Load L2D hit", C2C_SET(LD_L2), 0 },
	{ "Load LLC hit", C2C_LLC_HITS, 0 },
	{ "Load Local HITM", C2C_SET(LCL_HITM), 0 },
	{ "Load Remote HITM", C2C_SET(RMT_HITM), 0 },
	{ "Load Remote HIT", C2C_SET(RMT_HIT), 0 },
	{ "Load Local DRAM", C2C_SET(LCL_DRAM), 0 },
	{ "Load Remote DRAM", C2C_SET(RMT_DRAM), 0 },
	{ "Load MESI State Exclusive", C2C_SET(LD_EXCLUSIVE), 0 },
	{ "Load MESI State Shared", C2C_SET(LD_SHARED), 0 },
	{ "Load LLC Misses", C2C_LLC_MISSES, 0 },
	{ "Load access blocked by data", C2C_SET(BLOCKED_DATA), 0 },
	{ "Load access blocked by address", C2C_SET(BLOCKED_ADDR), 0 },
	{ "Load HIT Local Peer", C2C_SET(LCL_PEER), 0 },
	{ "Load HIT Remote Peer", C2C_SET(RMT_PEER), 0 },
	{ "LLC Misses to Local DRAM", C2C_SET(LCL_DRAM), C2C_LLC_MISSES },
	{ "LLC Misses to Remote DRAM", C2C_SET(RMT_DRAM), C2C_LLC_MISSES },
	{ "LLC Misses to Remote cache (HIT)", C2C_SET(RMT_HIT), C2C_LLC_MISSES },
	{ "LLC Misses to Remote cache (HITM)", C2C_SET(RMT_HITM), C2C_LLC_MISSES },
	{ "Store Operations", C2C_SET(STORES), 0 },
	{ "Store - uncacheable", C2C_SET(ST_UNCACHED), 0 },
	{ "Store - no mapping", C2C_SET(ST_NO_ADDR), 0 },
	{ "Store L1D Hit", C2C_SET(ST_L1_HIT), 0 },
	{ "Store L1D Miss", C2C_SET(ST_L1_MISS), 0 },
	{ "Store No available memory level", C2C_SET(ST_NA), 0 },
	{ "No Page Map Rejects", C2C_SET(NO_MAP), 0 },
	{ "Unable to parse data source", C2C_SET(UNPARSED), 0 },
};

static const struct total on_shared[] = {
	{ "Load HITs on shared lines", C2C_SET(LOADS), 0 },
	{ "Fill Buffer Hits on shared lines", C2C_SET(LD_FB), 0 },
	{ "L1D hits on shared lines", C2C_SET(LD_L1), 0 },
	{ "L2D hits on shared lines", C2C_SET(LD_L2), 0 },
	{ "LLC hits on shared lines", C2C_LLC_HITS, 0 },
	{ "Load hits on peer cache or nodes", C2C_PEER, 0 },
	{ "Locked Access on shared lines", C2C_SET(LOCKED), 0 },
	{ "Blocked Access on shared lines", C2C_SET(BLOCKED_DATA) | C2C_SET(BLOCKED_ADDR), 0 },
	{ "Store HITs on shared lines", C2C_SET(STORES), 0 },
	{ "Store L1D hits on shared lines", C2C_SET(ST_L1_HIT), 0 },
	{ "Store No available memory level", C2C_SET(ST_NA), 0 },
	{ "Total Merged records", C2C_HITM | C2C_SET(STORES), 0 },
};

void c2c_title(const char *title, struct out *o)
{
	static const char rule[] = "=================================================\n";
	size_t left = (sizeof(rule) - 2 - strlen(title)) / 2;

	out_str(o, rule);
	out_fill(o, ' ', left);
	out_str(o, title);
	out_char(o, '\n');
	out_str(o, rule);
}

static void put_name(const char *text, struct out *o)
{
	out_str(o, "  ");
	out_left(o, text, 34);
	out_str(o, ": ");
}

static void put_totals(const struct c2c_counts *c, const struct total *v, size_t n, struct out *o)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t sum = c2c_sum(c, v[i].of), whole = v[i].whole ? c2c_sum(c, v[i].whole) : 0;

		put_name(v[i].text, o);
		if (v[i].whole)
			out_fixed(o, whole ? 100.0 * (double)sum / (double)whole : 0, 10, 1);
		else
			out_u64w(o, sum, 10);
		out_str(o, v[i].whole ? "%\n" : "\n");
	}
}

static void put_details(const struct c2c_lines *c, struct out *o)
{
	static const char *const by[] = { "Total HITMs", "Local HITMs", "Remote HITMs", "Peer Snoop" };
	static const char *const keys[] = { "pid", "tid", "iaddr", "dso" };
	const struct perf_head *h = c->session->head;

	for (size_t i = 0; i < h->events.n; i++) {
		put_name(i ? "" : "Events", o);
		out_str(o, h->events.v[i].label);
		out_char(o, '\n');
	}
	put_name("Cachelines sort on", o);
	out_str(o, by[c->want.by]);
	out_char(o, '\n');
	put_name("Cacheline data grouping", o);
	out_str(o, "offset");
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (c->want.keys >> i & 1) {
			out_char(o, ',');
			out_str(o, keys[i]);
		}
	out_char(o, '\n');
}

void c2c_totals(const struct c2c_lines *c, struct out *o)
{
	c2c_title("Trace Event Information", o);
	put_totals(&c->total, totals, ARRAY_SIZE(totals), o);
	out_char(o, '\n');
	c2c_title("Global Shared Cache Line Event Information", o);
	put_name("Total Shared Cache Lines", o);
	out_u64w(o, c->n_shared, 10);
	out_char(o, '\n');
	put_totals(&c->shared, on_shared, ARRAY_SIZE(on_shared), o);
	out_char(o, '\n');
	c2c_title("c2c details", o);
	put_details(c, o);
}
