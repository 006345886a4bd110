/*
 * listing.h - the code of a function as lines of text, one instruction each, with what its addresses are called:
 * targets of branches, literals, and what the two halves adrp and add, or adrp and a load, name together.
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
	const struct marks *marks;  /* constants among the code; NULL: nothing is known */
	/* What an address is called, "main+0x10"; false: nothing is there. */
	bool (*name)(void *arg, uint64_t addr, char name[LISTING_NAME]);
	void *arg;
	bool raw;                   /* its bytes in front of each text, too */
};

enum { LISTING_REGISTERS = 32 };

struct listing {
	struct listing_want want;
	arch_disasm_fn *disasm;     /* NULL: those of that architecture are data here */
	uint64_t at;
	uint32_t is_page;                       /* a bit each: a register has a page since its adrp */
	uint64_t page[LISTING_REGISTERS];
	struct arch_disasm_memo memo;
};

struct listing_line {
	uint64_t addr;
	uint8_t len;
	uint64_t target;            /* where it goes, 0: nowhere, or nobody knows */
	uint16_t n;                 /* bytes of the text */
	char text[LISTING_TEXT];
};

void listing_init(struct listing *l, const struct listing_want *w);

/* False: the end. */
bool listing_next(struct listing *l, struct listing_line *line);

#endif
