/*
 * guestwork.h - what virtual CPUs are left for, and how long that takes: times between two events of one thread, in
 * rows of what they were for. Nothing is a virtual CPU before it enters its guest for the first time.
 */
#ifndef ANALYSE_GUESTWORK_H
#define ANALYSE_GUESTWORK_H

#include "analyse/stats.h"
#include "base/map.h"

/* What a time was for: a reason, an address and whether it was written. */
struct guestwork_key {
	uint64_t what, how;
};

struct guestwork_row {
	struct guestwork_key key;
	uint64_t total, min, max;        /* ns */
	struct stats times;
};

struct guestwork_vcpu {
	uint32_t id;                     /* as its first entry tells it */
	bool open, has_key;
	uint32_t row;                    /* has_key: of what it is open for */
	uint64_t from;
};

struct guestwork {
	VEC(struct guestwork_row) rows;
	VEC(struct guestwork_vcpu) vcpus;
	struct map threads, keys;        /* number in vcpus by thread; in rows + 1 by a hash of the key */
	uint64_t early;                  /* events of threads that have not entered a guest yet */
	uint64_t strays;                 /* ends without a beginning, times that run backwards */
	uint64_t unended;                /* a beginning where another of the same kind was open */
	uint64_t discarded;              /* open where events were lost */
	uint64_t dropped;                /* there was no room */
};

/* Rows and virtual CPUs that are kept: a guest chooses its addresses itself. */
enum { GUESTWORK_ROWS = 1 << 16, GUESTWORK_VCPUS = 1 << 16 };

/* The virtual CPU of a thread, or NULL; the second makes one where there is room. */
struct guestwork_vcpu *guestwork_find(struct guestwork *g, uint32_t tid);
int guestwork_enter(struct guestwork *g, uint32_t tid, uint32_t id);      /* 0 or -ENOMEM */

/* A time begins; its key may be told at the end. 0 or -ENOMEM. */
int guestwork_begin(struct guestwork *g, struct guestwork_vcpu *v, const struct guestwork_key *key, uint64_t time);

/* It ends. The row that it counts for, and its length; NULL with *ns 0: for none; with UINT64_MAX: no memory. */
struct guestwork_row *guestwork_end(struct guestwork *g, struct guestwork_vcpu *v, const struct guestwork_key *key,
				    uint64_t time, uint64_t *ns);

void guestwork_lose(struct guestwork *g);        /* events are missing: what is open is not known */
void guestwork_forget(struct guestwork *g);      /* the rows; what is open stays open */
uint64_t guestwork_open(const struct guestwork *g);
void guestwork_deinit(struct guestwork *g);

#endif
