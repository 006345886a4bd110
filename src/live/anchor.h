/*
 * anchor.h - extra events that keep uprobes installed while counted tasks fork and exit.
 *
 * The kernel installs a uprobe's breakpoint in the processes whose tasks have an event of it. When two tasks that
 * inherited the same events follow each other on a CPU, the kernel swaps their event contexts
 * (perf_event_context_sched_out), but each event still names the task for which it was created. When one of the two
 * exits, the breakpoint is removed from the process of the other, and its hits are lost (seen with 5.10, 6.1, 6.12 and
 * 6.18: up to a sixth). An event for all tasks (pid -1), never enabled, keeps the breakpoint installed.
 *
 * Such an event installs it in every process that maps the file, where each hit costs an exception. So it is used for
 * programs, and for libraries that no other process has mapped. For other libraries each task gets an event that is
 * not inherited: its context then differs from those of its children, so these are not swapped; contexts of
 * grandchildren still are.
 */
#ifndef LIVE_ANCHOR_H
#define LIVE_ANCHOR_H

#include "abi/perf_event.h"
#include "base/vec.h"
#include "sys/sys.h"

struct anchor {
	uint64_t id;             /* the tracepoint's */
	int pid;                 /* -1: for all tasks */
	int fd;                  /* -1: none is needed, or it could not be opened */
};

/* A uprobe of the tracing file system, as read when the first event was opened. */
struct anchor_place {
	uint64_t id;
	char *file;
};

struct anchors {
	const struct sys *sys;
	VEC(struct anchor) v;
	VEC(struct anchor_place) places;
	bool is_read;            /* `places` was read: only once, as there may be thousands of probes */
	char library[128];       /* a library whose hits may be lost; "": none */
};

/* To be called before the event is opened for a task (not for pid -1 or a cgroup). Errors are ignored: no anchor. */
void anchors_hold(struct anchors *a, const struct perf_attr *attr, int pid);
void anchors_close(struct anchors *a);

/* A note for the user about hits that may be lost, into buf; false: none. */
bool anchors_note(const struct anchors *a, char *buf, size_t size);

#endif
