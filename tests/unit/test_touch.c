/*
 * test_touch.c - what instructions touch. A64 is held against the disassembler, which tests/host/t_disasm.sh holds
 * against objdump; x86 against what GNU as made of the texts that stand here.
 */
#include "t.h"

#include "arch/arch.h"
#include "arch/disasm.h"

enum { AT = 0x10000, NO = ARCH_NO_REG, WORDS = 300000 };

static struct arch_touch touch_of(const struct arch *a, const uint8_t *p, size_t n)
{
	struct arch_touch t;

	CHECK(arch_touch_of(a)(guard_dup(p, n), n, AT, &t));
	return t;
}

static struct arch_touch a64(uint32_t w)
{
	const uint8_t bytes[4] = { (uint8_t)w, (uint8_t)(w >> 8), (uint8_t)(w >> 16), (uint8_t)(w >> 24) };
	struct arch_touch t;

	CHECK(arch_touch_of(&arch_aarch64)(bytes, 4, AT, &t));
	return t;
}

TEST(a64_loads_and_stores_tell_base_offset_and_size)
{
	static const struct {
		uint32_t w;
		uint8_t move, access, base, index, size, to, to2, from, from2;
		int64_t off, step;
	} known[] = {
		/* ldr x2, [x1, #8] */
		{ 0xf9400422, ARCH_MOVE_LOAD, ARCH_READS, 1, NO, 8, 2, NO, NO, NO, 8, 0 },
		/* str w0, [x1, #8] */
		{ 0xb9000820, ARCH_MOVE_STORE, ARCH_WRITES, 1, NO, 4, NO, NO, 0, NO, 8, 0 },
		/* stp x29, x30, [sp, #-16]! */
		{ 0xa9bf7bfd, ARCH_MOVE_STORE, ARCH_WRITES, 31, NO, 8, NO, NO, 29, 30, -16, -16 },
		/* ldp x29, x30, [sp], #16 */
		{ 0xa8c17bfd, ARCH_MOVE_LOAD, ARCH_READS, 31, NO, 8, 29, 30, NO, NO, 0, 16 },
		/* ldr w3, [x4, x2, lsl #2] */
		{ 0xb8627883, ARCH_MOVE_LOAD, ARCH_READS, 4, 2, 4, 3, NO, NO, NO, 0, 0 },
		/* ldrb w0, [x0] */
		{ 0x39400000, ARCH_MOVE_LOAD, ARCH_READS, 0, NO, 1, 0, NO, NO, NO, 0, 0 },
		/* ldadd w0, w2, [x1] */
		{ 0xb8200022, ARCH_MOVE_LOAD, 3, 1, NO, 4, 2, NO, NO, NO, 0, 0 },
		/* ldaxr x0, [x1] */
		{ 0xc85ffc20, ARCH_MOVE_LOAD, ARCH_READS, 1, NO, 8, 0, NO, NO, NO, 0, 0 },
		/* ldr x0, [x1], #8 */
		{ 0xf8408420, ARCH_MOVE_LOAD, ARCH_READS, 1, NO, 8, 0, NO, NO, NO, 0, 8 },
		/* ldr q0, [x1, #16] */
		{ 0x3dc00420, ARCH_MOVE_NONE, ARCH_READS, 1, NO, 16, NO, NO, NO, NO, 16, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		struct arch_touch t = a64(known[i].w);

		CHECK_EQ(t.move, known[i].move);
		CHECK_EQ(t.access, known[i].access);
		CHECK_EQ(t.base, known[i].base);
		CHECK_EQ(t.index, known[i].index);
		CHECK_EQ(t.size, known[i].size);
		CHECK_EQ(t.to, known[i].to);
		CHECK_EQ(t.to2, known[i].to2);
		CHECK_EQ(t.from, known[i].from);
		CHECK_EQ(t.from2, known[i].from2);
		CHECK_EQ(t.off, known[i].off);
		CHECK_EQ(t.step, known[i].step);
	}
}

TEST(a64_moves_and_sums_tell_their_registers)
{
	struct arch_touch t = a64(0xaa0203e1);   /* mov x1, x2 */

	CHECK_EQ(t.move, ARCH_MOVE_COPY);
	CHECK_EQ(t.to, 1);
	CHECK_EQ(t.from, 2);
	t = a64(0x910003fd);                     /* mov x29, sp */
	CHECK_EQ(t.move, ARCH_MOVE_COPY);
	CHECK_EQ(t.from, 31);
	t = a64(0xd10083ff);                     /* sub sp, sp, #32 */
	CHECK_EQ(t.to, 31);
	CHECK_EQ(t.imm, -32);
	t = a64(0x8b020020);                     /* add x0, x1, x2 */
	CHECK_EQ(t.move, ARCH_MOVE_SUM);
	CHECK_EQ(t.from2, 2);
	t = a64(0xd5384113);                     /* mrs x19, sp_el0 */
	CHECK_EQ(t.move, ARCH_MOVE_TASK);
	CHECK_EQ(t.to, 19);
	t = a64(0xeb01001f);                     /* cmp x0, x1 */
	CHECK_EQ(t.to, NO);
	t = a64(0x2a0203e1);                     /* mov w1, w2: no pointer any more */
	CHECK_EQ(t.move, ARCH_MOVE_NONE);
	CHECK_EQ(t.to, 1);
}

static uint32_t next_random(uint32_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 17;
	return *x ^= *x << 5;
}

/* What the text has in its brackets: "[x1", and "#8" where the base alone is not all. */
static bool says_base(const char *text, const struct arch_touch *t)
{
	char base[8];
	const char *x = strstr(text, "[x"), *at = x ? x : strstr(text, "[sp");

	snprintf(base, sizeof(base), t->base == 31 ? "sp" : "x%u", t->base);
	return at && !strncmp(at + 1, base, strlen(base)) && (at[1 + strlen(base)] < '0' || at[1 + strlen(base)] > '9');
}

static bool says_offset(const char *text, const struct arch_touch *t)
{
	char off[32];
	int64_t by = t->off ? t->off : t->step;

	if (!by)
		return true;
	snprintf(off, sizeof(off), "#%lld", (long long)by);

	const char *at = strstr(text, off);

	return at && (at[strlen(off)] < '0' || at[strlen(off)] > '9');
}

/* Instructions whose brackets are not one access of the general kind. */
static bool is_special(const char *text)
{
	static const char *const names[] = { "prf", "st2g", "stg", "stz", "ldg", "irg", "cpy", "set",
					    "ld64", "st64" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(text, names[i], strlen(names[i])))
			return true;
	return strstr(text, "\tz") || strstr(text, "{z") || strstr(text, "\tp");
}

TEST(a64_touches_are_those_that_the_disassembler_writes)
{
	struct arch_disasm_memo memo = { 0 };
	uint32_t x = 0x2545f491;
	unsigned seen = 0;

	for (unsigned i = 0; i < WORDS; i++) {
		/* Half of them loads and stores. */
		uint32_t w = i & 1 ? (next_random(&x) & ~0x0a000000u) | 0x08000000 : next_random(&x);
		const uint8_t bytes[4] = { (uint8_t)w, (uint8_t)(w >> 8), (uint8_t)(w >> 16), (uint8_t)(w >> 24) };
		char text[ARCH_DISASM_TEXT];
		struct arch_disasm d = { .text = text };
		struct arch_touch t = a64(w);

		if (!arch_disasm_of(&arch_aarch64)(bytes, 4, AT, &memo, &d) || d.is_unknown || is_special(d.text))
			continue;
		if (!strchr(d.text, '[') && t.base == NO)
			continue;
		/* Elements of vectors have brackets, too. */
		if (strchr(d.text, '[') && t.base == NO && !strstr(d.text, "[x") && !strstr(d.text, "[sp"))
			continue;
		seen++;
		if (!says_base(d.text, &t) || !says_offset(d.text, &t))
			CHECK_STR(d.text, "what touches this base at this offset");
		if (d.kind == ARCH_DISASM_ACCESS && (t.base != d.base || t.off != d.offset))
			CHECK_STR(d.text, "the same base and offset");
	}
	CHECK(seen > WORDS / 10);
}

#define X86(...) touch_of(&arch_x86_64, (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))

/* DWARF's numbers. */
enum { RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R8, R12 = 12, R13 };

TEST(x86_loads_and_stores_tell_base_offset_and_size)
{
	struct arch_touch t = X86(0x48, 0x8b, 0x47, 0x08);                     /* mov 0x8(%rdi),%rax */

	CHECK_EQ(t.move, ARCH_MOVE_LOAD);
	CHECK_EQ(t.base, RDI);
	CHECK_EQ(t.off, 8);
	CHECK_EQ(t.size, 8);
	CHECK_EQ(t.to, RAX);
	t = X86(0x89, 0x54, 0x24, 0x0c);                                       /* mov %edx,0xc(%rsp) */
	CHECK_EQ(t.move, ARCH_MOVE_STORE);
	CHECK_EQ(t.base, RSP);
	CHECK_EQ(t.index, NO);
	CHECK_EQ(t.off, 12);
	CHECK_EQ(t.from, RDX);
	t = X86(0x48, 0x8b, 0x1d, 0x10, 0x00, 0x00, 0x00);                     /* mov 0x10(%rip),%rbx */
	CHECK_EQ(t.base, NO);
	CHECK_EQ(t.address, AT + 7 + 0x10);
	t = X86(0x48, 0x8b, 0x44, 0xca, 0x18);                                 /* mov 0x18(%rdx,%rcx,8),%rax */
	CHECK_EQ(t.base, RDX);
	CHECK_EQ(t.index, RCX);
	CHECK_EQ(t.scale, 3);
	CHECK_EQ(t.off, 24);
	t = X86(0x83, 0x47, 0x10, 0x01);                                       /* addl $0x1,0x10(%rdi) */
	CHECK_EQ(t.access, ARCH_READS | ARCH_WRITES);
	CHECK_EQ(t.size, 4);
	t = X86(0x0f, 0xb6, 0x06);                                             /* movzbl (%rsi),%eax */
	CHECK_EQ(t.size, 1);
	CHECK_EQ(t.base, RSI);
	CHECK(t.lost >> RAX & 1);
	t = X86(0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0x00, 0x00, 0x00);         /* mov %fs:0x28,%rax */
	CHECK(t.of_thread);
	CHECK_EQ(t.off, 0x28);
	t = X86(0x65, 0x48, 0x8b, 0x04, 0x25, 0x28, 0x00, 0x00, 0x00);         /* mov %gs:0x28,%rax */
	CHECK(t.of_thread);
	CHECK_EQ(t.off, 0x28);
	t = X86(0x65, 0x8b, 0x04, 0x25, 0x00, 0xf6, 0x01, 0x00);               /* mov %gs:0x1f600,%eax */
	CHECK(!t.of_thread);
	CHECK_EQ(t.base, NO);
	CHECK_EQ(t.address, 0x1f600);
	t = X86(0x65, 0x48, 0x8b, 0x05, 0x10, 0x00, 0x00, 0x00);               /* mov %gs:0x10(%rip),%rax */
	CHECK_EQ(t.base, NO);
	CHECK_EQ(t.address, AT + 8 + 0x10);
	t = X86(0x65, 0x48, 0x8b, 0x40, 0x10);                                 /* mov %gs:0x10(%rax),%rax */
	CHECK_EQ(t.base, NO);
	CHECK_EQ(t.address, 0);
	t = X86(0x64, 0x48, 0x8b, 0x04, 0x25, 0xf8, 0xff, 0xff, 0xff);         /* mov %fs:-8,%rax */
	CHECK(t.of_thread);
	CHECK_EQ(t.off, -8);
	CHECK_EQ(t.address, 0);
	t = X86(0x41, 0x54);                                                   /* push %r12 */
	CHECK_EQ(t.access, ARCH_WRITES | ARCH_PUSHES);
	CHECK_EQ(t.from, R12);
	CHECK_EQ(t.step, -8);
	t = X86(0x49, 0x8b, 0x45, 0x00);                                       /* mov 0x0(%r13),%rax */
	CHECK_EQ(t.base, R13);
}

TEST(x86_moves_and_sums_tell_their_registers)
{
	struct arch_touch t = X86(0x48, 0x89, 0xfb);                           /* mov %rdi,%rbx */

	CHECK_EQ(t.move, ARCH_MOVE_COPY);
	CHECK_EQ(t.to, RBX);
	CHECK_EQ(t.from, RDI);
	CHECK_EQ(t.access, 0);
	t = X86(0x48, 0x8d, 0x44, 0x24, 0x20);                                 /* lea 0x20(%rsp),%rax */
	CHECK_EQ(t.move, ARCH_MOVE_COPY);
	CHECK_EQ(t.from, RSP);
	CHECK_EQ(t.imm, 32);
	CHECK_EQ(t.access, 0);
	t = X86(0x48, 0x8d, 0x05, 0x10, 0x00, 0x00, 0x00);                     /* lea 0x10(%rip),%rax */
	CHECK_EQ(t.move, ARCH_MOVE_ADDRESS);
	CHECK_EQ(t.address, AT + 7 + 0x10);
	t = X86(0x48, 0x83, 0xec, 0x18);                                       /* sub $0x18,%rsp */
	CHECK_EQ(t.move, ARCH_MOVE_COPY);
	CHECK_EQ(t.to, RSP);
	CHECK_EQ(t.imm, -24);
	t = X86(0x31, 0xc0);                                                   /* xor %eax,%eax */
	CHECK(t.lost >> RAX & 1);
	t = X86(0x48, 0x01, 0xd8);                                             /* add %rbx,%rax */
	CHECK_EQ(t.move, ARCH_MOVE_SUM);
	CHECK_EQ(t.to, RAX);
	t = X86(0xc5, 0xfd, 0x6f, 0x07);                                       /* vmovdqa (%rdi),%ymm0 */
	CHECK_EQ(t.access, ARCH_READS);
	CHECK_EQ(t.base, RDI);
	CHECK_EQ(t.lost, 0);
}
