/*
 * unwind.h - unwind a stack, frame by frame, from the registers and the stack of a thread: by call frame information,
 * else by the frame records to which x29 (rbp) points.
 *
 * Pure: memory and code are read by callbacks. Rules are cached, so use one struct unwind for many stacks, as long as
 * the modules stay open; it is not for several threads. No memory is allocated after unwind_new().
 */
#ifndef UNWIND_UNWIND_H
#define UNWIND_UNWIND_H

#include "image/module.h"
#include "unwind/regs.h"

/* What is mapped at an address. */
struct unwind_code {
	struct module *module;     /* NULL: code without a file (JIT) */
	uint64_t bias;             /* run-time address - address in the file */
};

struct unwind_process {
	/* Read 8 bytes of its memory, in the host's byte order; false: not available. */
	bool (*read)(void *arg, uint64_t addr, uint64_t *v);
	/* False: no code is mapped there. */
	bool (*code)(void *arg, uint64_t pc, struct unwind_code *code);
	void *arg;
};

/* How a frame was found: the method by which its callee was unwound. */
enum unwind_how {
	UNWIND_SAMPLED,
	UNWIND_RULES,
	UNWIND_LINK,       /* the link register has the return address: a stub, or a leaf without rules */
	UNWIND_RECORD,
	UNWIND_SCAN,       /* rules derived from the function's instructions */
	UNWIND_SIGNAL,     /* the context that a signal interrupted */
};

struct unwind_frame {
	uint64_t pc;               /* without authentication bits */
	uint8_t how;               /* enum unwind_how */
	bool returns;              /* a return address, so the call is before it */
};

/* Why unwinding stopped. */
enum unwind_end {
	UNWIND_OUTERMOST,          /* the rules, or an empty frame record, say so */
	UNWIND_FULL,               /* the caller's array is full */
	UNWIND_UNMAPPED,           /* no code is mapped at the return address */
	UNWIND_NO_MEMORY,          /* the copy of the stack is too short, or a register is missing */
	UNWIND_NO_RULES,           /* neither rules nor a frame record */
	UNWIND_BROKEN,             /* invalid rules, or a stack pointer that moves backwards */
	UNWIND_ENDS
};

struct unwind;

struct unwind *unwind_new(const struct arch *arch);   /* NULL: no memory */
void unwind_free(struct unwind *u);

/* The frames of a stack, innermost first; the first one is from->pc. Their number; *end: why there are no more. */
size_t unwind_stack(struct unwind *u, const struct unwind_process *p, const struct unwind_regs *from,
		    struct unwind_frame *f, size_t max, enum unwind_end *end);

/*
 * Is the return address in the link register, since the frame record is not set up yet or removed already, so that a
 * chain of frame records misses the caller? pc: of the innermost frame, an address in the file.
 */
bool unwind_caller_in_lr(struct unwind *u, struct module *m, uint64_t pc);

#endif
