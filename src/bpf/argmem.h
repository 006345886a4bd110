/*
 * argmem.h - reads the memory to which arguments of system calls point, by BPF programs at entry and exit, for the
 * target tasks:
 *
 *  argmem_open(&m, &want, e)      loads and attaches the programs; they read nothing yet
 *  argmem_plan(&m, call, ...)     what to read for a system call
 *  argmem_task(&m, tid)           adds a target; its children are targets, too
 *  while (argmem_next(&m, &rec))  records in the order of the calls
 *
 * Open it before the perf events of the same calls: the kernel runs programs of one tracepoint in the order of their
 * attachment, so the memory is read when the event arrives. A program cannot fault in pages: for one that is not
 * resident `got` is -EFAULT. At the exit the kernel has mostly faulted it in: what could not be read at entry is read
 * again there, as ARGMEM_AGAIN, before the data of the exit.
 */
#ifndef BPF_ARGMEM_H
#define BPF_ARGMEM_H

#include "arch/arch.h"
#include "bpf/program.h"
#include "sys/bpf_ring.h"

enum {
	ARGMEM_CALLS = 1024, ARGMEM_MOST = 5,
	ARGMEM_BYTES = 128,              /* limit for one argument */
	ARGMEM_STRINGS = 4096,           /* for a string that is longer, with its NUL */
	ARGMEM_ITEMS = 16, ARGMEM_TEXT = 44,   /* limit of a list; bytes read for each item */
	ARGMEM_VARS = 256,               /* pointers of an environment, which are only counted */
	ARGMEM_TASKS = 1 << 14, ARGMEM_RING = 4 << 20,
};

enum argmem_how {
	ARGMEM_STRING,                   /* up to its NUL */
	ARGMEM_FIXED,                    /* `most` bytes */
	ARGMEM_COUNTED,                  /* as many as argument `count` says, at most `most` */
	ARGMEM_RETURNED,                 /* as many as the return value says, at most `most` */
	ARGMEM_POINTED,                  /* as many as the int at the address in argument `count`, at most `most` */
	ARGMEM_BITS,                     /* bit set of as many bits as argument `count` says, 64 in 8 bytes */
	ARGMEM_ARGPACK,                  /* at entry: pointer, size, and 8 bytes of what the pointer points to */
	/* Lists of pointers, at most one per system call: */
	ARGMEM_LIST,                     /* to strings, up to NULL or an unreadable one: argv; envp follows */
	ARGMEM_VECTOR,                   /* with lengths, as many as argument `count` says: struct iovec */
	ARGMEM_MESSAGE,                  /* the iovec of a struct msghdr */
};

static inline bool argmem_is_list(enum argmem_how how)
{
	return how >= ARGMEM_LIST;
}

/* What to read for an argument. */
struct argmem_what {
	uint8_t arg, count;
	uint16_t each;                   /* COUNTED, RETURNED: size of one item; 0: 1 */
	uint16_t most;
	enum argmem_how how;
};

/* Value in the map of plans for a system call; n 0: read nothing. */
struct argmem_plan {
	uint32_t n, none;                /* n 0: read nothing; none: 0 */
	struct argmem_fetch {
		uint32_t from, how, count, each, most;   /* from, count: offsets in the call's registers, bytes */
	} v[ARGMEM_MOST];
};

enum argmem_when {
	ARGMEM_BEGIN, ARGMEM_END, ARGMEM_AGAIN,
	ARGMEM_LONG,                         /* the whole string of the previous record: from and got */
	ARGMEM_LIST_BEGIN, ARGMEM_LIST_END,  /* a list: from, and got items */
	ARGMEM_ENV,                          /* follows a list: from, and the environment's pointers */
	ARGMEM_WHENS,
};

/* Item of a list: its address, its length (0 where there is none), and the bytes read. */
struct argmem_item {
	uint64_t from, len;
	int32_t got;                         /* number of bytes, or -errno */
	uint8_t text[ARGMEM_TEXT];
};

struct argmem_part {
	uint64_t from;                       /* an address */
	int32_t got, pad;                    /* number of bytes, or -errno */
	uint8_t bytes[ARGMEM_BYTES];
};

/* Record written by a program: a part for each argument; LONG and lists have one part with more bytes. */
struct argmem_rec {
	uint32_t tid;
	uint16_t nr, when;                   /* enum argmem_when */
	uint64_t time;                       /* ns of CLOCK_MONOTONIC */
	union {
		struct argmem_part part[ARGMEM_MOST];
		struct {
			uint64_t from;
			int32_t got, pad;
			uint8_t bytes[ARGMEM_STRINGS];   /* of a list: the items */
		};
	};
};

_Static_assert(offsetof(struct argmem_rec, bytes) == 32, "programs write it");

struct argmem_want {
	const struct sys *sys;
	const struct bpf *bpf;
	const struct arch_syscall_regs *regs;   /* NULL: unknown */
	uint32_t self;                       /* our own process, which is never read */
	bool all;                            /* all other tasks; else those of argmem_task */
	bool children;                       /* also their children */
};

struct argmem {
	struct argmem_want want;
	struct bpf_ring ring;
	int map, plans, tasks, lost, again;  /* map descriptors */
	int progs[7], links[7];
	unsigned n_progs, n_insns;
	bool follows;                        /* children are followed */
	uint64_t undecodable;                /* records whose size no program of ours writes */
};

/* On error nothing is open. */
int argmem_open(struct argmem *m, const struct argmem_want *w, struct err *e);
void argmem_close(struct argmem *m);

/*
 * Set the plan for entry or exit of a system call; n is at most ARGMEM_MOST, only the last one may be a list. 0 or
 * -errno.
 */
int argmem_plan(const struct argmem *m, uint32_t nr, bool at_end, const struct argmem_what *what, unsigned n);
int argmem_task(const struct argmem *m, uint32_t tid);

/* Get the next record; false: none for now. `got` is limited to the bytes that the record has. */
bool argmem_next(struct argmem *m, struct argmem_rec *rec);

/* System calls whose memory was not recorded, as the ring was full, or whose records are malformed. */
uint64_t argmem_lost(const struct argmem *m);

/* The programs, exposed for tests. argmem_plans_of: index of the first plan of a kind in the map. */
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
/* pid: offset in struct task_struct. */
void argmem_build_fork(struct asm_prog *a, const struct argmem_maps *maps, uint32_t pid);
void argmem_build_exit(struct asm_prog *a, const struct argmem_maps *maps);

#endif
