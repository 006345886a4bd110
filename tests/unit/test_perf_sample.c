/* sample: every field, both byte orders, every place at which a record may be cut. */
#include "perf/sample.h"

#include "perf/record.h"

#include "t.h"

struct image {
	uint8_t v[4096];
	size_t n;
	bool swap;
};

static void put(struct image *m, uint64_t v, size_t size)
{
	for (size_t i = 0; i < size; i++)
		m->v[m->n++] = (uint8_t)(v >> 8 * (m->swap ? size - 1 - i : i));
}

static void put_u64s(struct image *m, uint64_t first, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put(m, first + i, 8);
}

static const struct perf_attr all_fields = {
	.sample_type = (PERF_BIT(24) - 1) & ~PERF_SAMPLE_AUX,
	.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST | PERF_FORMAT_ENABLED,
	.branch_sample_type = PERF_BRANCH_HW_INDEX,
	.sample_regs_user = 0x1ffffffff,
	.sample_regs_intr = 7,
	.flags = PERF_ATTR_SAMPLE_ID_ALL,
};

/*
 * The body that Linux writes for all_fields; the values are
 * 0x100, 0x200, ... by field.
 */
static void put_all(struct image *m)
{
	put(m, 0x100, 8);                                /* IDENTIFIER */
	put(m, 0x200, 8);                                /* IP */
	put(m, 0x300, 4), put(m, 0x301, 4);              /* TID */
	put(m, 0x400, 8);                                /* TIME */
	put(m, 0x500, 8);                                /* ADDR */
	put(m, 0x100, 8);                                /* ID */
	put(m, 0x600, 8);                                /* STREAM_ID */
	put(m, 7, 4), put(m, 0, 4);                      /* CPU */
	put(m, 0x800, 8);                                /* PERIOD */
	/* READ: nr, enabled, 2 x (value, id, lost) */
	put(m, 2, 8), put(m, 0x900, 8), put_u64s(m, 0x901, 6);
	put(m, 3, 8), put_u64s(m, 0xa00, 3);             /* CALLCHAIN */
	put(m, 12, 4), put(m, 0xb00, 4), put_u64s(m, 0xb01, 1);  /* RAW: 12 bytes */
	/* BRANCH_STACK: nr, hw index, from, to, flags */
	put(m, 1, 8), put(m, 0xc00, 8), put_u64s(m, 0xc01, 3);
	put(m, 2, 8), put_u64s(m, 0xd00, 33);            /* REGS_USER */
	put(m, 16, 8), put_u64s(m, 0xe00, 2), put(m, 8, 8);      /* STACK_USER: 16 bytes, 8 valid */
	put_u64s(m, 0xf00, 3);                           /* WEIGHT, DATA_SRC, TRANSACTION */
	put(m, 1, 8), put_u64s(m, 0x1000, 3);            /* REGS_INTR */
	/* PHYS_ADDR, CGROUP, DATA_PAGE_SIZE, CODE_PAGE_SIZE */
	put_u64s(m, 0x1100, 4);
}

static uint64_t word(const struct sample_layout *l, struct bytes b, size_t i)
{
	struct cursor c = cur_from(b.p, b.n);

	c.swap = l->swap;
	cur_skip(&c, i * 8);
	return cur_u64(&c);
}

static void check_read(const struct sample_layout *l, const struct sample *s)
{
	struct sample_value v;

	CHECK_EQ(sample_read(l, s, 1, &v), 1);
	CHECK_EQ(v.enabled, 0x900);
	CHECK_EQ(v.running, 0);
	CHECK_EQ(v.value, 0x904);
	CHECK_EQ(v.id, 0x905);
	CHECK_EQ(v.lost, 0x906);
	CHECK_EQ(sample_read(l, s, 2, &v), 0);
}

