/*
 * counts.c - decodes data_src as perf 6.1 to 6.12 do (tools/perf/util/mem-events.c, c2c_decode_stats): by the bits of
 * LVL, of which several may be set. The remote bit counts only if HOPS is 0 (with HOPS it may be the same node).
 */
#include "c2c/counts.h"

#define C2C_COUNT(name, key) key,
static const char *const keys[] = {
#include "c2c/counts.def"
};
#undef C2C_COUNT

enum { OP_LOAD = 2, OP_STORE = 4 };
enum {
	LVL_NA = 1, LVL_HIT = 2, LVL_MISS = 4, LVL_L1 = 8, LVL_LFB = 0x10, LVL_L2 = 0x20, LVL_L3 = 0x40,
	LVL_RAM = 0x80, LVL_REMOTE_RAM = 0x100 | 0x200, LVL_REMOTE_CACHE = 0x400 | 0x800, LVL_IO = 0x1000,
	LVL_UNCACHED = 0x2000,
};
enum { SNOOP_HIT = 4, SNOOP_HITM = 0x10, SNOOPX_PEER = 2, LOCK_LOCKED = 2, BLOCK_DATA = 2, BLOCK_ADDR = 4 };

/* The fields of data_src that are used here. */
struct parts {
	unsigned op, level, snoop, lock, snoopx, blocked;
	bool remote;
};

static unsigned part(uint64_t v, unsigned at, unsigned bits)
{
	return (unsigned)(v >> at) & ((1u << bits) - 1);
}

static struct parts parts_of(uint64_t v)
{
	return (struct parts){
		.op = part(v, 0, 5), .level = part(v, 5, 14), .snoop = part(v, 19, 5), .lock = part(v, 24, 2),
		.snoopx = part(v, 38, 2), .blocked = part(v, 40, 3), .remote = part(v, 37, 1) && !part(v, 43, 3),
	};
}

uint64_t c2c_sum(const struct c2c_counts *c, uint32_t set)
{
	uint64_t sum = 0;

	for (; set; set &= set - 1)
		sum += c->n[__builtin_ctz(set)];
	return sum;
}

static unsigned row_index(unsigned count)
{
	return (unsigned)__builtin_popcount(C2C_OF_ROWS & ((UINT32_C(1) << count) - 1));
}

uint64_t c2c_row_sum(const struct c2c_row_counts *c, uint32_t set)
{
	uint64_t sum = 0;

	if (set == C2C_ACCESSED)
		return c->accessed;
	for (set &= C2C_OF_ROWS; set; set &= set - 1)
		sum += c->n[row_index((unsigned)__builtin_ctz(set))];
	return sum;
}

const char *c2c_count_key(enum c2c_count which)
{
	return keys[which];
}

static void put(struct c2c_word *w, enum c2c_count which)
{
	w->set |= UINT32_C(1) << which;
	w->v[w->n++] = (uint8_t)which;
	if (C2C_OF_ROWS >> which & 1)
		w->row[w->n_row++] = (uint8_t)row_index(which);
	w->accessed += C2C_ACCESSED >> which & 1;
}

static void put_if(struct c2c_word *w, bool is, enum c2c_count which)
{
	if (is)
		put(w, which);
}

static void put_dram(struct c2c_word *w, const struct parts *p, enum c2c_count which)
{
	put(w, which);
	put(w, p->snoop & SNOOP_HIT ? C2C_LD_SHARED : C2C_LD_EXCLUSIVE);
}

/* A load that hit some level. */
static void put_hit(struct c2c_word *w, const struct parts *p)
{
	bool peer = p->snoopx & SNOOPX_PEER;

	put_if(w, p->level & LVL_UNCACHED, C2C_LD_UNCACHED);
	put_if(w, p->level & LVL_IO, C2C_LD_IO);
	put_if(w, p->level & LVL_LFB, C2C_LD_FB);
	put_if(w, p->level & LVL_L1, C2C_LD_L1);
	put_if(w, p->level & LVL_L2, C2C_LD_L2);
	put_if(w, p->level & LVL_L2 && peer, C2C_LCL_PEER);
	put_if(w, p->level & LVL_L3, p->snoop & SNOOP_HITM ? C2C_LCL_HITM : C2C_LD_LLC);
	put_if(w, p->level & LVL_L3 && peer, C2C_LCL_PEER);
	if (p->level & LVL_RAM)
		put_dram(w, p, C2C_LCL_DRAM);
	if (p->level & LVL_REMOTE_RAM || p->remote)
		put_dram(w, p, C2C_RMT_DRAM);
}

static void put_remote(struct c2c_word *w, const struct parts *p)
{
	if (p->snoop & SNOOP_HIT) {
		put(w, C2C_RMT_HIT);
	} else if (p->snoop & SNOOP_HITM) {
		put(w, C2C_RMT_HITM);
	} else if (p->snoopx & SNOOPX_PEER) {
		put(w, C2C_RMT_HIT);
		put(w, C2C_RMT_PEER);
	}
}

static void put_load(struct c2c_word *w, const struct parts *p, bool has_addr)
{
	put(w, C2C_LOADS);
	if (!has_addr) {
		put(w, C2C_LD_NO_ADDR);
		return;
	}
	if (p->level & LVL_HIT)
		put_hit(w, p);
	if (p->level & LVL_REMOTE_CACHE || p->remote)
		put_remote(w, p);
	put_if(w, p->level & LVL_MISS, C2C_LD_MISS);
}

static void put_store(struct c2c_word *w, const struct parts *p, bool has_addr)
{
	put(w, C2C_STORES);
	if (!has_addr) {
		put(w, C2C_ST_NO_ADDR);
		return;
	}
	put_if(w, p->level & LVL_HIT && p->level & LVL_UNCACHED, C2C_ST_UNCACHED);
	put_if(w, p->level & LVL_HIT && p->level & LVL_L1, C2C_ST_L1_HIT);
	put_if(w, p->level & LVL_MISS && p->level & LVL_L1, C2C_ST_L1_MISS);
	put_if(w, p->level & LVL_NA, C2C_ST_NA);
}

void c2c_word_of(struct c2c_word *w, uint64_t data_src, bool has_addr)
{
	struct parts p = parts_of(data_src);

	*w = (struct c2c_word){ 0 };
	put(w, C2C_RECORDS);
	put_if(w, p.lock & LOCK_LOCKED, C2C_LOCKED);
	put_if(w, p.blocked & BLOCK_DATA, C2C_BLOCKED_DATA);
	put_if(w, p.blocked & BLOCK_ADDR, C2C_BLOCKED_ADDR);
	if (p.op & OP_LOAD)
		put_load(w, &p, has_addr);
	else if (p.op & OP_STORE)
		put_store(w, &p, has_addr);
	else
		put(w, C2C_UNPARSED);
}
