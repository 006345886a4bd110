/*
 * spans.h - what has begun and has not ended yet: calls, interrupts, waits, all that lies between two events. A span
 * waits with its owner (a task, a CPU, a key) for its end, the newest first.
 *
 *	spans_init(&s, sizeof(struct mine), &limits);    struct mine begins with a struct span
 *	spans_follow(&s, rec);                           of each record, before its spans are opened or closed
 *	m = spans_open(&s, &(struct span){ .owner = task, .ts = rec->ts, .cpu = rec->cpu });
 *	for (sp = spans_newest(&s, task); sp && !mine(sp); sp = spans_older(&s, sp))
 *		;
 *	whole = spans_whole(&s, sp, rec->cpu);           false: events were lost within it; it is to be counted as such
 *	spans_close(&s, sp);
 *
 * Events that were lost may be ends of any span that was open then, and starts of newer ones: a span across a loss is
 * not whole. A loss lasts from the event before it to the one behind it in the same ring; spans that begin or end
 * meanwhile on other CPUs are not whole either. Of a pinned span both events come on one CPU: only its losses count.
 *
 * Memory is bounded by the limits: what is given up for them is told to `dropped`.
 */
#ifndef ANALYSE_SPANS_H
#define ANALYSE_SPANS_H

#include "base/map.h"
#include "tracefs/ring/stream.h"

struct span {
	uint64_t owner, ts;        /* ts: ns, of its start */
	uint32_t cpu;              /* where it began */
	bool pinned;
	/* The rest is that of spans.c. */
	uint64_t losses;           /* that were known when it began */
	uint32_t rank;             /* its owner's spans up to this one */
	uint32_t older;            /* number of the next older one; free: of the next free one */
};

enum spans_limit { SPANS_DEEP, SPANS_OLD };   /* its owner has too many; there are too many owners */

struct spans_limits {
	uint32_t deep;             /* spans of an owner: the oldest one goes */
	uint32_t owners;           /* that are known at a time: those go that have nothing open, then the oldest */
	void (*dropped)(void *arg, const struct span *sp, enum spans_limit why);
	void *arg;
};

struct spans {
	struct spans_limits limits;
	size_t size;               /* of the owner's items */
	struct map newest;         /* owner -> number of its newest span, 0: it has none */
	uint8_t *items;            /* number 0 is no item */
	uint32_t n, cap, free;
	uint64_t losses;           /* up to now, of any CPU */
	VEC(uint64_t) of_cpu;
};

void spans_init(struct spans *s, size_t size, const struct spans_limits *limits);
void spans_deinit(struct spans *s);

/* The next record in order of time, of any event: were events lost before it? 0 or -ENOMEM. */
int spans_follow(struct spans *s, const struct tstream_rec *rec);

/* The same where it is told otherwise: events of a CPU were lost. 0 or -ENOMEM. */
int spans_lose(struct spans *s, uint32_t cpu);

/* The owner's item, with the rest of it zeroed, valid until the next spans_open. NULL: no memory. */
void *spans_open(struct spans *s, const struct span *start);

/* NULL: it has none. */
struct span *spans_newest(const struct spans *s, uint64_t owner);
struct span *spans_older(const struct spans *s, const struct span *sp);

/* Was nothing lost since it began? cpu: where it ends. */
bool spans_whole(const struct spans *s, const struct span *sp, uint32_t cpu);

/* It is no more; what is in it can be read until the next spans_open. */
void spans_close(struct spans *s, struct span *sp);

/* Each span that is still open, in no order; it is closed then. */
void spans_end(struct spans *s, void (*give)(void *arg, const struct span *sp), void *arg);

#endif
