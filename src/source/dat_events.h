/*
 * dat_events.h - the kinds of events that a trace holds, a trace.dat or a ring, as perf events: one for each that
 * occurs. What names of tasks, addresses and call chains they carry is looked up here once.
 */
#ifndef SOURCE_DAT_EVENTS_H
#define SOURCE_DAT_EVENTS_H

#include "base/map.h"
#include "perf/head.h"
#include "tracefs/format/events.h"

enum dat_role {
	DAT_PLAIN, DAT_KERNEL_STACK, DAT_USER_STACK,
	DAT_FUNCTION,
	DAT_GRAPH_ENTRY, DAT_GRAPH_EXIT,
	DAT_NAMES,            /* tells the names of tasks */
};

struct dat_kind {
	const struct tevent *event;
	enum dat_role role;
	const struct tfield *ip, *parent;    /* ip: where it happened; the callers of a stack */
	const struct tfield *tgid;           /* of a user stack */
	struct {
		const struct tfield *pid, *comm;
	} names[2];
	bool path;                           /* the name is that of a file that is executed */
	bool stacked;                        /* a stack may follow it; of a recording: it does, at least once */
};

struct dat_kinds {
	VEC(struct dat_kind) v;              /* by the index of the perf event */
	struct map by_id;                    /* event id -> index + 1 */
	struct map tgids;                    /* tid -> process, from user stacks */
};

void dat_kinds_deinit(struct dat_kinds *k);

/* The function tracers write it: it is of a place in the kernel. */
bool dat_is_function(const struct tevent *event);

/* Index of the kind of a record, made when it is new; -ENOENT: its format is not known, -ENOMEM. */
int64_t dat_kind_of(struct dat_kinds *k, const struct tevents *t, const void *raw, size_t n);

/* The process that a user stack tells: 1, 0 it tells none or is no user stack, -ENOMEM. */
int dat_take_tgid(struct dat_kinds *k, const struct dat_kind *kind, const void *raw, size_t n, uint32_t *tgid);

/* The perf events of the kinds that have none yet. 0 or -ENOMEM. */
int dat_events_make(const struct dat_kinds *k, struct perf_head *h);

#endif
