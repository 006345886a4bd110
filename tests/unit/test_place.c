/* test_place.c - where a probe may sit. The code is of binutils' assembler; its text stands beside it. */
#include "t.h"

#include "probe/place.h"

enum { START = 0x400000 };

static struct place check_code(const struct arch *a, const void *bytes, size_t n, uint64_t addr, unsigned is_kernel)
{
	struct place_code c = { a, cur_from(guard_dup(bytes, n), n), START, is_kernel };
	struct place p;

	memset(&p, 0xff, sizeof(p));
	place_check(&c, addr, &p);
	return p;
}

static struct place arm(const uint32_t *code, size_t n, size_t i)
{
	return check_code(&arch_aarch64, code, n * 4, START + i * 4, 0);
}

/* One letter for each instruction: . good, M exclusive, R refused, D data. */
static void check_verdicts(const uint32_t *code, size_t n, const char *want)
{
	char got[64] = "";

	for (size_t i = 0; i < n; i++)
		got[i] = ".?MR?D"[arm(code, n, i).verdict];
	CHECK_STR(got, want);
}

static const uint32_t counter[] = {
	0xa9bf7bfd, /* stp x29, x30, [sp, #-16]! */
	0xaa0003e3, /* mov x3, x0 */
	0x885ffc61, /* 2: ldaxr w1, [x3] */
	0x11000421, /* add w1, w1, #1 */
	0x8802fc61, /* stlxr w2, w1, [x3] */
	0x35ffffa2, /* cbnz w2, 2 */
	0x2a0103e0, /* mov w0, w1 */
	0xd65f03c0, /* ret */
};

static const uint32_t compare[] = {
	0x2a0103e4, /* mov w4, w1 */
	0x885f7c03, /* 1: ldxr w3, [x0] */
	0x6b04007f, /* cmp w3, w4 */
	0x540000a0, /* b.eq 8 */
	0xd5033f5f, /* clrex */
	0x2a0303e0, /* 5: mov w0, w3 */
	0xd65f03c0, /* ret */
	0xd503201f, /* nop */
	0x11000045, /* 8: add w5, w2, #0 */
	0x88067c05, /* stxr w6, w5, [x0] */
	0x35fffee6, /* cbnz w6, 1 */
	0x17fffffa, /* b 5 */
};

static const uint32_t retries[] = {
	0xd503201f, /* nop */
	0x885ffc01, /* 1: ldaxr w1, [x0] */
	0x51000422, /* sub w2, w1, #1 */
	0x35ffffc2, /* cbnz w2, 1 */
	0xd503201f, /* nop */
	0x885f7c01, /* 5: ldxr w1, [x0] */
	0x7100143f, /* cmp w1, #5 */
	0x54ffffc1, /* b.ne 5 */
	0x88027c03, /* stxr w2, w3, [x0] */
	0xd65f03c0, /* ret */
};

static const uint32_t sum[] = {
	0xa9bf7bfd, /* stp x29, x30, [sp, #-16]! */
	0x90000001, /* adrp x1, 0 */
	0x91002021, /* add x1, x1, #8 */
	0xf8408422, /* 3: ldr x2, [x1], #8 */
	0x8b020063, /* add x3, x3, x2 */
	0xf1000400, /* subs x0, x0, #1 */
	0x54ffffa1, /* b.ne 3 */
	0xaa0303e0, /* mov x0, x3 */
	0x97ffffda, /* bl */
	0x91000400, /* add x0, x0, #1 */
	0xa8c17bfd, /* ldp x29, x30, [sp], #16 */
	0xd65f03c0, /* ret */
};

static const uint32_t acquire[] = {
	0x88dffc01, /* ldar w1, [x0] */
	0x11000421, /* add w1, w1, #1 */
	0xd503201f, /* nop */
	0x889ffc01, /* stlr w1, [x0] */
	0xd503201f, /* nop */
	0x58000060, /* ldr x0, 8 */
	0xd65f03c0, /* ret */
	0xd503201f, /* nop */
	0x00000005, 0x00000000,
};

static const uint32_t indirect[] = {
	0x8b010000, /* add x0, x0, x1 */
	0x10fff962, /* adr x2 */
	0xd503201f, /* nop */
	0xd61f0040, /* br x2 */
	0xd65f0bff, /* retaa */
};

