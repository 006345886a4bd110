/*
 * unwind.h - from the registers and the stack of a thread to its callers, frame by frame: by call frame rules, else by
 * the frame records that x29 (rbp) leads along.
 *
 * Pure: memory and mapped code are asked for by callbacks. Rules that were worked out are kept, so one struct unwind
 * serves many stacks, as long as no module that was asked for goes; it is for one thread. Nothing is allocated once it
 * is made.
 */
#ifndef UNWIND_UNWIND_H
#define UNWIND_UNWIND_H

#include "image/module.h"
#include "unwind/regs.h"

/* What is mapped at an address. */
struct unwind_code {
	struct module *module;     /* NULL: code that no file tells of (JIT) */
	uint64_t bias;             /* run-time address - the file's */
};

struct unwind_process {
	/* 8 bytes of its memory, in this machine's byte order; false: not to be had. */
	bool (*read)(void *arg, uint64_t addr, uint64_t *v);
	/* False: no code is mapped there. */
	bool (*code)(void *arg, uint64_t pc, struct unwind_code *code);
	void *arg;
};

/* How a frame was found: what the one inside of it was left by. */
enum unwind_how {
	UNWIND_SAMPLED,
	UNWIND_RULES,
	UNWIND_LINK,       /* the link register has the return address: a stub, or a leaf without rules */
	UNWIND_RECORD,
	UNWIND_SCAN,       /* the function's code alone */
	UNWIND_SIGNAL,     /* what a signal interrupted */
};

struct unwind_frame {
	uint64_t pc;               /* without authentication bits */
	uint8_t how;               /* enum unwind_how */
	bool returns;              /* a return address: the call stands before it */
};

/* Why there are no more frames. */
enum unwind_end {
	UNWIND_OUTERMOST,          /* the rules, or an empty frame record, say so */
	UNWIND_FULL,               /* there was no room for more */
	UNWIND_UNMAPPED,           /* no code is where the caller should be */
	UNWIND_NO_MEMORY,          /* the stack that was copied ends before what is needed, or a register is missing */
	UNWIND_NO_RULES,           /* neither rules nor a frame record */
	UNWIND_BROKEN,             /* rules that make no sense, or lead back */
	UNWIND_ENDS
};

struct unwind;

struct unwind *unwind_new(const struct arch *arch);   /* NULL: no memory */
void unwind_free(struct unwind *u);

/* The frames of a stack, innermost first: from->pc is the first. How many; *end tells why not more. */
size_t unwind_stack(struct unwind *u, const struct unwind_process *p, const struct unwind_regs *from,
		    struct unwind_frame *f, size_t max, enum unwind_end *end);

/*
 * Does the caller's address lie in the link register, not yet or no more on the stack, where a chain of frame records
 * would miss it? pc: of the innermost frame, in the file's numbers.
 */
bool unwind_caller_in_lr(struct unwind *u, struct module *m, uint64_t pc);

#endif
