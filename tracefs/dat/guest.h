/*
 * guest.h - how recordings of a host and its guests know each other: the options GUEST (in the host's) and TIME_SHIFT
 * (in the guest's) of a trace.dat.
 *
 *   GUEST        name with its NUL, u64 id of the guest's recording (its TRACEID), u32 CPUs, and for each of them
 *                u32 CPU, i32 thread of the host that runs it (-1: not known)
 *   TIME_SHIFT   u64 id of the host's recording, u32 flags (1: between two samples the offset is interpolated),
 *                u32 CPUs, for each: u32 n, i64 time[n], i64 offset[n], i64 scaling[n]; then for each: i64 fraction
 *                bits[n], which files of trace-cmd 2.9 do not have
 */
#ifndef TRACEFS_DAT_GUEST_H
#define TRACEFS_DAT_GUEST_H

#include "base/cursor.h"
#include "base/err.h"
#include "base/fmt.h"
#include "base/vec.h"

struct tguest {
	const char *name;
	uint64_t id;
	uint32_t ncpus;
	const int32_t *pids;     /* of the threads that run its CPUs; NULL: none is known */
};

/* Write the bytes of the GUEST option. */
void tguest_put(struct out *o, const struct tguest *g);

#endif
