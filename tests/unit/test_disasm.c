/*
 * test_disasm.c - single instructions as text. The texts are those of binutils' objdump; tests/host/t_disasm.sh holds
 * whole programs against it.
 */
#include "t.h"

#include "arch/arch.h"
#include "arch/disasm.h"

enum { AT = 0x10000 };

static bool decode(uint32_t w, struct arch_disasm_memo *m, struct arch_disasm *d)
{
	const uint8_t bytes[4] = { (uint8_t)w, (uint8_t)(w >> 8), (uint8_t)(w >> 16), (uint8_t)(w >> 24) };

	memset(d->text, 0xff, ARCH_DISASM_TEXT);
	return arch_disasm_of(&arch_aarch64)(bytes, 4, AT, m, d);
}

static const struct {
	uint32_t w;
	const char *text;
} known[] = {
	{ 0xd503201f, "nop" },
	{ 0xd65f03c0, "ret" },
	{ 0x910003fd, "mov\tx29, sp" },
	{ 0xa9bf7bfd, "stp\tx29, x30, [sp, #-16]!" },
	{ 0x52955566, "mov\tw6, #0xaaab" },
	{ 0x3200f3e5, "mov\tw5, #0x55555555" },
	{ 0x531d7000, "lsl\tw0, w0, #3" },
	{ 0x92401402, "and\tx2, x0, #0x3f" },
	{ 0xf100041f, "cmp\tx0, #0x1" },
	{ 0x93407c00, "sxtw\tx0, w0" },
	{ 0x1a9f17e0, "cset\tw0, eq" },
	{ 0xb8627883, "ldr\tw3, [x4, x2, lsl #2]" },
	{ 0x54fffec1, "b.ne\tffd8" },
	{ 0xf8e00041, "ldaddal\tx0, x1, [x2]" },
	{ 0xb8200022, "ldadd\tw0, w2, [x1]" },
	{ 0xc85ffc20, "ldaxr\tx0, [x1]" },
	{ 0x1ac04000, "crc32b\tw0, w0, w0" },
	{ 0xd53bd040, "mrs\tx0, tpidr_el0" },
	{ 0xd50b7e20, "dc\tcivac, x0" },
	{ 0xd5033bbf, "dmb\tish" },
	{ 0xd503233f, "paciasp" },
	{ 0x1e601000, "fmov\td0, #2.000000000000000000e+00" },
	{ 0x4e284800, "aese\tv0.16b, v0.16b" },
	{ 0x4c402020, "ld1\t{v0.16b-v3.16b}, [x1]" },
	{ 0x6f00e400, "movi\tv0.2d, #0x0" },
	{ 0x6e211c00, "eor\tv0.16b, v0.16b, v1.16b" },
	{ 0xa400a020, "ld1b\t{z0.b}, p0/z, [x1]" },
	{ 0x25221ce1, "whilelo\tp1.b, x7, x2" },
	{ 0x00000000, "udf\t#0" },
	{ 0xffffffff, ".inst\t0xffffffff ; undefined" },
};

TEST(a64_texts_are_objdumps)
{
	struct arch_disasm_memo memo = { 0 };
	char text[ARCH_DISASM_TEXT];
	struct arch_disasm d = { .text = text };

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		CHECK(decode(known[i].w, &memo, &d));
		CHECK_STR(d.text, known[i].text);
	}
}

TEST(a64_texts_name_what_addresses_mean)
{
	struct arch_disasm_memo memo = { 0 };
	char text[ARCH_DISASM_TEXT];
	struct arch_disasm d = { .text = text };

	decode(0x97fffff2, &memo, &d);
	CHECK_EQ(d.kind, ARCH_DISASM_BRANCH);
	CHECK_EQ(d.address, AT - 14 * 4);
	decode(0xf00000e4, &memo, &d);
	CHECK_EQ(d.kind, ARCH_DISASM_PAGE);
	CHECK_EQ(d.address, AT + (31 << 12));
	CHECK_EQ(d.reg, 4);
	decode(0x913fc084, &memo, &d);
	CHECK_EQ(d.kind, ARCH_DISASM_ADD);
	CHECK_EQ(d.base, 4);
	CHECK_EQ(d.offset, 0xff0);
	decode(0xb94fe800, &memo, &d);
	CHECK_EQ(d.kind, ARCH_DISASM_ACCESS);
	CHECK_EQ(d.offset, 4072);
	decode(0x58000040, &memo, &d);
	CHECK_EQ(d.kind, ARCH_DISASM_LITERAL);
	CHECK_EQ(d.address, AT + 8);
	decode(0xffffffff, &memo, &d);
	CHECK(d.is_unknown);
}

