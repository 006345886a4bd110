/* rings.h - the per-CPU rings of one buffer: which there are, how their sub-buffers look, what was lost in them. */
#ifndef TRACING_RINGS_H
#define TRACING_RINGS_H

#include "base/str.h"
#include "tracefs/format/format.h"
#include "tracing/tfs.h"

/* per_cpu/cpuN/stats; all since the buffer was last cleared. */
struct ring_stats {
	uint64_t entries;      /* not yet read */
	uint64_t overrun;      /* lost: overwritten before they were read */
	uint64_t dropped;      /* lost: no room, and nooverwrite */
	uint64_t commit_overrun;
	uint64_t read, bytes;
	uint64_t now;          /* the trace clock: ns, or its own unit */
	bool now_is_ns;
};

/* Layout of its sub-buffers; they are layout.data_offset + layout.data_size bytes long. */
int rings_layout(const struct tfs *t, struct tpage_layout *l, struct err *e);
uint32_t rings_subbuf(const struct tpage_layout *l);

/*
 * CPUs of the machine that have a ring. That of one that was never up since the buffer was made is not there yet: until
 * then reading gives -ENODEV, and poll() an error at once.
 */
int rings_cpus(const struct tfs *t, struct cpus *c, struct err *e);

/* Its trace_pipe_raw (from: "per_cpu"; a snapshot's: snapshot_raw), not blocking. */
enum rings_file { RINGS_LIVE, RINGS_SNAPSHOT };
int rings_open(const struct tfs *t, unsigned cpu, enum rings_file which, struct err *e);

/* Text of the stats; 0, or -errno when there are none. */
int rings_stats(const struct tfs *t, unsigned cpu, struct ring_stats *s);
void rings_parse(struct ring_stats *s, const char *text);
void rings_path(const struct tfs *t, unsigned cpu, const char *file, char path[PATH_MAX]);

#endif
