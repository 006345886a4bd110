/*
 * touch.c - which memory an A64 instruction accesses, and how it moves values between registers: Arm ARM, C4.1. An
 * instruction that is not decoded here counts as one that overwrites Rd, bits 4-0, where results go.
 */
#include "arch/aarch64/parts.h"

enum { SIZE = 4, SP = 31, FIELD = 31 };

static bool is(uint32_t w, uint32_t mask, uint32_t value)
{
	return (w & mask) == value;
}

static unsigned field(uint32_t w, unsigned low)
{
	return w >> low & FIELD;
}

static int64_t signed_bits(uint32_t w, unsigned high, unsigned low)
{
	return (int32_t)(w << (31 - high)) >> (31 - high + low);
}

/* A register as data: number 31 is the zero register. (As a base or address it is sp.) */
static uint8_t data(uint32_t w, unsigned low)
{
	unsigned reg = field(w, low);

	return reg == SP ? ARCH_NO_REG : (uint8_t)reg;
}

static void lose(struct arch_touch *t, unsigned reg)
{
	if (reg < SP)
		t->lost |= 1u << reg;
}

/* --- memory --- */

static void access(struct arch_touch *t, uint32_t w, unsigned how, unsigned size)
{
	t->access = (uint8_t)how;
	t->base = (uint8_t)field(w, 5);
	t->size = (uint8_t)size;
}

/* Rt is loaded or stored. */
static void transfer(struct arch_touch *t, uint32_t w, bool is_vector)
{
	bool load = t->access & ARCH_READS;

	if (is_vector)
		return;
	t->move = load ? ARCH_MOVE_LOAD : ARCH_MOVE_STORE;
	*(load ? &t->to : &t->from) = data(w, 0);
}

/* mode 01: post-index, 11: pre-index, others: plain offset. */
static void move_base(struct arch_touch *t, unsigned mode, int64_t by)
{
	t->step = mode & 1 ? by : 0;
	t->off = mode == 1 ? 0 : by;
}

static void pair(struct arch_touch *t, uint32_t w)
{
	unsigned opc = w >> 30, mode = w >> 23 & 3;
	bool is_vector = w >> 26 & 1, load = w >> 22 & 1;
	unsigned size = is_vector ? 4u << opc : opc == 2 ? 8 : 4;

	/* stgp: the offset counts tag granules of 16 bytes. */
	if (!is_vector && opc == 1 && !load)
		size = 8;
	access(t, w, load ? ARCH_READS : ARCH_WRITES, size);
	move_base(t, mode, signed_bits(w, 21, 15) * (!is_vector && opc == 1 && !load ? 16 : (int64_t)size));
	transfer(t, w, is_vector);
	if (t->move == ARCH_MOVE_LOAD)
		t->to2 = data(w, 10);
	else if (t->move == ARCH_MOVE_STORE)
		t->from2 = data(w, 10);
}

/* ldadd and similar, swp, ldapr: Rt is loaded. */
static void atomic(struct arch_touch *t, uint32_t w)
{
	bool only_loads = is(w, 0xf000, 0xc000);

	access(t, w, only_loads ? ARCH_READS : ARCH_READS | ARCH_WRITES, 1u << (w >> 30));
	t->move = ARCH_MOVE_LOAD;
	t->to = data(w, 0);
}

static void register_offset(struct arch_touch *t, uint32_t w, unsigned size)
{
	t->index = data(w, 16);
	t->scale = w >> 12 & 1 ? (uint8_t)__builtin_ctz(size) : 0;
}

/* ldraa, ldrab: the base is authenticated first. */
static void authenticated(struct arch_touch *t, uint32_t w)
{
	int64_t by = (signed_bits(w, 22, 22) * 512 + (w >> 12 & 511)) * 8;

	access(t, w, ARCH_READS, 8);
	move_base(t, w >> 11 & 1 ? 3 : 2, by);
	transfer(t, w, false);
}

static void single(struct arch_touch *t, uint32_t w)
{
	unsigned log2 = w >> 30, opc = w >> 22 & 3;
	bool is_vector = w >> 26 & 1, load = is_vector ? opc & 1 : opc != 0;
	unsigned size = is_vector && opc & 2 ? 16 : 1u << log2;

	/* prfm is a hint and no access. */
	if (!is_vector && log2 == 3 && opc == 2)
		return;
	access(t, w, load ? ARCH_READS : ARCH_WRITES, size);
	transfer(t, w, is_vector);
	if (w >> 24 & 1)
		t->off = (int64_t)(w >> 10 & 4095) * size;
	else if (w >> 21 & 1)
		register_offset(t, w, size);
	else
		move_base(t, w >> 10 & 3, signed_bits(w, 20, 12));
}

