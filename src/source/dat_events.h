/*
 * dat_events.h - the kinds of events in a trace (a trace.dat or live tracefs rings) as perf events: one for each kind
 * that occurs. The fields that hold task names, addresses and call chains are looked up here, once per kind.
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
	DAT_NAMES,            /* has names of tasks, as sched_switch has */
};

struct dat_kind {
	const struct tevent *event;
	enum dat_role role;
	const struct tfield *ip, *parent;    /* ip: the address of the event; of a stack record the array of callers */
	const struct tfield *tgid;           /* of a user stack */
	struct {
		const struct tfield *pid, *comm;
	} names[2];
	bool path;                           /* the name is the path of an executed file (sched_process_exec) */
	bool stacked;                        /* a stack record may follow; in a trace.dat: one follows at least once */
};

struct dat_kinds {
	VEC(struct dat_kind) v;              /* indexed like the perf events of the head */
	struct map by_id;                    /* event id -> index + 1 */
	struct map tgids;                    /* tid -> pid, from user stack records */
};

void dat_kinds_deinit(struct dat_kinds *k);

/* Is it an event of the function tracers, or a stack? Its address is a place in a function. */
bool dat_is_function(const struct tevent *event);

/* Index of a record's kind, which is added if it is new; -ENOENT: its format is unknown; -ENOMEM. */
int64_t dat_kind_of(struct dat_kinds *k, const struct tevents *t, const void *raw, size_t n);

/* Take the tgid of a user stack record: 1; 0: it has none or is another record; -ENOMEM. */
int dat_take_tgid(struct dat_kinds *k, const struct dat_kind *kind, const void *raw, size_t n, uint32_t *tgid);

/* Add perf events to h for the kinds that have none yet. 0 or -ENOMEM. */
int dat_events_make(const struct dat_kinds *k, struct perf_head *h);

#endif
