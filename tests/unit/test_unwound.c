/* unwound: a sample with registers and a copy of the stack becomes one with a plain chain, and keeps all else. */
#include "source/unwound.h"

#include "perf/callgraph.h"
#include "t.h"

enum { PID = 7, IP = 0x401000, STACK = 64, RAW = 12, ABI = 17 /* word of it in body() */ };

#define KERNEL_FRAME 0xffff800080010100
#define FIELDS (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
		PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | \
		PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_WEIGHT | \
		PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR)

static struct perf_attr attr = {
	.sample_type = FIELDS, .sample_stack_user = STACK, .sample_regs_intr = 1, .read_format = PERF_FORMAT_ID,
	.flags = PERF_ATTR_SAMPLE_ID_ALL | PERF_ATTR_EXCLUDE_CALLCHAIN_USER,
};

static uint64_t words[200];
static size_t n_words;

static void word(uint64_t v)
{
	words[n_words++] = v;
}

static void registers(uint64_t mask, uint64_t abi)
{
	word(abi);
	for (unsigned bit = 0; abi && bit < 64; bit++)
		if (mask >> bit & 1)
			word(bit == arch_x86_64.reg_ip ? IP : bit == arch_x86_64.reg_sp ? 0x7ff000 : bit);
}

static void stack(uint64_t size)
{
	word(size);
	for (uint64_t i = 0; i < size; i += 8)
		word(i);
	if (size)
		word(size);
}

/* As the kernel lays it out. user: there is a user's side. */
static void body(bool user)
{
	n_words = 0;
	word(70);
	word(KERNEL_FRAME);
	word(PID | (uint64_t)PID << 32);
	word(1000);
	word(2);
	word(5);
	word(12345);
	word(70);                   /* READ: value, id */
	word(2);
	word(PERF_CONTEXT_KERNEL);
	word(KERNEL_FRAME);
	word(RAW | 0x1122334400000000);
	word(0x5566778899aabbcc);
	word(1);
	word(0x10);
	word(0x20);
	word(0x30);
	registers(attr.sample_regs_user, user ? 2 : 0);
	stack(user ? STACK : 0);
	word(77);                   /* WEIGHT */
	registers(1, 2);
	word(0xabcdef);             /* PHYS_ADDR */
}

static int no_file(void *arg UNUSED, const char *path UNUSED, const uint8_t **p UNUSED, size_t *n UNUSED)
{
	return -ENOENT;
}

/* What becomes of the words, decoded as a reader of the recording will. */
static int convert_at_most(size_t max, struct sample *s, struct stacks_stats *stats)
{
	static uint8_t made[RING_BOUNCE];
	struct sym_want want = { .files = { .map = no_file }, .arch = &arch_x86_64, .names = SYM_NAMES_NONE };
	struct perf_attr plain = attr;
	struct sample_layout raw, l;
	struct stacks stacks;
	struct perf_record r = {
		.type = PERF_REC_SAMPLE, .misc = PERF_MISC_KERNEL | 0x4000,
		.body = { guard_dup(words, n_words * 8), n_words * 8 },
	}, is;
	struct resolver *resolver = resolver_new(&want, NULL);
	uint64_t off = 0;
	int n;

	sample_layout_init(&raw, &attr);
	CHECK(callgraph_plain(&plain));
	sample_layout_init(&l, &plain);
	CHECK(unwound_is_for(&raw) && !unwound_is_for(&l));
	stacks_init(&stacks, resolver, &arch_x86_64);
	n = unwound_sample(&stacks, &raw, &r, max, made);
	*stats = stacks.stats;
	if (n > 0) {
		CHECK_EQ(perf_record_next((struct bytes){ made, (size_t)n }, false, &off, &is, NULL), 1);
		CHECK_EQ(off, n);
		CHECK_EQ(is.misc, r.misc);
		CHECK_EQ(sample_decode(&l, is.body, is.misc, s, NULL), 0);
	}
	stacks_deinit(&stacks);
	resolver_free(resolver);
	return n;
}

static int convert(struct sample *s, struct stacks_stats *stats)
{
	return convert_at_most(0, s, stats);
}