#define ARM(code) (code), ARRAY_SIZE(code)

TEST(place_refuses_what_lies_between_an_exclusive_load_and_its_store)
{
	check_verdicts(ARM(counter), "..MMM...");
	/* The store may stand elsewhere, and clrex ends it, too. */
	check_verdicts(ARM(compare), ".MMMM...MM..");
	/* A load without a store is harmless around it; what goes back to the load is inside. */
	check_verdicts(ARM(retries), ".R...MMMM.");
}

/* What ldr of a literal loads is no instruction, whatever it looks like; nor is what symbols say is none. */
static const uint32_t pool[] = {
	0x580000a0, /* ldr x0, 5 */
	0x1c0000e1, /* ldr s1, 8 */
	0x8b000020, /* add x0, x1, x0 */
	0xd65f03c0, /* ret */
	0xd503201f, /* nop */
	0x17fffffe, /* 5: a constant that looks like b 3 */
	0x00000012, /* its upper half */
	0xd503201f, /* nop, or so it seems */
	0x40490fdb, /* 8: 3.14159 */
};

static bool seventh(const void *arg, uint64_t addr)
{
	return addr == START + *(const unsigned *)arg * 4;
}

TEST(place_refuses_constants_among_the_code)
{
	static const unsigned index = 7;
	struct place_code c = { &arch_aarch64, cur_from(guard_dup(pool, sizeof(pool)), sizeof(pool)), START };
	struct place p;

	for (size_t i = 5; i < ARRAY_SIZE(pool); i++) {
		CHECK_EQ(arm(pool, ARRAY_SIZE(pool), i).verdict, i == 7 ? PLACE_GOOD : PLACE_DATA);
		c.is_data = seventh;
		c.arg = &index;
		place_check(&c, START + i * 4, &p);
		CHECK_EQ(p.verdict, PLACE_DATA);
		CHECK_EQ(p.near, START + 4 * 4);
	}
	/* The constant is no branch back over this. */
	CHECK(!arm(pool, ARRAY_SIZE(pool), 3).in_loop);
	/* The kernel takes a probe there, and the copy then loads something else. */
	CHECK_EQ(arm(pool, ARRAY_SIZE(pool), 1).verdict, PLACE_REFUSED);
}

TEST(place_is_reached_by_branches_of_any_function)
{
	struct place_code c = { &arch_aarch64, cur_from(compare, sizeof(compare)), START };

	CHECK(place_is_reached(&c, START + 5 * 4, START + 5 * 4 + 1));      /* b 5, the last one */
	CHECK(place_is_reached(&c, START + 6 * 4, START + 9 * 4));          /* b.eq 8 */
	CHECK(!place_is_reached(&c, START + 6 * 4, START + 8 * 4));
	CHECK(!place_is_reached(&c, START + 9 * 4, START + 12 * 4));
}

TEST(place_refuses_instructions_that_the_kernel_does_not_probe)
{
	check_verdicts(ARM(acquire), ".....R..DD");
	check_verdicts(ARM(indirect), "....R");
}

TEST(place_tells_the_nearest_good_one)
{
	CHECK_EQ(arm(ARM(counter), 1).near, START + 4);
	CHECK_EQ(arm(ARM(counter), 2).near, START + 4);
	CHECK_EQ(arm(ARM(counter), 3).near, START + 4);     /* as near as the one behind */
	CHECK_EQ(arm(ARM(counter), 4).near, START + 5 * 4);
	CHECK_EQ(check_code(&arch_aarch64, counter, sizeof(counter), START + 2, 0).near, START);
	CHECK_EQ(check_code(&arch_aarch64, counter + 2, 12, START + 4, 0).near, 0);    /* all three are exclusive */
}

TEST(place_tells_what_is_outside_or_no_beginning)
{
	size_t n = sizeof(counter);

	CHECK_EQ(check_code(&arch_aarch64, counter, n, START - 4, 0).verdict, PLACE_OUTSIDE);
	CHECK_EQ(check_code(&arch_aarch64, counter, n, START + n, 0).verdict, PLACE_OUTSIDE);
	CHECK_EQ(check_code(&arch_aarch64, counter, 0, START, 0).verdict, PLACE_OUTSIDE);
	CHECK_EQ(check_code(&arch_aarch64, counter, n, START + 6, 0).verdict, PLACE_UNALIGNED);
	/* a function that is cut within its last instruction */
	CHECK_EQ(check_code(&arch_aarch64, counter, 6, START + 4, 0).verdict, PLACE_UNALIGNED);
}

