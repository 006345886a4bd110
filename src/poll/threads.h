/*
 * threads.h - threads that poll: Open vSwitch's and DPDK's, by the names that their programs give them. Of /proc, which
 * anybody's names are in.
 */
#ifndef POLL_THREADS_H
#define POLL_THREADS_H

#include "live/target.h"

struct poll_thread {
	int pid, tid;
	int cpu;                         /* that it is on */
	int pinned;                      /* the only CPU that it may run on; -1: there are several */
	char name[32];
};

struct poll_threads {
	VEC(struct poll_thread) v;       /* by process, then thread */
};

/* Who was asked for, where no /proc tells: threads by number, or by name those of some processes or of all. */
struct poll_choice {
	const char *pids, *tids;         /* lists; NULL: any */
};
bool poll_is_chosen(const struct poll_choice *c, uint32_t pid, uint32_t tid, const char *comm);

/*
 * Those of processes (-p), on CPUs (-C), or all; threads (-t) whatever they are called. -ESRCH: none, with what was
 * looked for. poll_threads_deinit also after an error.
 */
int poll_threads_find(struct poll_threads *l, const struct sys *sys, const struct target_want *w, struct err *e);
void poll_threads_deinit(struct poll_threads *l);

/* Fields of /proc/PID/task/TID/stat, from 1 (proc(5)). False: the thread has ended. */
enum poll_stat { POLL_STAT_MINOR_FAULTS = 10, POLL_STAT_MAJOR_FAULTS = 12, POLL_STAT_CPU = 39 };
bool poll_thread_stat(const struct sys *sys, int pid, int tid, enum poll_stat field, uint64_t *v);

/* Of /proc's schedstat, since it began: ns on a CPU, ns of waiting for one, times on one. False: it has ended. */
enum poll_sched { POLL_SCHED_RAN, POLL_SCHED_WAITED, POLL_SCHED_TURNS };
bool poll_thread_sched(const struct sys *sys, uint32_t tid, enum poll_sched which, uint64_t *v);

/* "12,34": malloc'ed; NULL: no memory. */
char *poll_threads_list(const struct poll_threads *l);

#endif
