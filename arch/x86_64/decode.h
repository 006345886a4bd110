/*
 * decode.h - an x86 instruction in 64-bit code taken apart, without its meaning: for probes (insn.c) and for text
 * (disasm.c).
 */
#ifndef ARCH_X86_64_DECODE_H
#define ARCH_X86_64_DECODE_H

#include "base/base.h"

enum x86_map {
	X86_ONE, X86_0F, X86_0F38, X86_0F3A, X86_EVEX5 = 5, X86_EVEX6 = 6, X86_XOP8 = 8, X86_XOP9, X86_XOPA,
};

enum x86_prefix {
	X86_OPSIZE = 1, X86_ADDR = 2, X86_REPNE = 4,
	X86_LOCK_SEG = 8,   /* lock, es, cs, ss, ds: uprobes refuse them */
	X86_REP = 16, X86_FS = 32, X86_GS = 64,
	X86_REX = 128,
	X86_VECTOR = 256,   /* VEX, EVEX or XOP */
};

/* Of REX, or of what stands for it. */
enum { X86_W = 8, X86_R = 4, X86_X = 2, X86_B = 1 };

struct x86_code {
	unsigned prefixes;        /* x86_prefix */
	enum x86_map map;
	uint8_t len;
	uint8_t n_legacy;         /* of the prefixes that stand in front, but for REX */
	uint8_t op, modrm, sib;
	uint8_t rex;
	uint8_t vector;           /* the first byte of VEX ...; 0: none */
	uint8_t vvvv, wide, pp;   /* of VEX; wide: 256 bits; pp: 0, 66, f3, f2 */
	bool has_modrm, has_sib;
	int32_t disp;
	int64_t imm;              /* sign-extended; of two the first one */
	uint8_t imm2;
};

/* Of n bytes that are left. False: no instruction, or cut. */
bool x86_decode(const uint8_t *p, size_t n, struct x86_code *c);

static inline unsigned x86_mod(const struct x86_code *c)
{
	return c->modrm >> 6;
}

static inline unsigned x86_reg(const struct x86_code *c)
{
	return c->modrm >> 3 & 7;
}

#endif
