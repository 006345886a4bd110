/* test_store.c - what stores are about to write. */
#include "t.h"
#include "arch/arch.h"

/* Bytes by hand from the encodings' tables; each agrees with what objdump makes of it. */
TEST(arm64_stores_tell_what_they_write)
{
	static const struct { uint32_t insn; uint64_t watched, value; uint8_t size; bool may_fail; } stores[] = {
		{ 0xb9000001, 0x1000, 0x00000101, 4, false },   /* str w1, [x0] */
		{ 0xf9000001, 0x1000, 0xaa00000101, 8, false }, /* str x1, [x0] */
		{ 0x39000001, 0x1000, 0x01, 1, false },         /* strb w1, [x0] */
		{ 0x7900001f, 0x1000, 0, 2, false },            /* strh wzr, [x0] */
		{ 0xb8004401, 0x1000, 0x101, 4, false },        /* str w1, [x0], #4 */
		{ 0xf81f8c01, 0x0ff8, 0xaa00000101, 8, false }, /* str x1, [x0, #-8]! */
		{ 0xb8226801, 0x1000, 0x101, 4, false },        /* str w1, [x0, x2] */
		{ 0xa9000801, 0x1000, 0xaa00000101, 8, false }, /* stp x1, x2, [x0] */
		{ 0xa9000801, 0x1008, 0xaa00000102, 8, false },
		{ 0x29000801, 0x1004, 0x102, 4, false },        /* stp w1, w2, [x0] */
		{ 0xa9bf0801, 0x0ff8, 0xaa00000102, 8, false }, /* stp x1, x2, [x0, #-16]! */
		{ 0xa8810801, 0x1000, 0xaa00000101, 8, false }, /* stp x1, x2, [x0], #16 */
		{ 0x889ffc01, 0x1000, 0x101, 4, false },        /* stlr w1, [x0] */
		{ 0x88037c01, 0x1000, 0x101, 4, true },         /* stxr w3, w1, [x0] */
		{ 0xc8230801, 0x1008, 0xaa00000102, 8, true },  /* stxp w3, x1, x2, [x0] */
		{ 0xb8218002, 0x1000, 0x101, 4, false },        /* swp w1, w2, [x0] */
		{ 0x88e1fc02, 0x1000, 0x102, 4, true },         /* casal w1, w2, [x0] */
	};
	static const uint32_t others[] = {
		0xb9400001,   /* ldr w1, [x0] */
		0xb8610002,   /* ldaddl w1, w2, [x0]: the sum */
		0x3d800001,   /* str q1, [x0] */
		0xa9400801,   /* ldp x1, x2, [x0] */
		0x085f7c01,   /* ldxrb w1, [x0] */
		0xd503201f,   /* nop */
		0x69000801,   /* stgp */
	};
	uint64_t regs[33] = { 0x1000 };
	struct arch_store s;

	for (unsigned i = 1; i < 33; i++)
		regs[i] = UINT64_C(0xaa00000100) + i;
	CHECK(!arch_store_of(&arch_x86_64));
	for (size_t i = 0; i < ARRAY_SIZE(stores); i++) {
		CHECK(arch_store_of(&arch_aarch64)((const uint8_t *)&stores[i].insn, 4, regs, stores[i].watched, &s));
		CHECK_EQ(s.value, stores[i].value);
		CHECK_EQ(s.size, stores[i].size);
		CHECK_EQ(s.may_fail, stores[i].may_fail);
	}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		CHECK(!arch_store_of(&arch_aarch64)((const uint8_t *)&others[i], 4, regs, 0x1000, &s));
	CHECK(!arch_store_of(&arch_aarch64)((const uint8_t *)&stores[0].insn, 3, regs, 0x1000, &s));
}
