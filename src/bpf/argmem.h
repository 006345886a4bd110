/*
 * argmem.h - the memory that arguments of system calls point to, read by programs at the calls' beginnings and ends,
 * for the tasks that are asked for:
 *
 *	argmem_open(&m, &want, e)      programs are loaded and attached; they read nothing yet
 *	argmem_plan(&m, call, ...)     what of a call is read
 *	argmem_task(&m, tid)           of whom; their children, too
 *	while (argmem_next(&m, &rec))  in the order of the calls
 *
 * Open it before the events of the same calls: the kernel runs in this order what is attached to one tracepoint, so
 * that what was read is there when the event is. A program cannot wait for a page that is not in memory: `got` is
 * -EFAULT then. The kernel has mostly brought it in when the call ends: what could not be read at the beginning is read
 * again there, as ARGMEM_AGAIN, in front of what belongs to the end.
 */
#ifndef BPF_ARGMEM_H
#define BPF_ARGMEM_H

#include "arch/arch.h"
#include "bpf/program.h"
#include "sys/bpf_ring.h"

enum {
	ARGMEM_CALLS = 1024, ARGMEM_MOST = 5,
	ARGMEM_BYTES = 128,              /* of one argument */
	ARGMEM_STRINGS = 4096,           /* of a string that is longer, with its NUL */
	ARGMEM_ITEMS = 16, ARGMEM_TEXT = 44,   /* of a list; bytes of what each of them points to */
	ARGMEM_VARS = 256,               /* pointers of an environment, which are counted */
	ARGMEM_TASKS = 1 << 14, ARGMEM_RING = 4 << 20,
};

enum argmem_how {
	ARGMEM_STRING,                   /* to its NUL */
	ARGMEM_FIXED,                    /* `most` bytes */
	ARGMEM_COUNTED,                  /* as many as argument `count` says, at most `most` */
	ARGMEM_RETURNED,                 /* as many as the call returns, at most `most` */
	ARGMEM_POINTED,                  /* as many as the int says that argument `count` points to, at most `most` */
	ARGMEM_BITS,                     /* as many as argument `count` says, 64 in 8 bytes */
	ARGMEM_ARGPACK,                  /* at a beginning: pointer, size, and 8 bytes of what the pointer points to */
	/* Lists of pointers, of which a call has one at most: */
	ARGMEM_LIST,                     /* to strings, up to one that is none: argv; behind it envp */
	ARGMEM_VECTOR,                   /* with lengths, as many as argument `count` says: struct iovec */
	ARGMEM_MESSAGE,                  /* those of a struct msghdr */
};

static inline bool argmem_is_list(enum argmem_how how)
{
	return how >= ARGMEM_LIST;
}

/* Of an argument. */
struct argmem_what {
	uint8_t arg, count;
	uint16_t each;                   /* COUNTED, RETURNED: bytes of one of them; 0: 1 */
	uint16_t most;
	enum argmem_how how;
};

/* What stands in the map of plans for a call: 0 of n is none. */
struct argmem_plan {
	uint32_t n, none;                /* none: 0 */
	struct argmem_fetch {
		uint32_t from, how, count, each, most;   /* from, count: bytes from the first register */
	} v[ARGMEM_MOST];
};

enum argmem_when {
	ARGMEM_BEGIN, ARGMEM_END, ARGMEM_AGAIN,
	ARGMEM_LONG,                         /* the string of the record before it, whole: from and got */
	ARGMEM_LIST_BEGIN, ARGMEM_LIST_END,  /* a list: from, and got items */
	ARGMEM_ENV,                          /* behind one: from, and the pointers that are there */
	ARGMEM_WHENS,
};

/* Of a list: where it points to, how much there is (of those without lengths 0), and what was read of that. */
struct argmem_item {
	uint64_t from, len;
	int32_t got;                         /* bytes, or -errno */
	uint8_t text[ARGMEM_TEXT];
};

struct argmem_part {
	uint64_t from;                       /* an address */
	int32_t got, pad;                    /* bytes, or -errno */
	uint8_t bytes[ARGMEM_BYTES];
};

/* As a program writes it: a part of each argument; of LONG and lists one, with bytes that are as many. */
struct argmem_rec {
	uint32_t tid;
	uint16_t nr, when;                   /* enum argmem_when */
	uint64_t time;                       /* ns of CLOCK_MONOTONIC */
	union {
		struct argmem_part part[ARGMEM_MOST];
		struct {
			uint64_t from;
			int32_t got, pad;
			uint8_t bytes[ARGMEM_STRINGS];   /* of a list: its items */
		};
	};
};

_Static_assert(offsetof(struct argmem_rec, bytes) == 32, "programs write it");

struct argmem_want {
	const struct sys *sys;
	const struct bpf *bpf;
	const struct arch_syscall_regs *regs;   /* NULL: not known */
	uint32_t self;                       /* the process that is never read */
	bool all;                            /* of all others; else of those that argmem_task names */
	bool children;                       /* ... and theirs */
};

struct argmem {
	struct argmem_want want;
	struct bpf_ring ring;
	int map, plans, tasks, lost, again;  /* descriptors of maps */
	int progs[7], links[7];
	unsigned n_progs, n_insns;
	bool follows;                        /* children are found */
	uint64_t undecodable;                /* records of a size that no program of ours writes */
};

/* On error nothing is open. */
int argmem_open(struct argmem *m, const struct argmem_want *w, struct err *e);
void argmem_close(struct argmem *m);

/* At the beginning or the end of a call; n at most ARGMEM_MOST, of which the last one may be a list. 0 or -errno. */
int argmem_plan(const struct argmem *m, uint32_t nr, bool at_end, const struct argmem_what *what, unsigned n);
int argmem_task(const struct argmem *m, uint32_t tid);

/* False: there is no more for now. Of bytes as many are there as `got` says. */
bool argmem_next(struct argmem *m, struct argmem_rec *rec);

/* Calls of which nothing was read, since the ring was full, or what is in it cannot be. */
uint64_t argmem_lost(const struct argmem *m);

/* The programs, apart for tests; where the plans of each are. */
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
/* pid: of struct task_struct. */
void argmem_build_fork(struct asm_prog *a, const struct argmem_maps *maps, uint32_t pid);
void argmem_build_exit(struct asm_prog *a, const struct argmem_maps *maps);

#endif
