/*
 * test_disasm.c - single A64 instructions as text. The texts are those of binutils' objdump; tests/host/t_disasm.sh
 * holds whole programs against it.
 */
#include "t.h"

#include "arch/arch.h"

enum { AT = 0x10000 };

static bool decode(uint32_t w, struct arch_disasm *d)
{
	const uint8_t bytes[4] = { (uint8_t)w, (uint8_t)(w >> 8), (uint8_t)(w >> 16), (uint8_t)(w >> 24) };

	memset(d, 0xff, sizeof(*d));
	return arch_disasm_of(&arch_aarch64)(bytes, 4, AT, d);
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
	struct arch_disasm d;

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		CHECK(decode(known[i].w, &d));
		CHECK_STR(d.text, known[i].text);
	}
}

TEST(a64_texts_name_what_addresses_mean)
{
	struct arch_disasm d;

	decode(0x97fffff2, &d);
	CHECK_EQ(d.kind, ARCH_DISASM_BRANCH);
	CHECK_EQ(d.address, AT - 14 * 4);
	decode(0xf00000e4, &d);
	CHECK_EQ(d.kind, ARCH_DISASM_PAGE);
	CHECK_EQ(d.address, AT + (31 << 12));
	CHECK_EQ(d.reg, 4);
	decode(0x913fc084, &d);
	CHECK_EQ(d.kind, ARCH_DISASM_ADD);
	CHECK_EQ(d.base, 4);
	CHECK_EQ(d.offset, 0xff0);
	decode(0xb94fe800, &d);
	CHECK_EQ(d.kind, ARCH_DISASM_ACCESS);
	CHECK_EQ(d.offset, 4072);
	decode(0x58000040, &d);
	CHECK_EQ(d.kind, ARCH_DISASM_LITERAL);
	CHECK_EQ(d.address, AT + 8);
	decode(0xffffffff, &d);
	CHECK(d.is_unknown);
}

TEST(a64_that_is_cut_has_no_text)
{
	const uint8_t bytes[3] = { 0x1f, 0x20, 0x03 };
	struct arch_disasm d;

	CHECK(!arch_disasm_of(&arch_aarch64)(guard_dup(bytes, 3), 3, AT, &d));
	CHECK(!arch_disasm_of(&arch_x86_64));
}

/* Of any word: printed characters, one tab at most, an end. */
TEST(a64_texts_of_any_word_end)
{
	struct arch_disasm d;
	uint32_t w = 1;

	for (unsigned i = 0; i < 200000; i++) {
		size_t n;

		w = w * 1664525 + 1013904223;
		decode(w ^ w >> 16, &d);
		n = strnlen(d.text, sizeof(d.text));
		CHECK(n > 2 && n < sizeof(d.text) - 1);
		CHECK_EQ(strcspn(d.text, "ABDEFGHIJKLMNOPQRSTUVWXYZ\n"), n);
	}
}
