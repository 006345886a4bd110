/*
 * plt.h - names for procedure linkage stubs, which have no symbols: `memcpy@plt`.
 *
 * A stub is found by its code: the slot of the global offset table that it jumps through has a
 * relocation with the symbol. So it does not matter how long stubs are (16, or 24 bytes with BTI
 * and PAC) and in which order. Knows aarch64 (.plt, .iplt) and x86_64 (.plt, .plt.sec, .plt.got);
 * needs section headers.
 */
#ifndef IMAGE_PLT_H
#define IMAGE_PLT_H

#include "base/err.h"
#include "obj/elf/elf.h"

struct symtab;

/* Sections of stubs, each a range of addresses; a zeroed one has none. */
enum { PLT_SECTIONS = 8 };
struct plt_code {
	struct elf_range v[PLT_SECTIONS];
	unsigned n;
};

void plt_code_init(struct plt_code *p, const struct elf *f);

/* Is the address in one of them? (Call frame information has a single FDE for each whole section.) */
bool plt_code_has(const struct plt_code *p, uint64_t addr);

/* Add the stubs' symbols to t. Their number, or -ENOMEM. */
int plt_add(struct symtab *t, const struct elf *f, struct err *e);

#endif
