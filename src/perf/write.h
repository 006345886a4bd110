/*
 * write.h - write a perf.data recording: headers, and the records that the recorder synthesises.
 * Everything goes to a struct out, whose `error` is checked once at the end; nothing is kept. Host
 * byte order.
 *
 * A file:  perf_write_header(), records, then features (feature.h) at perf_write_data_off() + size
 *          of the records; at the end perf_write_head() makes the 104 bytes for offset 0, now with
 *          the sizes.
 * A pipe:  perf_write_pipe(), perf_write_attr() for each event, names by perf_write_update_text(),
 *          features and tracing data as records, then records.
 *
 * Readers up to Linux 6.18 want, when there are several events: PERF_SAMPLE_IDENTIFIER and the same
 * sample_id_all in all attributes, ids for each, and read_format with PERF_FORMAT_ID if samples
 * have READ. That is the caller's choice of attr.
 */
#ifndef PERF_WRITE_H
#define PERF_WRITE_H

#include "base/fmt.h"
#include "perf/file.h"

enum { PERF_WRITE_HEAD = 104 };   /* bytes of the file header */

/* One event to be declared. Borrowed during the call. */
struct perf_write_event {
	struct perf_attr attr;     /* size is ignored */
	const uint64_t *ids;       /* one for each CPU or thread it was opened on */
	size_t n_ids;
	const char *name;          /* for EVENT_DESC and EVENT_UPDATE */
	uint32_t group_leader;     /* index; own index when alone or leader */
};

/*
 * Size of each attribute as stored: the oldest PERF_ATTR_SIZE_VER* that has all fields that any event
 * uses, because perf (at least up to 6.1) refuses a file whose attributes are larger than its own
 * struct, even if the excess is zero.
 */
uint32_t perf_write_attr_size(const struct perf_write_event *ev, size_t n);

/* Write an attribute as stored in a section or record: `size` bytes. */
void perf_write_raw_attr(struct out *o, const struct perf_attr *attr, uint32_t size);

/* Write all that comes before the records, with a data size of 0, which means "not finished". */
void perf_write_header(struct out *o, const struct perf_write_event *ev, size_t n);

/* File offset of the first record. */
uint64_t perf_write_data_off(const struct perf_write_event *ev, size_t n);

struct perf_write_end {
	uint64_t data_size;        /* bytes of all records */
	uint64_t features[4];      /* feature_set.bits */
};

/* The header of a finished file. */
void perf_write_head(uint8_t head[PERF_WRITE_HEAD], const struct perf_write_event *ev, size_t n,
		     const struct perf_write_end *end);

/* The header of pipe mode; the functions below write the records that replace the rest of a file's header. */
void perf_write_pipe(struct out *o);

/*
 * In a pipe an attribute is written in full size: perf (at least up to 6.1) reads as many bytes as its own struct has,
 * whatever the attribute's size says, and would take the ids behind a shorter attribute for fields of it.
 */
void perf_write_attr(struct out *o, const struct perf_write_event *ev);
void perf_write_tracing(struct out *o, struct bytes blob);   /* a TRACING_DATA record and the padded blob */

enum perf_update { PERF_UPDATE_UNIT, PERF_UPDATE_SCALE, PERF_UPDATE_NAME, PERF_UPDATE_CPUS };
/* An EVENT_UPDATE of PERF_UPDATE_UNIT or _NAME. */
void perf_write_update_text(struct out *o, enum perf_update what, uint64_t id, const char *text);

/*
 * The trailer (sample_id) of kernel records when the attributes have sample_id_all. sample_type 0: no
 * trailer. Time 0 means "before everything else", id 0 "any event".
 */
struct perf_write_id {
	uint64_t sample_type;
	uint64_t time, id;
	uint32_t cpu;
};

/* Strings longer than 4095 bytes are cut. */
void perf_write_comm(struct out *o, const struct perf_write_id *id, uint32_t pid, uint32_t tid,
		     const char *comm);

struct perf_write_task {
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;
};
void perf_write_fork(struct out *o, const struct perf_write_id *id,
		     const struct perf_write_task *t);
