/*
 * argmem.h - the memory that arguments of system calls point to, read by BPF programs at sys_enter and sys_exit, for
 * chosen tasks:
 *
 *	argmem_open(&m, &want, e)      programs are loaded and attached; they read nothing yet
 *	argmem_plan(&m, call, ...)     which arguments of a call to read, and how
 *	argmem_task(&m, tid)           a task to read from, with its future children if they are wanted
 *	while (argmem_next(&m, &rec))  records in the order of the calls
 *
 * Open it before the perf events of the same tracepoints: the kernel runs a tracepoint's callbacks in the order in
 * which they were attached, so that the memory is recorded before the event. A program cannot wait for a page that is
 * not in memory; `got` is -EFAULT then. The call itself has mostly faulted the page in by its end: arguments that could
 * not be read at the beginning are read again at sys_exit, as ARGMEM_AGAIN, before those that belong to the end.
 */
#ifndef BPF_ARGMEM_H
#define BPF_ARGMEM_H

#include "arch/arch.h"
#include "bpf/program.h"
#include "sys/bpf_ring.h"

enum {
	ARGMEM_CALLS = 1024, ARGMEM_MOST = 5,
	ARGMEM_BYTES = 128,              /* bytes of one argument */
	ARGMEM_STRINGS = 4096,           /* bytes of a string that is longer than that, NUL included */
	ARGMEM_ITEMS = 16, ARGMEM_TEXT = 44,   /* items of a list; bytes of the memory that an item points to */
	ARGMEM_VARS = 256,               /* pointers of an environment (only pointers are read, to count them) */
	ARGMEM_TASKS = 1 << 14, ARGMEM_RING = 4 << 20,
};

enum argmem_how {
	ARGMEM_STRING,                   /* a string, with its NUL */
	ARGMEM_FIXED,                    /* `most` bytes */
	ARGMEM_COUNTED,                  /* argument `count` is the number of elements; at most `most` bytes */
	ARGMEM_RETURNED,                 /* the call returns the number of elements; at most `most` bytes */
	ARGMEM_POINTED,                  /* argument `count` points to an int, the number of elements; at most `most` */
	ARGMEM_BITS,                     /* a bit map: argument `count` is the number of bits, 64 in 8 bytes */
	ARGMEM_ARGPACK,                  /* only at a beginning: pointer, size, and 8 bytes that pointer points to */
	/* Lists of pointers; a call has at most one: */
	ARGMEM_LIST,                     /* pointers to strings up to a NULL (argv); the next argument is envp */
	ARGMEM_VECTOR,                   /* struct iovec; argument `count` is their number */
	ARGMEM_MESSAGE,                  /* the iovecs of a struct msghdr */
};

static inline bool argmem_is_list(enum argmem_how how)
{
	return how >= ARGMEM_LIST;
}

/* How to read the memory of one argument. */
struct argmem_what {
	uint8_t arg, count;              /* numbers of arguments, from 0 on */
	uint16_t each;                   /* COUNTED, RETURNED: bytes of an element; 0: 1 */
	uint16_t most;                   /* bytes */
	enum argmem_how how;
};

/* A call's entry in the map of plans; n 0: nothing is read. */
struct argmem_plan {
	uint32_t n, none;                /* none: always 0; see put_or() for its use */
	struct argmem_fetch {
		uint32_t from, how, count, each, most;   /* from, count: offsets in struct pt_regs */
	} v[ARGMEM_MOST];
};

enum argmem_when {
	ARGMEM_BEGIN, ARGMEM_END, ARGMEM_AGAIN,
	ARGMEM_LONG,                         /* a string of the previous record, in full; `got` bytes */
	ARGMEM_LIST_BEGIN, ARGMEM_LIST_END,  /* a list of `got` items */
	ARGMEM_ENV,                          /* follows an ARGMEM_LIST: envp, `got` bytes of its pointers */
	ARGMEM_WHENS,
};

/* An item of a list: the address that it points to, the length there (0 for strings), and the bytes that were read. */
struct argmem_item {
	uint64_t from, len;
	int32_t got;                         /* bytes, or -errno */
	uint8_t text[ARGMEM_TEXT];
};

struct argmem_part {
	uint64_t from;                       /* the argument: an address */
	int32_t got, pad;                    /* bytes, or -errno */
	uint8_t bytes[ARGMEM_BYTES];
};

/* A record as a program writes it: a part for each argument; for LONG, lists and ENV a single, longer part. */
struct argmem_rec {
	uint32_t tid;
	uint16_t nr, when;                   /* enum argmem_when */
	uint64_t time;                       /* ns of CLOCK_MONOTONIC */
	union {
		struct argmem_part part[ARGMEM_MOST];
		struct {
			uint64_t from;
			int32_t got, pad;
			uint8_t bytes[ARGMEM_STRINGS];   /* of a list: struct argmem_item */
		};
	};
};

_Static_assert(offsetof(struct argmem_rec, bytes) == 32, "programs write it");

struct argmem_want {
	const struct sys *sys;
	const struct bpf *bpf;
	const struct arch_syscall_regs *regs;   /* NULL: not known */
	uint32_t self;                       /* our own process, which is left out */
	bool all;                            /* read from all other processes; else from tasks given to argmem_task() */
	bool children;                       /* ... and from the children of those */
};

struct argmem {
	struct argmem_want want;
	struct bpf_ring ring;
	int map, plans, tasks, lost, again;  /* descriptors of maps */
	int progs[7], links[7];
	unsigned n_progs, n_insns;
	bool follows;                        /* a program adds the children of tasks */
	uint64_t undecodable;                /* records of a size that our programs do not write */
};

/* On error nothing is open. */
int argmem_open(struct argmem *m, const struct argmem_want *w, struct err *e);
void argmem_close(struct argmem *m);

/* Set what to read at the beginning or end of call nr; n <= ARGMEM_MOST, only the last may be a list. 0 or -errno. */
int argmem_plan(const struct argmem *m, uint32_t nr, bool at_end, const struct argmem_what *what, unsigned n);
int argmem_task(const struct argmem *m, uint32_t tid);

/* Take the next record; false: there is none for now. Every `got` is checked against the record's size. */
bool argmem_next(struct argmem *m, struct argmem_rec *rec);

/* Records that were not written because the ring was full, and records that could not be decoded. */
uint64_t argmem_lost(const struct argmem *m);

/* The programs; exported for tests. First: the index in the map of plans from which on a program has its plans. */
static inline uint32_t argmem_plans_of(enum argmem_when when)
{
	static const uint8_t place[ARGMEM_WHENS] = { [ARGMEM_END] = 1, [ARGMEM_LIST_BEGIN] = 2, [ARGMEM_LIST_END] = 3 };

	return place[when] * (uint32_t)ARGMEM_CALLS;
}
enum { ARGMEM_PLANS = 4 * ARGMEM_CALLS };

struct argmem_maps {
	int ring, plans, tasks, lost, again;
};
void argmem_build(struct asm_prog *a, const struct argmem_want *w, const struct argmem_maps *maps,
		  enum argmem_when when);
/* pid: offset of that member in struct task_struct. */
void argmem_build_fork(struct asm_prog *a, const struct argmem_maps *maps, uint32_t pid);
void argmem_build_exit(struct asm_prog *a, const struct argmem_maps *maps);

#endif
