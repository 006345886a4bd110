/*
 * disasm.h - a disassembler's cache: the first table row that can match an instruction with given key bits. Tables have
 * hundreds of rows, but most code consists of few kinds of instructions. Starts zeroed; one cache per architecture.
 */
#ifndef ARCH_DISASM_H
#define ARCH_DISASM_H

#include "base/base.h"

enum { ARCH_DISASM_MEMO = 512 };

struct arch_disasm_memo {
	uint32_t key[ARCH_DISASM_MEMO];
	uint16_t row[ARCH_DISASM_MEMO];
};

/* The cache entry of a key: row number plus one, or 0, which the caller is to fill in. */
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
