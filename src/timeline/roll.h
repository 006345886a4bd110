/*
 * roll.h - the data of a page: lanes, written out as they grow, so that memory depends on the number of lanes, not of
 * events; and tables of the tasks, events, names and call chains to which the lanes' numbers refer.
 *
 * The data is a sequence of blocks: tag, level, length, bytes. The tag of a lane's bytes is its number + ROLL_LANES;
 * other blocks have level 0. ROLL_STACKS has nodes of call chains, counted from 1: parent and name, which is 2 * the
 * name's number, + 1 for a kernel function. ROLL_ABOUT is JSON, the last block, and has no length.
 */
#ifndef TIMELINE_ROLL_H
#define TIMELINE_ROLL_H

#include "base/err.h"
#include "base/fmt.h"
#include "base/map.h"
#include "timeline/lane.h"

enum { ROLL_ABOUT, ROLL_STACKS, ROLL_LANES };

/* Items of further lanes are left out, and counted. */
enum { ROLL_LANES_MAX = 16384 };

struct roll_task {
	uint32_t host, tid, pid;
	uint32_t name, first_name; /* its last and its first name */
};

struct roll_event {
	const char *name;
	uint64_t n;
};

struct roll_host {
	uint32_t name;             /* of the recording */
	int64_t offset;            /* ns that were added to the recording's times */
};

struct roll {
	struct out *to;
	VEC(struct lane *) lanes;
	VEC(struct roll_task) tasks;
	VEC(struct roll_event) events;
	VEC(struct roll_host) hosts;
	VEC(uint32_t) notes;       /* lines, as numbers of names */
	struct names names, event_names;
	size_t held;               /* bytes of lanes that are not written yet */
	uint64_t stacks;           /* number of nodes */
	uint64_t zero;             /* the page's zero, ns */
	int64_t first, last;       /* time range of all items, ns from zero */
	bool begun;
	uint64_t far;              /* events that are too far away in time for one page */
	uint64_t left_out;         /* items of lanes beyond ROLL_LANES_MAX */
};

void roll_init(struct roll *r, struct out *to);
void roll_deinit(struct roll *r);

/* Convert a time to page time; the first one becomes the page's zero. False: it is too far from the others. */
bool roll_at(struct roll *r, uint64_t time, int64_t *at);

/* Make a lane with the kind, host, owner and sub of `like`. NULL: no memory, or (*full) there are too many. */
struct lane *roll_lane(struct roll *r, const struct lane *like, bool *full);

/* lane_add(), and write the lane's bytes if there are enough. */
int roll_add(struct roll *r, struct lane *l, const struct lane_item *item, const void *more, size_t n);

/* The number of a name, of an event; NAMES_NONE: no memory. */
uint32_t roll_name(struct roll *r, const char *name);
uint32_t roll_event(struct roll *r, const char *name);

void roll_block(struct roll *r, uint64_t tag, unsigned level, const void *bytes, size_t n);

/* Add a line to the page's notes. 0 or -ENOMEM. */
int roll_note(struct roll *r, const char *text);

/* Write the rest of the lanes, and ROLL_ABOUT. 0 or -ENOMEM; write errors are kept in `to`. */
int roll_end(struct roll *r);

#endif
