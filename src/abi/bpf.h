/*
 * bpf.h - bpf(2): commands, and what the kernel tells of a loaded program (linux/bpf.h; Linux 5.1 tells all of this).
 */
#ifndef ABI_BPF_H
#define ABI_BPF_H

#include <stddef.h>
#include <stdint.h>

enum bpf_cmd {
	BPF_MAP_CREATE = 0,       /* attr: struct bpf_map_make */
	BPF_MAP_LOOKUP = 1,       /* attr: struct bpf_map_at, also for the next three commands */
	BPF_MAP_UPDATE = 2,
	BPF_MAP_DELETE = 3,
	BPF_MAP_NEXT_KEY = 4,     /* key NULL: the first. ENOENT: there is none */
	BPF_PROG_LOAD = 5,        /* attr: struct bpf_prog_load */
	BPF_PROG_RUN = 10,        /* attr: struct bpf_run */
	BPF_PROG_NEXT_ID = 11,    /* attr: u32 id; the next one is written behind it. ENOENT: there is none */
	BPF_PROG_FD_BY_ID = 13,   /* attr: u32 id */
	BPF_INFO_BY_FD = 15,      /* attr: struct bpf_ask */
	BPF_RAW_TRACEPOINT = 17,  /* attr: struct bpf_raw_tracepoint (4.17) */
	BPF_BTF_FD_BY_ID = 19,
	BPF_MAP_FREEZE = 22,      /* attr: u32 map. It cannot be written by bpf(2) any more (Linux 5.2) */
};

enum bpf_map_type {
	BPF_MAP_HASH = 1, BPF_MAP_ARRAY = 2, BPF_MAP_PERCPU_HASH = 5, BPF_MAP_PERCPU_ARRAY = 6,
	BPF_MAP_STACK_TRACE = 7,  /* 4.6: by the id that BPF_GET_STACKID returns; addresses, then zeros */
	BPF_MAP_RINGBUF = 27,     /* 5.8; sys/bpf_ring.h */
};

/* SYSCALL: runs only by BPF_PROG_RUN (5.14). */
enum bpf_prog_type {
	BPF_PROG_KPROBE = 2, BPF_PROG_PERF_EVENT = 7, BPF_PROG_RAW_TRACEPOINT = 17,
	BPF_PROG_TRACING = 26,    /* knows types: what it is attached to stands in the kernel's BTF (5.5) */
	BPF_PROG_SYSCALL = 31,
};

enum { BPF_TRACE_RAW_TP = 23 };   /* attach type of TRACING programs at a tracepoint, by BTF id of btf_trace_NAME */

enum { BPF_PROG_SLEEPABLE = 1 << 4 };   /* flag of bpf_prog_load; SYSCALL programs need it */

/* The helpers that our programs call, by the kernel's numbers. */
enum bpf_helper {
	BPF_LOOKUP_ELEM = 1, BPF_UPDATE_ELEM = 2, BPF_DELETE_ELEM = 3,
	BPF_PROBE_READ = 4,       /* before 5.5, for kernel and user addresses, if those do not overlap */
	BPF_KTIME_GET_NS = 5, BPF_CPU_ID = 8, BPF_PID_TGID = 14, BPF_COMM = 16,
	BPF_GET_STACKID = 27, BPF_CURRENT_TASK = 35,
	BPF_PROBE_READ_USER = 112, BPF_PROBE_READ_KERNEL = 113, BPF_PROBE_READ_USER_STR = 114,   /* 5.5 */
	BPF_RINGBUF_OUTPUT = 130, BPF_RINGBUF_RESERVE = 131, BPF_RINGBUF_SUBMIT = 132,
	BPF_GET_TASK_STACK = 141,                                                                 /* 5.9 */
	BPF_CURRENT_TASK_BTF = 158, BPF_SNPRINTF = 165, BPF_TASK_PT_REGS = 175,   /* 5.11, 5.13, 5.15 */
};

enum { BPF_STACK_OF_USER = 1 << 8 };  /* flag of BPF_GET_STACKID; the bits below are the number of frames to skip */

enum { BPF_RB_NO_WAKEUP = 1 };    /* flag of a submit: do not wake the reader, which polls */

/* op; regs: destination (low half) and source; off: offset in memory, or of a jump in instructions; imm: constant. */
struct bpf_insn {
	uint8_t op, regs;
	int16_t off;
	int32_t imm;
};

