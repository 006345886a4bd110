/*
 * texts.h - what arguments point to, by call and thread: from programs in the kernel (bpf/argmem.h), which read it
 * while the call is made, or else from the memory of the thread when its event is looked at, as far as it is there.
 */
#ifndef SYSCALLS_TEXTS_H
#define SYSCALLS_TEXTS_H

#include "syscalls/pointee.h"

enum {
	TEXTS_BUCKETS = 1024,
	TEXTS_BYTES = 16 << 20,          /* that wait for their events; beyond it the oldest are left out */
};

/* Of one call, at its beginning or its end. */
struct texts_rec {
	struct texts_rec *next;          /* of the same bucket */
	struct texts_rec *older, *newer;
	uint32_t tid;
	uint16_t nr;
	enum argmem_when when;
	uint64_t time, from[ARGMEM_MOST];
	int32_t got[ARGMEM_MOST];        /* bytes, or -errno */
	bool cut[ARGMEM_MOST];           /* there is more of it, if it is a string; what is there ends with a NUL */
	uint8_t *bytes[ARGMEM_MOST];     /* of a list: its items, struct argmem_item */
	struct argmem_item *items;       /* those that wait for their event; it takes them as bytes */
	uint32_t n_items;
	uint64_t list;                   /* where they are listed */
	uint64_t env;                    /* where those of the environment are, and how many, + 1; 0: not known */
	uint32_t vars;
};

/*
 * Kernels run what is attached to a tracepoint in the order of attaching; the events of all who have perf's are one
 * thing, which the first of them attaches. Where somebody was there before, our programs run behind our events.
 */
enum texts_order { TEXTS_UNTOLD, TEXTS_BEFORE, TEXTS_BEHIND };

enum texts_way { TEXTS_AUTO, TEXTS_BPF, TEXTS_MEMORY, TEXTS_NONE };

struct texts {
	const struct sys *sys;
	bool reads;                      /* memory of threads */
	bool programs;                   /* mem is open */
	enum texts_order order[2];       /* of the tracepoint of beginnings, and that of ends: as the first one tells */
	struct argmem mem;
	struct { struct texts_rec *first, *last; } of[TEXTS_BUCKETS];
	struct texts_rec *oldest, *newest;
	size_t bytes;
	uint64_t dropped, late;          /* late: read when its event was looked at */
};

/* 0; -errno: there are no programs (e: why), and TEXTS_AUTO goes on without. */
int texts_open(struct texts *t, const struct argmem_want *w, enum texts_way way, struct err *e);
void texts_close(struct texts *t);

/*
 * Of the call that a thread begins, or ends; NULL: none of it is known. n of v: what is meant by its arguments. ret: of
 * its end. AGAIN: of its beginning, when it has ended. To texts_free.
 *
 * Programs run before the call's event is written, and after the one before it: what was read in that time belongs to
 * it, whatever was lost. Where they run behind it, the next one is its.
 */
struct texts_want {
	uint32_t tid, nr;
	enum argmem_when when;
	const struct pointee *v;
	unsigned n;
	const uint64_t *arg;
	int64_t ret;
	uint64_t after, time;            /* of the thread's event before, and of this one: ns of CLOCK_MONOTONIC */
};
struct texts_rec *texts_take(struct texts *t, const struct texts_want *w);
void texts_free(struct texts_rec *r);

#endif
