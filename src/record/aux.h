/*
 * aux.h - AUX areas of a recording: a second buffer beside each ring, which a PMU fills with its own trace (Arm's SPE).
 * Its contents are written to the file as AUXTRACE records. Memory is 16 bytes for each such record; there are few, as
 * an area is drained only when an eighth of it is full, and at the end.
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
	uint64_t truncated, collided, partial;   /* AUX records with these flags */
};

struct aux {
	uint32_t event;                  /* index of the traced event */
	uint32_t pmu;                    /* type of its PMU */
	uint32_t tid;                    /* traced task; UINT32_MAX: all tasks */
	bool stopped;                    /* the event is disabled: do not enable it again after a drain */
	VEC(struct aux_area) areas;
	VEC(uint64_t) index;             /* number of AUXTRACE records in the file, then offset and size of each */
	struct aux_told told;
};

/* False: this build (make board) has no AUX areas. */
bool aux_can(void);

/* Is it an event of a PMU with AUX areas that can be recorded? */
bool aux_is_traced(const struct event *ev);

/* Map the areas, as r->aux. The rings must be mapped, and owned by the traced event. w->aux_bytes 0: default size. */
int aux_open(struct recording *r, uint32_t event, const struct recording_want *w, struct err *e);
void aux_close(struct aux *a, const struct sys *sys);   /* may be NULL */

/* Write the records about PMU and clock that a reader needs, at the beginning of the file. */
void aux_begin(struct aux *a, const struct recording *r, struct out *o);

/* Write what is in the areas to the sink. 0 or -errno. */
int aux_drain(struct aux *a, struct recording *r, struct sink *s, struct err *e);

/* Instead, copy area i to `to`, which has room for all of it. *base: offset in the trace. 0; -EBADMSG: bad head. */
int aux_take(struct aux *a, struct recording *r, size_t i, uint8_t *to, struct bytes *got, uint64_t *base);

/* MIDR of the CPU of an area; 0: unknown. */
uint64_t aux_midr(const struct recording *r, const struct aux_area *area);

/* Add the feature AUXTRACE, the index of these records, to a file whose data ends at `end`. a may be NULL. */
void aux_tell(struct aux *a, struct feature_set *facts, uint64_t end);

/* Count the flags of an AUX record from a ring. */
void aux_note(struct aux *a, const struct perf_record *rec);

#endif
