/*
 * tally.h - events counted in the kernel: how many, and the sum of a number of theirs, by key and part. A part is a
 * column, or the number's bucket in a histogram (analyse/loghist.h). Tracepoints are taken as raw ones: that
 * attachment is our own, and drops nothing of what others ask for. Probes that are our own events have theirs through
 * these.
 *
 *	tally_open(&t, &want, e)     programs are loaded: -EOPNOTSUPP and the like: they cannot be
 *	tally_attach(&t, e)          they count from here on
 *	tally_read(&t, each, arg)    what has come since the last time
 *	tally_close(&t)
 *
 * Or how many, by stack: of the kernel's code, of the program's, and its name. The kernel keeps a stack where its hash
 * says, and of two that belong there the first alone: there are several such maps, and who finds one taken tries the
 * next.
 *
 * Counts only grow in the kernel, so that nothing that is counted while it is read is lost; what was read before is
 * subtracted here. The smallest and the largest number of each key are exact, but for those that come while they are
 * read: they may be told one time too late.
 */
#ifndef BPF_TALLY_H
#define BPF_TALLY_H

#include "base/map.h"
#include "bpf/code.h"
#include "bpf/taskset.h"

enum { TALLY_PARTS = 8, TALLY_ENTRIES = 1 << 16, TALLY_EXTREMES = 1 << 13 };
enum { TALLY_DEPTH = 127, TALLY_STACK_MAPS = 4, TALLY_STACKS = 1 << 12 /* in each */ };

/*
 * Ends take the ns since a beginning of the same key, whichever event it was: a spread, by both events. An event may
 * be both: it ends what was begun first.
 */
enum tally_pair { TALLY_NO_PAIR, TALLY_BEGINS = 1, TALLY_ENDS = 2 };

enum tally_by { TALLY_BY_NOTHING, TALLY_BY_CPU, TALLY_BY_TID };

struct tally_event {
	const char *event;               /* "sched_switch" */
	struct sv fetches;               /* of a probe of our own, see rawarg_fetch; s NULL: it is a tracepoint */
	bool is_user;                    /* the probe's addresses are a program's */
	int fd;                          /* of a probe: its perf event's */
	bool owns_fd;                    /* tally_close closes it */
	const struct texpr *filter;      /* NULL: none */
	const struct texpr *key;         /* NULL: by is the key */
	enum tally_by by;
	const struct texpr *num[TALLY_PARTS];   /* what is added up, a part each; none: it is only counted, as part 0 */
	unsigned n_num;
	bool is_spread;                  /* the first number's bucket is the part */
	unsigned pair;                   /* enum tally_pair */
	uint32_t stage, ended;           /* of pairs: what it begins, and what is begun where it is an end */
	bool is_by_key;                  /* of pairs: their entries are; else all have the key 0 */
	bool is_by_stack;                /* of all events or of none: nothing else is the key */
	uint16_t lr;                     /* ... bytes into struct pt_regs: the link register is in it; 0: it is not */
	const struct cpus *cpus;         /* NULL: all */
};

struct tally_want {
	const struct sys *sys;
	const struct bpf *bpf;
	enum code_word (*word)(const struct texpr *x);
	const struct tally_event *events;
	unsigned n;
	const struct taskset_want *tasks;   /* NULL: all. Of tally_open alone, but for what it points to */
};

/* As it stands in the map. */
struct tally_count {
	uint64_t n, sum;
};

/* Of pairs the event is that of both, see TALLY_FIRST. */
struct tally_entry {
	uint64_t key;
	uint32_t event, part;
	uint64_t n, sum;
};

#define TALLY_FIRST(event) ((event) >> 16)
#define TALLY_SECOND(event) ((event) & 0xffff)

/* How often, and since when, by CLOCK_MONOTONIC; stacks: for tally_frames. */
struct tally_stack {
	uint64_t n, since;
	uint32_t event, pid, kernel, user;
	uint64_t lr;                     /* of the program; 0: not told */
	char comm[17];
};

/* There is none; it was not kept. */
#define TALLY_NO_STACK UINT32_MAX
#define TALLY_LOST_STACK (UINT32_MAX - 1)

/* Of a spread event: the least and the largest number of a key. */
struct tally_bound {
	uint64_t key;
	uint32_t event, pad;
	uint64_t least, most;
};

struct tally_losses {
	uint64_t full;                   /* events of keys for which there was no room */
	uint64_t negative;               /* numbers below zero, which are in no bucket */
	uint64_t unread;                 /* the kernel's memory could not be read */
	uint64_t replaced, unstarted;    /* beginnings without an end before the next, ends without a beginning */
	uint64_t untold;                 /* smallest or largest numbers that are not known for certain */
	uint64_t missed;                 /* runs that another one kept from being */
	uint64_t unfollowed;             /* tasks that were started and are not counted */
	uint64_t stackless;              /* stacks for which there was no room: their events are counted without */
};

struct tally {
	struct tally_want want;
	int counts, bounds, extremes, losses, begun, stacks[TALLY_STACK_MAPS];
	struct taskset tasks;
	bool of_tasks;                   /* ... is open: only they are counted */
	VEC(int) progs;
	VEC(int) links;
	unsigned n_insns;                /* of all programs */
	struct names keys;               /* what was read */
	VEC(struct tally_count) before;
	struct tally_losses lost;        /* before */
};

/* Loads them: a program for each event. On error nothing is open. */
int tally_open(struct tally *t, const struct tally_want *w, struct err *e);
void tally_close(struct tally *t);

int tally_attach(struct tally *t, struct err *e);
void tally_detach(struct tally *t);

/* Since the last time. 0 or what `each` returned, -ENOMEM. */
int tally_read(struct tally *t, int (*each)(void *arg, const struct tally_entry *n), void *arg);
int tally_stacks(struct tally *t, int (*each)(void *arg, const struct tally_stack *s), void *arg);
/* The addresses of a stack, the innermost first: how many. */
size_t tally_frames(const struct tally *t, uint32_t stack, uint64_t v[static TALLY_DEPTH]);
int tally_bounds(struct tally *t, int (*each)(void *arg, const struct tally_bound *b), void *arg);
struct tally_losses tally_lost(struct tally *t);
/* Pairs that have begun. */
uint64_t tally_begun(const struct tally *t);

/* The program of an event; maps by their descriptors. Apart for tests. */
struct tally_maps {
	int counts, bounds, extremes, losses, begun;
	const struct taskset_maps *tasks;   /* NULL: all are counted */
	const int *stacks;               /* of what is by stack */
};
int tally_build(struct asm_prog *a, const struct tally_event *ev, uint32_t index, struct code *c,
		const struct tally_maps *maps, struct err *e);

#endif
