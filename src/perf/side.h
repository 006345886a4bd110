/*
 * side.h - what records that are no samples tell: names, beginnings and ends of tasks, maps, symbols of the kernel,
 * losses.
 * Layouts: linux/perf_event.h, enum perf_event_type.
 */
#ifndef PERF_SIDE_H
#define PERF_SIDE_H

#include "base/cursor.h"
#include "perf/record.h"

enum { SIDE_BUILD_ID_MAX = 20 };

struct side_comm {
	const char *name;
	bool exec;               /* the process called exec */
};

struct side_task {               /* FORK, EXIT */
	uint32_t ppid, ptid;
	bool made_up;            /* by the recorder, of a task that was there already */
};

struct side_map {                /* MMAP, MMAP2; what MMAP does not have is 0 */
	uint64_t start, len, pgoff, ino, ino_generation;   /* bytes */
	uint32_t major, minor, prot, flags;                /* PROT_*, MAP_* of mmap(2) */
	bool kernel, data;       /* data: not executable */
	bool has_build_id;       /* instead of device and inode */
	uint8_t build_id[SIDE_BUILD_ID_MAX], build_id_size;
	const char *name;
};

struct side_ksymbol {
	uint64_t addr;
	uint32_t len;
	uint16_t type, flags;    /* enum perf_ksymbol_type; as it was written */
	bool gone;               /* it is removed, not added */
	const char *name;
};

enum { SIDE_BPF_TAG = 8 };

struct side_bpf {                /* Linux 5.1 */
	uint16_t type, flags;    /* 1: loaded, 2: unloaded */
	uint32_t id;
	uint8_t tag[SIDE_BPF_TAG];
};

struct side_cgroup {             /* Linux 5.7 */
	uint64_t id;
	const char *path;
};

struct side_poke {               /* Linux 5.8: the kernel changes its code */
	uint64_t addr;
	struct bytes before, after;
};

/* Strings are borrowed from the record. */
struct side {
	uint32_t type;           /* enum perf_rec_type */
	uint32_t pid, tid;       /* of COMM, FORK, EXIT, MMAP, MMAP2; UINT32_MAX: the kernel's */
	union {
		struct side_comm comm;
		struct side_task task;
		struct side_map map;
		struct side_ksymbol ksymbol;
		struct side_bpf bpf;
		struct side_cgroup cgroup;
		struct side_poke poke;
		uint64_t lost;   /* LOST: events, LOST_SAMPLES: samples */
	};
};

/* What is mapped: of the kernel "[kernel.kallsyms]", whose mapping has the name of a symbol behind that. */
const char *side_map_file(const struct side_map *m);

/* 1: decoded; 0: it is none of these; -EBADMSG: it is cut. swap: foreign byte order. */
int side_decode(const struct perf_record *r, bool swap, struct side *s);

#endif