TEST(a64_that_is_cut_has_no_text)
{
	const uint8_t bytes[3] = { 0x1f, 0x20, 0x03 };
	struct arch_disasm_memo memo = { 0 };
	char text[ARCH_DISASM_TEXT];
	struct arch_disasm d = { .text = text };

	CHECK(!arch_disasm_of(&arch_aarch64)(guard_dup(bytes, 3), 3, AT, &memo, &d));
}

/* Of any word: printed characters, one tab at most, an end. */
TEST(a64_texts_of_any_word_end)
{
	struct arch_disasm_memo memo = { 0 };
	char text[ARCH_DISASM_TEXT];
	struct arch_disasm d = { .text = text };
	uint32_t w = 1;

	for (unsigned i = 0; i < 200000; i++) {
		size_t n;

		w = w * 1664525 + 1013904223;
		decode(w ^ w >> 16, &memo, &d);
		n = strnlen(d.text, sizeof(text));
		CHECK_EQ(d.n_text, n);
		CHECK(n > 2 && n < sizeof(text) - 1);
		CHECK_EQ(strcspn(d.text, "ABDEFGHIJKLMNOPQRSTUVWXYZ\n"), n);
	}
}

/* --- x86-64 --- */

static const struct {
	const char *bytes;
	uint8_t n;
	const char *text;
} x86[] = {
	{ "\x55", 1, "push   %rbp" },
	{ "\x48\x89\xe5", 3, "mov    %rsp,%rbp" },
	{ "\x48\x83\xe4\xf0", 4, "and    $0xfffffffffffffff0,%rsp" },
	{ "\xc7\x45\xfc\x00\x00\x00\x00", 7, "movl   $0x0,-0x4(%rbp)" },
	{ "\x8b\x04\x8d\x10\x00\x00\x00", 7, "mov    0x10(,%rcx,4),%eax" },
	{ "\x64\x48\x8b\x04\x25\x28\x00\x00\x00", 9, "mov    %fs:0x28,%rax" },
	{ "\x48\x8d\x05\x10\x00\x00\x00", 7, "lea    0x10(%rip),%rax        # 10017" },
	{ "\x74\xfe", 2, "je     10000" },
	{ "\xff\x25\x08\x00\x00\x00", 6, "jmp    *0x8(%rip)        # 1000e" },
	{ "\x3e\xff\xe0", 3, "notrack jmp *%rax" },
	{ "\xf0\x48\x0f\xb1\x0e", 5, "lock cmpxchg %rcx,(%rsi)" },
	{ "\xf3\x48\xab", 3, "rep stos %rax,%es:(%rdi)" },
	{ "\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00", 10, "cs nopw 0x0(%rax,%rax,1)" },
	{ "\x0f\xb6\xc0", 3, "movzbl %al,%eax" },
	{ "\x40\x0f\x94\xc6", 4, "sete   %sil" },
	{ "\x49\xbb\x88\x77\x66\x55\x44\x33\x22\x11", 10, "movabs $0x1122334455667788,%r11" },
	{ "\xf3\x0f\x1e\xfa", 4, "endbr64" },
	{ "\x66\x0f\xef\xc0", 4, "pxor   %xmm0,%xmm0" },
	{ "\xf3\x48\x0f\x2a\xc1", 5, "cvtsi2ss %rcx,%xmm0" },
	{ "\xc5\xfd\x74\xca", 4, "vpcmpeqb %ymm2,%ymm0,%ymm1" },
	{ "\xc4\xe2\xe0\xf2\xc8", 5, "andn   %rax,%rbx,%rcx" },
	{ "\xde\xc9", 2, "fmulp  %st,%st(1)" },
	{ "\x62\xf1\xfe\x48\x6f\x00", 6, ".byte  0x62,0xf1,0xfe,0x48,0x6f,0x00" },
	{ "\x06", 1, "(bad)" },
};