static void is_kept(const struct sample *s)
{
	static const uint8_t raw[RAW] = { 0x44, 0x33, 0x22, 0x11, 0xcc, 0xbb, 0xaa, 0x99, 0x88, 0x77, 0x66, 0x55 };

	CHECK_EQ(s->id, 70);
	CHECK_EQ(s->ip, KERNEL_FRAME);
	CHECK_EQ(s->time, 1000);
	CHECK_EQ(s->cpu, 2);
	CHECK_EQ(s->period, 5);
	CHECK_EQ(s->read.n, 16);
	CHECK_EQ(s->raw.n, RAW);
	CHECK(!memcmp(s->raw.p, raw, RAW));
	CHECK_EQ(s->n_branch, 1);
	CHECK_EQ(s->weight, 77);
	CHECK_EQ(s->intr_regs.n, 8);
	CHECK_EQ(s->phys_addr, 0xabcdef);
	CHECK(!s->stack.n && !s->user_regs.n);
}

static uint64_t link_of(const struct sample *s, uint64_t i)
{
	static const struct sample_layout native;

	return sample_chain(&native, s, i);
}

TEST(unwound_sample_has_the_user_frames_behind_the_kernels)
{
	struct stacks_stats stats;
	struct sample s;

	attr.sample_regs_user = arch_x86_64.user_regs_mask;
	body(true);
	/* A word for the count, as before; two more entries; without what was copied. */
	CHECK_EQ(convert(&s, &stats), 8 + (n_words + 2) * 8 - (2 + STACK / 8) * 8 -
		 (1 + (size_t)__builtin_popcountll(attr.sample_regs_user)) * 8);
	is_kept(&s);
	CHECK_EQ(s.n_chain, 4);
	CHECK_EQ(link_of(&s, 0), PERF_CONTEXT_KERNEL);
	CHECK_EQ(link_of(&s, 1), KERNEL_FRAME);
	CHECK_EQ(link_of(&s, 2), PERF_CONTEXT_USER);
	CHECK_EQ(link_of(&s, 3), IP);
	/* Nothing is known of what is mapped there: that is counted. */
	CHECK_EQ(stats.unwound, 1);
	CHECK_EQ(stats.ends[UNWIND_UNMAPPED], 1);
}

TEST(unwound_sample_has_as_many_frames_as_are_wanted)
{
	struct stacks_stats stats;
	struct sample s;

	attr.sample_regs_user = arch_x86_64.user_regs_mask;
	body(true);
	CHECK(convert_at_most(1, &s, &stats) > 0);
	is_kept(&s);
	/* A marker behind the last of them is harmless. */
	CHECK_EQ(s.n_chain, 3);
	CHECK_EQ(link_of(&s, 1), KERNEL_FRAME);
	CHECK(convert_at_most(2, &s, &stats) > 0);
	CHECK_EQ(s.n_chain, 4);
}

TEST(unwound_sample_without_a_user_side_has_the_kernels_chain)
{
	struct stacks_stats stats;
	struct sample s;

	attr.sample_regs_user = arch_x86_64.user_regs_mask;
	body(false);
	CHECK(convert(&s, &stats) > 0);
	is_kept(&s);
	CHECK_EQ(s.n_chain, 2);
	CHECK_EQ(stats.unwound + stats.foreign, 0);
}

TEST(unwound_sample_that_is_cut_is_refused)
{
	struct stacks_stats stats;
	struct sample s;

	attr.sample_regs_user = arch_x86_64.user_regs_mask;
	body(true);
	n_words -= 3;
	CHECK_EQ(convert(&s, &stats), -EBADMSG);
}

TEST(unwound_stacks_of_32_bits_are_counted)
{
	struct stacks_stats stats;
	struct sample s;

	attr.sample_regs_user = arch_x86_64.user_regs_mask;
	body(true);
	CHECK_EQ(words[ABI], 2);
	words[ABI] = 1;
	CHECK(convert(&s, &stats) > 0);
	is_kept(&s);
	CHECK_EQ(s.n_chain, 2);
	CHECK_EQ(stats.foreign, 1);
}

TEST(unwound_attr_says_nothing_of_registers_and_stacks)
{
	struct perf_attr a = attr, without = { .sample_type = PERF_SAMPLE_CALLCHAIN };

	CHECK(callgraph_plain(&a));
	CHECK_EQ(a.sample_type, FIELDS & ~(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER));
	CHECK_EQ(a.sample_stack_user | a.sample_regs_user, 0);
	CHECK_EQ(a.flags, PERF_ATTR_SAMPLE_ID_ALL);
	CHECK(!callgraph_plain(&without));
}

