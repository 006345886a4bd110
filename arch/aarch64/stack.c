/* stack.c - how an A64 instruction changes the stack pointer, and which registers it saves on the stack. */
#include "arch/aarch64/parts.h"

enum { SP = 31, NOP = (int)0xd503201f };

/* Where the immediate is, and how it changes sp. */
enum form {
	IMMEDIATE,      /* 12 bits from bit 10 on, times 4096 if bit 22 is set; added to sp */
	REDUCES,        /* the same, subtracted from sp */
	PAIR_MOVES,     /* signed, 7 bits from bit 15 on, times 8; pre-index */
	PAIR_BEHIND,    /* the same, post-index */
	PAIR,           /* the same, sp does not change */
	WIDE_MOVES,     /* pre- or post-index, the 7 bits times 16; saves only vector registers, which do not matter */
	ONE_MOVES,      /* signed, 9 bits from bit 12 on, bytes; pre-index */
	ONE_BEHIND,     /* the same, post-index */
	ONE_NEAR,       /* the same, sp does not change */
	ONE,            /* 12 bits from bit 10 on, times 8; sp does not change */
	UNKNOWN,        /* sp changes by an amount that is not known */
};

static const struct rule {
	uint32_t mask, value;
	enum form form;
	bool is_store, is_float;
} rules[] = {
	{ 0xff8003ff, 0x910003ff, IMMEDIATE, false, false },     /* add sp, sp, #n */
	{ 0xff8003ff, 0xd10003ff, REDUCES, false, false },       /* sub sp, sp, #n */
	{ 0xff80001f, 0x9100001f, UNKNOWN, false, false },       /* add sp, x, #n; mov sp, x */
	{ 0xff80001f, 0xd100001f, UNKNOWN, false, false },
	{ 0xffe0001f, 0x8b20001f, UNKNOWN, false, false },       /* add sp, x, x */
	{ 0xffe0001f, 0xcb20001f, UNKNOWN, false, false },       /* sub sp, x, x: alloca */
	{ 0xffc003e0, 0xa98003e0, PAIR_MOVES, true, false },     /* stp x, x, [sp, #n]! */
	{ 0xffc003e0, 0xa90003e0, PAIR, true, false },
	{ 0xffc003e0, 0xa8c003e0, PAIR_BEHIND, false, false },   /* ldp x, x, [sp], #n */
	{ 0xffc003e0, 0x6d8003e0, PAIR_MOVES, true, true },      /* stp d, d, [sp, #n]! */
	{ 0xffc003e0, 0x6cc003e0, PAIR_BEHIND, false, true },
	{ 0xffc003e0, 0xad8003e0, WIDE_MOVES, true, true },      /* stp q, q, [sp, #n]! */
	{ 0xffc003e0, 0xacc003e0, WIDE_MOVES, false, true },
	{ 0xffe00fe0, 0xf8000fe0, ONE_MOVES, true, false },      /* str x, [sp, #n]! */
	{ 0xffe00fe0, 0xf84007e0, ONE_BEHIND, false, false },    /* ldr x, [sp], #n */
	{ 0xffe00fe0, 0xf80003e0, ONE_NEAR, true, false },       /* stur */
	{ 0xffc003e0, 0xf90003e0, ONE, true, false },            /* str x, [sp, #n] */
	{ 0xffe00fe0, 0xfc000fe0, ONE_MOVES, true, true },       /* str d, [sp, #n]! */
	{ 0xffe00fe0, 0xfc4007e0, ONE_BEHIND, false, true },
};

/* The signed number of n bits from bit `from` on. */
static int32_t number(uint32_t insn, unsigned from, unsigned n)
{
	return (int32_t)(insn << (32 - from - n)) >> (32 - n);
}

static void keep(struct arch_stack *s, unsigned reg, int32_t off)
{
	/* As a stored register, number 31 is xzr. */
	if (reg != SP)
		s->saved[s->n_saved++] = (struct arch_saved){ (uint8_t)reg, off };
}

static void pair(struct arch_stack *s, const struct rule *r, uint32_t insn, int32_t off)
{
	if (!r->is_store || r->is_float)
		return;
	keep(s, insn & 31, off);
	keep(s, insn >> 10 & 31, off + 8);
}

static void one(struct arch_stack *s, const struct rule *r, uint32_t insn, int32_t off)
{
	if (r->is_store && !r->is_float)
		keep(s, insn & 31, off);
}

static void apply(struct arch_stack *s, const struct rule *r, uint32_t insn)
{
	int32_t size = (int32_t)(insn >> 10 & 0xfff) << (insn >> 22 & 1 ? 12 : 0);

	switch (r->form) {
	case IMMEDIATE:
		s->change = size;
		break;
	case REDUCES:
		s->change = -size;
		break;
	case PAIR_MOVES:
		s->change = number(insn, 15, 7) * 8;
		pair(s, r, insn, 0);
		break;
	case PAIR_BEHIND:
		s->change = number(insn, 15, 7) * 8;
		break;
	case PAIR:
		pair(s, r, insn, number(insn, 15, 7) * 8);
		break;
	case WIDE_MOVES:
		s->change = number(insn, 15, 7) * 16;
		break;
	case ONE_MOVES:
		s->change = number(insn, 12, 9);
		one(s, r, insn, 0);
		break;
	case ONE_BEHIND:
		s->change = number(insn, 12, 9);
		break;
	case ONE_NEAR:
		one(s, r, insn, number(insn, 12, 9));
		break;
	case ONE:
		one(s, r, insn, (int32_t)(insn >> 10 & 0xfff) * 8);
		break;
	case UNKNOWN:
		s->is_unknown = true;
	}
}

/* What linkers and compilers put between functions: udf #0, nop, brk with any immediate. */
static bool is_padding(uint32_t insn)
{
	return !insn || insn == (uint32_t)NOP || (insn & 0xffe0001f) == 0xd4200000;
}

static bool is_return(uint32_t insn)
{
	return (insn & 0xfffffc1f) == 0xd65f0000 || (insn & 0xfffffbff) == 0xd65f0bff;   /* ret; retaa, retab */
}

struct arch_stack arch_aarch64_stack(const uint8_t *p, size_t n)
{
	struct arch_stack s = { .is_unknown = n < 4 };
	uint32_t insn = n < 4 ? 0 : p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;

	if (s.is_unknown)
		return s;
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		if ((insn & rules[i].mask) != rules[i].value)
			continue;
		/* "add sp, sp, #n" also matches the UNKNOWN rules below it: the first matching rule counts. */
		apply(&s, &rules[i], insn);
		break;
	}
	s.pads = is_padding(insn);
	s.returns = is_return(insn);
	return s;
}
