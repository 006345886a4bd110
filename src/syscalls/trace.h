/* trace.h - sonde trace: its state; trace.c reads, trace_text.c prints lines, trace_sum.c sums. */
#ifndef SYSCALLS_TRACE_H
#define SYSCALLS_TRACE_H

#include "analyse/stats.h"
#include "base/map.h"
#include "prof/tasks.h"
#include "syscalls/calltable.h"
#include "syscalls/syscalls.h"

struct trace_show {
	bool summary_only, summary, errnos, failures, stamps, no_comm, no_syscalls;
	const char *duration;            /* ms: only longer ones */
	const char *not_pids;
	uint64_t most;                   /* lines; 0: all */
};

struct trace_want {
	struct prof_want prof;           /* first */
	struct trace_show show;
	struct opt_list events;
	unsigned verbose;
	bool ignored;
};

extern const struct opt trace_opts[];

enum { TRACE_THREADS = 1 << 16, TRACE_ROWS = 1 << 18 };

struct trace_thread {
	uint32_t tid;
	const struct call *call;         /* that it is in; NULL: none */
	bool shown;                      /* its beginning is on a line of its own already */
	uint64_t since, nr;              /* ns */
	uint64_t arg[CALLS_ARGS];
	uint64_t events;
};

/* What a thread did with one call. */
struct trace_row {
	uint32_t tid, nr;
	struct stats time;               /* ns */
	uint64_t errors;
};

/* How often a call ended in an error. */
struct trace_error {
	uint32_t row, number;            /* row: index; number: errno */
	uint64_t n;
};

struct trace {
	struct prof *prof;
	const struct trace_show *show;
	struct out *out;
	struct calltable calls;
	struct map of, rows_of, errors_of;
	VEC(struct trace_thread) threads;
	VEC(struct trace_row) rows;
	VEC(struct trace_error) errors;
	VEC(uint32_t) not_pids;
	uint64_t base;                   /* ns: of the first event */
	uint64_t longer_ns;              /* 0: all */
	uint32_t current;                /* whose line is open in the reader's mind: who entered last, index + 1 */
	uint64_t events, lines, dropped, discarded;
	struct mem_out text;             /* a call as text */
	char *filter;                    /* of numbers, for the kernel */
	bool chosen, is_not;             /* -e names calls; all but those */
	bool wanted[CALLS_MOST];
};

/* The call that a thread is in, to the line that tells its end; behind: it began on an earlier line. */
struct trace_end {
	const struct trace_thread *thread;
	const struct call *call;
	const struct hit *hit;
	int64_t ret;
	uint64_t ns;                     /* it took */
	bool began;                      /* its beginning was seen */
};

void trace_put_end(struct trace *t, const struct trace_end *e);
/* It goes on, or never ends: "..." or "= ?". */
void trace_put_begin(struct trace *t, const struct trace_thread *thread);
/* An event that is no system call. */
void trace_put_event(struct trace *t, const struct hit *h);

/* 0 or -ENOMEM. */
int trace_sum(struct trace *t);

#endif