TEST(x86_texts_and_lengths_are_objdumps)
{
	struct arch_disasm_memo memo = { 0 };
	char text[ARCH_DISASM_TEXT];
	struct arch_disasm d = { .text = text };

	for (size_t i = 0; i < ARRAY_SIZE(x86); i++) {
		memset(text, 0xff, sizeof(text));
		CHECK(arch_disasm_of(&arch_x86_64)(guard_dup(x86[i].bytes, x86[i].n), x86[i].n, AT, &memo, &d));
		CHECK_STR(d.text, x86[i].text);
		CHECK_EQ(d.len, x86[i].n);
		CHECK_EQ(d.is_unknown, i + 2 >= ARRAY_SIZE(x86));
	}
}

TEST(x86_texts_name_what_addresses_mean)
{
	struct arch_disasm_memo memo = { 0 };
	char text[ARCH_DISASM_TEXT];
	struct arch_disasm d = { .text = text };

	arch_disasm_of(&arch_x86_64)((const uint8_t *)"\xe8\x00\x01\x00\x00", 5, AT, &memo, &d);
	CHECK_EQ(d.kind, ARCH_DISASM_BRANCH);
	CHECK_EQ(d.address, AT + 5 + 0x100);
	arch_disasm_of(&arch_x86_64)((const uint8_t *)"\x8b\x05\x10\x00\x00\x00", 6, AT, &memo, &d);
	CHECK_EQ(d.kind, ARCH_DISASM_LITERAL);
	CHECK_EQ(d.address, AT + 6 + 0x10);
	CHECK(!arch_disasm_of(&arch_x86_64)(guard_dup("", 0), 0, AT, &memo, &d));
}

/* Of any bytes: a text that ends, as long as what probes take it for, and nothing behind it is read. */
TEST(x86_texts_of_any_bytes_end)
{
	struct arch_disasm_memo memo = { 0 };
	char text[ARCH_DISASM_TEXT];
	struct arch_disasm d = { .text = text };
	struct arch_insn insn;
	uint8_t p[16];
	uint32_t w = 1;

	for (unsigned i = 0; i < 200000; i++) {
		size_t n;

		for (size_t k = 0; k < sizeof(p); k++) {
			w = w * 1664525 + 1013904223;
			p[k] = (uint8_t)(w >> 24);
		}
		CHECK(arch_disasm_of(&arch_x86_64)(p, sizeof(p), AT, &memo, &d));
		n = strnlen(d.text, sizeof(text));
		CHECK_EQ(d.n_text, n);
		CHECK(n > 2 && n < sizeof(text) - 1);
		CHECK_EQ(d.len, arch_x86_64.insn(p, sizeof(p), AT, &insn) ? insn.len : 1);
	}
}

/* What others before it were makes no difference. */
static void check_fresh(const struct arch *a, const uint8_t p[16], struct arch_disasm_memo *used)
{
	struct arch_disasm_memo fresh = { 0 };
	char text[2][ARCH_DISASM_TEXT];
	struct arch_disasm d = { .text = text[0] }, alone = { .text = text[1] };

	CHECK(arch_disasm_of(a)(p, 16, AT, used, &d));
	CHECK(arch_disasm_of(a)(p, 16, AT, &fresh, &alone));
	CHECK_STR(d.text, alone.text);
	CHECK_EQ(d.kind, alone.kind);
	CHECK_EQ(d.len, alone.len);
}

TEST(texts_do_not_depend_on_what_was_read_before)
{
	struct arch_disasm_memo a64 = { 0 }, x64 = { 0 };
	uint32_t w = 7;
	uint8_t p[16];

	for (unsigned i = 0; i < 30000; i++) {
		for (size_t k = 0; k < sizeof(p); k++) {
			w = w * 1664525 + 1013904223;
			p[k] = (uint8_t)(w >> 24);
		}
		check_fresh(&arch_aarch64, p, &a64);
		check_fresh(&arch_x86_64, p, &x64);
	}
}
