/* store.c - which value an A64 store instruction is about to write: Arm ARM, C4.1 "Loads and stores". */
#include "arch/aarch64/parts.h"

enum { SP = 31 };

/* The value of a stored register: there number 31 is zr; as a base it is sp. */
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

/* Take the value of that register of the pair which is stored at `watched`; `at` is the address of the first one. */
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
	bool behind = (insn >> 23 & 3) == 1;   /* post-index: the base changes after the store */
	uint64_t base = regs[insn >> 5 & 31];

	/* opc 01: stgp, which also stores an allocation tag. */
	if (insn >> 30 & 1)
		return false;
	return pair(s, regs, insn, behind ? base : base + (uint64_t)off, size, watched);
}

/* Exclusive stores and store-release, of one register or two. */
static bool store_ordered(struct arch_store *s, const uint64_t *regs, uint32_t insn, uint64_t watched)
{
	bool plain = insn >> 23 & 1, two = insn >> 21 & 1;

	s->may_fail = !plain;
	if (!two)
		return one(s, regs, insn, insn & 31);
	/* CASP has the encoding of the pairs with bit 31 clear. */
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
	/* str: 12-bit offset; 9-bit offset (stur, sttr, pre- and post-index); register offset */
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
