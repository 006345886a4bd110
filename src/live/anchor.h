/*
 * anchor.h - hold a program's probes in place while tasks that are counted fork and end.
 *
 * A uprobe is put into the processes whose tasks have an event of it. When two tasks that inherited the same events
 * follow each other on a CPU, the kernel lets them change these (perf_event_context_sched_out), but an event still says
 * for whom it was made; when that task's partner ends, the probe is taken out of a process that goes on, and its hits
 * are lost (seen with 5.10, 6.1, 6.12 and 6.18: up to a sixth). An event of all tasks, never enabled, keeps it in.
 *
 * That puts the probe into all processes with that file: each of their hits costs them an exception. It is done for
 * programs, and for libraries that nobody else has mapped. Of others each task gets an event that is not inherited:
 * the kernel then does not change its events for those of the tasks that it starts; those of tasks started by these it
 * does change.
 */
#ifndef LIVE_ANCHOR_H
#define LIVE_ANCHOR_H

#include "abi/perf_event.h"
#include "base/vec.h"
#include "sys/sys.h"

struct anchor {
	uint64_t id;             /* of the tracepoint */
	int pid;                 /* -1: for all tasks */
	int fd;                  /* -1: none is needed, or can be had */
};

/* A probe of a program, as it was when the first event was opened. */
struct anchor_place {
	uint64_t id;
	char *file;
};

struct anchors {
	const struct sys *sys;
	VEC(struct anchor) v;
	VEC(struct anchor_place) places;
	bool is_read;            /* places are known: there may be thousands */
	char library[128];       /* whose hits may be lost, "" none */
};

/* This event is going to be opened for that task: -1 and cgroups need nothing. What fails is as if it were not there.
 */
void anchors_hold(struct anchors *a, const struct perf_attr *attr, int pid);
void anchors_close(struct anchors *a);

/* What the user should know, into buf; false: nothing. */
bool anchors_note(const struct anchors *a, char *buf, size_t size);

#endif
