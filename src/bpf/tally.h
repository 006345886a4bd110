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
 * Counts only grow in the kernel, so that nothing that is counted while it is read is lost; what was read before is
 * subtracted here. The smallest and the largest number of each key are exact, but for those that come while they are
 * read: they may be told one time too late.
 */
#ifndef BPF_TALLY_H
#define BPF_TALLY_H

#include "base/map.h"
#include "bpf/code.h"
#include "bpf/program.h"

enum { TALLY_PARTS = 8, TALLY_ENTRIES = 1 << 16, TALLY_EXTREMES = 1 << 13 };

/* Ends take the ns since a beginning of the same key, whichever event it was: a spread, by both events. */
enum tally_pair { TALLY_NO_PAIR, TALLY_BEGINS, TALLY_ENDS };

enum tally_by { TALLY_BY_NOTHING, TALLY_BY_CPU, TALLY_BY_TID };

struct tally_event {
	const char *event;               /* "sched_switch" */
	struct sv fetches;               /* of a probe of our own, see rawarg_fetch; s NULL: it is a tracepoint */
	bool is_user;                    /* the probe's addresses are a program's */
	int fd;                          /* of a probe: its perf event's */
	const struct texpr *filter;      /* NULL: none */
	const struct texpr *key;         /* NULL: by is the key */
	enum tally_by by;
	const struct texpr *num[TALLY_PARTS];   /* what is added up, a part each; none: it is only counted, as part 0 */
	unsigned n_num;
	bool is_spread;                  /* the first number's bucket is the part */
	enum tally_pair pair;
	bool is_by_key;                  /* of pairs: their entries are; else all have the key 0 */
	const struct cpus *cpus;         /* NULL: all */
};

struct tally_want {
	const struct sys *sys;
	const struct bpf *bpf;
	enum code_word (*word)(const struct texpr *x);
	const struct tally_event *events;
	unsigned n;
};

/* Of pairs the event is that of both, see TALLY_FIRST. */
struct tally_entry {
	uint64_t key;
	uint32_t event, part;
	uint64_t n, sum;
};

#define TALLY_FIRST(event) ((event) >> 16)
#define TALLY_SECOND(event) ((event) & 0xffff)

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
};

struct tally {
	struct tally_want want;
	int counts, bounds, extremes, losses, begun;
	VEC(int) progs;
	VEC(int) links;
	unsigned n_insns;                /* of all programs */
	struct names keys;               /* what was read */
	VEC(struct tally_entry) before;
	struct tally_losses lost;        /* before */
};

/* Loads them: a program for each event. On error nothing is open. */
int tally_open(struct tally *t, const struct tally_want *w, struct err *e);
void tally_close(struct tally *t);

int tally_attach(struct tally *t, struct err *e);
void tally_detach(struct tally *t);

/* Since the last time. 0 or what `each` returned, -ENOMEM. */
int tally_read(struct tally *t, int (*each)(void *arg, const struct tally_entry *n), void *arg);
int tally_bounds(struct tally *t, int (*each)(void *arg, const struct tally_bound *b), void *arg);
struct tally_losses tally_lost(struct tally *t);
/* Pairs that have begun. */
uint64_t tally_begun(const struct tally *t);

/* The program of an event; maps by their descriptors. Apart for tests. */
struct tally_maps {
	int counts, bounds, extremes, losses, begun;
};
int tally_build(struct asm_prog *a, const struct tally_event *ev, uint32_t index, struct code *c,
		const struct tally_maps *maps, struct err *e);

#endif
