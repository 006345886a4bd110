/*
 * data_source.c - tables of data source numbers. Sources: Arm's technical reference manuals of Neoverse N1 and later
 * and Cortex-X/A7xx ("Data source packet"); for AmpereOne and HiSilicon's HIP12 Linux 6.18, tools/perf/util/arm-spe.c,
 * which also has perf's data source word for each number.
 */
#include "spe/data_source.h"

/* Fields of the word, linux/perf_event.h: perf_mem_data_src. */
#define OP(x)     ((uint64_t)(x))
#define LEVEL(x)  ((uint64_t)(x) << 5)
#define SNOOP(x)  ((uint64_t)(x) << 19)
#define TLB(x)    ((uint64_t)(x) << 26)
#define NUMBER(x) ((uint64_t)(x) << 33)
#define REMOTE    (UINT64_C(1) << 37)
#define PEER      (UINT64_C(2) << 38)

enum { LOAD = 2, STORE = 4 };
enum { NA = 1, HIT = 2, MISS = 4, L1 = 8, LFB = 0x10, L2 = 0x20, L3 = 0x40, RAM = 0x80, REMOTE_RAM = 0x100,
	REMOTE_CACHE = 0x400, FAR_CACHE = 0x800, IO = 0x1000 };
enum { NUM_L1 = 1, NUM_L2, NUM_L3, NUM_IO = 10, NUM_ANY = 11, NUM_LFB = 12, NUM_RAM = 13, NUM_NA = 15 };
enum { SNOOP_NA = 1, SNOOP_NONE = 2, SNOOP_HIT = 4, SNOOP_HITM = 0x10 };
enum { WALKER = 0x20 };

#define IN_L1   (LEVEL(L1 | HIT) | NUMBER(NUM_L1))
#define IN_L2   (LEVEL(L2 | HIT) | NUMBER(NUM_L2))
#define IN_L3   (LEVEL(L3 | HIT) | NUMBER(NUM_L3))
#define IN_RAM  (LEVEL(RAM | HIT) | NUMBER(NUM_RAM))
#define NOWHERE (LEVEL(NA) | NUMBER(NUM_NA))

struct meaning {
	uint8_t source;
	uint64_t is;
};

static const struct meaning arm[] = {
	{ 0x0, IN_L1 | SNOOP(SNOOP_NONE) },
	{ 0x8, IN_L2 | SNOOP(SNOOP_NONE) },
	{ 0x9, IN_L2 | PEER },                   /* another core's */
	{ 0xa, IN_L3 | PEER },                   /* the cluster's, level unknown */
	{ 0xb, IN_L3 | SNOOP(SNOOP_HIT) },       /* the system cache */
	{ 0xc, IN_L3 | PEER },                   /* another cluster's */
	{ 0xd, NOWHERE | REMOTE | PEER },        /* another chip's, level unknown */
	{ 0xe, IN_RAM | SNOOP(SNOOP_NONE) },
};

static const struct meaning ampere[] = {
	{ 0x0, IN_L2 | PEER },
	{ 0x3, IN_L3 | SNOOP(SNOOP_HIT) },
	{ 0x5, NOWHERE | REMOTE | PEER },
	{ 0x7, IN_RAM | SNOOP(SNOOP_NONE) },
	{ 0x8, IN_L1 | SNOOP(SNOOP_NONE) },
	{ 0x9, IN_L2 | SNOOP(SNOOP_NONE) },
};

#define CLUSTER (LEVEL(REMOTE_CACHE | HIT) | NUMBER(NUM_L3) | PEER)
#define SOCKET  (LEVEL(FAR_CACHE) | NUMBER(NUM_ANY) | REMOTE | PEER)

static const struct meaning hisilicon[] = {
	{ 0, IN_L2 | PEER },
	{ 1, IN_L2 | SNOOP(SNOOP_HITM) | PEER },
	{ 2, IN_L3 | SNOOP(SNOOP_HIT) },
	{ 3, IN_L3 | SNOOP(SNOOP_HITM) },
	{ 4, CLUSTER },
	{ 5, CLUSTER | SNOOP(SNOOP_HITM) },
	{ 6, SOCKET },
	{ 7, SOCKET | SNOOP(SNOOP_HITM) },
	{ 8, IN_RAM | SNOOP(SNOOP_NONE) },
	{ 9, LEVEL(REMOTE_RAM | HIT) | NUMBER(NUM_RAM) | REMOTE },
	{ 13, LEVEL(IO | HIT) | NUMBER(NUM_IO) | SNOOP(SNOOP_NONE) },
	{ 16, IN_L2 | SNOOP(SNOOP_NONE) },
	{ 17, IN_L2 | SNOOP(SNOOP_HITM) },
	{ 18, IN_L1 | SNOOP(SNOOP_NONE) },
};