/* One register of where it hit; what becomes of it on an aarch64. */
static int convert_lr(uint64_t type, uint16_t mode, uint64_t abi, uint64_t lr, struct sample *s)
{
	static uint8_t made[RING_BOUNCE];
	struct sym_want want = { .files = { .map = no_file }, .arch = &arch_aarch64, .names = SYM_NAMES_NONE };
	struct perf_attr a = {
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_WEIGHT | type |
			       PERF_SAMPLE_PHYS_ADDR,
		.flags = PERF_ATTR_EXCLUDE_CALLCHAIN_USER | PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL,
		.sample_regs_intr = PERF_BIT(30), .sample_regs_user = PERF_BIT(30),
	};
	struct perf_attr plain = a;
	struct resolver *resolver = resolver_new(&want, NULL);
	struct sample_layout raw, l;
	struct stacks stacks;
	struct perf_record r = { .type = PERF_REC_SAMPLE, .misc = mode }, is;
	uint64_t off = 0;
	int n;

	n_words = 0;
	word(mode == PERF_MISC_KERNEL ? KERNEL_FRAME : IP);
	word(PID | (uint64_t)PID << 32);
	word(0);
	if (type & PERF_SAMPLE_REGS_USER)
		word(abi);
	if (type & PERF_SAMPLE_REGS_USER && abi)
		word(lr);
	word(77);
	if (type & PERF_SAMPLE_REGS_INTR)
		word(abi);
	if (type & PERF_SAMPLE_REGS_INTR && abi)
		word(lr);
	word(0xabcdef);
	r.body = (struct bytes){ guard_dup(words, n_words * 8), n_words * 8 };
	sample_layout_init(&raw, &a);
	CHECK(callgraph_plain(&plain));
	sample_layout_init(&l, &plain);
	CHECK(unwound_is_for(&raw) && !unwound_is_for(&l));
	stacks_init(&stacks, resolver, &arch_aarch64);
	n = unwound_sample(&stacks, &raw, &r, 0, made);
	CHECK_EQ(perf_record_next((struct bytes){ made, (size_t)MAX(n, 0) }, false, &off, &is, NULL), 1);
	CHECK_EQ(sample_decode(&l, is.body, is.misc, s, NULL), 0);
	CHECK_EQ(s->weight, 77);
	CHECK_EQ(s->phys_addr, 0xabcdef);
	stacks_deinit(&stacks);
	resolver_free(resolver);
	return (int)s->n_chain;
}

TEST(unwound_link_register_is_the_caller)
{
	struct sample s;

	CHECK_EQ(convert_lr(PERF_SAMPLE_REGS_INTR, PERF_MISC_USER, 2, 0x402000, &s), 3);
	CHECK_EQ(link_of(&s, 0), PERF_CONTEXT_USER);
	CHECK_EQ(link_of(&s, 1), IP);
	CHECK_EQ(link_of(&s, 2), 0x402000);
	/* With its authentication code. */
	CHECK_EQ(convert_lr(PERF_SAMPLE_REGS_USER, PERF_MISC_USER, 2, 0x2a55000000402000, &s), 3);
	CHECK_EQ(link_of(&s, 2), 0x402000);
	CHECK_EQ(convert_lr(PERF_SAMPLE_REGS_INTR, PERF_MISC_KERNEL, 2, KERNEL_FRAME + 64, &s), 3);
	CHECK_EQ(link_of(&s, 0), PERF_CONTEXT_KERNEL);
	CHECK_EQ(link_of(&s, 2), KERNEL_FRAME + 64);
}

TEST(unwound_link_register_that_is_no_caller_is_left_out)
{
	struct sample s;

	CHECK_EQ(convert_lr(PERF_SAMPLE_REGS_INTR, PERF_MISC_USER, 2, 0, &s), 2);
	CHECK_EQ(convert_lr(PERF_SAMPLE_REGS_INTR, PERF_MISC_KERNEL, 2, 0x402000, &s), 2);
	CHECK_EQ(convert_lr(PERF_SAMPLE_REGS_INTR, PERF_MISC_USER, 1, 0x402000, &s), 2);
	CHECK_EQ(convert_lr(PERF_SAMPLE_REGS_USER, PERF_MISC_USER, 0, 0, &s), 2);
	CHECK_EQ(link_of(&s, 1), IP);
}
