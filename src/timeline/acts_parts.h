/* acts_parts.h - shared by the files of acts. */
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
	uint32_t on;                  /* the running task's index in switches + 1, 0: unknown */
	int64_t since;
	uint64_t delay;               /* scheduling delay + 1 of the running task; 0: unknown */
};

/* By index in switches. */
struct acts_task {
	uint32_t task;                /* index in the roll + 1 */
	uint32_t waker, waker_cpu;    /* + 1; 0: unknown */
	bool running;
};

struct acts_value {
	struct lane *lane;
	int64_t since;
	uint64_t value;
	bool known, counted;          /* counted: the value is for the time before */
};

struct acts {
	struct export *x;
	struct acts_to *to;
	struct map lane_of;           /* (kind, owner, sub) -> index in the roll + 1; UINT64_MAX: beyond the limit */
	struct map task_of;           /* tid -> index in the roll + 1 */
	struct map name_of;           /* function of a call -> name + 1 */
	struct map value_of;          /* name of a counter row -> index + 1 */
	struct switches switches;
	VEC(struct acts_task) tasks;
	VEC(struct acts_cpu) cpus;
	VEC(struct acts_value) values;
	VEC(uint32_t) event_of;       /* event of the export -> index in the roll + 1 */
	VEC(uint64_t) frame_name;     /* frame of the export -> (2 * name, + 1 for the kernel), + 1 */
	struct funcgraph graph;
	bool graphed, begun, waking;
	uint64_t lost;
	int64_t last;                 /* of the last sample, in the page's time */
};

/* Find or create a lane. 0: *lane, NULL beyond the limit; -ENOMEM. */
int acts_lane(struct acts *a, enum lane_kind kind, uint32_t owner, uint32_t sub, struct lane **lane);

/* Add an item to a lane; also 0 if it is dropped beyond the limit. */
int acts_put(struct acts *a, enum lane_kind kind, uint32_t owner, uint32_t sub, const struct lane_item *it);

/* Index of a task in the roll; NAMES_NONE: no memory. comm may be empty. */
uint32_t acts_task(struct acts *a, uint32_t tid, uint32_t pid, struct sv comm);

struct acts_cpu *acts_cpu(struct acts *a, uint32_t cpu);   /* NULL: no memory, or no such CPU */

/* Process a sample of one of these kinds. 1: done, 0: another kind, or -ENOMEM. */
int acts_sched(struct acts *a, const struct export_sample *s, int64_t at);
int acts_runtime(struct acts *a, const struct export_sample *s);
int acts_span(struct acts *a, const struct export_sample *s, int64_t at);
int acts_value(struct acts *a, const struct export_sample *s, int64_t at);

/* End of the recording: end what is still open. */
int acts_sched_end(struct acts *a, int64_t at);
int acts_span_end(struct acts *a, int64_t at);
int acts_value_end(struct acts *a, int64_t at);

/* Name of the innermost function of a sample's stack; NAMES_NONE: no memory. */
uint32_t acts_leaf(struct acts *a, uint32_t stack);

static inline uint64_t acts_field(const struct export_sample *s, unsigned number)
{
	return tfmt_value(s->tracepoint->field[number], s->raw.p, s->raw.n);
}

#endif
