/*
 * roll.h - the data of a page: lanes, written as they grow, so that memory follows the number of lanes and not of
 * events; and the tables of tasks, events, names and call chains to which items refer by index.
 *
 * The output is a sequence of blocks: tag, level, length, bytes. The tag of a lane is its index + ROLL_LANES; other
 * blocks have level 0. ROLL_STACKS has nodes, parent and name each, counted from 1; the name is 2 * its index, + 1 for
 * the kernel. ROLL_ABOUT is the last block, JSON, without a length.
 */
#ifndef TIMELINE_ROLL_H
#define TIMELINE_ROLL_H

#include "base/err.h"
#include "base/fmt.h"
#include "base/map.h"
#include "timeline/lane.h"

enum { ROLL_ABOUT, ROLL_STACKS, ROLL_LANES };

/* Further lanes are dropped, and counted. */
enum { ROLL_LANES_MAX = 16384 };

struct roll_task {
	uint32_t host, tid, pid;
	uint32_t name, first_name; /* indices of its last and its first name */
};

struct roll_event {
	const char *name;
	uint64_t n;
};

struct roll_host {
	uint32_t name;             /* of its recording */
	int64_t offset;            /* ns added to its times */
};

struct roll {
	struct out *to;
	VEC(struct lane *) lanes;
	VEC(struct roll_task) tasks;
	VEC(struct roll_event) events;
	VEC(struct roll_host) hosts;
	VEC(uint32_t) notes;       /* indices of names */
	struct names names, event_names;
	size_t held;               /* bytes of lanes not yet written */
	uint64_t stacks;           /* number of nodes */
	uint64_t zero;             /* time of the page's zero, ns */
	int64_t first, last;       /* time span of everything on the page, from zero */
	bool begun;
	uint64_t far;              /* events too far away in time for one page */
	uint64_t left_out;         /* items of lanes beyond the limit */
};

void roll_init(struct roll *r, struct out *to);
void roll_deinit(struct roll *r);

/* Convert a time to the page's; false: too far from the others. The first one is the page's zero. */
bool roll_at(struct roll *r, uint64_t time, int64_t *at);

/* Find or create a lane. NULL: no memory, or *full: too many. kind, host, owner, sub as in struct lane. */
struct lane *roll_lane(struct roll *r, const struct lane *like, bool *full);

/* As lane_add; writes a block when it is long enough. */
int roll_add(struct roll *r, struct lane *l, const struct lane_item *item, const void *more, size_t n);

/* Index of a name or event; NAMES_NONE: no memory. */
uint32_t roll_name(struct roll *r, const char *name);
uint32_t roll_event(struct roll *r, const char *name);

void roll_block(struct roll *r, uint64_t tag, unsigned level, const void *bytes, size_t n);

/* Add a remark that the page shows. 0 or -ENOMEM. */
int roll_note(struct roll *r, const char *text);

/* Write the rest of the lanes, and the tables. 0 or -ENOMEM; errors of `to` are kept in it. */
int roll_end(struct roll *r);

#endif
