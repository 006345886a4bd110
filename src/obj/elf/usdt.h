/*
 * usdt.h - markers that a program has for tracers (sys/sdt.h): notes "stapsdt" of type 3 in .note.stapsdt. Operands are
 * arch.h's arch_usdt.
 */
#ifndef OBJ_ELF_USDT_H
#define OBJ_ELF_USDT_H

#include "base/str.h"
#include "obj/elf/elf.h"

struct usdt {
	const char *provider, *name, *args;   /* borrowed; args as written: "4@w0 -8@[sp, 16]" */
	uint64_t pc, semaphore;               /* addresses as in the file, corrected for prelink; semaphore 0: none */
	uint64_t offset, semaphore_offset;    /* in the file */
};

/* All markers, until `each` returns non-zero, which is passed on. Damaged ones are skipped and counted. */
int usdt_each(const struct elf *f, int (*each)(void *arg, const struct usdt *u), void *arg, unsigned *damaged);

/* The next "N@OPERAND" of args: its size, and the operand as arch_usdt takes it. Operands may hold spaces. */
struct usdt_arg {
	int size;           /* bytes; negative: signed */
	bool is_float;
	struct sv operand;
};
bool usdt_next(struct sv *args, struct usdt_arg *a);

#endif
