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

struct elf;
struct symtab;

/* Add the stubs' symbols to t. How many, or -ENOMEM. */
int plt_add(struct symtab *t, const struct elf *f, struct err *e);

#endif
