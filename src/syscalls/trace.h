/*
 * trace.h - sonde trace: its state; trace_want.c has options and chooses calls, trace.c reads, trace_fds.c follows
 * descriptors, trace_text.c prints lines, trace_json.c the same for programs, trace_sum.c sums.
 */
#ifndef SYSCALLS_TRACE_H
#define SYSCALLS_TRACE_H

#include "analyse/stats.h"
#include "base/map.h"
#include "engine/callers.h"
#include "prof/tasks.h"
#include "syscalls/calltable.h"
#include "syscalls/fds.h"
#include "syscalls/syscalls.h"
#include "syscalls/texts.h"

struct trace_show {
	bool summary_only, summary, errnos, failures, stamps, no_comm, no_syscalls, as_kernel;
	const char *duration;            /* ms: only longer ones */
	const char *not_pids;
	uint64_t most;                   /* lines; 0: all */
};

/* What arguments point to. */
struct trace_strings {
	enum texts_way way;
	uint64_t most;                   /* bytes of data that are shown; 0: 32 */
};

struct trace_chains {
	struct callgraph graph;
	uint64_t most, least;            /* frames that are shown, that a line has at the least; 0: any */
	bool kernel;                     /* the kernel's, too */
};

enum trace_faults { TRACE_NO_FAULTS, TRACE_MAJOR = 1, TRACE_MINOR = 2, TRACE_ALL_FAULTS = 3 };

struct trace_want {
	struct prof_want prof;           /* first */
	struct trace_show show;
	struct trace_strings strings;
	struct trace_chains chains;
	enum trace_faults faults;
	struct opt_list events;
	const char *filter;              /* of the events that are no calls */
	unsigned verbose;
	bool ignored;
};

extern const struct opt trace_opts[];

enum { TRACE_THREADS = 1 << 16, TRACE_ROWS = 1 << 18 };

struct trace_thread {
	uint32_t tid, pid;
	const struct call *call;         /* that it is in; NULL: none */
	struct texts_rec *text[2];       /* of the call's beginning, and its end */
	bool shown;                      /* its beginning is on a line of its own already */
	uint64_t since, nr, last;        /* ns; last: of its event before */
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
	struct texts texts;
	struct pointee_show shown;
	struct fds fds;
	struct callers callers;
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
	bool json;                       /* lines are */
	bool chosen, others;             /* -e names calls; and those whose numbers have no name are wanted, too */
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

/* -e's calls, for a machine's numbers; options that go together. */
int trace_choose(struct trace *t, const struct arch *a, const struct opt_list *l, struct err *e);
int trace_check(const struct trace_want *w, struct err *e);
/* --filter-pids. */
int trace_read_ids(struct trace *t, const char *text, struct err *e);
/* The events of calls, and those of -e. */
int trace_add_events(struct prof *p, struct err *e);
static inline bool trace_wants(const struct trace *t, uint64_t nr)
{
	return !t->chosen || (nr < CALLS_MOST ? t->wanted[nr] : t->others);
}

/* Are all calls that change descriptors among those that are wanted? */
bool trace_sees_fds(const struct trace *t, const struct arch *a);
/* What a call has done to descriptors; its line is out. 0 or -ENOMEM. */
int trace_follow_fds(struct trace *t, const struct trace_end *e);

int trace_chains_open(struct trace *t, struct err *e);
/* The hit's chain, for trace_put_chain. False: it is shorter than was asked for. */
bool trace_chain_of(struct trace *t, const struct hit *h, uint32_t *chain);
void trace_put_chain(struct trace *t, uint32_t chain);

bool trace_is_fault(const struct trace *t, const struct hit *h);
void trace_put_fault(struct trace *t, const struct hit *h);
/* When, of whom; it took no time. */
void trace_put_head(struct trace *t, const struct hit *h);

void trace_put_end(struct trace *t, const struct trace_end *e);
/* It goes on, or never ends: "..." or "= ?". */
void trace_put_begin(struct trace *t, const struct trace_thread *thread);
/* An event that is no system call. */
void trace_put_event(struct trace *t, const struct hit *h);

/* The value of an argument as lines have it, with what it points to, and the path of a descriptor. */
void trace_put_arg(struct trace *t, const struct trace_thread *thread, unsigned arg, int64_t ret, struct out *o);

/* The same lines as JSON: a call when it ends, or if it never does (e->call's) when it begins. */
void trace_json_end(struct trace *t, const struct trace_end *e);
void trace_json_other(struct trace *t, const struct hit *h);

/* 0 or -ENOMEM. */
int trace_sum(struct trace *t);

#endif