TEST(place_tells_loops)
{
	static const char want[] = "...1111.....";

	for (size_t i = 0; i < ARRAY_SIZE(sum); i++)
		CHECK_EQ(arm(ARM(sum), i).in_loop, want[i] == '1');
	CHECK(arm(ARM(compare), 8).in_loop);
	CHECK(!arm(ARM(compare), 0).in_loop);
}

TEST(place_finds_a_cheaper_one_within_the_block)
{
	/* adrp serves its block, b.ne the loop, bl what is in front of it, ret what is behind */
	static const uint8_t want[] = { 1, 0, 1, 6, 6, 6, 0, 8, 0, 11, 11, 0 };

	for (size_t i = 0; i < ARRAY_SIZE(sum); i++)
		CHECK_EQ(arm(ARM(sum), i).cheaper, want[i] ? START + want[i] * 4 : 0);
	CHECK(arm(ARM(sum), 1).is_simulated);
	CHECK(!arm(ARM(sum), 2).is_simulated);
	/* Where an indirect jump goes is not known, so nothing is known of blocks. */
	CHECK_EQ(arm(ARM(indirect), 0).cheaper, 0);
	/* A refused one has none: there is nothing to save. */
	CHECK_EQ(arm(ARM(counter), 3).cheaper, 0);
	/* not behind the store, which may fail */
	CHECK_EQ(arm(ARM(counter), 1).cheaper, 0);
}

TEST(place_of_kernel_code)
{
	size_t n = sizeof(acquire);

	/* The kernel simulates loads of literals for itself. */
	struct place p = check_code(&arch_aarch64, acquire, n, START + 5 * 4, 1);

	CHECK_EQ(p.verdict, PLACE_GOOD);
	CHECK(p.is_simulated);
	CHECK(!p.is_behind_acquire);
	CHECK(!check_code(&arch_aarch64, acquire, n, START, 1).is_behind_acquire);
	CHECK(check_code(&arch_aarch64, acquire, n, START + 4, 1).is_behind_acquire);
	CHECK(check_code(&arch_aarch64, acquire, n, START + 3 * 4, 1).is_behind_acquire);
	CHECK(!check_code(&arch_aarch64, acquire, n, START + 4 * 4, 1).is_behind_acquire);
	CHECK(!check_code(&arch_aarch64, acquire, n, START + 4, 0).is_behind_acquire);
	/* clrex closes no section for it */
	CHECK(check_code(&arch_aarch64, compare, sizeof(compare), START + 5 * 4, 1).is_behind_acquire);
}

TEST(place_of_kernel_code_looks_32_instructions_back)
{
	uint32_t code[40] = { 0xd503201f, 0xd503201f, 0x88dffc01 /* ldar w1, [x0] */ };

	for (size_t i = 3; i < ARRAY_SIZE(code); i++)
		code[i] = 0xd503201f;
	CHECK(check_code(&arch_aarch64, code, sizeof(code), START + 34 * 4, 1).is_behind_acquire);
	CHECK(!check_code(&arch_aarch64, code, sizeof(code), START + 35 * 4, 1).is_behind_acquire);
}

TEST(place_in_a_long_function)
{
	static uint32_t code[100000];
	size_t n = ARRAY_SIZE(code), mid = n / 2;

	for (size_t i = 0; i < n; i++)
		code[i] = 0xd503201f;
	memcpy(code + mid, counter, sizeof(counter));
	code[n - 1] = 0x17fe7962;    /* b back by 99998 */
	CHECK_EQ(arm(code, n, mid + 3).verdict, PLACE_EXCLUSIVE);
	CHECK_EQ(arm(code, n, mid + 3).near, START + (mid + 1) * 4);
	CHECK(arm(code, n, mid).in_loop);
	CHECK(arm(code, n, 1).in_loop);
	CHECK(!arm(code, n, 0).in_loop);
}

