/* taskprof_parts.h - what the files of taskprof share. */
#ifndef ANALYSE_TASKPROF_PARTS_H
#define ANALYSE_TASKPROF_PARTS_H

#include "analyse/taskprof.h"

enum { TASKPROF_PAIRS_MAX = 32 };

/* What is to be known of a kind of event. */
struct taskprof_class {
	struct tevent *event;
	enum tkind kind;         /* KIND_OTHER: an event as any */
	uint32_t starts, ends;   /* bits of the pairs */
	struct {
		const struct tfield *start, *pid, *end, *label;
	} of[TASKPROF_PAIRS_MAX];
};

/* The pairs that are always looked for, and behind them the hooks. 0 or -ENOMEM. */
int taskprof_pairs(struct taskprof *t);

/* The class of a record, made when it is new. NULL: no memory; its event is NULL when there is no format. */
const struct taskprof_class *taskprof_class_of(struct taskprof *t, const void *raw, size_t n);

#endif
