/*
 * aux.h - AUX areas of a recording: beside each ring a second buffer, that a PMU fills with a trace of its own (Arm's
 * SPE). What is in them goes from there into the file, as AUXTRACE records. Memory: 16 bytes for each of these, which
 * are never many: but at the end an area is read when a part of it is full.
 */
#ifndef RECORD_AUX_H
#define RECORD_AUX_H

#include "perf/event.h"
#include "perf/feature.h"
#include "record/recording.h"
#include "sys/ring_aux.h"

struct aux_area {
	struct ring_aux map;
	uint32_t ring;
};

struct aux_told {
	uint64_t bytes;
	uint64_t truncated, collided, partial;   /* stretches that the PMU says this of */
};

struct aux {
	uint32_t event;                  /* whose areas they are */
	uint32_t pmu;                    /* its type */
	uint32_t tid;                    /* of all areas; UINT32_MAX: they are of all tasks */
	bool stopped;                    /* the event is not to count: it is not to be started again */
	VEC(struct aux_area) areas;
	VEC(uint64_t) index;             /* how many AUXTRACE records the file has, then the place and size of each */
	struct aux_told told;
};

/* False: not on a board. */
bool aux_can(void);

/* Is it an event of a PMU with AUX areas that can be recorded? */
bool aux_is_traced(const struct event *ev);

/* Of a recording whose rings are mapped, those of the event first: r->aux. bytes 0: as usual. */
int aux_open(struct recording *r, uint32_t event, const struct recording_want *w, struct err *e);
void aux_close(struct aux *a, const struct sys *sys);   /* may be NULL */

/* At the beginning of a file: what its readers must know of the PMU and its clock. */
void aux_begin(struct aux *a, const struct recording *r, struct out *o);

/* What is in the areas to the sink. 0 or -errno. */
int aux_drain(struct aux *a, struct recording *r, struct sink *s, struct err *e);

/* What is in the i-th instead to `to`, which has room for an area. base: where it stood. 0, -EBADMSG: it cannot be. */
int aux_take(struct aux *a, struct recording *r, size_t i, uint8_t *to, struct bytes *got, uint64_t *base);

/* Of the core that an area belongs to; 0: unknown. */
uint64_t aux_midr(const struct recording *r, const struct aux_area *area);

/* Where AUXTRACE records are in a file whose records end at `end`, to its features. a may be NULL. */
void aux_tell(struct aux *a, struct feature_set *facts, uint64_t end);

/* An AUX record that was in a ring. */
void aux_note(struct aux *a, const struct perf_record *rec);

#endif
