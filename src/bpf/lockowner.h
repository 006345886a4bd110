/*
 * lockowner.h - who owns the lock that a task begins to wait for: a program at contention_begin (Linux 5.19) reads the
 * lock's owner word, and the owner's tid and comm from its task_struct.
 *
 * The owner word (kernel/locking/mutex.h, rwsem.c, rtmutex_common.h) is the address of the owner's task_struct, with
 * flags in its lowest three bits. In an rwsem the lowest bit says that readers have it; the address is then the last
 * reader to come, which may be gone. Spinlocks, semaphores and per-CPU rwsems have no owner word.
 *
 * With `depth` the program reads the owner's stack, too, if the owner sleeps. It gets the task by its tid
 * (bpf_task_from_pid, Linux 6.2), since the verifier does not accept the address in the lock as a pointer to a task.
 * The stack of a running task cannot be read from another CPU: x86 returns none, arm64 what is left from where the task
 * slept last. The verifier refuses calls with two acquired references (the task and a reserved record), so records are
 * made in a per-CPU map and copied to the ring.
 *
 * Open it before the event: the kernel calls what is attached to a tracepoint in the order of attaching, so that the
 * record comes before the sample. Not if another process had the event open already: perf is attached once for all of
 * its events.
 */
#ifndef BPF_LOCKOWNER_H
#define BPF_LOCKOWNER_H

#include "bpf/ktypes.h"
#include "bpf/program.h"
#include "sys/bpf_ring.h"

enum { LOCKOWNER_RING = 4 << 20, LOCKOWNER_COMM = 16, LOCKOWNER_LOCKS = 5, LOCKOWNER_DEPTH = 128 };

#define LOCKOWNER_RUNS INT64_MIN

enum lockowner_state {
	LOCKOWNER_NOBODY,                /* just released, or taken but the owner not written yet */
	LOCKOWNER_TASK,
	LOCKOWNER_READERS,
	LOCKOWNER_UNREAD,                /* lock or task_struct could not be read */
};

/* As the program writes it; addresses of the stack stand behind it. */
struct lockowner_rec {
	uint64_t lock, time;             /* address; ns of CLOCK_MONOTONIC */
	uint32_t tid, state;             /* the waiting thread; enum lockowner_state */
	uint32_t cpu, owner;             /* owner (tid) and comm are valid with LOCKOWNER_TASK */
	char comm[LOCKOWNER_COMM];
	int64_t stack;                   /* its bytes; LOCKOWNER_RUNS: the owner was running; else: none */
};

_Static_assert(sizeof(struct lockowner_rec) == 56, "the program writes it");

/* Offsets in this kernel's structs. */
struct lockowner_kernel {
	struct lockowner_lock {
		uint32_t flags;              /* contention_begin's flags for this kind of lock */
		uint32_t off;                /* offset of the owner word in the lock */
		uint32_t readers;            /* its flag for readers; 0: none */
	} locks[LOCKOWNER_LOCKS];
	unsigned n;
	uint32_t pid, comm;              /* offsets in struct task_struct */
	uint32_t events;                 /* offset of its pointer to perf events */
	bool watched;                    /* only waits of tasks that have perf events */
	uint32_t depth;                  /* addresses of a stack; 0: no stacks, and the members below are not set */
	uint32_t on_cpu;                 /* offset in struct task_struct; 0: single-CPU kernel, no owner runs now */
	uint32_t event;                  /* BTF ids: of contention_begin's type, and of two kfuncs */
	uint32_t task_from_pid, task_release;
};

struct lockowner {
	const struct sys *sys;
	const struct bpf *bpf;
	struct lockowner_kernel kernel;
	struct bpf_ring ring;
	int map, place, prog, link;
};

struct lockowner_want {
	const struct sys *sys;
	const struct bpf *bpf;
	bool watched;
	uint32_t depth;                  /* places of an owner's stack, up to LOCKOWNER_DEPTH; 0: none */
};

/* On error (-ENOENT, -EPERM, -EOPNOTSUPP, ...) nothing is open. */
int lockowner_open(struct lockowner *l, const struct lockowner_want *w, struct err *e);
void lockowner_close(struct lockowner *l);

/*
 * Take the next record, in the order of the waits. False: there is none now. *ips: addresses of its stack, valid until
 * the next call.
 */
bool lockowner_next(struct lockowner *l, struct lockowner_rec *rec, const uint64_t **ips);

/* Do locks of this kind, by contention_begin's flags, have an owner word? */
bool lockowner_is_told(const struct lockowner *l, uint32_t flags);

/* The program; exported for tests. */
void lockowner_build(struct asm_prog *a, const struct lockowner_kernel *k, int ring, int place);

#endif
