/*
 * traceclock.h - what time it is by a trace clock: an event of our own in a buffer of our own, read back. Nothing else
 * tells it to the nanosecond.
 */
#ifndef TRACING_TRACECLOCK_H
#define TRACING_TRACECLOCK_H

#include "tracing/rings.h"
#include "tracing/undo.h"

struct traceclock {
	struct tfs tfs;            /* an instance, which goes with the undo */
	int marker;                /* trace_marker_raw; -1 */
	uint32_t raw_id, offset;   /* of the event raw_data; where in it what was written begins */
	struct tpage_layout layout;
	uint8_t *page;
};

/* clock: as in trace_clock, or NULL: as it is. -EOPNOTSUPP: this kernel cannot. */
int traceclock_init(struct traceclock *c, struct undo *u, const struct tfs *top, const char *clock, struct err *e);
void traceclock_deinit(struct traceclock *c);

/* Note the time under that number. */
int traceclock_note(const struct traceclock *c, uint32_t number);

/* All that was noted since the last time, by number; from all CPUs. */
void traceclock_read(struct traceclock *c, void (*each)(void *arg, uint32_t number, uint64_t ts), void *arg);

#endif
