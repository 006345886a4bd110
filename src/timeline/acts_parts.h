/* acts_parts.h - what the files of acts share. */
#ifndef TIMELINE_ACTS_PARTS_H
#define TIMELINE_ACTS_PARTS_H

#include "analyse/funcgraph.h"
#include "analyse/switches.h"
#include "timeline/acts.h"

enum { ACTS_IRQ, ACTS_SOFTIRQ, ACTS_SPANS };

struct acts_cpu {
	struct {
		int64_t since;
		uint32_t name;
		bool open;
	} span[ACTS_SPANS];
	uint32_t on;                  /* switches' index + 1 of who is on it, 0: nobody knows */
	int64_t since;
	uint64_t delay;               /* + 1, of the one that is on it; 0: not known */
};

/* By switches' index. */
struct acts_task {
	uint32_t task;                /* the roll's + 1 */
	uint32_t waker, waker_cpu;    /* + 1; 0: not known */
	bool running;
};

struct acts_value {
	struct lane *lane;
	int64_t since;
	uint64_t value;
	bool known, counted;          /* counted: the value is that of the time before */
};

struct acts {
	struct export *x;
	struct acts_to *to;
	struct map lane_of;           /* kind, owner, sub -> index of the roll's + 1; UINT64_MAX: there was no room */
	struct map task_of;           /* tid -> the roll's + 1 */
	struct map name_of;           /* function of a call -> name + 1 */
	struct map value_of;          /* name of a counter's row -> index + 1 */
	struct switches switches;
	VEC(struct acts_task) tasks;
	VEC(struct acts_cpu) cpus;
	VEC(struct acts_value) values;
	VEC(uint32_t) event_of;       /* the export's event -> the roll's + 1 */
	VEC(uint64_t) frame_name;     /* the export's frame -> 2 * name, + 1 of the kernel, + 1 */
	struct funcgraph graph;
	bool graphed, begun, waking;
	uint64_t lost;
	int64_t last;                 /* the time of the last sample, of the page */
};

/* 0: *lane is it, NULL where there is no room for one more; -ENOMEM. */
int acts_lane(struct acts *a, enum lane_kind kind, uint32_t owner, uint32_t sub, struct lane **lane);

/* An item of a lane; 0, too, where it is left out for want of room. */
int acts_put(struct acts *a, enum lane_kind kind, uint32_t owner, uint32_t sub, const struct lane_item *it);

/* The roll's number of a task; NAMES_NONE: no memory. comm may be empty. */
uint32_t acts_task(struct acts *a, uint32_t tid, uint32_t pid, struct sv comm);

struct acts_cpu *acts_cpu(struct acts *a, uint32_t cpu);   /* NULL: no memory, or there is no such CPU */

/* Is it one of these kinds of events, and was it taken in? 1, 0 or -ENOMEM. */
int acts_sched(struct acts *a, const struct export_sample *s, int64_t at);
int acts_runtime(struct acts *a, const struct export_sample *s);
int acts_span(struct acts *a, const struct export_sample *s, int64_t at);
int acts_value(struct acts *a, const struct export_sample *s, int64_t at);

/* The recording ends: what goes on then ends there. */
int acts_sched_end(struct acts *a, int64_t at);
int acts_span_end(struct acts *a, int64_t at);
int acts_value_end(struct acts *a, int64_t at);

/* Name of the function that the chain ends in, from a sample's stack; NAMES_NONE: no memory. */
uint32_t acts_leaf(struct acts *a, uint32_t stack);

static inline uint64_t acts_field(const struct export_sample *s, unsigned number)
{
	return tfmt_value(s->tracepoint->field[number], s->raw.p, s->raw.n);
}

#endif
