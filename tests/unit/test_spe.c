/* spe: packets of all kinds, what is cut or reserved, records over two buffers, data sources of each numbering. */
#include "spe/data_source.h"
#include "spe/record.h"

#include "perf/data_src.h"
#include "spe_build.h"
#include "t.h"

enum { NEOVERSE_N1 = 0x413fd0c1, CORTEX_A57 = 0x411fd070, AMPERE_ONE_X = (int)0xc00fac40, HIP12 = 0x480fd060 };

static struct spe_packet first(const struct spe_image *m, int want, size_t *at)
{
	struct spe_packet p;

	*at = 0;
	CHECK_EQ(spe_packet_next((struct bytes){ guard_dup(m->v, m->n), m->n }, 0, at, &p), want);
	return p;
}

TEST(spe_packets_have_the_payload_that_their_header_tells)
{
	static const struct {
		unsigned header;
		size_t size;
		enum spe_kind kind;
		unsigned index;
	} kinds[] = {
		{ 0x71, 8, SPE_TIMESTAMP, 0 }, { 0x42, 1, SPE_EVENTS, 0 },    { 0x52, 2, SPE_EVENTS, 0 },
		{ 0x62, 4, SPE_EVENTS, 0 },    { 0x72, 8, SPE_EVENTS, 0 },    { 0x43, 1, SPE_SOURCE, 0 },
		{ 0x53, 2, SPE_SOURCE, 0 },    { 0x64, 4, SPE_CONTEXT, 0 },   { 0x65, 4, SPE_CONTEXT, 1 },
		{ 0x48, 1, SPE_OPERATION, 0 }, { 0x4a, 1, SPE_OPERATION, 2 }, { 0xb0, 8, SPE_ADDRESS, 0 },
		{ 0xb4, 8, SPE_ADDRESS, 4 },   { 0x98, 2, SPE_COUNTER, 0 },   { 0x9a, 2, SPE_COUNTER, 2 },
		{ 0x01, 0, SPE_END, 0 },       { 0x00, 0, SPE_PAD, 0 },       { 0xc5, 1, SPE_UNKNOWN, 0 },
		{ 0xf5, 8, SPE_UNKNOWN, 0 },   { 0x05, 0, SPE_UNKNOWN, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct spe_image m = { 0 };
		uint64_t all = UINT64_C(0x8877665544332211), mask = UINT64_MAX;
		struct spe_packet p;
		size_t at;

		spe_put(&m, kinds[i].header, all, kinds[i].size);
		p = first(&m, 1, &at);
		mask = kinds[i].size == 8 ? mask : (UINT64_C(1) << 8 * kinds[i].size) - 1;
		CHECK_EQ(at, m.n);
		CHECK_EQ(p.kind, kinds[i].kind);
		CHECK_EQ(p.index, kinds[i].index);
		CHECK_EQ(p.payload, all & mask);
		for (size_t cut = 1; cut < m.n; cut++) {
			struct spe_image less = m;

			less.n = cut;
			first(&less, -EBADMSG, &at);
			CHECK_EQ(at, cut);
		}
	}
}

TEST(spe_extended_headers_have_longer_indices_and_align)
{
	struct spe_image m = { .v = { 0x21, 0xb3 }, .n = 10 }, counter = { .v = { 0x23, 0x99, 7, 0 }, .n = 4 };
	struct spe_image align = { .v = { 0x22, 0 }, .n = 64 }, no = { .v = { 0x20, 0x42, 9 }, .n = 3 };
	struct spe_packet p;
	size_t at;

	p = first(&m, 1, &at);
	CHECK_EQ(p.kind, SPE_ADDRESS);
	CHECK_EQ(p.index, 8 + 3);
	p = first(&counter, 1, &at);
	CHECK_EQ(p.kind, SPE_COUNTER);
	CHECK_EQ(p.index, 24 + 1);
	CHECK_EQ(p.payload, 7);
	p = first(&align, 1, &at);
	CHECK_EQ(p.kind, SPE_PAD);
	CHECK_EQ(at, 8);
	at = 0;
	CHECK_EQ(spe_packet_next((struct bytes){ align.v, 64 }, 13, &at, &p), 1);
	CHECK_EQ(at, 3);
	at = 0;
	CHECK_EQ(spe_packet_next((struct bytes){ align.v, 3 }, 0, &at, &p), 1);
	CHECK_EQ(at, 3);
	p = first(&no, 1, &at);
	CHECK_EQ(p.kind, SPE_UNKNOWN);
	CHECK_EQ(at, 3);
}

/* A load of the kernel's that missed, as Neoverse N1 writes them. */
static void put_load(struct spe_image *m)
{
	spe_put_address(m, SPE_ADDRESS_PC, UINT64_C(0xa0ff800010123456));
	spe_put(m, 0x65, 4711, 4);
	spe_put(m, 0x49, 0, 1);
	spe_put(m, 0x52, 0x1e, 2);
	spe_put_counter(m, SPE_COUNTER_TOTAL, 300);
	spe_put_counter(m, SPE_COUNTER_ISSUE, 20);
	spe_put_counter(m, SPE_COUNTER_TRANSLATION, 1);
	spe_put_address(m, SPE_ADDRESS_VIRTUAL, UINT64_C(0x5afff00012345678));
	spe_put_address(m, SPE_ADDRESS_PHYSICAL, UINT64_C(0x8100000887654321));
	spe_put(m, 0x43, 0xe, 1);
	spe_put_time(m, 123456789);
}

static void check_load(const struct spe_record *r)
{
	CHECK_EQ(r->pc, 0xffff800010123456);
	CHECK_EQ(r->level, 1);
	CHECK(!r->is_secure && r->has_time && r->has_context);
	CHECK_EQ(r->context, 4711);
	CHECK_EQ(r->latency, 300);
	CHECK_EQ(r->issue, 20);
	CHECK_EQ(r->translation, 1);
	CHECK_EQ(r->addr, 0xfffff00012345678);
	CHECK_EQ(r->tag, 0x5a);
	CHECK_EQ(r->physical, 0x887654321);
	CHECK_EQ(r->time, 123456789);
	CHECK(spe_record_accesses(r) && !spe_record_stores(r));
	CHECK(spe_record_is(r, SPE_EVENT_L1D_REFILL) && !spe_record_is(r, SPE_EVENT_LLC_ACCESS));
}

TEST(spe_records_end_with_their_time)
{
	struct spe_image m = { 0 };
	struct spe_stats stats = { 0 };
	struct spe_stream s = { 0 };
	struct spe_record r;

	put_load(&m);
	spe_put_address(&m, SPE_ADDRESS_PC, 0x8000000000401000);
	spe_put(&m, 0x4a, 1, 1);
	spe_put_address(&m, SPE_ADDRESS_TARGET, 0x8000000000402000);
	spe_put_address(&m, SPE_ADDRESS_PREVIOUS, 0x8000000000403000);
	spe_put(&m, 0x01, 0, 0);
	m.n += 7;
	spe_stream_give(&s, (struct bytes){ guard_dup(m.v, m.n), m.n }, 0);
	CHECK_EQ(spe_stream_next(&s, &r, &stats), 1);
	check_load(&r);
	CHECK_EQ(spe_stream_next(&s, &r, &stats), 1);
	CHECK_EQ(r.pc, 0x401000);
	CHECK_EQ(r.target, 0x402000);
	CHECK_EQ(r.classes, 1 << SPE_CLASS_BRANCH);
	CHECK(!r.has_time && !r.has_context);
	CHECK_EQ(spe_stream_next(&s, &r, &stats), 0);
	spe_stream_end(&s, &stats);
	CHECK_EQ(stats.records, 2);
	CHECK_EQ(stats.unknown + stats.cut, 0);
}

/* Cut anywhere: between packets the next buffer goes on; within one a piece is lost, and counted. */
TEST(spe_records_go_on_in_the_next_buffer)
{
	struct spe_image m = { 0 };
	size_t whole = 0, counted = 0;

	put_load(&m);
	for (size_t cut = 0; cut <= m.n; cut++) {
		struct spe_stats stats = { 0 };
		struct spe_stream s = { 0 };
		struct spe_record r = { 0 };
		int got;

		spe_stream_give(&s, (struct bytes){ guard_dup(m.v, cut), cut }, 0);
		got = spe_stream_next(&s, &r, &stats);
		if (!got) {
			spe_stream_give(&s, (struct bytes){ guard_dup(m.v + cut, m.n - cut), m.n - cut }, cut);
			got = spe_stream_next(&s, &r, &stats);
		}
		spe_stream_end(&s, &stats);
		if (got && !stats.cut && !stats.unknown) {
			check_load(&r);
			whole++;
		}
		counted += stats.cut > 0;
	}
	CHECK_EQ(whole, 12);
	CHECK_EQ(whole + counted, m.n + 1);
}

static const char *text_of(uint64_t midr, unsigned op, unsigned source, uint64_t events)
{
	static struct mem_out m;
	struct spe_record r = { .classes = 1 << SPE_CLASS_MEMORY, .op = (uint8_t)op, .source = (uint16_t)source,
				.events = events };

	mem_out_deinit(&m);
	mem_out_init(&m);
	data_src_text(spe_data_source(&r, midr), &m.out);
	return mem_out_str(&m);
}

#define E(x) (UINT64_C(1) << SPE_EVENT_##x)

TEST(spe_data_sources_are_the_cores_own_numbers)
{
	struct spe_record branch = { .classes = 1 << SPE_CLASS_BRANCH, .source = 8 };

	CHECK_EQ(spe_data_source(&branch, NEOVERSE_N1), 0);
	CHECK_STR(text_of(NEOVERSE_N1, 0, 0, 0), "|OP LOAD|LVL L1 hit|SNP None|TLB N/A|LCK No|BLK  N/A");
	CHECK_STR(text_of(NEOVERSE_N1, 0, 9, 0), "|OP LOAD|LVL L2 hit|SNP Peer|TLB N/A|LCK No|BLK  N/A");
	CHECK_STR(text_of(NEOVERSE_N1, 0, 0xb, 0), "|OP LOAD|LVL L3 hit|SNP Hit|TLB N/A|LCK No|BLK  N/A");
	CHECK_STR(text_of(NEOVERSE_N1, 0, 0xe, E(TLB_ACCESS)),
		  "|OP LOAD|LVL RAM hit|SNP None|TLB Walker hit|LCK No|BLK  N/A");
	CHECK_STR(text_of(NEOVERSE_N1, 1, 8, 0), "|OP STORE|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A");
	CHECK_STR(text_of((uint32_t)AMPERE_ONE_X, 0, 3, 0), "|OP LOAD|LVL L3 hit|SNP Hit|TLB N/A|LCK No|BLK  N/A");
	CHECK_STR(text_of(HIP12, 0, 3, 0), "|OP LOAD|LVL L3 hit|SNP HitM|TLB N/A|LCK No|BLK  N/A");
	CHECK_STR(text_of(HIP12, 0, 1, 0), "|OP LOAD|LVL L2 hit|SNP HitM or Peer|TLB N/A|LCK No|BLK  N/A");
}

TEST(spe_events_tell_where_numbers_do_not)
{
	CHECK_STR(text_of(CORTEX_A57, 0, 8, E(L1D_ACCESS)), "|OP LOAD|LVL L1 hit|SNP N/A|TLB N/A|LCK No|BLK  N/A");
	CHECK_STR(text_of(0, 0, 8, E(L1D_ACCESS) | E(L1D_REFILL)),
		  "|OP LOAD|LVL L1 miss|SNP N/A|TLB N/A|LCK No|BLK  N/A");
	CHECK_STR(text_of(0, 0, 8, E(L1D_ACCESS) | E(L1D_REFILL) | E(LLC_ACCESS)),
		  "|OP LOAD|LVL L3 hit|SNP N/A|TLB N/A|LCK No|BLK  N/A");
	CHECK_STR(text_of(0, 0, 8, E(LLC_ACCESS) | E(LLC_MISS) | E(REMOTE) | E(TLB_WALK)),
		  "|OP LOAD|LVL Remote L3 miss|SNP N/A|TLB Walker miss|LCK No|BLK  N/A");
	CHECK_STR(text_of(0, 0, 0, E(RECENT) | E(SNOOPED) | E(MODIFIED)),
		  "|OP LOAD|LVL LFB/MAB hit|SNP HitM|TLB N/A|LCK No|BLK  N/A");
	CHECK_STR(text_of(0, 1, 0, E(L1D_ACCESS) | E(L2D_ACCESS) | E(L2D_MISS)),
		  "|OP STORE|LVL L2 miss|SNP N/A|TLB N/A|LCK No|BLK  N/A");
	CHECK_STR(text_of(0, 1, 0, 0), "|OP STORE|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A");
}

/* Shown in the message of Linux's commit ffd3d18c20b8 (4.16), with perf's text of it. */
TEST(spe_record_as_a_machine_wrote_it)
{
	static const uint8_t bytes[] = {
		0x49, 0x00, 0xb2, 0xc0, 0x3b, 0x29, 0x0f, 0x00, 0x00, 0xff, 0xff, 0xb3, 0xc0, 0xeb, 0x24, 0xfb, 0x00,
		0x00, 0x00, 0x80, 0x9a, 0x00, 0x00, 0x42, 0x16, 0xb0, 0x00, 0xc4, 0x15, 0x08, 0x00, 0x00, 0xff, 0xff,
		0x98, 0x00, 0x00, 0x71, 0x36, 0x6c, 0x21, 0x2c, 0x09, 0x00, 0x00, 0x00,
	};
	struct spe_stream s = { 0 };
	struct spe_stats stats = { 0 };
	struct spe_record r;

	spe_stream_give(&s, (struct bytes){ guard_dup(bytes, sizeof(bytes)), sizeof(bytes) }, 0);
	CHECK_EQ(spe_stream_next(&s, &r, &stats), 1);
	CHECK_EQ(spe_record_accesses(&r), 1);
	CHECK_EQ(spe_record_stores(&r), 0);
	CHECK_EQ(r.addr, 0xffff00000f293bc0);
	CHECK_EQ(r.physical, 0xfb24ebc0);
	CHECK_EQ(r.pc, 0xff00000815c400);
	CHECK_EQ(r.level, 3);
	CHECK_EQ(r.events, 1 << SPE_EVENT_RETIRED | 1 << SPE_EVENT_L1D_ACCESS | 1 << SPE_EVENT_TLB_ACCESS);
	CHECK_EQ(r.time, 39395093558);
	CHECK_EQ(spe_stream_next(&s, &r, &stats), 0);
	CHECK_EQ(stats.unknown + stats.cut, 0);
}
