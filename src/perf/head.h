/*
 * head.h - what is known about a stream of records before the first one: its events, the sample ids that relate
 * records to events, the machine. For perf.data it comes from the file's header; for live counters and trace.dat the
 * source fills it in.
 */
#ifndef PERF_HEAD_H
#define PERF_HEAD_H

#include "base/arena.h"
#include "base/map.h"
#include "perf/sample.h"

enum perf_feature {
	PERF_FEAT_TRACING_DATA = 1, PERF_FEAT_BUILD_ID = 2, PERF_FEAT_HOSTNAME = 3,
	PERF_FEAT_OSRELEASE = 4, PERF_FEAT_VERSION = 5, PERF_FEAT_ARCH = 6, PERF_FEAT_NRCPUS = 7,
	PERF_FEAT_CPUDESC = 8, PERF_FEAT_CPUID = 9, PERF_FEAT_TOTAL_MEM = 10,
	PERF_FEAT_CMDLINE = 11, PERF_FEAT_EVENT_DESC = 12, PERF_FEAT_CPU_TOPOLOGY = 13,
	PERF_FEAT_NUMA_TOPOLOGY = 14, PERF_FEAT_BRANCH_STACK = 15, PERF_FEAT_PMU_MAPPINGS = 16,
	PERF_FEAT_GROUP_DESC = 17, PERF_FEAT_AUXTRACE = 18, PERF_FEAT_STAT = 19, PERF_FEAT_CACHE = 20,
	PERF_FEAT_SAMPLE_TIME = 21, PERF_FEAT_MEM_TOPOLOGY = 22,
	PERF_FEAT_CLOCKID = 23, PERF_FEAT_DIR_FORMAT = 24, PERF_FEAT_COMPRESSED = 27,
	PERF_FEAT_CLOCK_DATA = 29, PERF_FEAT_PMU_CAPS = 31,
	PERF_FEAT_FILE2 = 132,        /* simpleperf's: sym/file2.h */
	PERF_FEAT_MAX = 256,
};

/* One event. */
struct perf_event {
	struct perf_attr attr;     /* in host order; fields beyond the file's attr size are 0 */
	struct sample_layout layout;
	const char *name;          /* as the recorder wrote it, or NULL */
	const char *label;         /* for display: name, else the tracepoint's name, else made of type and config */
	bool traced;               /* of an AUX trace (SPE): its samples are synthesised as those of other events */
	uint32_t group_leader;     /* index of the leader's event, own index when alone */
	uint64_t n_samples;        /* counted by the session, starts at 0 */
	bool unasked;              /* set by the session's user: count its samples, but do not deliver them */
};

struct perf_build_id {
	int32_t pid;         /* -1: valid in the whole machine, not in one process only */
	uint8_t cpumode;     /* PERF_MISC_KERNEL or PERF_MISC_USER */
	uint8_t size;        /* valid bytes of id */
	uint8_t id[20];
	const char *name;    /* file name, borrowed from the file */
};

enum { PERF_NEAR = 32 };

struct perf_near {
	uint64_t id;
	uint32_t event;              /* index + 1; 0: none */
};

struct perf_head {
	bool swap;                   /* records are in the other byte order */
	VEC(struct perf_event) events;
	struct map ids;              /* sample id -> event index */
	struct perf_near near[PERF_NEAR];   /* cache of `ids`, indexed by id % PERF_NEAR: the kernel counts ids up */
	int id_off, id_off_end;      /* sample_id_offset(), sample_id_offset_end() of all events; -1: they differ */
	struct bytes feature[PERF_FEAT_MAX];   /* p NULL: absent */
	VEC(struct perf_build_id) build_ids;
	struct bytes tracing;        /* TRACING_DATA blob */
	/* "" when unknown. These and cmdline are borrowed from the file's bytes, or from the arena. */
	const char *hostname, *release, *version, *arch, *cpudesc, *cpuid;
	uint32_t cpus_online, cpus_available;
	VEC(const char *) cmdline;
	VEC(struct err) notes;       /* damage that did not stop the reading; at most 32 */
	bool incomplete;             /* by one of the notes, something is missing or cannot be read */
	struct arena arena;
};

/* perf_record_event() for a sample, whose id is mostly found in the cache. */
static inline struct perf_event *perf_head_event(const struct perf_head *h, const struct perf_record *sample)
{
	const struct perf_near *near;
	uint64_t id;

	if (h->id_off < 0 || h->swap || sample->body.n < (size_t)h->id_off + sizeof(id))
		return perf_record_event(sample, h);
	memcpy(&id, sample->body.p + h->id_off, sizeof(id));
	near = &h->near[id % PERF_NEAR];
	return near->event && near->id == id ? &h->events.v[near->event - 1] : perf_record_event(sample, h);
}

void perf_head_init(struct perf_head *h);
void perf_head_deinit(struct perf_head *h);

/* Append an event with this attr, without a name; NULL: no memory. */
struct perf_event *perf_head_add(struct perf_head *h, const struct perf_attr *attr);

/* Call after the last event: set id_off and id_off_end. False: no common place, so samples cannot be told apart. */
bool perf_head_find_ids(struct perf_head *h);

/* Do all events use this clock (CLOCK_* of <time.h>) for their times? */
bool perf_head_has_clock(const struct perf_head *h, int clockid);

/* The index behind the last event of the group whose leader is at index `leader`; leader + 1 if it has no members. */
static inline size_t perf_head_group_end(const struct perf_head *h, size_t leader)
{
	size_t end = leader + 1;

	while (end < h->events.n && h->events.v[end].group_leader == leader)
		end++;
	return end;
}

/* A cursor over bytes of records or features, in the stream's byte order. */
struct cursor perf_head_cursor(const struct perf_head *h, struct bytes b);

/* The same over the body of a feature section; bad when the section is absent. */
struct cursor perf_head_feature(const struct perf_head *h, enum perf_feature feature);

/* A feature section's string (u32 length, bytes with NUL), borrowed; "" and bad when it is cut or has no NUL. */
const char *perf_head_string(struct cursor *c);

#endif