struct numbering {
	const struct meaning *v;
	size_t n;
};

#define NUMBERING(table) { table, ARRAY_SIZE(table) }

static const struct numbering numberings[] = { NUMBERING(arm), NUMBERING(ampere), NUMBERING(hisilicon) };

/* Cores by implementer and part, and their numbering. */
static const struct core {
	uint8_t implementer;
	uint16_t part;
	uint8_t numbering;
} cores[] = {
	{ 0x41, 0xd0c, 0 }, { 0x41, 0xd40, 0 }, { 0x41, 0xd49, 0 }, { 0x41, 0xd4c, 0 }, { 0x41, 0xd4e, 0 },
	{ 0x41, 0xd4f, 0 }, { 0x41, 0xd81, 0 }, { 0x41, 0xd85, 0 }, { 0x41, 0xd87, 0 }, { 0xc0, 0xac4, 1 },
	{ 0x48, 0xd06, 2 },
};

static const struct numbering *numbering_of(uint64_t midr)
{
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++)
		if ((midr >> 24 & 0xff) == cores[i].implementer && (midr >> 4 & 0xfff) == cores[i].part)
			return &numberings[cores[i].numbering];
	return NULL;
}

/* The word for the implementation's number; 0: unknown. Data source packets are valid for loads only. */
static uint64_t by_number(const struct spe_record *r, uint64_t midr)
{
	const struct numbering *of = numbering_of(midr);

	if (!of)
		return 0;
	if (spe_record_stores(r))
		return NOWHERE | SNOOP(SNOOP_NA);
	for (size_t i = 0; i < of->n; i++)
		if (of->v[i].source == r->source)
			return of->v[i].is;
	return 0;
}

static const struct cache {
	enum spe_event access, miss;
	uint16_t level;
	uint8_t number;
} caches[] = {
	{ SPE_EVENT_L1D_ACCESS, SPE_EVENT_L1D_REFILL, L1, NUM_L1 },
	{ SPE_EVENT_L2D_ACCESS, SPE_EVENT_L2D_MISS, L2, NUM_L2 },
	{ SPE_EVENT_LLC_ACCESS, SPE_EVENT_LLC_MISS, L3, NUM_L3 },
};

static uint64_t level_of(const struct cache *c, unsigned how)
{
	return LEVEL(c->level | how) | NUMBER(c->number);
}

/* A load is served by the first cache that hit; if none did, the last cache that missed is reported, as a miss. */
static uint64_t load_level(const struct spe_record *r)
{
	for (size_t i = 0; i < ARRAY_SIZE(caches); i++) {
		if (i == 1 && spe_record_is(r, SPE_EVENT_RECENT))
			return LEVEL(LFB | HIT) | NUMBER(NUM_LFB);
		if (spe_record_is(r, caches[i].access) && !spe_record_is(r, caches[i].miss))
			return level_of(&caches[i], HIT);
	}
	for (size_t i = ARRAY_SIZE(caches); i--;)
		if (spe_record_is(r, caches[i].miss))
			return level_of(&caches[i], MISS);
	return 0;
}

/* A store is attributed to the last cache that it reached. */
static uint64_t store_level(const struct spe_record *r)
{
	for (size_t i = ARRAY_SIZE(caches); i--;) {
		bool missed = spe_record_is(r, caches[i].miss);

		if (missed || spe_record_is(r, caches[i].access))
			return level_of(&caches[i], missed ? MISS : HIT);
	}
	return 0;
}

static uint64_t by_events(const struct spe_record *r)
{
	uint64_t v = spe_record_stores(r) ? store_level(r) : load_level(r);

	return v ? v : NOWHERE;
}

static uint64_t snoop_of(const struct spe_record *r)
{
	if (!spe_record_is(r, SPE_EVENT_SNOOPED))
		return 0;
	return SNOOP(spe_record_is(r, SPE_EVENT_MODIFIED) ? SNOOP_HITM : SNOOP_HIT);
}

static uint64_t tlb_of(const struct spe_record *r)
{
	bool missed = spe_record_is(r, SPE_EVENT_TLB_WALK);

	if (!missed && !spe_record_is(r, SPE_EVENT_TLB_ACCESS))
		return 0;
	return TLB(WALKER | (missed ? MISS : HIT));
}

uint64_t spe_data_source(const struct spe_record *r, uint64_t midr)
{
	uint64_t v;

	if (!spe_record_accesses(r))
		return 0;
	v = by_number(r, midr);
	if (!v)
		v = by_events(r);
	if (!(v & SNOOP(0x1f)))
		v |= snoop_of(r);
	if (spe_record_is(r, SPE_EVENT_REMOTE))
		v |= REMOTE;
	return v | OP(spe_record_stores(r) ? STORE : LOAD) | tlb_of(r);
}
