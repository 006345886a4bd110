/*
 * shift.h - the clock of a guest and that of its host: what was measured while both recorded (option TIME_SHIFT of the
 * guest's trace.dat, see guest.h), and times of the one as times of the other.
 *
 * A host's time is (ts * scaling >> fraction) + offset. Between two samples the offset changes evenly, if the flag says
 * so; before the first and behind the last it goes on as between the two that are next. A single sample has no
 * scaling, as trace-cmd reads it.
 */
#ifndef TRACEFS_DAT_SHIFT_H
#define TRACEFS_DAT_SHIFT_H

#include "base/arena.h"
#include "base/cursor.h"
#include "base/err.h"
#include "base/fmt.h"

enum tshift_flag { TSHIFT_INTERPOLATE = 1 };

struct tshift_sample {
	int64_t time, offset;        /* ns, or the unit of the clock; time: of the guest */
	int64_t scaling, fraction;
};

struct tshift_cpu {
	struct tshift_sample *v;     /* by time, and no two of one time */
	uint32_t n;
	uint32_t flags;
};

struct tshift {
	uint64_t peer;               /* TRACEID of the host's recording */
	uint32_t flags, ncpus;
	struct tshift_cpu *cpus;
};

/* The bytes of an option; samples are in a. -EBADMSG: it says more than it has. */
int tshift_parse(struct tshift *s, struct cursor c, struct arena *a);
void tshift_put(struct out *o, const struct tshift *s);

/* Of one CPU; without samples as it is. */
uint64_t tshift_time(const struct tshift_cpu *c, uint64_t ts);

/* In order of time, as tshift_time wants them. */
void tshift_sort(struct tshift_cpu *c);

#endif
