/*
 * sampling.h - what a recorder asks of the kernel: from an event as it was typed and the recorder's options to the attr
 * to open.
 *
 * Every attr starts its samples with IDENTIFIER, IP, TID, TIME: readers find the event of a record without knowing its
 * layout, and the recorder finds the time at one place.
 */
#ifndef PERF_SAMPLING_H
#define PERF_SAMPLING_H

#include "perf/event.h"

enum { SAMPLING_DEFAULT_FREQ = 4000, SAMPLING_TIME_OFFSET = 32 /* of the time in a SAMPLE record, header included */ };

enum sampling_exec {
	SAMPLING_BY_HAND,           /* the recorder enables the events */
	SAMPLING_ALL_ON_EXEC,       /* they start when the held command execs */
	SAMPLING_TRACKER_ON_EXEC,   /* only the side records do: samples come after a delay, but need the mappings */
};

struct sampling_want {
	uint64_t freq, period;      /* Hz; events. period wins when both are set by the command line; 0: not given */
	uint64_t extra;             /* PERF_SAMPLE_* beside those that are always there */
	uint64_t branches;          /* what a branch stack holds, with PERF_SAMPLE_BRANCH_STACK in extra */
	uint64_t callchain_flags;   /* PERF_ATTR_EXCLUDE_CALLCHAIN_*, for events with call chains */
	uint64_t chain_regs;        /* registers, with call chains of frame records: what completes them */
	uint64_t user_regs;         /* with copies of stacks: all that the kernel gives */
	uint64_t shown_user, shown_intr;   /* registers of the user's side, and of where it hit, in any case */
	uint32_t stack;             /* bytes of it that are copied with call chains; 0: frame records are followed */
	uint64_t track;             /* PERF_ATTR_* of more side records */
	int32_t clockid;            /* with use_clockid: what times count instead of the kernel's own clock */
	enum sampling_exec on_exec;
	uint32_t wakeup;            /* watermark in bytes, 0: the kernel's half of the ring */
	uint16_t max_stack;         /* 0: the kernel's limit */
	bool callchain;             /* -g */
	bool lr;                    /* only who called, by the register in chain_regs */
	bool raw;                   /* -R: raw records of every event */
	bool inherit;
	bool use_clockid;
	bool no_samples;            /* -n: only side records and counts */
	bool task_counts;           /* -s: counts of each task when it ends */
	bool running_time;          /* counters that are read tell how long they counted */
	bool each_wakes;            /* every sample wakes the reader */
	bool freq_of_all;           /* freq is for events of which each occurrence matters, too */
};

enum sampling_role {
	SAMPLING_PLAIN = 0,
	SAMPLING_TRACKER = 1,     /* also carries MMAP, COMM, FORK and EXIT records */
	SAMPLING_FOLLOWER = 2,    /* opened in the group of its leader */
};

/* Complete ev's attr; role: enum sampling_role. */
void sampling_attr(struct perf_attr *a, const struct event *ev, const struct sampling_want *w, unsigned role);

/* A dummy event that only carries the side records, for every CPU: attr and name. */
void sampling_tracker(struct event *ev);

#endif
