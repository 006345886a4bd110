/*
 * trace.h - sonde trace, shared by its files: trace_want.c has options and chooses calls, trace.c processes events,
 * trace_fds.c follows descriptors, trace_chain.c prints call chains and page faults, trace_text.c prints lines,
 * trace_json.c prints JSON, trace_sum.c prints sums.
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
	const char *duration;            /* ms: show only longer calls */
	const char *not_pids;
	uint64_t most;                   /* lines to print; 0: no limit */
};

/* How to read the memory that arguments point to. */
struct trace_strings {
	enum texts_way way;
	uint64_t most;                   /* bytes of data to show; 0: 32 */
};

struct trace_chains {
	struct callgraph graph;
	uint64_t most, least;            /* frames to show; frames that a call must have to be shown; 0: no limit */
	bool kernel;                     /* with kernel frames */
};

enum trace_faults { TRACE_NO_FAULTS, TRACE_MAJOR = 1, TRACE_MINOR = 2, TRACE_ALL_FAULTS = 3 };

struct trace_want {
	struct prof_want prof;           /* first */
	struct trace_show show;
	struct trace_strings strings;
	struct trace_chains chains;
	enum trace_faults faults;
	struct opt_list events;
	const char *filter;              /* of events that are not system calls */
	unsigned verbose;
	bool ignored;
};

extern const struct opt trace_opts[];

enum { TRACE_THREADS = 1 << 16, TRACE_ROWS = 1 << 18 };

struct trace_thread {
	uint32_t tid, pid;
	const struct call *call;         /* the call that it is in; NULL: none */
	struct texts_rec *text[2];       /* memory of its arguments, at its beginning and end */
	bool shown;                      /* a line with its beginning was already printed */
	uint64_t since, nr, last;        /* since: when the call began, last: the previous event; ns */
	uint64_t arg[CALLS_ARGS];
	uint64_t events;
};

/* A row of the sums: one call of one thread. */
struct trace_row {
	uint32_t tid, nr;
	struct stats time;               /* ns */
	uint64_t errors;
};

/* How often a row's call failed with an errno. */
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
	uint64_t base;                   /* time of the first event, ns */
	uint64_t longer_ns;              /* show only calls that take longer; 0: all */
	uint32_t current;                /* the thread that began a call last, index + 1: its line is still open */
	uint64_t events, lines, dropped, discarded;
	struct mem_out text;             /* buffer for a call's text */
	bool json;                       /* print JSON */
	bool chosen, others;             /* -e names calls; calls whose numbers have no name are wanted, too */
	bool wanted[CALLS_MOST];
};

/* The end of a call. */
struct trace_end {
	const struct trace_thread *thread;
	const struct call *call;
	const struct hit *hit;
	int64_t ret;
	uint64_t ns;                     /* its duration */
	bool began;                      /* its beginning was seen */
};

/* Choose the calls of -e by the architecture's numbers; check options that exclude each other. */
int trace_choose(struct trace *t, const struct arch *a, const struct opt_list *l, struct err *e);
int trace_check(const struct trace_want *w, struct err *e);
/* --filter-pids. */
int trace_read_ids(struct trace *t, const char *text, struct err *e);
/* Add the events of system calls, and other events of -e. */
int trace_add_events(struct prof *p, struct err *e);
static inline bool trace_wants(const struct trace *t, uint64_t nr)
{
	return !t->chosen || (nr < CALLS_MOST ? t->wanted[nr] : t->others);
}

/* Are all calls that change descriptors wanted, so that their events come? */
bool trace_sees_fds(const struct trace *t, const struct arch *a);
/* Update the descriptors by a finished call; after its line was printed with the old ones. 0 or -ENOMEM. */
int trace_follow_fds(struct trace *t, const struct trace_end *e);

int trace_chains_open(struct trace *t, struct err *e);
/* The event's call chain, for trace_put_chain(). False: it has fewer frames than were asked for. */
bool trace_chain_of(struct trace *t, const struct hit *h, uint32_t *chain);
void trace_put_chain(struct trace *t, uint32_t chain);

bool trace_is_fault(const struct trace *t, const struct hit *h);
void trace_put_fault(struct trace *t, const struct hit *h);
/* The start of a line for an event without duration: time and thread. */
void trace_put_head(struct trace *t, const struct hit *h);

void trace_put_end(struct trace *t, const struct trace_end *e);
/* A line for a call that is not over, "...", or never returns, "= ?". */
void trace_put_begin(struct trace *t, const struct trace_thread *thread);
/* A line for an event that is not a system call. */
void trace_put_event(struct trace *t, const struct hit *h);

/* An argument's value, with the memory that it points to and the path of a descriptor. */
void trace_put_arg(struct trace *t, const struct trace_thread *thread, unsigned arg, int64_t ret, struct out *o);

/* The same as JSON: a call at its end; one that never returns at its beginning. */
void trace_json_end(struct trace *t, const struct trace_end *e);
void trace_json_other(struct trace *t, const struct hit *h);

/* Print the sums. 0 or -ENOMEM. */
int trace_sum(struct trace *t);

#endif
