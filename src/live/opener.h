/*
 * opener.h - open events: the attr is tried as requested, then without the features that the kernel lacks. The features
 * dropped are remembered, so that later opens do not try them again and the user can be informed.
 */
#ifndef LIVE_OPENER_H
#define LIVE_OPENER_H

#include "live/anchor.h"
#include "perf/event.h"
#include "sys/sys.h"

struct opener {
	const struct sys *sys;
	uint64_t drop_flags;         /* PERF_ATTR_* that this kernel refused */
	uint64_t drop_sample;        /* PERF_SAMPLE_* */
	uint64_t drop_read;          /* PERF_FORMAT_* */
	uint32_t max_size;           /* largest attr size the kernel accepts; 0: no limit found yet */
	bool fds_raised;
	struct anchors anchors;
	bool user_only;              /* kernel space refused: events without a modifier count user space only */
};

void opener_init(struct opener *o, const struct sys *sys);
void opener_deinit(struct opener *o);        /* after everything it opened is closed */

/* Arguments of an open: pid, cpu, group as in perf_event_open(2). */
struct opener_want {
	int pid, cpu, group;
	unsigned flags;
	bool may_drop_kernel;        /* no u/k/h modifier was given: on EACCES user space only may be tried */
};

/* A descriptor, or -errno of the last attempt. attr is changed to what was actually opened. */
int opener_open(struct opener *o, struct perf_attr *attr, const struct opener_want *w);

/* The kernel refused ev's filter. */
int opener_no_filter(const struct event *ev, int code, struct err *e);

/* Describes why an open failed, with advice. */
int opener_explain(const struct opener *o, const struct event *ev, int code, const struct opener_want *w,
		   struct err *e);

#endif
