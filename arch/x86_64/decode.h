/*
 * decode.h - split an x86 instruction of 64-bit code into its fields, without interpreting them: for probes (insn.c)
 * and the disassembler (disasm.c).
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

/* Bits of the REX prefix, or of what VEX, EVEX and XOP have in its place. */
enum { X86_W = 8, X86_R = 4, X86_X = 2, X86_B = 1 };

struct x86_code {
	unsigned prefixes;        /* x86_prefix */
	enum x86_map map;
	uint8_t len;
	uint8_t n_legacy;         /* number of legacy prefixes */
	uint8_t op, modrm, sib;
	uint8_t rex;
	uint8_t vector;           /* the first byte of the VEX, EVEX or XOP prefix; 0: none */
	uint8_t vvvv, wide, pp;   /* of that prefix; wide: 256 bits; pp: 0 none, 1 66, 2 f3, 3 f2 */
	bool has_modrm, has_sib;
	int32_t disp;
	int64_t imm;              /* sign-extended; the first one, if there are two */
	uint8_t imm2;
};

/* Decode the instruction at p, where n bytes are left. False: invalid or truncated. */
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
