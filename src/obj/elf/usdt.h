/*
 * usdt.h - static markers of a program (USDT, sys/sdt.h): notes "stapsdt" of type 3 in .note.stapsdt. Operands are
 * parsed by arch.h's arch_usdt.
 */
#ifndef OBJ_ELF_USDT_H
#define OBJ_ELF_USDT_H

#include "base/str.h"
#include "obj/elf/elf.h"

struct usdt {
	const char *provider, *name, *args;   /* borrowed; args as written: "4@w0 -8@[sp, 16]" */
	uint64_t pc, semaphore;               /* addresses in the file, corrected for prelink; semaphore 0: none */
	uint64_t offset, semaphore_offset;    /* file offsets */
};

/* Call `each` for all markers until it returns non-zero, which is passed on. Malformed ones are skipped and counted. */
int usdt_each(const struct elf *f, int (*each)(void *arg, const struct usdt *u), void *arg, unsigned *damaged);

/* The next "N@OPERAND" of args: its size, and the operand for arch_usdt. Operands may contain spaces. */
struct usdt_arg {
	int size;           /* bytes; negative: signed */
	bool is_float;
	struct sv operand;
};
bool usdt_next(struct sv *args, struct usdt_arg *a);

#endif
