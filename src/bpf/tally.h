/*
 * tally.h - counts events in the kernel: their number, and the sum of a value, by key and part. A part is a column, or
 * the value's bucket in a histogram (analyse/loghist.h). Tracepoints are attached as raw tracepoints: such an
 * attachment is private, and does not affect other users' events. Probes of our own are attached through their perf
 * events.
 *
 *  tally_open(&t, &want, e)     loads the programs: -EOPNOTSUPP and the like: not possible
 *  tally_attach(&t, e)          counting starts
 *  tally_read(&t, each, arg)    what was counted since the last call
 *  tally_close(&t)
 *
 * Or the number of events by stack: kernel stack, user stack and task name. A stack map stores a stack at its hash, and
 * of two that collide only the first: therefore there are several maps, and a collision tries the next one.
 *
 * Counts in the kernel only grow, so nothing is lost while they are read; what was read before is subtracted here. The
 * minimum and maximum of each key are exact, except for values that arrive during the reading: these may be reported
 * once more in the next interval.
 */
#ifndef BPF_TALLY_H
#define BPF_TALLY_H

#include "base/map.h"
#include "bpf/code.h"
#include "bpf/taskset.h"

enum { TALLY_PARTS = 8, TALLY_ENTRIES = 1 << 16, TALLY_EXTREMES = 1 << 13 };
enum { TALLY_DEPTH = 127, TALLY_STACK_MAPS = 4, TALLY_STACKS = 1 << 12 /* in each */ };

/*
 * An end adds the ns since the beginning of the same key, by whichever event, as a spread identified by both events. An
 * event may be both: it ends the open pair before it begins another.
 */
enum tally_pair { TALLY_NO_PAIR, TALLY_BEGINS = 1, TALLY_ENDS = 2 };

enum tally_by { TALLY_BY_NOTHING, TALLY_BY_CPU, TALLY_BY_TID };

struct tally_event {
	const char *event;               /* "sched_switch" */
	struct sv fetches;               /* of our own probe, see rawarg_fetch; s NULL: a tracepoint */
	bool is_user;                    /* a uprobe: addresses are a program's */
	int fd;                          /* of a probe: its perf event */
	bool owns_fd;                    /* tally_close closes it */
	const struct texpr *filter;      /* NULL: none */
	const struct texpr *key;         /* NULL: the key is `by` */
	enum tally_by by;
	const struct texpr *num[TALLY_PARTS];   /* values to sum, one part each; none: only count, as part 0 */
	unsigned n_num;
	bool is_spread;                  /* the part is the first value's bucket */
	unsigned pair;                   /* enum tally_pair */
	uint32_t stage, ended;           /* of pairs: stage that it begins; stage that it ends */
	bool is_by_key;                  /* of pairs: entries are by key; else all have key 0 */
	bool is_by_stack;                /* for all events or none: the key is the stack */
	uint16_t lr;                     /* ... offset of the link register in struct pt_regs; 0: none */
	const struct cpus *cpus;         /* NULL: all */
};

struct tally_want {
	const struct sys *sys;
	const struct bpf *bpf;
	enum code_word (*word)(const struct texpr *x);
	const struct tally_event *events;
	unsigned n;
	const struct taskset_want *tasks;   /* NULL: all. Only for tally_open, except for what it points to */
};

/* Value in the map. */
struct tally_count {
	uint64_t n, sum;
};

/* For pairs `event` combines both events, see TALLY_FIRST. */
struct tally_entry {
	uint64_t key;
	uint32_t event, part;
	uint64_t n, sum;
};

#define TALLY_FIRST(event) ((event) >> 16)
#define TALLY_SECOND(event) ((event) & 0xffff)

/* Count, and first occurrence by CLOCK_MONOTONIC; stacks: ids for tally_frames. */
struct tally_stack {
	uint64_t n, since;
	uint32_t event, pid, kernel, user;
	uint64_t lr;                     /* of the program; 0: unknown */
	char comm[17];
};

/* No stack; a stack that was not stored. */
#define TALLY_NO_STACK UINT32_MAX
#define TALLY_LOST_STACK (UINT32_MAX - 1)

/* Minimum and maximum of a key, for spread events. */
struct tally_bound {
	uint64_t key;
	uint32_t event, pad;
	uint64_t least, most;
};

struct tally_losses {
	uint64_t full;                   /* events of keys for which the map had no room */
	uint64_t negative;               /* negative values, which have no bucket */
	uint64_t unread;                 /* kernel memory could not be read */
	uint64_t replaced, unstarted;    /* beginnings followed by another one, ends without a beginning */
	uint64_t untold;                 /* minima or maxima that may be inaccurate */
	uint64_t missed;                 /* runs suppressed by recursion protection */
	uint64_t unfollowed;             /* tasks that were started and are not counted */
	uint64_t stackless;              /* stacks for which there was no room: their events are counted without */
};

struct tally {
	struct tally_want want;
	int counts, bounds, extremes, losses, begun, stacks[TALLY_STACK_MAPS];
	struct taskset tasks;
	bool of_tasks;                   /* tasks is open: only these are counted */
	VEC(int) progs;
	VEC(int) links;
	unsigned n_insns;                /* of all programs */
	struct names keys;               /* keys that were read */
	VEC(struct tally_count) before;
	struct tally_losses lost;        /* losses at the previous reading */
};

/* Load a program for each event. On error nothing is open. */
int tally_open(struct tally *t, const struct tally_want *w, struct err *e);
void tally_close(struct tally *t);

int tally_attach(struct tally *t, struct err *e);
void tally_detach(struct tally *t);

/* Report what was counted since the last call. 0 or what `each` returned, -ENOMEM. */
int tally_read(struct tally *t, int (*each)(void *arg, const struct tally_entry *n), void *arg);
int tally_stacks(struct tally *t, int (*each)(void *arg, const struct tally_stack *s), void *arg);
/* The addresses of a stack, innermost first; returns their number. */
size_t tally_frames(const struct tally *t, uint32_t stack, uint64_t v[static TALLY_DEPTH]);
int tally_bounds(struct tally *t, int (*each)(void *arg, const struct tally_bound *b), void *arg);
struct tally_losses tally_lost(struct tally *t);
/* Number of open pairs. */
uint64_t tally_begun(const struct tally *t);

/* The program of an event; maps are descriptors. Exposed for tests. */
struct tally_maps {
	int counts, bounds, extremes, losses, begun;
	const struct taskset_maps *tasks;   /* NULL: count all tasks */
	const int *stacks;               /* for is_by_stack */
};
int tally_build(struct asm_prog *a, const struct tally_event *ev, uint32_t index, struct code *c,
		const struct tally_maps *maps, struct err *e);

#endif
