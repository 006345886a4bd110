/*
 * guestwork.h - why virtual CPUs exit to the host, and for how long: times between two events of one thread, in rows by
 * reason. A thread counts as a virtual CPU from its first guest entry on.
 */
#ifndef ANALYSE_GUESTWORK_H
#define ANALYSE_GUESTWORK_H

#include "analyse/stats.h"
#include "base/map.h"

/* The key of a row: exit reason; or address, and whether it was a write. */
struct guestwork_key {
	uint64_t what, how;
};

struct guestwork_row {
	struct guestwork_key key;
	uint64_t total, min, max;        /* ns */
	struct stats times;
};

struct guestwork_vcpu {
	uint32_t id;                     /* vcpu id of its first entry event */
	bool open, has_key;
	uint32_t row;                    /* with has_key: the row of the open time */
	uint64_t from;
};

struct guestwork {
	VEC(struct guestwork_row) rows;
	VEC(struct guestwork_vcpu) vcpus;
	struct map threads, keys;        /* tid -> index in vcpus; hash of the key -> index in rows */
	uint64_t early;                  /* events of threads before their first guest entry */
	uint64_t strays;                 /* ends without a start, or before it */
	uint64_t unended;                /* starts while another one was open */
	uint64_t discarded;              /* open when events were lost */
	uint64_t dropped;                /* beyond the limits */
};

/* Limits; rows need one, since a guest chooses its addresses itself. */
enum { GUESTWORK_ROWS = 1 << 16, GUESTWORK_VCPUS = 1 << 16 };

/* The virtual CPU of a thread, or NULL; guestwork_enter() adds it, if there is room. */
struct guestwork_vcpu *guestwork_find(struct guestwork *g, uint32_t tid);
int guestwork_enter(struct guestwork *g, uint32_t tid, uint32_t id);      /* 0 or -ENOMEM */

/* Start a time; key NULL: it will be given at the end. 0 or -ENOMEM. */
int guestwork_begin(struct guestwork *g, struct guestwork_vcpu *v, const struct guestwork_key *key, uint64_t time);

/* End it. Returns its row, and its length in *ns; NULL with *ns 0: it does not count; with UINT64_MAX: no memory. */
struct guestwork_row *guestwork_end(struct guestwork *g, struct guestwork_vcpu *v, const struct guestwork_key *key,
				    uint64_t time, uint64_t *ns);

void guestwork_lose(struct guestwork *g);        /* events were lost: discard open times */
void guestwork_forget(struct guestwork *g);      /* reset the rows; open times stay open */
uint64_t guestwork_open(const struct guestwork *g);
void guestwork_deinit(struct guestwork *g);

#endif
