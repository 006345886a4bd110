/*
 * data_src.c - fields of perf_mem_data_src and their widths in bits, from the lowest bit on. LVL_NUM and HOPS are
 * numbers; in the others each bit has a name of its own:
 *   OP 5, LVL 14, SNOOP 5, LOCK 2, TLB 7, LVL_NUM 4, REMOTE 1, SNOOPX 2, BLK 3, HOPS 3
 */
#include "perf/data_src.h"

enum { NOT_AVAILABLE = 1, HIT = 2, MISS = 4 };   /* in LVL and TLB */
enum { LEVEL_NOT_AVAILABLE = 15, LOCKED = 2 };

struct words {
	const char *const *v;
	size_t n;
};

#define WORDS(words) { words, ARRAY_SIZE(words) }

static const char *const op_words[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };
static const char *const level_words[] = {
	NULL, NULL, NULL, "L1", "LFB/MAB", "L2", "L3", "Local RAM", "Remote RAM (1 hop)", "Remote RAM (2 hops)",
	"Remote Cache (1 hop)", "Remote Cache (2 hops)", "I/O", "Uncached",
};
static const char *const snoop_words[] = { "N/A", "None", "Hit", "Miss", "HitM", "Fwd", "Peer" };
static const char *const tlb_words[] = { "N/A", NULL, NULL, "L1", "L2", "Walker", "Fault" };

static const struct words ops = WORDS(op_words), levels = WORDS(level_words);
static const struct words snoops = WORDS(snoop_words), tlbs = WORDS(tlb_words);

/* By the number in LVL_NUM; 5 to 7 have had names since Linux 6.12. */
static const char *const level_numbers[] = {
	NULL, "L1", "L2", "L3", "L4", "L2 MHB", "Memory-side Cache", "L0", "Uncached", "CXL", "I/O", "Any cache",
	"LFB/MAB", "RAM", "PMEM",
};
static const char *const hops[] = {
	NULL, "core, same node", "node, same socket", "socket, same board", "board",
};

static unsigned part(uint64_t v, unsigned at, unsigned bits)
{
	return (unsigned)(v >> at) & ((1u << bits) - 1);
}

/* Print the names of the bits that are set; false: none is. */
static bool put_words(struct words w, unsigned bits, struct out *o)
{
	bool some = false;

	for (size_t i = 0; i < w.n; i++) {
		if (!(bits >> i & 1) || !w.v[i])
			continue;
		if (some)
			out_str(o, " or ");
		out_str(o, w.v[i]);
		some = true;
	}
	return some;
}

/* Only the lowest bit is printed. */
static void put_op(unsigned op, struct out *o)
{
	if (!put_words(ops, op & -op, o))
		out_str(o, "No");
}

static void put_level(uint64_t v, struct out *o)
{
	unsigned level = part(v, 5, 14), number = part(v, 33, 4), n_hops = part(v, 43, 3);
	bool known = number && number != LEVEL_NOT_AVAILABLE;

	if (known) {
		if (part(v, 37, 1))
			out_str(o, "Remote ");
		if (n_hops && n_hops < ARRAY_SIZE(hops))
			out_printf(o, "%s ", hops[n_hops]);
		out_str(o, level_numbers[number]);
	}
	if (known || put_words(levels, level, o))
		out_str(o, level & HIT ? " hit" : level & MISS ? " miss" : " ");
	else
		out_str(o, "N/A");
}

static void put_tlb(unsigned tlb, struct out *o)
{
	if (!put_words(tlbs, tlb, o))
		out_str(o, "N/A");
	if (tlb & HIT)
		out_str(o, " hit");
	if (tlb & MISS)
		out_str(o, " miss");
}

static void put_snoop(unsigned snoop, struct out *o)
{
	if (!put_words(snoops, snoop, o))
		out_str(o, "N/A");
}

/* perf puts a blank before each word here, so "N/A" gets one, too. */
static void put_blocked(unsigned blocked, struct out *o)
{
	if (!blocked || blocked & NOT_AVAILABLE)
		out_str(o, " N/A");
	else
		out_printf(o, "%s%s", blocked & 2 ? " Data" : "", blocked & 4 ? " Addr" : "");
}

void data_src_part_text(uint64_t v, enum data_src_part what, struct out *o)
{
	unsigned lock = part(v, 24, 2);

	switch (what) {
	case DATA_SRC_LEVEL:
		put_level(v, o);
		break;
	case DATA_SRC_SNOOP:
		put_snoop(part(v, 19, 5) | part(v, 38, 2) << 5, o);
		break;
	case DATA_SRC_TLB:
		put_tlb(part(v, 26, 7), o);
		break;
	case DATA_SRC_LOCKED:
		out_str(o, lock & NOT_AVAILABLE ? "N/A" : lock & LOCKED ? "Yes" : "No");
		break;
	case DATA_SRC_BLOCKED:
		put_blocked(part(v, 40, 3), o);
		break;
	}
}

void data_src_text(uint64_t v, struct out *o)
{
	static const char *const heads[] = { "|LVL ", "|SNP ", "|TLB ", "|LCK ", "|BLK " };

	out_str(o, "|OP ");
	put_op(part(v, 0, 5), o);
	for (unsigned i = 0; i < ARRAY_SIZE(heads); i++) {
		out_str(o, heads[i]);
		data_src_part_text(v, i, o);
	}
}

void data_page_text(uint64_t bytes, struct out *o)
{
	static const char units[] = "BKMGTPE";
	unsigned unit = 0;

	for (; bytes && !(bytes & 1023) && units[unit + 1]; unit++)
		bytes >>= 10;
	if (!bytes) {
		out_str(o, "N/A");
		return;
	}
	out_u64(o, bytes);
	out_char(o, units[unit]);
}
