/*
 * aux.h - AUX areas of a recording: a second buffer for each ring, which a PMU fills with a trace of its own (Arm SPE).
 * Their contents are written to the file as AUXTRACE records. Memory: 16 bytes for each of these records, which are
 * few, since an area is read only when a part of it is full, and at the end.
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
	uint32_t event;                  /* index of the event that writes the trace */
	uint32_t pmu;                    /* type of its PMU */
	uint32_t tid;                    /* of all areas; UINT32_MAX: they trace all tasks */
	bool stopped;                    /* the recording was disabled: do not restart the event */
	VEC(struct aux_area) areas;
	VEC(uint64_t) index;             /* number of AUXTRACE records in the file, then offset and size of each */
	struct aux_told told;
};

/* Does this build have it? False on a board. */
bool aux_can(void);

/* Is it an event of a PMU with AUX areas that can be recorded? */
bool aux_is_traced(const struct event *ev);

/* Map AUX areas to the mapped rings of the event, and set r->aux. */
int aux_open(struct recording *r, uint32_t event, const struct recording_want *w, struct err *e);
void aux_close(struct aux *a, const struct sys *sys);   /* may be NULL */

/* Write the records about the PMU and its clock, at the start of a file. */
void aux_begin(struct aux *a, const struct recording *r, struct out *o);

/* Write the contents of the areas to the sink. 0 or -errno. */
int aux_drain(struct aux *a, struct recording *r, struct sink *s, struct err *e);

/* Copy the contents of the i-th area to `to` instead, which has room for it. base: its position. 0 or -EBADMSG. */
int aux_take(struct aux *a, struct recording *r, size_t i, uint8_t *to, struct bytes *got, uint64_t *base);

/* MIDR of the core that an area belongs to; 0: unknown. */
uint64_t aux_midr(const struct recording *r, const struct aux_area *area);

/* Add the index of AUXTRACE records to a file's features; `end`: end of its records. a may be NULL. */
void aux_tell(struct aux *a, struct feature_set *facts, uint64_t end);

/* Count the flags of an AUX record. */
void aux_note(struct aux *a, const struct perf_record *rec);

#endif
