/*
 * lockowner.h - the owner of a lock for which a task begins to wait: a BPF program at contention_begin (Linux 5.19)
 * reads the owner from the lock, and tid and name from the owner's task.
 *
 * A lock's owner (kernel/locking/mutex.h, rwsem.c, rtmutex_common.h) is a word: the address of the owner's task, with
 * flags in the low three bits; in an rwsem bit 0 means that readers own it, and the address is then the last reader
 * to come, which may be gone. Spinlocks, semaphores and per-CPU rwsems do not record an owner.
 *
 * Open it before the perf event: the kernel runs programs of one tracepoint in the order of their attachment, so the
 * owner is read when the event arrives; unless another process had the event open already, since perf attaches once
 * for all of its events.
 */
#ifndef BPF_LOCKOWNER_H
#define BPF_LOCKOWNER_H

#include "bpf/ktypes.h"
#include "bpf/program.h"
#include "sys/bpf_ring.h"

enum { LOCKOWNER_RING = 4 << 20, LOCKOWNER_COMM = 16, LOCKOWNER_LOCKS = 5 };

enum lockowner_state {
	LOCKOWNER_NOBODY,                /* just released, or taken with the owner not yet set */
	LOCKOWNER_TASK,
	LOCKOWNER_READERS,
	LOCKOWNER_UNREAD,
};

/* Record as the program writes it. */
struct lockowner_rec {
	uint64_t lock, time;             /* ns of CLOCK_MONOTONIC */
	uint32_t tid, state;             /* the waiter; enum lockowner_state */
	uint32_t cpu, owner;             /* owner, comm: for LOCKOWNER_TASK */
	char comm[LOCKOWNER_COMM];
};

_Static_assert(sizeof(struct lockowner_rec) == 48, "the program writes it");

/* Layout of this kernel's locks and tasks. */
struct lockowner_kernel {
	struct lockowner_lock {
		uint32_t flags;              /* of contention_begin, which identify the kind of lock */
		uint32_t off;                /* bytes, of the owner word in the lock */
		uint32_t readers;            /* its bit that means readers; 0: none */
	} locks[LOCKOWNER_LOCKS];
	unsigned n;
	uint32_t pid, comm;              /* offsets in struct task_struct */
	uint32_t events;                 /* offset of the task's list of perf events */
	bool watched;                    /* only for tasks that have perf events */
};

struct lockowner {
	const struct sys *sys;
	const struct bpf *bpf;
	struct lockowner_kernel kernel;
	struct bpf_ring ring;
	int map, prog, link;
};

/* -ENOENT, -EPERM, -EOPNOTSUPP ...: the reason why it is not available. Nothing is open then. */
struct lockowner_want {
	const struct sys *sys;
	const struct bpf *bpf;
	bool watched;
};
int lockowner_open(struct lockowner *l, const struct lockowner_want *w, struct err *e);
void lockowner_close(struct lockowner *l);

/* Next record, in the order of the waits; false: none for now. */
bool lockowner_next(struct lockowner *l, struct lockowner_rec *rec);

/* Do locks of this kind record their owner? */
bool lockowner_is_told(const struct lockowner *l, uint32_t flags);

/* The program, exposed for tests. */
void lockowner_build(struct asm_prog *a, const struct lockowner_kernel *k, int ring);

#endif
