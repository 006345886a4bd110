/*
 * file.h - read a perf.data file that is in memory (mapped): header, attributes, feature sections,
 * records.
 *
 * Works for both byte orders, for pipe-mode files (`perf record -o -` stored in a file), and for
 * files whose writer died (data size 0, feature table missing, last record cut): what can be read
 * is read, and `notes` tells the rest. Layout: perf.data-file-format (Linux
 * tools/perf/Documentation), version PERFILE2.
 */
#ifndef PERF_FILE_H
#define PERF_FILE_H

#include "base/map.h"
#include "perf/sample.h"

enum perf_feature {
	PERF_FEAT_TRACING_DATA = 1, PERF_FEAT_BUILD_ID = 2, PERF_FEAT_HOSTNAME = 3,
	PERF_FEAT_OSRELEASE = 4, PERF_FEAT_VERSION = 5, PERF_FEAT_ARCH = 6, PERF_FEAT_NRCPUS = 7,
	PERF_FEAT_CPUDESC = 8, PERF_FEAT_CPUID = 9, PERF_FEAT_TOTAL_MEM = 10,
	PERF_FEAT_CMDLINE = 11, PERF_FEAT_EVENT_DESC = 12, PERF_FEAT_CPU_TOPOLOGY = 13,
	PERF_FEAT_NUMA_TOPOLOGY = 14, PERF_FEAT_BRANCH_STACK = 15, PERF_FEAT_PMU_MAPPINGS = 16,
	PERF_FEAT_GROUP_DESC = 17, PERF_FEAT_STAT = 19, PERF_FEAT_SAMPLE_TIME = 21,
	PERF_FEAT_CLOCKID = 23, PERF_FEAT_DIR_FORMAT = 24, PERF_FEAT_COMPRESSED = 27,
	PERF_FEAT_CLOCK_DATA = 29, PERF_FEAT_PMU_CAPS = 31, PERF_FEAT_MAX = 256,
};

/* One event of the recording. */
struct perf_event {
	struct perf_attr attr;     /* in host order; fields beyond the file's attr size are 0 */
	struct sample_layout layout;
	const char *name;          /* as the recorder wrote it, or NULL; as long as the file */
	const char *label;         /* see perf_event_label() */
	uint32_t group_leader;     /* index of the leader's event, own index when alone */
	uint64_t n_samples;        /* for the reader's use, starts at 0 */
};

struct perf_build_id {
	int32_t pid;         /* -1: the machine's, not one process' */
	uint8_t cpumode;     /* PERF_MISC_KERNEL or PERF_MISC_USER */
	uint8_t size;        /* valid bytes of id */
	uint8_t id[20];
	const char *name;    /* file name, borrowed from the file */
};

struct perf_file {
	struct bytes bytes;          /* borrowed: the whole file */
	bool swap, pipe;
	VEC(struct perf_event) events;
	struct map ids;              /* sample id -> event index */
	int id_off, id_off_end;      /* as sample_id_offset() of all events; -1: they disagree */
	uint64_t data_off, data_end; /* records are between these offsets */
	struct bytes feature[PERF_FEAT_MAX];   /* p NULL: absent */
	VEC(struct perf_build_id) build_ids;
	struct bytes tracing;        /* TRACING_DATA blob */
	/* From feature strings; "" when absent. Borrowed from the file. */
	const char *hostname, *release, *version, *arch, *cpudesc, *cpuid;
	uint32_t cpus_online, cpus_available;
	VEC(const char *) cmdline;   /* borrowed from the file */
	VEC(struct err) notes;       /* what is wrong but did not stop the reading; at most 32 */
	struct err end;              /* in pipe mode: why the records end early; code 0: they do not */
	bool incomplete;             /* by a note: something is not in the file, or cannot be read */
	struct arena arena;
};

/*
 * Read header and features. bytes stay borrowed until deinit. -EBADMSG, with the offset, for what
 * is not a perf.data file or hostile; -ENOMEM. Nothing needs deinit after an error.
 */
int perf_file_init(struct perf_file *f, struct bytes bytes, struct err *e);
void perf_file_deinit(struct perf_file *f);

/*
 * Next record at *off (start with f->data_off): 1 and *off moved, 0 at the end, -EBADMSG for a cut
 * or impossible record (nothing after it can be trusted). Bytes outside records (tracing data, AUX
 * data) are stepped over. In pipe mode HEADER_ATTR, HEADER_FEATURE, TRACING_DATA, BUILD_ID and
 * EVENT_UPDATE records were already taken in by init and are returned too. Compressed records are
 * returned as they are.
 */
int perf_file_next(const struct perf_file *f, uint64_t *off, struct perf_record *r, struct err *e);

/* The same of any bytes that are records. */
int perf_record_next(struct bytes b, bool swap, uint64_t *off, struct perf_record *r, struct err *e);

/* The zstd data of a compressed record; p NULL: it is none, or cut. */
struct bytes perf_record_packed(const struct perf_record *r, bool swap);

/* Bytes of the file, in its byte order. */
struct cursor perf_file_cursor(const struct perf_file *f, struct bytes b);

/*
 * The event of a kernel record (type < PERF_REC_USER): by id where there are several. NULL: unknown
 * id (count it).
 */
struct perf_event *perf_file_event(const struct perf_file *f, const struct perf_record *r);

/* Body of a feature section in the file's byte order; bad when it is absent. */
struct cursor perf_file_feature(const struct perf_file *f, enum perf_feature feature);

/*
 * A feature section's string (u32 length, bytes with NUL), borrowed; "" and bad when it is cut or
 * has no NUL.
 */
const char *perf_file_string(struct cursor *c);

/*
 * Display name of an event: EVENT_DESC's, else tracepoint name from the blob's format, else generic
 * from type and config. Lives as long as the file.
 */
const char *perf_event_label(const struct perf_file *f, size_t index);

#endif
