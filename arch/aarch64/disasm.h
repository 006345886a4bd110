/*
 * disasm.h - shared by the files of the A64 disassembler: functions that print the pieces of an instruction's text.
 *
 * The text of a table row is copied, except for tokens: a capital letter and the character behind it. A token prints
 * something, or is a condition and prints nothing. Its function returns false if the token does not fit the
 * instruction; then the next matching row is tried. That implements preferred aliases and reserved values.
 */
#ifndef ARCH_AARCH64_DISASM_H
#define ARCH_AARCH64_DISASM_H

#include "arch/arch.h"

struct line {
	uint32_t w;		/* the instruction */
	uint64_t addr;
	struct arch_disasm *d;
	size_t n;		/* bytes written to d->text */
};

void put_char(struct line *l, char c);
void put_text(struct line *l, const char *s);
void put_dec(struct line *l, int64_t v);
void put_hex(struct line *l, uint64_t v);		/* without 0x */
void put_imm(struct line *l, uint64_t v);		/* #0x1f */
void put_num(struct line *l, int64_t v);		/* #-31 */
void put_zero_hex(struct line *l, uint32_t v, unsigned width);
void put_name(struct line *l, char class, unsigned number);	/* "x7", "xzr" */
void put_sep(struct line *l);				/* ", " */
bool put_expanded(struct line *l, const char *text);

static inline uint32_t bits(const struct line *l, unsigned high, unsigned low)
{
	return l->w >> low & (uint32_t)((UINT64_C(2) << (high - low)) - 1);
}

static inline int64_t signed_bits(const struct line *l, unsigned high, unsigned low)
{
	return (int32_t)(l->w << (31 - high)) >> (31 - high + low);
}

/* Each prints or checks one token of its class; `what` is the token's second character. */
bool disasm_imm(struct line *l, char what);
bool disasm_condition(struct line *l, char what);
bool disasm_mem(struct line *l, char what);
bool disasm_list(struct line *l, char what);
bool disasm_arrangement(struct line *l, char what);
bool disasm_element(struct line *l, char what);
bool disasm_modified(struct line *l, char what);
bool disasm_system(struct line *l, char what);

/* Tokens that begin with Z; *text points behind the Z, and is moved behind the token. */
bool disasm_sve(struct line *l, const char **text);
bool disasm_is_mask_move(const struct line *l);

/* DecodeBitMasks() of the Arm ARM, for 64 bits. False: a reserved value. */
bool disasm_bit_mask(unsigned n, unsigned r, unsigned s, uint64_t *mask);

void put_float8(struct line *l, unsigned imm8);

#endif