static void check_all(const struct sample_layout *l, const struct sample *s)
{
	CHECK_EQ(s->id, 0x100);
	CHECK_EQ(s->ip, 0x200);
	CHECK_EQ(s->pid, 0x300);
	CHECK_EQ(s->tid, 0x301);
	CHECK_EQ(s->time, 0x400);
	CHECK_EQ(s->addr, 0x500);
	CHECK_EQ(s->stream_id, 0x600);
	CHECK_EQ(s->cpu, 7);
	CHECK_EQ(s->period, 0x800);
	CHECK_EQ(s->read.n, 64);
	CHECK_EQ(word(l, s->read, 7), 0x906);
	check_read(l, s);
	CHECK_EQ(s->n_chain, 3);
	CHECK_EQ(sample_chain(l, s, 0), 0xa00);
	CHECK_EQ(sample_chain(l, s, 2), 0xa02);
	CHECK_EQ(sample_chain(l, s, 3), 0);
	CHECK_EQ(s->raw.n, 12);
	CHECK_EQ(s->n_branch, 1);
	CHECK_EQ(word(l, s->branch, 0), 0xc01);
	CHECK_EQ(s->user_abi, 2);
	CHECK_EQ(s->user_regs.n, 33 * 8);
	CHECK_EQ(word(l, s->user_regs, 32), 0xd20);
	CHECK_EQ(s->stack.n, 8);
	CHECK_EQ(word(l, s->stack, 0), 0xe00);
	CHECK_EQ(s->weight, 0xf00);
	CHECK_EQ(s->data_src, 0xf01);
	CHECK_EQ(s->transaction, 0xf02);
	CHECK_EQ(s->intr_abi, 1);
	CHECK_EQ(s->intr_regs.n, 24);
	CHECK_EQ(word(l, s->intr_regs, 2), 0x1002);
	CHECK_EQ(s->phys_addr, 0x1100);
	CHECK_EQ(s->cgroup, 0x1101);
	CHECK_EQ(s->data_page, 0x1102);
	CHECK_EQ(s->code_page, 0x1103);
}

static void decode_all(bool swap)
{
	struct image m = { .swap = swap };
	struct sample_layout l;
	struct sample s;
	struct err e;

	put_all(&m);
	sample_layout_init(&l, &all_fields);
	l.swap = swap;
	CHECK_EQ(sample_decode(&l, (struct bytes){ guard_dup(m.v, m.n), m.n }, 0x8002, &s, &e), 0);
	CHECK_EQ(s.cpumode, PERF_MISC_USER);
	check_all(&l, &s);
	for (size_t n = 0; n < m.n; n++) {
		e.code = 0;
		CHECK_EQ(sample_decode(&l, (struct bytes){ guard_dup(m.v, n), n }, 2, &s, &e),
			 -EBADMSG);
		CHECK_EQ(e.code, EBADMSG);
	}
}

TEST(sample_has_all_fields_in_the_kernels_order)
{
	decode_all(false);
}

TEST(sample_of_the_other_byte_order_is_the_same)
{
	decode_all(true);
}

static struct sample decoded(const struct sample_layout *l, const struct image *m, int want)
{
	struct sample s;
	struct err e = { 0 };

	CHECK_EQ(sample_decode(l, (struct bytes){ guard_dup(m->v, m->n), m->n }, 1, &s, &e), want);
	return s;
}

TEST(sample_reads_a_single_counter)
{
	struct image m = { 0 };
	struct sample_layout l = {
		.sample_type = PERF_SAMPLE_READ,
		.read_format = PERF_FORMAT_ENABLED | PERF_FORMAT_RUNNING | PERF_FORMAT_ID,
	};
	struct sample_value v;

	put_u64s(&m, 10, 4);

	struct sample s = decoded(&l, &m, 0);

	CHECK_EQ(sample_read(&l, &s, 0, &v), 1);
	CHECK_EQ(v.value, 10);
	CHECK_EQ(v.enabled, 11);
	CHECK_EQ(v.running, 12);
	CHECK_EQ(v.id, 13);
	CHECK_EQ(v.lost, 0);
	CHECK_EQ(sample_read(&l, &s, 1, &v), 0);
	l.sample_type = 0;
	s = decoded(&l, &m, 0);
	CHECK_EQ(sample_read(&l, &s, 0, &v), 0);
}

