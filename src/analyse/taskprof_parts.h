/* taskprof_parts.h - what the files of taskprof share. */
#ifndef ANALYSE_TASKPROF_PARTS_H
#define ANALYSE_TASKPROF_PARTS_H

#include "analyse/taskprof.h"

enum { TASKPROF_PAIRS_MAX = 32 };

enum class_kind { CLASS_PLAIN, CLASS_SWITCH, CLASS_WAKEUP, CLASS_STACK, CLASS_FUNCTION };

/* What is to be known of a kind of event. */
struct taskprof_class {
	struct tevent *event;
	enum class_kind kind;
	uint32_t starts, ends;   /* bits of the pairs */
	const struct tfield *common_pid;
	const struct tfield *pid, *name;           /* prev_pid, pid; prev_comm, comm */
	const struct tfield *pid2, *name2, *state; /* next_pid, next_comm, prev_state; ip; caller */
	struct {
		const struct tfield *start, *pid, *end, *label;
	} of[TASKPROF_PAIRS_MAX];
};

/* The pairs that are always looked for, and behind them the hooks. 0 or -ENOMEM. */
int taskprof_pairs(struct taskprof *t);

/* The class of a record, made when it is new. NULL: no memory; its event is NULL when there is no format. */
const struct taskprof_class *taskprof_class_of(struct taskprof *t, const void *raw, size_t n);

#endif
