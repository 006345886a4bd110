/* store.c - what an A64 instruction that stores is about to write: Arm ARM, C4.1 "Loads and stores". */
#include "arch/aarch64/parts.h"

enum { SP = 31 };

/* Number 31 is zero as what is stored, and the stack pointer as a base. */
static uint64_t stored(const uint64_t *regs, unsigned reg)
{
	return reg == SP ? 0 : regs[reg];
}

static bool is(uint32_t insn, uint32_t mask, uint32_t value)
{
	return (insn & mask) == value;
}

static bool one(struct arch_store *s, const uint64_t *regs, uint32_t insn, unsigned reg)
{
	s->size = (uint8_t)(1u << (insn >> 30));
	s->value = stored(regs, reg);
	if (s->size < 8)
		s->value &= (UINT64_C(1) << s->size * 8) - 1;
	return true;
}

/* The one of two registers that goes to `watched`. */
static bool pair(struct arch_store *s, const uint64_t *regs, uint32_t insn, uint64_t at, uint8_t size, uint64_t watched)
{
	unsigned first = insn & 31, second = insn >> 10 & 31;

	if (watched - at >= 2u * size)
		return false;
	s->size = size;
	s->value = stored(regs, watched - at < size ? first : second);
	if (size < 8)
		s->value &= UINT32_MAX;
	return true;
}

static bool store_pair(struct arch_store *s, const uint64_t *regs, uint32_t insn, uint64_t watched)
{
	uint8_t size = insn >> 31 ? 8 : 4;
	int64_t off = ((int32_t)(insn << 10) >> 25) * size;
	bool behind = (insn >> 23 & 3) == 1;   /* the base moves afterwards */
	uint64_t base = regs[insn >> 5 & 31];

	/* 01: allocation tags. */
	if (insn >> 30 & 1)
		return false;
	return pair(s, regs, insn, behind ? base : base + (uint64_t)off, size, watched);
}

/* Exclusive, and with release: one register, or two. */
static bool store_ordered(struct arch_store *s, const uint64_t *regs, uint32_t insn, uint64_t watched)
{
	bool plain = insn >> 23 & 1, two = insn >> 21 & 1;

	s->may_fail = !plain;
	if (!two)
		return one(s, regs, insn, insn & 31);
	/* CASP stands at the same place. */
	if (plain || !(insn >> 31))
		return false;
	return pair(s, regs, insn, regs[insn >> 5 & 31], insn >> 30 & 1 ? 8 : 4, watched);
}

bool arch_aarch64_store(const uint8_t *p, size_t n, const uint64_t *regs, uint64_t watched, struct arch_store *s)
{
	uint32_t insn;

	*s = (struct arch_store){ 0 };
	if (n < 4)
		return false;
	insn = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
	/* str: an offset of 12 bits; of 9 (stur, sttr, with write back); of a register */
	if (is(insn, 0x3fc00000, 0x39000000) || is(insn, 0x3fe00000, 0x38000000) || is(insn, 0x3fe00c00, 0x38200800))
		return one(s, regs, insn, insn & 31);
	/* swp */
	if (is(insn, 0x3f20fc00, 0x38208000))
		return one(s, regs, insn, insn >> 16 & 31);
	/* cas */
	if (is(insn, 0x3fa07c00, 0x08a07c00)) {
		s->may_fail = true;
		return one(s, regs, insn, insn & 31);
	}
	if (is(insn, 0x3e400000, 0x28000000))
		return store_pair(s, regs, insn, watched);
	if (is(insn, 0x3f400000, 0x08000000))
		return store_ordered(s, regs, insn, watched);
	return false;
}
