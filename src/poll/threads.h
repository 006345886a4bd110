/*
 * threads.h - finds polling threads, Open vSwitch's and DPDK's, in /proc by the names that their programs give them.
 * Any program may use such a name.
 */
#ifndef POLL_THREADS_H
#define POLL_THREADS_H

#include "live/target.h"

struct poll_thread {
	int pid, tid;
	int cpu;                         /* the CPU it runs on */
	int pinned;                      /* the only allowed CPU; -1: several */
	char name[32];
};

struct poll_threads {
	VEC(struct poll_thread) v;       /* sorted by process, then thread */
};

/* Target threads when /proc is not available: by number, or by name, in some processes or in all. */
struct poll_choice {
	const char *pids, *tids;         /* lists; NULL: any */
};
bool poll_is_chosen(const struct poll_choice *c, uint32_t pid, uint32_t tid, const char *comm);

/*
 * Find polling threads of processes (-p), on CPUs (-C), or all; threads given by -t need no such name. -ESRCH: none,
 * with what was searched for. Call poll_threads_deinit after an error, too.
 */
int poll_threads_find(struct poll_threads *l, const struct sys *sys, const struct target_want *w, struct err *e);
void poll_threads_deinit(struct poll_threads *l);

/* A field of /proc/PID/task/TID/stat, counted from 1 (proc(5)). False: the thread has ended. */
enum poll_stat { POLL_STAT_MINOR_FAULTS = 10, POLL_STAT_MAJOR_FAULTS = 12, POLL_STAT_CPU = 39 };
bool poll_thread_stat(const struct sys *sys, int pid, int tid, enum poll_stat field, uint64_t *v);

/*
 * A field of /proc's schedstat, since the thread started: ns on a CPU, ns waited for one, times on one. False: it has
 * ended.
 */
enum poll_sched { POLL_SCHED_RAN, POLL_SCHED_WAITED, POLL_SCHED_TURNS };
bool poll_thread_sched(const struct sys *sys, uint32_t tid, enum poll_sched which, uint64_t *v);

/* "12,34", malloc'ed; NULL: no memory. */
char *poll_threads_list(const struct poll_threads *l);

#endif
