/* common.h - what the views of the scheduler share: options, where events come from, names of tasks, times as text. */
#ifndef SCHED_COMMON_H
#define SCHED_COMMON_H

#include "prof/tasks.h"
#include "sched/sched.h"

/* The want of each view begins with it. */
struct sched_want {
	struct prof_want prof;
	unsigned verbose;
	bool ignored;
};
extern const struct opt sched_opts[];

/*
 * For prof_kind.first: with -a, a command or an interval it is live, of all tasks; else the recording that -i names, or
 * that of the usual name, as perf has it.
 */
int sched_first(struct prof *p, struct err *e);

/* Has this kernel an event "system:name"? sched_waking: Linux 4.3; sched_stat_*: CONFIG_SCHEDSTATS. */
bool sched_has_event(const struct sys *sys, const char *name);

/* For prepare: sched_switch, which must be there, and what wakes tasks. */
int sched_add(struct prof *p, struct err *e);

/* Events without a kind of their own (tracefs/kind.h), for only these views read them. NULL: not among the events. */
struct sched_fields {
	const struct tevent *runtime, *move;
	const struct tfield *runtime_pid, *runtime_ns, *move_pid, *move_from, *move_to;
};
void sched_find_fields(const struct prof *p, struct sched_fields *f);

/* A field that sched_find_fields has found, or not. */
static inline uint64_t sched_value(const struct hit *h, const struct tfield *f)
{
	return tfmt_value(f, h->raw.p, h->raw.n);
}

/* The feed is open: is sched_waking among its events? Then sched_wakeup tells the same again. */
bool sched_has_waking(const struct prof *p);

/*
 * Before the number of a task goes to a new one `ends` is told, while names are still those of the old one. In begin; w
 * is borrowed.
 */
struct sched_ends {
	struct prof *p;
	int (*ends)(void *arg, uint32_t tid);   /* 0 or -ENOMEM */
	void *arg;
	bool failed;                            /* no memory: the next hit should tell */
};
void sched_watch_ends(struct prof *p, struct sched_ends *w);

/* What the recording does not know yet events tell, too: `field` is that of a name, `tid_field` that of whose it is. */
void sched_learn(struct prof *p, const struct hit *h, unsigned tid_field, unsigned field);

/* "   12.000345", right-aligned in width. */
void sched_time(struct out *o, uint64_t ns, unsigned width);

/* "    12.345 ", of ns, the whole ms right-aligned in width. */
void sched_ms(struct out *o, uint64_t ns, unsigned width);

/* "3 WHAT", beside the output: that is perf's, line by line. */
void sched_note(const struct prof *p, uint64_t n, const char *what);

/* CPUs of the machine of the events; 0: not known. */
uint32_t sched_cpus(const struct prof *p);

#endif
