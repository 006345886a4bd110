/*
 * listing.h - disassemble a function, one line per instruction, with names for addresses: branch targets, literals, and
 * the address that an ADRP and the ADD or load after it form together.
 */
#ifndef ANALYSE_LISTING_H
#define ANALYSE_LISTING_H

#include "arch/arch.h"
#include "arch/disasm.h"
#include "base/cursor.h"
#include "image/marks.h"

enum { LISTING_TEXT = 400, LISTING_NAME = 200 };

struct listing_want {
	const struct arch *arch;
	uint64_t addr;              /* of the first byte */
	struct cursor code;
	const struct marks *marks;  /* data among the code; NULL: unknown */
	/* The name of an address, "main+0x10"; false: none. */
	bool (*name)(void *arg, uint64_t addr, char name[LISTING_NAME]);
	void *arg;
	bool raw;                   /* print each instruction's bytes before its text */
};

enum { LISTING_REGISTERS = 32 };

struct listing {
	struct listing_want want;
	arch_disasm_fn *disasm;     /* NULL: no disassembler for this architecture, show words as data */
	uint64_t at;
	uint32_t is_page;                       /* mask of registers that hold the page address of an ADRP */
	uint64_t page[LISTING_REGISTERS];       /* these addresses */
	struct arch_disasm_memo memo;
};

struct listing_line {
	uint64_t addr;
	uint8_t len;
	uint64_t target;            /* branch target; 0: none, or unknown */
	uint16_t n;                 /* bytes of the text */
	char text[LISTING_TEXT];
};

void listing_init(struct listing *l, const struct listing_want *w);

/* False: the end. */
bool listing_next(struct listing *l, struct listing_line *line);

#endif
