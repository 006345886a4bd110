/*
 * texts.h - the memory that system call arguments point to, by call and thread. BPF programs (bpf/argmem.h) read it
 * during the call; otherwise it is read later from /proc/TID/mem, when the call's event is processed, if it is still
 * there.
 */
#ifndef SYSCALLS_TEXTS_H
#define SYSCALLS_TEXTS_H

#include "syscalls/pointee.h"

enum {
	TEXTS_BUCKETS = 1024,
	TEXTS_BYTES = 16 << 20,          /* limit of all records that wait for their events; the oldest are dropped */
};

/* The memory of one call's arguments, at its beginning or end. */
struct texts_rec {
	struct texts_rec *next;          /* in the same bucket */
	struct texts_rec *older, *newer;
	uint32_t tid;
	uint16_t nr;
	enum argmem_when when;
	uint64_t time, from[ARGMEM_MOST];
	int32_t got[ARGMEM_MOST];        /* bytes, or -errno */
	bool cut[ARGMEM_MOST];           /* a string that was truncated, though bytes[] ends with a NUL */
	uint8_t *bytes[ARGMEM_MOST];     /* of a list: its items, struct argmem_item */
	struct argmem_item *items;       /* items of a list until the event comes, then they are moved to bytes[] */
	uint32_t n_items;
	uint64_t list;                   /* address of the list */
	uint64_t env;                    /* address of envp */
	uint32_t vars;                   /* number of its variables + 1; 0: not known */
};

/*
 * The kernel runs a tracepoint's callbacks in the order in which they were attached. perf has a single callback for all
 * perf events of all users, attached by the first of them. If another user has the event open already, our programs run
 * after our events are written.
 */
enum texts_order { TEXTS_UNTOLD, TEXTS_BEFORE, TEXTS_BEHIND };

enum texts_way { TEXTS_AUTO, TEXTS_BPF, TEXTS_MEMORY, TEXTS_NONE };

struct texts {
	const struct sys *sys;
	bool reads;                      /* reading /proc/TID/mem is allowed */
	bool programs;                   /* mem is open */
	enum texts_order order[2];       /* at sys_enter and sys_exit; learnt from the first event of each */
	struct argmem mem;
	struct { struct texts_rec *first, *last; } of[TEXTS_BUCKETS];
	struct texts_rec *oldest, *newest;
	size_t bytes;
	uint64_t dropped, late;          /* late: arguments that were read from /proc/TID/mem */
};

/* 0; -errno: programs cannot be used (e: why); TEXTS_AUTO then goes on without them. */
int texts_open(struct texts *t, const struct argmem_want *w, enum texts_way way, struct err *e);
void texts_close(struct texts *t);

/*
 * Take the record of the call that a thread begins or ends; NULL: there is none. v: the n arguments that are read; ret:
 * the call's result. when AGAIN: arguments of the beginning that were read at the end. The caller calls texts_free().
 *
 * Programs run before the call's event is written, and after the thread's previous event: a record with a time between
 * the two belongs to the call, even if events or records were lost. If programs run after the event, the next record is
 * the call's.
 */
struct texts_want {
	uint32_t tid, nr;
	enum argmem_when when;
	const struct pointee *v;
	unsigned n;
	const uint64_t *arg;
	int64_t ret;
	uint64_t after, time;            /* times of the thread's previous event and this one, ns of CLOCK_MONOTONIC */
};
struct texts_rec *texts_take(struct texts *t, const struct texts_want *w);
void texts_free(struct texts_rec *r);

#endif
