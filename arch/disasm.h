/*
 * disasm.h - which row of its tables a disassembler has found for which kind of instruction: there are hundreds to look
 * through, and most code is made of few. Zero to begin with, and of one architecture.
 */
#ifndef ARCH_DISASM_H
#define ARCH_DISASM_H

#include "base/base.h"

enum { ARCH_DISASM_MEMO = 512 };

struct arch_disasm_memo {
	uint32_t key[ARCH_DISASM_MEMO];
	uint16_t row[ARCH_DISASM_MEMO];
};

/* Of a key: its row plus one, or 0, to be set by who finds it. */
static inline uint16_t *arch_disasm_memo_row(struct arch_disasm_memo *m, uint32_t key)
{
	uint32_t slot = key * 0x9e3779b1u >> 16 & (ARCH_DISASM_MEMO - 1);

	if (m->key[slot] != key) {
		m->key[slot] = key;
		m->row[slot] = 0;
	}
	return &m->row[slot];
}

#endif