/* ldxr, stxr, ldar, stlr, cas and their pairs. */
static void ordered(struct arch_touch *t, uint32_t w)
{
	bool plain = w >> 23 & 1, load = w >> 22 & 1, two = w >> 21 & 1;
	bool swaps = two && (plain || !(w >> 31));

	if (swaps) {
		access(t, w, ARCH_READS | ARCH_WRITES, plain ? 1u << (w >> 30) : w >> 30 & 1 ? 8 : 4);
		lose(t, field(w, 16));
		if (!plain)
			lose(t, field(w, 16) + 1);
		return;
	}
	access(t, w, load ? ARCH_READS : ARCH_WRITES, 1u << (w >> 30));
	transfer(t, w, false);
	if (two)
		*(load ? &t->to2 : &t->from2) = data(w, 10);
	/* An exclusive store writes its status to Rs. */
	if (!plain && !load)
		lose(t, field(w, 16));
}

/* ldapur, stlur. */
static void unscaled_ordered(struct arch_touch *t, uint32_t w)
{
	unsigned opc = w >> 22 & 3;

	if (w >> 30 == 3 && opc == 2)
		return;
	access(t, w, opc ? ARCH_READS : ARCH_WRITES, 1u << (w >> 30));
	t->off = signed_bits(w, 20, 12);
	transfer(t, w, false);
}

static void literal(struct arch_touch *t, uint32_t w, uint64_t addr)
{
	bool is_vector = w >> 26 & 1;
	unsigned opc = w >> 30;

	if (!is_vector && opc == 3)
		return;
	t->access = ARCH_READS;
	t->address = addr + (uint64_t)(signed_bits(w, 23, 5) * SIZE);
	t->size = is_vector ? (uint8_t)(4u << opc) : opc == 1 ? 8 : 4;
	transfer(t, w, is_vector);
}

/* ld1 to st4: their size is not decoded. */
static void structures(struct arch_touch *t, uint32_t w)
{
	access(t, w, w >> 22 & 1 ? ARCH_READS : ARCH_WRITES, 0);
	if (w >> 23 & 1)
		lose(t, field(w, 5));
}

/* Tag instructions, and memory copies and sets: all registers that they name count as overwritten. */
static void others(struct arch_touch *t, uint32_t w)
{
	lose(t, field(w, 0));
	lose(t, field(w, 5));
	if (is(w, 0x3b200c00, 0x19000400))
		lose(t, field(w, 16));
}

static void memory(struct arch_touch *t, uint32_t w, uint64_t addr)
{
	if (is(w, 0xbe000000, 0x0c000000))
		structures(t, w);
	else if (is(w, 0x3f000000, 0x08000000))
		ordered(t, w);
	else if (is(w, 0x3f200c00, 0x19000000))
		unscaled_ordered(t, w);
	else if (is(w, 0x3b000000, 0x18000000))
		literal(t, w, addr);
	else if (is(w, 0x3a000000, 0x28000000))
		pair(t, w);
	else if (is(w, 0xff200400, 0xf8200400))
		authenticated(t, w);
	else if (is(w, 0x3f200c00, 0x38200000))
		atomic(t, w);
	else if (is(w, 0x3b000000, 0x39000000) || is(w, 0x3b200000, 0x38000000) || is(w, 0x3b200c00, 0x38200800))
		single(t, w);
	else
		others(t, w);
}

/* --- registers --- */

static void add_immediate(struct arch_touch *t, uint32_t w)
{
	int64_t imm = (int64_t)(w >> 10 & 4095) << (w >> 22 & 1 ? 12 : 0);
	bool subtracts = w >> 30 & 1, sets_flags = w >> 29 & 1;

	if (sets_flags && field(w, 0) == SP)
		return;
	t->to = (uint8_t)field(w, 0);
	t->move = ARCH_MOVE_COPY;
	t->from = (uint8_t)field(w, 5);
	t->imm = subtracts ? -imm : imm;
	if (!(w >> 31))
		t->move = ARCH_MOVE_NONE;
}

