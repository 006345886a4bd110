/*
 * tallied_stacks.h - convert stacks counted by BPF programs to callers of hits. They are read long after they occurred,
 * so the address spaces that processes had before an exec or exit are kept until then.
 */
#ifndef ENGINE_TALLIED_STACKS_H
#define ENGINE_TALLIED_STACKS_H

#include "engine/callers.h"

enum { TALLIED_SPACES = 4096 };          /* limit of kept ones; beyond it the process's present space is used */

struct tallied_space {
	uint64_t until;                  /* ns; UINT64_MAX: until the next map */
	struct resolver_space space;
	size_t next;                     /* next one of the process, index + 1; 0: none */
};

/* A zeroed one is empty. */
struct tallied_stacks {
	struct map of;                   /* pid -> index of its first space, + 1 */
	VEC(struct tallied_space) v;
};

void tallied_stacks_deinit(struct tallied_stacks *s);

/* To be called for each side record, with times of CLOCK_MONOTONIC. 0 or -ENOMEM. */
int tallied_stacks_note(struct tallied_stacks *s, struct feed *f);

/* As callers_of(). */
uint32_t tallied_callers(struct tallied_stacks *t, struct callers *c, const struct tally_stack *s);

#endif