TEST(sample_says_which_piece_is_cut)
{
	struct image m = { 0 };
	struct sample_layout l = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN };
	struct sample s;
	struct err e;

	put(&m, 1, 8);
	put(&m, 3, 8);
	put_u64s(&m, 1, 2);
	CHECK_EQ(sample_decode(&l, (struct bytes){ guard_dup(m.v, m.n), m.n }, 1, &s, &e),
		 -EBADMSG);
	CHECK_STR(e.text, "sample of 32 bytes is cut in its call chain, 16 bytes in");
}

TEST(sample_counts_that_lie_are_refused)
{
	static const uint64_t types[] = {
		PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_RAW, PERF_SAMPLE_BRANCH_STACK, PERF_SAMPLE_STACK_USER,
		PERF_SAMPLE_READ, PERF_SAMPLE_AUX,
	};
	static const uint64_t lies[] = {
		1000, UINT32_MAX, UINT64_MAX, UINT64_MAX / 8, UINT64_MAX / 8 + 1,
		UINT64_MAX / 24 + 1, UINT64_C(1) << 61,
	};

	for (size_t t = 0; t < ARRAY_SIZE(types); t++) {
		for (size_t i = 0; i < ARRAY_SIZE(lies); i++) {
			struct image m = { 0 };
			struct sample_layout l = {
				.sample_type = types[t],
				.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST,
			};

			put(&m, lies[i], 8);
			put_u64s(&m, 0, 8);
			if (types[t] == PERF_SAMPLE_RAW && (uint32_t)lies[i] < 64)
				continue;
			decoded(&l, &m, -EBADMSG);
		}
	}
}

TEST(sample_without_registers_and_stack_has_only_their_headers)
{
	struct image m = { 0 };
	struct sample_layout l = {
		.sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_WEIGHT_STRUCT,
		.regs_user = 0xff,
	};

	put(&m, 0, 8);
	put(&m, 0, 8);
	put(&m, 42, 8);

	struct sample s = decoded(&l, &m, 0);

	CHECK_EQ(s.user_abi, 0);
	CHECK_EQ(s.user_regs.n, 0);
	CHECK_EQ(s.stack.n, 0);
	CHECK_EQ(s.weight, 42);
	CHECK_EQ(s.pid, UINT32_MAX);
	CHECK_EQ(s.cpu, UINT32_MAX);
}

TEST(sample_without_period_has_the_events)
{
	struct perf_attr fixed = { .sample_period = 4000 };
	struct perf_attr often = { .sample_period = 99, .flags = PERF_ATTR_FREQ };
	struct image m = { 0 };
	struct sample_layout l;

	sample_layout_init(&l, &fixed);
	CHECK_EQ(decoded(&l, &m, 0).period, 4000);
	sample_layout_init(&l, &often);
	CHECK_EQ(decoded(&l, &m, 0).period, 1);
}

TEST(sample_stack_cannot_be_more_valid_than_it_is_long)
{
	struct image m = { 0 };
	struct sample_layout l = { .sample_type = PERF_SAMPLE_STACK_USER };

	put(&m, 8, 8);
	put(&m, 1, 8);
	put(&m, 9, 8);
	decoded(&l, &m, -EBADMSG);
}

TEST(sample_branch_stack_of_no_branches_may_lack_the_hardware_index)
{
	struct image without = { 0 }, with = { 0 };
	struct sample_layout l = {
		.sample_type = PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_WEIGHT,
		.branch_type = PERF_BRANCH_HW_INDEX, .regs_user = 3,
	};

	put(&without, 0, 8);
	put(&without, 2, 8);
	put_u64s(&without, 10, 3);
	CHECK_EQ(decoded(&l, &without, 0).weight, 12);
	put(&with, 0, 8);
	put(&with, UINT64_MAX, 8);
	put(&with, 2, 8);
	put_u64s(&with, 10, 3);
	CHECK_EQ(decoded(&l, &with, 0).weight, 12);
}

