/*
 * opener.h - open events: the attr is tried as wanted, and stepped down for kernels that lack a bit of it. What was
 * dropped is remembered, so that the hundred opens after the first one do not try it again, and can be told to the
 * user.
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
	uint32_t max_size;           /* largest attr the kernel takes, 0: not limited yet */
	bool fds_raised;
	struct anchors anchors;
	bool user_only;              /* kernel side refused: events that did not ask for it count user space only */
};

void opener_init(struct opener *o, const struct sys *sys);
void opener_deinit(struct opener *o);        /* when what it opened is closed */

/* What the kernel is asked: pid, cpu, group as in perf_event_open(2). */
struct opener_want {
	int pid, cpu, group;
	unsigned flags;
	bool may_drop_kernel;        /* no u/k/h modifier was given: EACCES may be answered by user space only */
};

/* A descriptor, or -errno of the last try. attr is what was opened in the end. */
int opener_open(struct opener *o, struct perf_attr *attr, const struct opener_want *w);

/* The kernel refused ev's filter. */
int opener_no_filter(const struct event *ev, int code, struct err *e);

/* Why an open failed, in words, with what to do. */
int opener_explain(const struct opener *o, const struct event *ev, int code, const struct opener_want *w,
		   struct err *e);

#endif
