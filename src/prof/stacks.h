/*
 * stacks.h - call chains in profilers: printed, summed up by stack, drawn. A flame graph is two files: FILE.svg, and
 * FILE.folded, whose lines are prefixed by the time of their interval if there are any.
 */
#ifndef PROF_STACKS_H
#define PROF_STACKS_H

#include "engine/callers.h"
#include "prof/prof.h"

struct prof_stacks {
	struct callers callers;
	struct flame *flame;             /* NULL: not wanted */
	struct flame *interval;          /* of the current interval; NULL: no intervals */
	const char *unit;                /* unit of the weights; NULL: events */
	struct mem_out folded;           /* text of past intervals */
	bool is_open;
};

int prof_stacks_open(struct prof_stacks *s, struct prof *p, struct err *e);
void prof_stacks_close(struct prof_stacks *s);

/* Add a stack of `callers`, below the name of its task. 0 or -ENOMEM. */
int prof_stacks_draw(struct prof_stacks *s, struct prof *p, uint32_t stack, uint32_t tid, uint64_t weight);

/* The same below any name; NULL: none. */
int prof_stacks_add(struct prof_stacks *s, uint32_t stack, const char *first, uint64_t weight);

/* At the end of an interval, or (last) of everything: write the files. */
int prof_stacks_show(struct prof_stacks *s, struct prof *p, bool last, struct err *e);

#endif
