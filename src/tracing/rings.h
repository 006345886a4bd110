/* rings.h - the per-CPU rings of one buffer: their number, the layout of their sub-buffers, their statistics. */
#ifndef TRACING_RINGS_H
#define TRACING_RINGS_H

#include "base/str.h"
#include "tracefs/format/format.h"
#include "tracing/tfs.h"

/* per_cpu/cpuN/stats; counted since the buffer was last cleared. */
struct ring_stats {
	uint64_t entries;      /* not yet read */
	uint64_t overrun;      /* lost: overwritten before they were read */
	uint64_t dropped;      /* lost: no room, with nooverwrite */
	uint64_t commit_overrun;
	uint64_t read, bytes;
	uint64_t now;          /* the trace clock: ns, or the clock's own unit */
	bool now_is_ns;
};

/* Layout of the sub-buffers; they are layout.data_offset + layout.data_size bytes long. */
int rings_layout(const struct tfs *t, struct tpage_layout *l, struct err *e);
uint32_t rings_subbuf(const struct tpage_layout *l);

/*
 * CPUs of the machine. The ring of a CPU that was never online since the buffer was made does not exist yet: until it
 * does, read() fails with -ENODEV, and poll() returns an error at once.
 */
int rings_cpus(const struct tfs *t, struct cpus *c, struct err *e);

/* Open its trace_pipe_raw, or the snapshot's (snapshot_raw), non-blocking. */
enum rings_file { RINGS_LIVE, RINGS_SNAPSHOT };
int rings_open(const struct tfs *t, unsigned cpu, enum rings_file which, struct err *e);

/* Read or parse the statistics; 0, or -errno when there are none. */
int rings_stats(const struct tfs *t, unsigned cpu, struct ring_stats *s);
void rings_parse(struct ring_stats *s, const char *text);
void rings_path(const struct tfs *t, unsigned cpu, const char *file, char path[PATH_MAX]);

#endif
