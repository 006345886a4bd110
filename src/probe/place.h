/*
 * place.h - may a probe be on this instruction? If not, where nearby.
 *
 * The kernel's checks are repeated, to give a reason, and one is added: a uprobe between ldxr and stxr clears the
 * exclusive monitor each time, and the loop never ends.
 */
#ifndef PROBE_PLACE_H
#define PROBE_PLACE_H

#include "arch/arch.h"
#include "base/cursor.h"
#include "base/err.h"

/* A function's code. */
struct place_code {
	const struct arch *arch;
	struct cursor bytes;     /* from `start` on */
	uint64_t start;          /* address of the code */
	bool is_kernel;          /* for a kprobe */
	/* Is there a constant among the code, by symbols? NULL: unknown. */
	bool (*is_data)(const void *arg, uint64_t addr);
	const void *arg;
	bool grows_stack;        /* Go: a jump back to the entry, after growing the stack, is not a loop */
};

enum place_verdict {
	PLACE_GOOD,
	PLACE_UNALIGNED,         /* not at the start of an instruction */
	PLACE_EXCLUSIVE,         /* between an exclusive load and its store */
	PLACE_REFUSED,           /* the kernel refuses this instruction */
	PLACE_OUTSIDE,
	PLACE_DATA,              /* a constant among the code */
};

struct place {
	enum place_verdict verdict;
	uint64_t near;           /* the nearest good address; 0: none */
	bool in_loop;            /* a backward branch spans it: it may be hit often */
	bool is_simulated;       /* the kernel emulates it: one exception per hit instead of two */
	/*
	 * An emulated instruction that is executed exactly as often; 0: none, or this one is emulated. Registers may
	 * have other values there: the caller checks whether arguments can be fetched.
	 */
	uint64_t cheaper;
	/*
	 * Of a good place in the kernel: Linux before 6.15 refuses it, since it takes an acquire for an exclusive load.
	 */
	bool is_behind_acquire;
};

/* Does a branch or call in this code, of any function, lead into [from, to)? */
bool place_is_reached(const struct place_code *c, uint64_t from, uint64_t to);

void place_check(const struct place_code *c, uint64_t addr, struct place *p);

/* 0: good, or -EINVAL with the reason and the nearest good place. */
int place_explain(const struct place *p, uint64_t addr, struct err *e);

/* Return instructions of a function in order: at most n are stored to v; returns the true number. */
size_t place_returns(const struct place_code *c, uint64_t *v, size_t n);

#endif