TEST(sample_branch_counters_are_stepped_over)
{
	struct image m = { 0 };
	struct sample_layout l = {
		.sample_type = PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_WEIGHT, .branch_type = PERF_BRANCH_COUNTERS,
	};

	put(&m, 2, 8);
	put_u64s(&m, 1, 6 + 2);
	put(&m, 99, 8);
	CHECK_EQ(decoded(&l, &m, 0).weight, 99);
}

TEST(sample_aux_is_behind_the_page_sizes)
{
	struct image m = { 0 };
	struct sample_layout l = {
		.sample_type = PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE |
			       PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_AUX,
	};

	put_u64s(&m, 100, 3);
	put(&m, 8, 8);
	put(&m, 0, 8);

	struct sample s = decoded(&l, &m, 0);

	CHECK_EQ(s.cgroup, 100);
	CHECK_EQ(s.data_page, 101);
	CHECK_EQ(s.code_page, 102);
}

TEST(sample_trailer_is_read_from_the_end)
{
	struct image m = { 0 };
	struct sample_layout l;
	struct sample s;
	struct err e;

	put_u64s(&m, 0xdead, 3);                 /* the record's own fields */
	put(&m, 1, 4), put(&m, 2, 4);            /* TID */
	put(&m, 0x400, 8);
	put(&m, 0x100, 8);                       /* ID */
	put(&m, 0x600, 8);
	put(&m, 7, 4), put(&m, 0, 4);            /* CPU */
	put(&m, 0x100, 8);                       /* IDENTIFIER */
	sample_layout_init(&l, &all_fields);
	CHECK_EQ(sample_decode_trailer(&l, (struct bytes){ guard_dup(m.v, m.n), m.n }, &s, &e), 0);
	CHECK_EQ(s.pid, 1);
	CHECK_EQ(s.tid, 2);
	CHECK_EQ(s.time, 0x400);
	CHECK_EQ(s.id, 0x100);
	CHECK_EQ(s.stream_id, 0x600);
	CHECK_EQ(s.cpu, 7);
	CHECK_EQ(sample_decode_trailer(&l, (struct bytes){ m.v, 40 }, &s, &e), -EBADMSG);
	l.id_all = false;
	CHECK_EQ(sample_decode_trailer(&l, (struct bytes){ m.v, 0 }, &s, &e), 0);
	CHECK_EQ(s.tid, UINT32_MAX);
	CHECK_EQ(s.time, 0);
}

