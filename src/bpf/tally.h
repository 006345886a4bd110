/*
 * tally.h - count events in the kernel: their number and the sum of an expression, in a map by key and part. A part is
 * a column, or the expression's bucket in a histogram (analyse/loghist.h). Programs are attached to raw tracepoints,
 * where they cannot filter away other users' records as a program of a perf event would; programs of probes are
 * attached to perf events of our own.
 *
 *	tally_open(&t, &want, e)     load the programs; -EOPNOTSUPP and others: that is not possible
 *	tally_attach(&t, e)          they count from here on
 *	tally_read(&t, each, arg)    what was counted since the last call
 *	tally_close(&t)
 *
 * Or count by stack: kernel stack, user stack, and comm. A stack trace map has one place per hash value and keeps the
 * first stack with that hash, so there are several such maps; a stack whose place is taken is tried in the next one.
 *
 * Counters in the kernel only grow, so that nothing is lost that is counted during a read; previous values are
 * subtracted here. Minimum and maximum of each key are exact, except that a value which comes during a read may be
 * reported one read too late.
 */
#ifndef BPF_TALLY_H
#define BPF_TALLY_H

#include "base/map.h"
#include "bpf/code.h"
#include "bpf/taskset.h"

enum { TALLY_PARTS = 8, TALLY_ENTRIES = 1 << 16, TALLY_EXTREMES = 1 << 13 };
enum { TALLY_DEPTH = 127, TALLY_STACK_MAPS = 4, TALLY_STACKS = 1 << 12 /* in each map */ };

/*
 * Pairs: an end event measures the ns since the last begin event with the same key. The result is a histogram for each
 * pair of events. An event may be both: it ends the pair that is open, then begins another one.
 */
enum tally_pair { TALLY_NO_PAIR, TALLY_BEGINS = 1, TALLY_ENDS = 2 };

enum tally_by { TALLY_BY_NOTHING, TALLY_BY_CPU, TALLY_BY_TID };

struct tally_event {
	const char *event;               /* "sched_switch" */
	struct sv fetches;               /* fetch arguments of our probe, see rawarg_fetch(); s NULL: a tracepoint */
	bool is_user;                    /* the probe is a uprobe: its pointers are user addresses */
	int fd;                          /* of a probe: its perf event */
	bool owns_fd;                    /* tally_close() closes it */
	const struct texpr *filter;      /* NULL: none */
	const struct texpr *key;         /* NULL: the key is `by` */
	enum tally_by by;
	const struct texpr *num[TALLY_PARTS];   /* expressions to sum, a part each; none: only count, as part 0 */
	unsigned n_num;
	bool is_spread;                  /* histogram: the part is the bucket of num[0] */
	unsigned pair;                   /* enum tally_pair */
	uint32_t stage, ended;           /* pairs: the stage that it begins; the stage that it ends */
	bool is_by_key;                  /* pairs: results are kept by key, too; else all under key 0 */
	bool is_by_stack;                /* the key is the stack; then this is set in all events */
	uint16_t lr;                     /* ... and the link register at this offset in pt_regs; 0: without */
	const struct cpus *cpus;         /* NULL: all */
};

struct tally_want {
	const struct sys *sys;
	const struct bpf *bpf;
	enum code_word (*word)(const struct texpr *x);
	const struct tally_event *events;
	unsigned n;
	const struct taskset_want *tasks;   /* NULL: all. Read by tally_open() only; what it points to must stay */
};

/* A value of the map of counts. */
struct tally_count {
	uint64_t n, sum;
};

/* For pairs `event` has the indexes of both events, see TALLY_FIRST. */
struct tally_entry {
	uint64_t key;
	uint32_t event, part;
	uint64_t n, sum;
};

#define TALLY_FIRST(event) ((event) >> 16)
#define TALLY_SECOND(event) ((event) & 0xffff)

/* A count by stack; since: when it was first seen, ns of CLOCK_MONOTONIC. */
struct tally_stack {
	uint64_t n, since;
	uint32_t event, pid, kernel, user;   /* kernel, user: stack ids for tally_frames(), or TALLY_NO_STACK, ... */
	uint64_t lr;                     /* user mode's link register; 0: unknown */
	char comm[17];
};

/* Stack ids: there is no such stack; there was no room for it. */
#define TALLY_NO_STACK UINT32_MAX
#define TALLY_LOST_STACK (UINT32_MAX - 1)

/* Minimum and maximum of a key's values, for histograms. */
struct tally_bound {
	uint64_t key;
	uint32_t event, pad;
	uint64_t least, most;
};

struct tally_losses {
	uint64_t full;                   /* events whose key had no room in the map */
	uint64_t negative;               /* negative values, which have no bucket */
	uint64_t unread;                 /* events whose fields could not be read from memory */
	uint64_t replaced, unstarted;    /* begins followed by another begin, ends without a begin */
	uint64_t untold;                 /* values that may be a minimum or maximum, but had no room */
	uint64_t missed;                 /* events during which a program was already running, see program_missed() */
	uint64_t unfollowed;             /* new tasks that should be counted and are not */
	uint64_t stackless;              /* events counted without their stack, which had no room */
};

struct tally {
	struct tally_want want;
	int counts, bounds, extremes, losses, begun, stacks[TALLY_STACK_MAPS];
	struct taskset tasks;
	bool of_tasks;                   /* `tasks` is open: only those are counted */
	VEC(int) progs;
	VEC(int) links;
	unsigned n_insns;                /* of all programs */
	struct names keys;               /* keys seen so far; their ids index `before` */
	VEC(struct tally_count) before;  /* values at the last read */
	struct tally_losses lost;        /* losses at the last read */
};

/* Load a program for each event. On error nothing is open. */
int tally_open(struct tally *t, const struct tally_want *w, struct err *e);
void tally_close(struct tally *t);

int tally_attach(struct tally *t, struct err *e);
void tally_detach(struct tally *t);

/* What was counted since the last call. 0, or what `each` returned, or -ENOMEM. */
int tally_read(struct tally *t, int (*each)(void *arg, const struct tally_entry *n), void *arg);
int tally_stacks(struct tally *t, int (*each)(void *arg, const struct tally_stack *s), void *arg);
/* The addresses of a stack, innermost first; returns their number. */
size_t tally_frames(const struct tally *t, uint32_t stack, uint64_t v[static TALLY_DEPTH]);
int tally_bounds(struct tally *t, int (*each)(void *arg, const struct tally_bound *b), void *arg);
struct tally_losses tally_lost(struct tally *t);
/* Number of open pairs. */
uint64_t tally_begun(const struct tally *t);

/* The program of an event; exported for tests. Maps are descriptors. */
struct tally_maps {
	int counts, bounds, extremes, losses, begun;
	const struct taskset_maps *tasks;   /* NULL: all tasks are counted */
	const int *stacks;               /* TALLY_STACK_MAPS stack trace maps, for is_by_stack */
};
int tally_build(struct asm_prog *a, const struct tally_event *ev, uint32_t index, struct code *c,
		const struct tally_maps *maps, struct err *e);

#endif
