/*
 * lockowner.h - who has the lock that a task begins to wait for: a program at contention_begin (Linux 5.19) reads it in
 * the lock, and the owner's number and name in its task.
 *
 * What a lock has (kernel/locking/mutex.h, rwsem.c, rtmutex_common.h) is a word: the address of its owner's task, flags
 * in its lowest three bits; of an rwsem the lowest says that readers have it, of which the address is the last one to
 * have come and may be gone. Spinlocks, semaphores and per-CPU rwsems tell nobody.
 *
 * Where stacks are asked for, the program takes the owner's, too, if it sleeps: by its number it asks for its task
 * (bpf_task_from_pid, Linux 6.2), for the address in the lock is nothing that the kernel would trust. Of a task that
 * runs no other CPU can tell the stack: x86 gives none, arm64 what is left of where it slept last. Verifiers let no
 * call have two things that are to be given back: so records are not reserved in the ring, but made in a place of each
 * CPU's.
 *
 * Open it before the event: the kernel runs in this order what is attached to one tracepoint, so that what was read is
 * there when the event is; unless somebody else had it open already, for perf is attached once for all of its events.
 */
#ifndef BPF_LOCKOWNER_H
#define BPF_LOCKOWNER_H

#include "bpf/ktypes.h"
#include "bpf/program.h"
#include "sys/bpf_ring.h"

enum { LOCKOWNER_RING = 4 << 20, LOCKOWNER_COMM = 16, LOCKOWNER_LOCKS = 5, LOCKOWNER_DEPTH = 128 };

#define LOCKOWNER_RUNS INT64_MIN

enum lockowner_state {
	LOCKOWNER_NOBODY,                /* given back just now, or taken and not signed yet */
	LOCKOWNER_TASK,
	LOCKOWNER_READERS,
	LOCKOWNER_UNREAD,
};

/* As the program writes it; addresses of the stack stand behind it. */
struct lockowner_rec {
	uint64_t lock, time;             /* ns of CLOCK_MONOTONIC */
	uint32_t tid, state;             /* who waits; enum lockowner_state */
	uint32_t cpu, owner;             /* owner, comm: of TASK */
	char comm[LOCKOWNER_COMM];
	int64_t stack;                   /* bytes of it; LOCKOWNER_RUNS; else there is none */
};

_Static_assert(sizeof(struct lockowner_rec) == 56, "the program writes it");

/* Where this kernel keeps it. */
struct lockowner_kernel {
	struct lockowner_lock {
		uint32_t flags;              /* of contention_begin */
		uint32_t off;                /* bytes, of the owner's word in the lock */
		uint32_t readers;            /* the bit of it that tells of readers; 0: none */
	} locks[LOCKOWNER_LOCKS];
	unsigned n;
	uint32_t pid, comm;              /* of struct task_struct */
	uint32_t events;                 /* ... and its perf events */
	bool watched;                    /* of tasks alone that have such */
	uint32_t depth;                  /* places of a stack; 0: none is taken, and what follows is not there */
	uint32_t on_cpu;                 /* of struct task_struct; 0: there is one CPU, and who waits is on it */
	uint32_t event;                  /* ids: of contention_begin's type, and of functions of the kernel */
	uint32_t task_from_pid, task_release;
};

struct lockowner {
	const struct sys *sys;
	const struct bpf *bpf;
	struct lockowner_kernel kernel;
	struct bpf_ring ring;
	int map, place, prog, link;
};

/* -ENOENT, -EPERM, -EOPNOTSUPP ...: why it cannot be. Nothing is open then. */
struct lockowner_want {
	const struct sys *sys;
	const struct bpf *bpf;
	bool watched;
	uint32_t depth;                  /* places of an owner's stack, up to LOCKOWNER_DEPTH; 0: none */
};
int lockowner_open(struct lockowner *l, const struct lockowner_want *w, struct err *e);
void lockowner_close(struct lockowner *l);

/*
 * The next that was read, in the order of the waits; false: there is no more for now. ips: its stack, until the next
 * call.
 */
bool lockowner_next(struct lockowner *l, struct lockowner_rec *rec, const uint64_t **ips);

/* Do locks of this kind tell who has them? */
bool lockowner_is_told(const struct lockowner *l, uint32_t flags);

/* The program, apart for tests. */
void lockowner_build(struct asm_prog *a, const struct lockowner_kernel *k, int ring, int place);

#endif
