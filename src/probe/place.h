/*
 * place.h - may a probe sit on this instruction? And if not, where nearby.
 *
 * What the kernel checks is checked before, so that the reason can be told, and what it does not check, too: a uprobe
 * between ldxr and stxr clears the monitor each time, and the loop never ends.
 */
#ifndef PROBE_PLACE_H
#define PROBE_PLACE_H

#include "arch/arch.h"
#include "base/cursor.h"
#include "base/err.h"

/* A function's code. */
struct place_code {
	const struct arch *arch;
	struct cursor bytes;     /* from start */
	uint64_t start;          /* its address */
	bool is_kernel;          /* for a kprobe */
	/* Is there a constant among the code? Symbols may tell; NULL: nothing does. */
	bool (*is_data)(const void *arg, uint64_t addr);
	const void *arg;
	bool grows_stack;        /* Go: it jumps back to the entry when the stack was too small, which is no loop */
};

enum place_verdict {
	PLACE_GOOD,
	PLACE_UNALIGNED,         /* not where an instruction begins */
	PLACE_EXCLUSIVE,         /* between an exclusive load and its store */
	PLACE_REFUSED,           /* an instruction that the kernel does not probe */
	PLACE_OUTSIDE,
	PLACE_DATA,              /* a constant among the code */
};

struct place {
	enum place_verdict verdict;
	uint64_t near;           /* the nearest good address; 0: none */
	bool in_loop;            /* a branch goes back over it: it may be hit often */
	bool is_simulated;       /* the kernel computes its effect: one exception for each hit, not two */
	/*
	 * An address that is passed exactly when this one is, and simulated; 0: none, or this one is. Registers may
	 * hold other values there: whether the arguments can still be fetched is for the caller.
	 */
	uint64_t cheaper;
	/* Of a good one in the kernel: Linux before 6.15 refuses it, taking an acquire for an exclusive load. */
	bool is_behind_acquire;
};

/* Does a branch or call in this code, of whatever functions, go to somewhere in [from, to)? */
bool place_is_reached(const struct place_code *c, uint64_t from, uint64_t to);

void place_check(const struct place_code *c, uint64_t addr, struct place *p);

/* -EINVAL with the reason and the nearest good place; 0: good. */
int place_explain(const struct place *p, uint64_t addr, struct err *e);

/* Every return instruction of a function, in order: number written to v, at most n; the true number is returned. */
size_t place_returns(const struct place_code *c, uint64_t *v, size_t n);

#endif
