/*
 * roll.h - the data of a page: lanes, written out as they grow, so that memory follows lanes and not events; and the
 * tasks, events, names and call chains that lanes have numbers of.
 *
 * What is written is blocks, one behind the other: tag, level, length, bytes. The tag of a lane's bytes is its number
 * + ROLL_LANES; the others have no level but 0. ROLL_STACKS are nodes, parent and name each, counted from 1; the name
 * is 2 * its number, + 1 of the kernel. ROLL_ABOUT is the last one, JSON, without a length.
 */
#ifndef TIMELINE_ROLL_H
#define TIMELINE_ROLL_H

#include "base/err.h"
#include "base/fmt.h"
#include "base/map.h"
#include "timeline/lane.h"

enum { ROLL_ABOUT, ROLL_STACKS, ROLL_LANES };

/* Lanes beyond are left out, and counted. */
enum { ROLL_LANES_MAX = 16384 };

struct roll_task {
	uint32_t host, tid, pid;
	uint32_t name, first_name; /* the last that it had, and the first: names */
};

struct roll_event {
	const char *name;
	uint64_t n;
};

struct roll_host {
	uint32_t name;             /* of its recording */
	int64_t offset;            /* ns that were added to its times */
};

struct roll {
	struct out *to;
	VEC(struct lane *) lanes;
	VEC(struct roll_task) tasks;
	VEC(struct roll_event) events;
	VEC(struct roll_host) hosts;
	VEC(uint32_t) notes;       /* names */
	struct names names, event_names;
	size_t held;               /* bytes of lanes that are not written yet */
	uint64_t stacks;           /* nodes */
	uint64_t zero;             /* of the page, ns */
	int64_t first, last;       /* of all that is on it, from zero */
	bool begun;
	uint64_t far;              /* events that are too far away in time for one page */
	uint64_t left_out;         /* items of lanes that there was no room for */
};

void roll_init(struct roll *r, struct out *to);
void roll_deinit(struct roll *r);

/* The moment as the page has it; false: it is too far from the others. The first one is the page's zero. */
bool roll_at(struct roll *r, uint64_t time, int64_t *at);

/* NULL: no memory, or *full: there are too many. kind, host, owner, sub as in struct lane. */
struct lane *roll_lane(struct roll *r, const struct lane *like, bool *full);

/* As lane_add; what is long enough is written. */
int roll_add(struct roll *r, struct lane *l, const struct lane_item *item, const void *more, size_t n);

/* NAMES_NONE: no memory. */
uint32_t roll_name(struct roll *r, const char *name);
uint32_t roll_event(struct roll *r, const char *name);

void roll_block(struct roll *r, uint64_t tag, unsigned level, const void *bytes, size_t n);

/* A line that the page shows. 0 or -ENOMEM. */
int roll_note(struct roll *r, const char *text);

/* The rest of the lanes, and what the page needs to know of all of it. 0 or -ENOMEM; errors of `to` are kept in it. */
int roll_end(struct roll *r);

#endif
