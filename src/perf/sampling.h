/*
 * sampling.h - make the attr that a recorder opens, from the event as it was typed and the recorder's options.
 *
 * The samples of every attr start with IDENTIFIER, IP, TID, TIME: so readers find the event of a record without knowing
 * its layout, and the recorder finds the time at a fixed offset.
 */
#ifndef PERF_SAMPLING_H
#define PERF_SAMPLING_H

#include "perf/event.h"

enum { SAMPLING_DEFAULT_FREQ = 4000, SAMPLING_TIME_OFFSET = 32 /* of the time in a SAMPLE record, header included */ };

enum sampling_exec {
	SAMPLING_BY_HAND,           /* the recorder enables the events with an ioctl */
	SAMPLING_ALL_ON_EXEC,       /* all events start when the held command calls exec */
	SAMPLING_TRACKER_ON_EXEC,   /* only the tracker does: with --delay samples start later, but need all mappings */
};

struct sampling_want {
	uint64_t freq, period;      /* -F in Hz, -c in events; 0: not given. period wins when both are given */
	uint64_t extra;             /* PERF_SAMPLE_* in addition to those that are always sampled */
	uint64_t branches;          /* branch_sample_type, with PERF_SAMPLE_BRANCH_STACK in extra */
	uint64_t callchain_flags;   /* PERF_ATTR_EXCLUDE_CALLCHAIN_*, for events with call chains */
	uint64_t chain_regs;        /* register mask (LR): completes chains by frame records at a leaf function */
	uint64_t user_regs;         /* register mask for unwinding with stack copies: all user registers */
	uint64_t shown_user, shown_intr;   /* register masks of --user-regs and --intr-regs */
	uint32_t stack;             /* bytes of user stack to copy for call chains; 0: follow frame records */
	uint64_t track;             /* PERF_ATTR_* flags of further side records */
	int32_t clockid;            /* with use_clockid: the clock of the records' times */
	enum sampling_exec on_exec;
	uint32_t wakeup;            /* watermark in bytes, 0: the kernel's half of the ring */
	uint16_t max_stack;         /* 0: the kernel's limit */
	bool callchain;             /* -g */
	bool lr;                    /* --call-graph lr: the caller only, by the register in chain_regs */
	bool raw;                   /* -R: raw records of every event */
	bool inherit;
	bool use_clockid;
	bool no_samples;            /* -n: only side records and counts */
	bool task_counts;           /* -s: counts of each task when it ends */
	bool running_time;          /* read_format has the times enabled and running */
	bool each_wakes;            /* every sample wakes the reader of the ring */
	bool freq_of_all;           /* freq applies to tracepoints, breakpoints and probes, too */
};

enum sampling_role {
	SAMPLING_PLAIN = 0,
	SAMPLING_TRACKER = 1,     /* also carries MMAP, COMM, FORK and EXIT records */
	SAMPLING_FOLLOWER = 2,    /* opened in the group of its leader */
};

/* Make *a from ev's attr; role: mask of enum sampling_role. */
void sampling_attr(struct perf_attr *a, const struct event *ev, const struct sampling_want *w, unsigned role);

/* Make *ev a dummy event that carries nothing but the side records of every CPU. */
void sampling_tracker(struct event *ev);

#endif
