/* taskprof_parts.h - shared by the files of taskprof only. */
#ifndef ANALYSE_TASKPROF_PARTS_H
#define ANALYSE_TASKPROF_PARTS_H

#include "analyse/taskprof.h"

enum { TASKPROF_PAIRS_MAX = 32 };

/* How an event is used, looked up once per event id. */
struct taskprof_class {
	struct tevent *event;
	enum tkind kind;         /* KIND_OTHER: no special meaning */
	uint32_t starts, ends;   /* masks of the pairs that it starts, ends */
	struct {
		const struct tfield *start, *pid, *end, *label;
	} of[TASKPROF_PAIRS_MAX];
};

/* Set the pairs: the built-in ones, then the hooks. 0 or -ENOMEM. */
int taskprof_pairs(struct taskprof *t);

/* The class of a record, which is added if it is new. NULL: no memory; class.event NULL: unknown format. */
const struct taskprof_class *taskprof_class_of(struct taskprof *t, const void *raw, size_t n);

#endif