static const uint8_t x86[] = {
	0x55,                                                         /* 0: push %rbp */
	0x48, 0x89, 0xe5,                                             /* 1: mov %rsp,%rbp */
	0x48, 0xb8, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,   /* 4: movabs $0x1122334455667788,%rax */
	0x48, 0x83, 0xc0, 0x01,                                       /* e: add $0x1,%rax */
	0x48, 0x39, 0xf8,                                             /* 12: cmp %rdi,%rax */
	0x75, 0xf7,                                                   /* 15: jne e */
	0xe8, 0xe4, 0xff, 0xff, 0xff,                                 /* 17: call 0 */
	0x89, 0xc6,                                                   /* 1c: mov %eax,%esi */
	0xf0, 0xff, 0x07,                                             /* 1e: lock incl (%rdi) */
	0xc9,                                                         /* 21: leave */
	0xc3,                                                         /* 22: ret */
	0x90,                                                         /* 23: nop */
	0xf3, 0xc3,                                                   /* 24: repz ret */
};

static struct place intel(size_t i, unsigned is_kernel)
{
	return check_code(&arch_x86_64, x86, sizeof(x86), START + i, is_kernel);
}

TEST(place_knows_where_x86_instructions_begin)
{
	static const uint8_t begins[] = {
		0x00, 0x01, 0x04, 0x0e, 0x12, 0x15, 0x17, 0x1c, 0x1e, 0x21, 0x22, 0x23, 0x24,
	};

	for (size_t i = 0; i < sizeof(x86); i++) {
		bool is_begin = memchr(begins, (int)i, sizeof(begins));

		CHECK_EQ(intel(i, 1).verdict, is_begin ? PLACE_GOOD : PLACE_UNALIGNED);
		CHECK_EQ(intel(i, 0).verdict, !is_begin ? PLACE_UNALIGNED : i == 0x1e ? PLACE_REFUSED : PLACE_GOOD);
	}
	CHECK_EQ(intel(7, 0).near, START + 4);
	CHECK_EQ(intel(0x1e, 0).near, START + 0x1c);
	CHECK(intel(0x12, 0).in_loop && !intel(0x17, 0).in_loop);
	CHECK_EQ(intel(0x12, 0).cheaper, START + 0x15);
	CHECK_EQ(intel(4, 0).cheaper, START);
}

TEST(place_lists_returns)
{
	struct place_code c = { &arch_x86_64, cur_from(guard_dup(x86, sizeof(x86)), sizeof(x86)), START, false };
	uint64_t v[2] = { 0 };

	CHECK_EQ(place_returns(&c, v, 2), 2);
	CHECK_EQ(v[0], START + 0x22);
	CHECK_EQ(v[1], START + 0x24);
	v[1] = 7;
	CHECK_EQ(place_returns(&c, v, 1), 2);
	CHECK_EQ(v[1], 7);
	c = (struct place_code){ &arch_aarch64, cur_from(indirect, sizeof(indirect)), START, false };
	CHECK_EQ(place_returns(&c, v, 2), 1);
	CHECK_EQ(v[0], START + 16);
}

TEST(place_explains_itself)
{
	struct err e = { 0 };
	struct place p = arm(ARM(counter), 3);

	CHECK_EQ(place_explain(&p, START + 12, &e), -EINVAL);
	CHECK_EQ(e.code, EINVAL);
	CHECK(strstr(e.text, "0x40000c: it lies between an exclusive load and its store"));
	CHECK(strstr(e.hint, "0x400004"));
	e = (struct err){ 0 };
	p = arm(ARM(counter), 1);
	CHECK_EQ(place_explain(&p, START + 4, &e), 0);
	CHECK_EQ(e.code, 0);
	p = check_code(&arch_aarch64, counter, 8, START + 64, 0);
	CHECK_EQ(place_explain(&p, START + 64, &e), -EINVAL);
	CHECK_STR(e.hint, "");
}

TEST(place_a_go_function_that_begins_again_with_more_stack_is_no_loop)
{
	static const uint32_t go[] = {
		0xd503201f, /* nop */
		0xd65f03c0, /* ret */
		0xd503201f, /* nop: the call that makes room */
		0x17fffffd, /* b START */
	};
	struct place_code c = {
		&arch_aarch64, cur_from(guard_dup(go, sizeof(go)), sizeof(go)), START, .grows_stack = true,
	};
	struct place p;

	CHECK(arm(ARM(go), 0).in_loop);
	place_check(&c, START, &p);
	CHECK(!p.in_loop);
	CHECK_EQ(p.verdict, PLACE_GOOD);
}
