/*
 * opener.h - open events: the attr is tried as wanted, then with fewer features for kernels that lack some. What was
 * dropped is remembered, so that the many opens after the first one do not try it again, and so that the user can be
 * told.
 */
#ifndef LIVE_OPENER_H
#define LIVE_OPENER_H

#include "live/anchor.h"
#include "perf/event.h"
#include "sys/sys.h"

struct opener {
	const struct sys *sys;
	uint64_t drop_flags;         /* PERF_ATTR_* that this kernel refused */
	uint64_t drop_sample;        /* PERF_SAMPLE_* that it refused */
	uint64_t drop_read;          /* PERF_FORMAT_* that it refused */
	uint32_t max_size;           /* largest attr size that the kernel takes; 0: unknown, not limited */
	bool fds_raised;             /* RLIMIT_NOFILE was raised already */
	struct anchors anchors;
	bool user_only;              /* no permission for kernel mode: it is excluded where may_drop_kernel is set */
};

void opener_init(struct opener *o, const struct sys *sys);
void opener_deinit(struct opener *o);        /* after the events that it opened are closed */

/* Arguments of perf_event_open(2). */
struct opener_want {
	int pid, cpu, group;
	unsigned flags;
	bool may_drop_kernel;        /* no u/k/h modifier was given: after EACCES, try without kernel mode */
};

/* Returns a descriptor, or -errno of the last attempt. *attr becomes the attr that was opened. */
int opener_open(struct opener *o, struct perf_attr *attr, const struct opener_want *w);

/* Set the error for a filter of ev that the kernel refused. */
int opener_no_filter(const struct event *ev, int code, struct err *e);

/* Set the error that explains why an open failed, with advice. */
int opener_explain(const struct opener *o, const struct event *ev, int code, const struct opener_want *w,
		   struct err *e);

#endif
