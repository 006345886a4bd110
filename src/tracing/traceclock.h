/*
 * traceclock.h - reads a trace clock: by an event in an instance of our own, which is read back. Nothing else gives its
 * time to the nanosecond.
 */
#ifndef TRACING_TRACECLOCK_H
#define TRACING_TRACECLOCK_H

#include "tracing/rings.h"
#include "tracing/undo.h"

struct traceclock {
	struct tfs tfs;            /* our instance, which the undo removes */
	int marker;                /* trace_marker_raw; -1 */
	uint32_t raw_id, offset;   /* id of the event raw_data; offset of the written bytes in it */
	struct tpage_layout layout;
	uint8_t *page;
};

/* clock: a name of trace_clock; NULL: the current one. -EOPNOTSUPP: not on this kernel. */
int traceclock_init(struct traceclock *c, struct undo *u, const struct tfs *top, const char *clock, struct err *e);
void traceclock_deinit(struct traceclock *c);

/* Record the current time under a number. */
int traceclock_note(const struct traceclock *c, uint32_t number);

/* Report all times recorded since the last call, by number; from all CPUs. */
void traceclock_read(struct traceclock *c, void (*each)(void *arg, uint32_t number, uint64_t ts), void *arg);

#endif