static void address(struct arch_touch *t, uint32_t w, uint64_t addr)
{
	int64_t imm = signed_bits(w, 23, 5) * 4 | (w >> 29 & 3);

	t->to = data(w, 0);
	t->move = ARCH_MOVE_ADDRESS;
	t->address = w >> 31 ? (addr & ~UINT64_C(4095)) + ((uint64_t)imm << 12) : addr + (uint64_t)imm;
}

static void immediate(struct arch_touch *t, uint32_t w, uint64_t addr)
{
	if (is(w, 0x1f000000, 0x10000000))
		address(t, w, addr);
	else if (is(w, 0x1f800000, 0x11000000))
		add_immediate(t, w);
	/* Rd 31 is sp for and, orr, eor; for ands it is xzr. */
	else if (is(w, 0x1f800000, 0x12000000) && (w >> 29 & 3) != 3)
		t->to = (uint8_t)field(w, 0);
	else
		t->to = data(w, 0);
}

static void of_two(struct arch_touch *t, uint32_t w, unsigned move, uint8_t from, uint8_t from2)
{
	t->move = (uint8_t)move;
	t->to = data(w, 0);
	t->from = from;
	t->from2 = from2;
}

static void registers(struct arch_touch *t, uint32_t w)
{
	t->to = data(w, 0);
	if (is(w, 0xffe0ffe0, 0xaa0003e0))                   /* mov */
		of_two(t, w, ARCH_MOVE_COPY, data(w, 16), ARCH_NO_REG);
	else if (is(w, 0xffe00000, 0x8b000000))              /* add, lsl */
		of_two(t, w, ARCH_MOVE_SUM, data(w, 5), (w >> 10 & 63) ? ARCH_NO_REG : data(w, 16));
	else if (is(w, 0xffe00000, 0x8b200000)) {            /* add, extended */
		of_two(t, w, ARCH_MOVE_SUM, (uint8_t)field(w, 5), is(w, 0xfc00, 0x6000) ? data(w, 16) : ARCH_NO_REG);
		t->to = (uint8_t)field(w, 0);
	} else if (is(w, 0xffe08000, 0x9b000000) || is(w, 0xff608000, 0x9b200000))   /* madd, smaddl, umaddl */
		of_two(t, w, ARCH_MOVE_SUM, data(w, 10), ARCH_NO_REG);
	else if (is(w, 0xffe00c00, 0x9a800000))              /* csel */
		of_two(t, w, ARCH_MOVE_EITHER, data(w, 5), data(w, 16));
	else if (is(w, 0x7fe00000, 0x4b200000))              /* sub, extended */
		t->to = (uint8_t)field(w, 0);
	else if (is(w, 0x3fe00000, 0x3a400000))              /* ccmp, ccmn */
		t->to = ARCH_NO_REG;
}

static void of_system(struct arch_touch *t, uint32_t w)
{
	if (is(w, 0xffffffe0, 0xd5384100)) {                 /* mrs sp_el0 */
		t->move = ARCH_MOVE_TASK;
		t->to = data(w, 0);
	} else if (is(w, 0xffe00000, 0xd5200000)) {          /* mrs, sysl */
		t->to = data(w, 0);
	} else if (is(w, 0xfffffc1f, 0xd63f0000)) {          /* blr */
		t->move = ARCH_MOVE_CALL;
		t->from = data(w, 5);
	}
}

bool arch_aarch64_touch(const uint8_t *p, size_t n, uint64_t addr, struct arch_touch *t)
{
	uint32_t w;

	*t = (struct arch_touch){
		.len = SIZE, .to = ARCH_NO_REG, .to2 = ARCH_NO_REG, .from = ARCH_NO_REG, .from2 = ARCH_NO_REG,
		.base = ARCH_NO_REG, .index = ARCH_NO_REG,
	};
	if (n < SIZE)
		return false;
	w = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
	switch (w >> 25 & 15) {
	case 0: case 1: case 3:
		break;
	case 8: case 9:
		immediate(t, w, addr);
		break;
	case 10: case 11:
		of_system(t, w);
		break;
	case 4: case 6: case 12: case 14:
		memory(t, w, addr);
		break;
	case 5: case 13:
		registers(t, w);
		break;
	case 7: case 15:
		/* Conversions and moves of elements: the only ones of this group with a general register as result. */
		if (is(w, 0x5f20fc00, 0x1e200000) || is(w, 0x5f200000, 0x1e000000) || is(w, 0xbfe08400, 0x0e000400))
			lose(t, field(w, 0));
		break;
	default:                                             /* SVE, whose element counts go to general registers */
		lose(t, field(w, 0));
	}
	return true;
}
