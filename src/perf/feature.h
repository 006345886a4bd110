/*
 * feature.h - the feature sections of a recording to be written: collect them in any order, then
 * write them behind the records (file) or as HEADER_FEATURE records (pipe). Numbers are those of
 * enum perf_feature; host byte order.
 *
 * Errors stick in the set (no memory) and come back from the functions that write.
 */
#ifndef PERF_FEATURE_H
#define PERF_FEATURE_H

#include "perf/write.h"

struct feature_part {
	uint8_t bit;
	size_t off, n;             /* of its body in `bodies` */
	struct bytes borrowed;     /* p not NULL: the body, instead of off and n; valid until written */
};

struct feature_set {
	uint64_t bits[4];          /* bitmap of the sections, for perf_write_head() */
	VEC(struct feature_part) parts;
	struct mem_out bodies;     /* points into itself: do not move the set */
	int error;
};

void feature_set_init(struct feature_set *s);
void feature_set_deinit(struct feature_set *s);

void feature_string(struct feature_set *s, enum perf_feature f, const char *text);

/* CMDLINE. */
void feature_strings(struct feature_set *s, enum perf_feature f, const char *const *v, size_t n);

/* TOTAL_MEM in KiB, CLOCKID (resolution) in ns. */
void feature_u64(struct feature_set *s, enum perf_feature f, uint64_t v);

void feature_cpus(struct feature_set *s, uint32_t available, uint32_t online);
void feature_sample_time(struct feature_set *s, uint64_t first, uint64_t last);
void feature_clock_data(struct feature_set *s, uint32_t clockid, uint64_t wall_ns,
			uint64_t clock_ns);

/* Some records are compressed with zstd; each COMPRESSED record unpacks to at most `most` bytes. */
void feature_compressed(struct feature_set *s, uint32_t ratio, uint32_t most);

/* EVENT_DESC; and GROUP_DESC when there are groups. */
void feature_events(struct feature_set *s, const struct perf_write_event *ev, size_t n);
void feature_groups(struct feature_set *s, const struct perf_write_event *ev, size_t n);

void feature_build_ids(struct feature_set *s, const struct perf_build_id *v, size_t n);

/* A body in its final form, borrowed until written. Layout of TRACING_DATA's: tracefs/dat/blob.h. */
void feature_raw(struct feature_set *s, enum perf_feature f, struct bytes body);

void feature_tracing(struct feature_set *s, struct bytes blob);

/* Take a section out of the set. */
void feature_drop(struct feature_set *s, enum perf_feature f);

struct feature_pmu {
	uint32_t type;
	const char *name;
};
void feature_pmus(struct feature_set *s, const struct feature_pmu *v, size_t n);

/* Write the table and the bodies; `at` is their offset in the file. 0 or -errno. */
int feature_write_file(struct feature_set *s, struct out *o, uint64_t at);

/*
 * Write the sections as HEADER_FEATURE records, but for TRACING_DATA, BUILD_ID and EVENT_DESC, which have record types
 * of their own (write.h). A body that does not fit into a record is left out. 0 or -errno.
 */
int feature_write_pipe(struct feature_set *s, struct out *o);

#endif