_Static_assert(sizeof(struct bpf_insn) == 8, "kernel ABI");

/* Source register of a 64-bit constant load: the constant is a map's descriptor; or stands for its value's address. */
enum { BPF_MAP_FD = 1, BPF_MAP_VALUE = 2 };

/* As source register of a call: the immediate is the BTF id of a kfunc (5.13). */
enum { BPF_CALL_KERNEL = 2 };

enum { BPF_MAP_CONSTANT = 1 << 7 };   /* flag of bpf_map_make: read-only for programs (5.2) */

/* union bpf_attr of MAP_CREATE, without names, which Linux 4.14 lacks. */
struct bpf_map_make {
	uint32_t type, key_size, value_size, max_entries, flags;
};

struct bpf_map_at {
	uint32_t map, pad;
	uint64_t key, value;      /* addresses; value of NEXT_KEY: where to write the next key */
	uint64_t flags;
};

struct bpf_prog_load {
	uint32_t type, n_insns;
	uint64_t insns, license;
	uint32_t log_level, log_size;
	uint64_t log;
	uint32_t kern_version, flags;
	char name[16];            /* from here on: of programs that know types */
	uint32_t ifindex, attach; /* attach: BPF_TRACE_RAW_TP */
	uint32_t btf, func_size;
	uint64_t funcs;
	uint32_t n_funcs, line_size;
	uint64_t lines;
	uint32_t n_lines, attach_to;      /* attach_to: a type's id in the kernel's BTF */
};

_Static_assert(offsetof(struct bpf_prog_load, log) == 32 && offsetof(struct bpf_prog_load, name) == 48 &&
	       offsetof(struct bpf_prog_load, attach_to) == 108 && sizeof(struct bpf_prog_load) == 112, "kernel ABI");

/* For a SYSCALL program without input everything but the descriptor is 0. */
struct bpf_run {
	uint32_t prog, returned, data_size[2];
	uint64_t data[2];
	uint32_t repeat, duration, ctx_size[2];
	uint64_t ctx[2];
	uint32_t flags, cpu, batch_size, pad;
};

_Static_assert(offsetof(struct bpf_run, ctx) == 48 && sizeof(struct bpf_run) == 80, "kernel ABI");

struct bpf_raw_tracepoint {
	uint64_t name;
	uint32_t prog, pad;
};

struct bpf_ask {
	uint32_t fd, size;        /* size: of the memory that info points to */
	uint64_t info;
};

enum { BPF_TAG = 8, BPF_NAME = 16 };

/*
 * struct bpf_prog_info to what tells of its functions. Counts of arrays that are asked for, where they are to be
 * written; the kernel answers with how many there are. Addresses that are hidden are not written.
 */
struct bpf_prog {
	uint32_t type, id;
	uint8_t tag[BPF_TAG];
	uint32_t jited_len, xlated_len;
	uint64_t jited, xlated, load_time;
	uint32_t uid, n_maps;
	uint64_t maps;
	char name[BPF_NAME];
	uint32_t ifindex, gpl;
	uint64_t netns_dev, netns_ino;
	uint32_t n_ksyms, n_lens;
	uint64_t ksyms, lens;     /* arrays of u64 and u32, by function */
	uint32_t btf_id, func_size;
	uint64_t funcs;           /* struct bpf_func, each of func_size bytes */
	uint32_t n_funcs, n_lines;
	uint64_t lines, jited_lines;
	uint32_t n_jited_lines, line_size, jited_line_size, n_tags;
	uint64_t tags;            /* BPF_TAG bytes each */
	uint64_t run_ns, runs;    /* 0 unless kernel.bpf_stats_enabled is set */
	uint64_t missed;          /* runs skipped because a program was running on that CPU (5.12); else 0 */
};

_Static_assert(offsetof(struct bpf_prog, n_ksyms) == 104 && offsetof(struct bpf_prog, tags) == 184 &&
	       offsetof(struct bpf_prog, missed) == 208, "kernel ABI");

struct bpf_func {
	uint32_t insn, type;      /* type: of the program's BTF */
};

/* The first members of struct bpf_btf_info. */
struct bpf_btf {
	uint64_t bytes;
	uint32_t size, id;
};

#endif
