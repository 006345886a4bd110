/*
 * tallied_stacks.h - stacks that programs have counted, as the callers of hits. They are read long after they were
 * there: what was mapped in a process before an exec or its end is kept until then.
 */
#ifndef ENGINE_TALLIED_STACKS_H
#define ENGINE_TALLIED_STACKS_H

#include "engine/callers.h"

enum { TALLIED_SPACES = 4096 };          /* kept; of those beyond only what the process has now is known */

struct tallied_space {
	uint64_t until;                  /* ns; UINT64_MAX: until something is mapped */
	struct resolver_space space;
	size_t next;                     /* of the same process: index + 1; 0: none */
};

/* A zeroed one is empty. */
struct tallied_stacks {
	struct map of;                   /* process -> index + 1 of its first */
	VEC(struct tallied_space) v;
};

void tallied_stacks_deinit(struct tallied_stacks *s);

/* Of each record that is no sample, with times of CLOCK_MONOTONIC. 0 or -ENOMEM. */
int tallied_stacks_note(struct tallied_stacks *s, struct feed *f);

/* As callers_of. */
uint32_t tallied_callers(struct tallied_stacks *t, struct callers *c, const struct tally_stack *s);

#endif
