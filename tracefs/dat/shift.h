/*
 * shift.h - converts the time stamps of a guest to those of its host by what was measured while both recorded (option
 * TIME_SHIFT of the guest's trace.dat, see guest.h).
 *
 * A host's time is (ts * scaling >> fraction) + offset. Between two samples the offset is interpolated linearly, if
 * the flag says so; before the first and behind the last it is extrapolated from the two nearest. With a single sample
 * the scaling is ignored, as in trace-cmd.
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
	struct tshift_sample *v;     /* sorted by time, without duplicates */
	uint32_t n;
	uint32_t flags;
};

struct tshift {
	uint64_t peer;               /* TRACEID of the host's recording */
	uint32_t flags, ncpus;
	struct tshift_cpu *cpus;
};

/* Parse the bytes of the option; samples are allocated in a. -EBADMSG: truncated or impossible. */
int tshift_parse(struct tshift *s, struct cursor c, struct arena *a);
void tshift_put(struct out *o, const struct tshift *s);

/* The host's time of a guest's time stamp on one CPU; unchanged when there are no samples. */
uint64_t tshift_time(const struct tshift_cpu *c, uint64_t ts);

/* Sort the samples by time, as tshift_time needs them. */
void tshift_sort(struct tshift_cpu *c);

#endif