void perf_write_exit(struct out *o, const struct perf_write_id *id,
		     const struct perf_write_task *t);

struct perf_write_map {
	uint32_t pid, tid;          /* kernel and modules: pid UINT32_MAX, tid 0 */
	uint16_t misc;              /* PERF_MISC_USER or PERF_MISC_KERNEL */
	uint64_t addr, len;
	uint64_t pgoff;             /* kernel: address of the symbol in the name, 0: hidden by kptr_restrict */
	uint32_t maj, min, prot, flags;   /* these and those below, but for name, are for MMAP2 only */
	uint64_t ino, ino_generation;
	const uint8_t *build_id;    /* not NULL: written in place of maj, min, ino (perf reads it since 5.12) */
	uint8_t build_id_size;      /* at most 20 */
	const char *name;           /* "/usr/bin/x", "[kernel.kallsyms]_text" */
};
void perf_write_mmap(struct out *o, const struct perf_write_id *id, const struct perf_write_map *m);
void perf_write_mmap2(struct out *o, const struct perf_write_id *id,
		      const struct perf_write_map *m);

/* A CGROUP record (Linux 5.7): id of a control group, and its path from the root of the hierarchy, "/". */
void perf_write_cgroup(struct out *o, const struct perf_write_id *id, uint64_t cgroup, const char *path);

/* A KSYMBOL record (Linux 5.1): kernel code that was generated at run time. type: enum perf_ksymbol_type. */
struct perf_write_ksymbol {
	uint64_t addr;
	uint32_t len;
	uint16_t type;
	const char *name;
};
void perf_write_ksymbol(struct out *o, const struct perf_write_id *id, const struct perf_write_ksymbol *k);

/* A BPF_EVENT record for a loaded program: its id and the eight bytes of its tag. */
void perf_write_bpf_load(struct out *o, const struct perf_write_id *id, uint32_t prog, const uint8_t tag[8]);

void perf_write_lost(struct out *o, const struct perf_write_id *id, uint64_t event_id,
		     uint64_t lost);

/* Records of the recorder itself (types from PERF_REC_USER on), which have no trailer. */
struct perf_write_clock {
	uint64_t shift, mult, zero, cycles, mask;
	bool is_short;              /* cap_user_time_short: the counter wraps; cycles and mask are valid */
};
void perf_write_time_conv(struct out *o, const struct perf_write_clock *c);

/* AUXTRACE_INFO: kind is perf's number of the trace's kind (4: Arm SPE); the words depend on the kind. */
void perf_write_auxtrace_info(struct out *o, uint32_t kind, const uint64_t *words, size_t n);

/* The record before `size` bytes of an AUX area, padded to 8; offset: position of the first of them in the area. */
enum { PERF_WRITE_AUXTRACE = 48 };
struct perf_write_auxtrace {
	uint64_t size, offset, reference;
	uint32_t idx, tid, cpu;     /* number of the area; its thread, UINT32_MAX: all of the CPU; its CPU */
};
void perf_write_auxtrace(uint8_t to[PERF_WRITE_AUXTRACE], const struct perf_write_auxtrace *a);

void perf_write_round(struct out *o);      /* FINISHED_ROUND */
void perf_write_init_done(struct out *o);  /* FINISHED_INIT: all synthesised records are written */

/* BUILD_ID record of a pipe; entry of the BUILD_ID feature, which is the same with type 0. */
void perf_write_build_id(struct out *o, const struct perf_build_id *b);
void perf_write_build_id_entry(struct out *o, const struct perf_build_id *b);

struct perf_write_index {
	uint64_t id, idx, cpu, tid;   /* cpu, tid: -1 when the event is not bound to one */
};
/* ID_INDEX, in as many records as needed. */
void perf_write_id_index(struct out *o, const struct perf_write_index *v, size_t n);

/* A feature string: u32 length and the bytes, padded with NULs to a multiple of 64 as perf does. */
void perf_write_string(struct out *o, const char *s);

#endif
