/* acts_parts.h - shared by the files acts*.c. */
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
	uint32_t on;                  /* the task on it, index in switches + 1; 0: not known */
	int64_t since;
	uint64_t delay;               /* run queue delay of that task, ns + 1; 0: not known */
};

/* Indexed like switches. */
struct acts_task {
	uint32_t task;                /* the roll's number + 1 */
	uint32_t waker, waker_cpu;    /* number + 1; 0: not known */
	bool running;
};

struct acts_value {
	struct lane *lane;
	int64_t since;
	uint64_t value;
	bool known, counted;          /* counted: the value was counted over the time before its sample */
};

struct acts {
	struct export *x;
	struct acts_to *to;
	struct map lane_of;           /* kind, owner, sub -> index of the roll's lane + 1; UINT64_MAX: no room */
	struct map task_of;           /* tid -> the roll's number + 1 */
	struct map name_of;           /* address of a called function -> name + 1 */
	struct map value_of;          /* name of a counter's row -> index + 1 */
	struct switches switches;
	VEC(struct acts_task) tasks;
	VEC(struct acts_cpu) cpus;
	VEC(struct acts_value) values;
	VEC(uint32_t) event_of;       /* the export's event -> the roll's number + 1 */
	VEC(uint64_t) frame_name;     /* the export's frame -> frame_name() + 1 */
	struct funcgraph graph;
	bool graphed, begun, waking;
	uint64_t lost;
	int64_t last;                 /* page time of the last sample */
};

/* Find or make a lane. 0: *lane, which is NULL if there are too many lanes; -ENOMEM. */
int acts_lane(struct acts *a, enum lane_kind kind, uint32_t owner, uint32_t sub, struct lane **lane);

/* Add an item to a lane; 0 also if there is no room for the lane. */
int acts_put(struct acts *a, enum lane_kind kind, uint32_t owner, uint32_t sub, const struct lane_item *it);

/* The roll's number for a task; NAMES_NONE: no memory. comm may be empty. */
uint32_t acts_task(struct acts *a, uint32_t tid, uint32_t pid, struct sv comm);

struct acts_cpu *acts_cpu(struct acts *a, uint32_t cpu);   /* NULL: no memory, or no such CPU */

/* Process an event of one of these kinds. 1: done; 0: it is of another kind; -ENOMEM. */
int acts_sched(struct acts *a, const struct export_sample *s, int64_t at);
int acts_runtime(struct acts *a, const struct export_sample *s);
int acts_span(struct acts *a, const struct export_sample *s, int64_t at);
int acts_value(struct acts *a, const struct export_sample *s, int64_t at);

/* The recording ends: end everything that is still open. */
int acts_sched_end(struct acts *a, int64_t at);
int acts_span_end(struct acts *a, int64_t at);
int acts_value_end(struct acts *a, int64_t at);

/* The name of the innermost function of a call chain; NAMES_NONE: no memory. */
uint32_t acts_leaf(struct acts *a, uint32_t stack);

static inline uint64_t acts_field(const struct export_sample *s, unsigned number)
{
	return tfmt_value(s->tracepoint->field[number], s->raw.p, s->raw.n);
}

#endif
