/*
 * anchor.h - keep a program's uprobes inserted while counted tasks fork and exit.
 *
 * The kernel inserts a uprobe into the processes whose tasks have an event for it. When two tasks that inherited the
 * same events follow each other on a CPU, the kernel swaps their event contexts (perf_event_context_sched_out), but
 * each event still names the task it was created for. When one of the two exits, the probe is removed from the process
 * that is still running, and its hits are lost (seen with 5.10, 6.1, 6.12 and 6.18: up to a sixth). An event for all
 * tasks that is never enabled keeps the probe inserted.
 *
 * Such an event inserts the probe into all processes that map the file: each of their hits costs them an exception. So
 * it is used for programs, and for libraries that no other process has mapped. For other libraries each task gets an
 * event that is not inherited: the kernel then does not swap the task's events with those of its children, but it still
 * swaps the events of the children's own children.
 */
#ifndef LIVE_ANCHOR_H
#define LIVE_ANCHOR_H

#include "abi/perf_event.h"
#include "base/vec.h"
#include "sys/sys.h"

struct anchor {
	uint64_t id;             /* tracepoint ID */
	int pid;                 /* -1: for all tasks */
	int fd;                  /* -1: not needed, or could not be opened */
};

/* A uprobe of a program, as defined when the first event was opened. */
struct anchor_place {
	uint64_t id;
	char *file;
};

struct anchors {
	const struct sys *sys;
	VEC(struct anchor) v;
	VEC(struct anchor_place) places;
	bool is_read;            /* places is filled (done once: there may be thousands) */
	char library[128];       /* library whose hits may be lost, "": none */
};

/* Call before opening this event for task pid; -1 and cgroups need no anchor. Failures are ignored. */
void anchors_hold(struct anchors *a, const struct perf_attr *attr, int pid);
void anchors_close(struct anchors *a);

/* Writes the note for the user to buf; false: there is none. */
bool anchors_note(const struct anchors *a, char *buf, size_t size);

#endif
