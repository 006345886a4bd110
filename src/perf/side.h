/*
 * side.h - side records, the kernel records that are no samples: names, starts and ends of tasks, memory maps, kernel
 * symbols, losses.
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
	bool made_up;            /* synthesised by the recorder for a task that ran before the recording */
};

struct side_map {                /* MMAP, MMAP2; fields that MMAP lacks are 0 */
	uint64_t start, len, pgoff, ino, ino_generation;   /* bytes */
	uint32_t major, minor, prot, flags;                /* PROT_*, MAP_* of mmap(2) */
	bool kernel, data;       /* kernel: of the kernel or a module; data: not executable */
	bool has_build_id;       /* the record has a build-id in place of device and inode */
	uint8_t build_id[SIDE_BUILD_ID_MAX], build_id_size;
	const char *name;
};

struct side_ksymbol {
	uint64_t addr;
	uint32_t len;
	uint16_t type, flags;    /* enum perf_ksymbol_type; flags as recorded */
	bool gone;               /* the symbol was unregistered, not registered */
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
	uint32_t pid, tid;       /* of COMM, FORK, EXIT, MMAP, MMAP2; UINT32_MAX: of the kernel */
	union {
		struct side_comm comm;
		struct side_task task;
		struct side_map map;
		struct side_ksymbol ksymbol;
		struct side_bpf bpf;
		struct side_cgroup cgroup;
		struct side_poke poke;
		uint64_t lost;   /* LOST: number of records, LOST_SAMPLES: of samples */
	};
};

/* The mapped file. For the kernel's map, whose name is "[kernel.kallsyms]SYMBOL", it is "[kernel.kallsyms]". */
const char *side_map_file(const struct side_map *m);

/* 1: decoded; 0: a record of another type; -EBADMSG: it is cut. swap: foreign byte order. */
int side_decode(const struct perf_record *r, bool swap, struct side *s);

#endif
