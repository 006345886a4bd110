/*
 * spans.h - open spans, times that have started and not ended yet: calls, interrupts, waits, anything between two
 * events. The spans of an owner (a task, a CPU, a key) are a list, newest first.
 *
 *	spans_init(&s, sizeof(struct mine), &limits);    struct mine begins with a struct span
 *	spans_follow(&s, rec);                           of each record, before its spans are opened or closed
 *	m = spans_open(&s, &(struct span){ .owner = task, .ts = rec->ts, .cpu = rec->cpu });
 *	for (sp = spans_newest(&s, task); sp && !mine(sp); sp = spans_older(&s, sp))
 *		;
 *	whole = spans_whole(&s, sp, rec->cpu);           false: events were lost within it; count it as discarded
 *	spans_close(&s, sp);
 *
 * Lost events may have been the end of any open span, and the start of newer ones: a span across a loss is not whole. A
 * loss lasts from the event before it to the one after it in the same ring; spans that start or end meanwhile on other
 * CPUs are not whole either. A pinned span has both events on one CPU: only losses of that CPU count.
 *
 * Memory is bounded by limits: `dropped` is called for each span that is given up.
 */
#ifndef ANALYSE_SPANS_H
#define ANALYSE_SPANS_H

#include "base/map.h"
#include "tracefs/ring/stream.h"

struct span {
	uint64_t owner, ts;        /* ts: ns, of its start */
	uint32_t cpu;              /* CPU of its start */
	bool pinned;
	/* Private to spans.c: */
	uint64_t losses;           /* number of losses when it started */
	uint32_t rank;             /* number of its owner's spans up to this one */
	uint32_t older;            /* index of the next older span; of a free item: of the next free one */
};

enum spans_limit { SPANS_DEEP, SPANS_OLD };   /* the owner has too many spans; there are too many owners */

struct spans_limits {
	uint32_t deep;             /* spans per owner: beyond that its oldest one is dropped */
	uint32_t owners;           /* known owners: beyond that those without spans are removed, then the oldest */
	void (*dropped)(void *arg, const struct span *sp, enum spans_limit why);
	void *arg;
};

struct spans {
	struct spans_limits limits;
	size_t size;               /* bytes of an item (struct mine) */
	struct map newest;         /* owner -> index of its newest span, 0: none */
	uint8_t *items;            /* index 0 is not used */
	uint32_t n, cap, free;
	uint64_t losses;           /* number of losses so far, on all CPUs */
	VEC(uint64_t) of_cpu;      /* and on each */
};

void spans_init(struct spans *s, size_t size, const struct spans_limits *limits);
void spans_deinit(struct spans *s);

/* Take note of losses before this record; to be called for every record, in order of time. 0 or -ENOMEM. */
int spans_follow(struct spans *s, const struct tstream_rec *rec);

/* The same for a source that reports losses by themselves: events of a CPU were lost. 0 or -ENOMEM. */
int spans_lose(struct spans *s, uint32_t cpu);

/* Open a span: the rest of its item is zeroed. Valid until the next spans_open(). NULL: no memory. */
void *spans_open(struct spans *s, const struct span *start);

/* Walk the owner's open spans, newest first. NULL: no more. */
struct span *spans_newest(const struct spans *s, uint64_t owner);
struct span *spans_older(const struct spans *s, const struct span *sp);

/* Were no events lost since its start? cpu: that of its end. */
bool spans_whole(const struct spans *s, const struct span *sp, uint32_t cpu);

/* Remove a span; its contents can be read until the next spans_open(). */
void spans_close(struct spans *s, struct span *sp);

/* Close all open spans, in no particular order, and call `give` for each. */
void spans_end(struct spans *s, void (*give)(void *arg, const struct span *sp), void *arg);

#endif
