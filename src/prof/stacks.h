/*
 * stacks.h - what profilers do with call chains: print them, add them up by stack, draw them. Of flame graphs there are
 * two files: FILE.svg, and FILE.folded, which has the time of its interval in front of each line where there are some.
 */
#ifndef PROF_STACKS_H
#define PROF_STACKS_H

#include "engine/callers.h"
#include "prof/prof.h"

struct prof_stacks {
	struct callers callers;
	struct flame *flame;             /* NULL: none is wanted */
	struct flame *interval;          /* that of the interval at hand; NULL: there are none */
	const char *unit;                /* of the weights; NULL: events */
	struct mem_out folded;           /* of the intervals that are over */
	bool is_open;
};

int prof_stacks_open(struct prof_stacks *s, struct prof *p, struct err *e);
void prof_stacks_close(struct prof_stacks *s);

/* Of a stack of callers, with its task in front. 0 or -ENOMEM. */
int prof_stacks_draw(struct prof_stacks *s, struct prof *p, uint32_t stack, uint32_t tid, uint64_t weight);

/* The same below any name; NULL: none. */
int prof_stacks_add(struct prof_stacks *s, uint32_t stack, const char *first, uint64_t weight);

/* At the end of an interval, or (last) of all: the files are written. */
int prof_stacks_show(struct prof_stacks *s, struct prof *p, bool last, struct err *e);

#endif