/* Of a kernel that adds a trailer's size for each who listens, and writes one. */
TEST(sample_trailer_is_behind_what_a_record_is_known_to_hold)
{
	const struct perf_attr tid_only = { .sample_type = PERF_SAMPLE_TID, .flags = PERF_ATTR_SAMPLE_ID_ALL };
	struct perf_record r = { .type = PERF_REC_KSYMBOL };
	struct sample_layout l;
	struct image m = { 0 };
	struct sample s;

	sample_layout_init(&l, &tid_only);
	put(&m, 0x1000, 8);
	put(&m, 64, 4), put(&m, 1, 2), put(&m, 0, 2);
	put(&m, 0x6f74676e6f6c6f74, 8);          /* eight letters, */
	put(&m, 0, 8);                           /* and their end */
	put(&m, 5, 4), put(&m, 6, 4);
	put(&m, 0xdead, 8);
	r.body = (struct bytes){ guard_dup(m.v, m.n), m.n };
	CHECK_EQ(perf_record_ids(&r, &l, &s, NULL), 0);
	CHECK_EQ(s.pid, 5);
	CHECK_EQ(s.tid, 6);
	/* Of one that nobody knows, what is at its end. */
	r.type = PERF_REC_CGROUP;
	CHECK_EQ(perf_record_ids(&r, &l, &s, NULL), 0);
	CHECK_EQ(s.pid, 0xdead);
	/* As told with the right size; cut ones. */
	r.type = PERF_REC_KSYMBOL;
	r.body.n -= 8;
	CHECK_EQ(perf_record_ids(&r, &l, &s, NULL), 0);
	CHECK_EQ(s.tid, 6);
	for (r.body.n = 0; r.body.n < 8; r.body.n++)
		CHECK_EQ(perf_record_ids(&r, &l, &s, NULL), -EBADMSG);

	m = (struct image){ 0 };
	put_u64s(&m, 7, 2);
	put(&m, 8, 4), put(&m, 9, 4);
	put_u64s(&m, 0xdead, 2);
	r = (struct perf_record){ .type = PERF_REC_BPF_EVENT, .body = { guard_dup(m.v, m.n), m.n } };
	CHECK_EQ(perf_record_ids(&r, &l, &s, NULL), 0);
	CHECK_EQ(s.tid, 9);

	m = (struct image){ 0 };
	put(&m, 0x1000, 8);
	put(&m, 5, 2), put(&m, 5, 2);
	put(&m, 0x0102030405060708, 8), put(&m, 0x0102, 2);
	put(&m, 0, 2);
	put(&m, 3, 4), put(&m, 4, 4);
	put_u64s(&m, 0xdead, 2);
	r = (struct perf_record){ .type = PERF_REC_TEXT_POKE, .body = { guard_dup(m.v, m.n), m.n } };
	CHECK_EQ(perf_record_ids(&r, &l, &s, NULL), 0);
	CHECK_EQ(s.tid, 4);
}

TEST(sample_id_is_found_before_the_layout_is_known)
{
	const uint64_t ids = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID, type = all_fields.sample_type & ~ids;

	CHECK_EQ(sample_id_offset(type), -1);
	CHECK_EQ(sample_id_offset_end(type), -1);
	CHECK_EQ(sample_id_offset(type | PERF_SAMPLE_ID), 32);
	CHECK_EQ(sample_id_offset_end(type | PERF_SAMPLE_ID), 24);
	CHECK_EQ(sample_id_offset(PERF_SAMPLE_ID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU), 8);
	CHECK_EQ(sample_id_offset_end(PERF_SAMPLE_ID | PERF_SAMPLE_TIME), 8);
	CHECK_EQ(sample_id_offset(type | ids), 0);
	CHECK_EQ(sample_id_offset_end(type | ids), 8);
}

/* Any set of the last fields, whole and cut anywhere: taken as they lie, and each looked at. */
TEST(sample_last_fields_are_the_same_both_ways)
{
	enum { WORDS = 20 };
	const uint64_t last = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC |
			      PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |
			      PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_REGS_INTR |
			      PERF_SAMPLE_RAW | PERF_SAMPLE_CPU | PERF_SAMPLE_TID;
	struct image m = { .n = 0 };
	uint64_t seed = 1;

	put_u64s(&m, 0x1000, WORDS);
	for (int i = 0; i < 2000; i++) {
		struct perf_attr attr = { .sample_regs_intr = 3 };
		struct sample_layout whole, each;
		struct sample a, b;
		struct bytes body;

		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		attr.sample_type = (seed >> 32 & last) | PERF_SAMPLE_IP | PERF_SAMPLE_TIME;
		attr.sample_type &= i % 4 ? ~(uint64_t)PERF_SAMPLE_REGS_INTR : UINT64_MAX;
		sample_layout_init(&whole, &attr);
		each = whole;
		each.rest = 0;
		each.words = false;
		body = (struct bytes){ m.v, (size_t)i % (WORDS * 8 + 1) };
		CHECK_EQ(sample_decode(&whole, body, 2, &a, NULL), sample_decode(&each, body, 2, &b, NULL));
		if (!sample_decode(&each, body, 2, &b, NULL))
			CHECK(!memcmp(&a, &b, sizeof(a)));
	}
}
