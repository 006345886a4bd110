/* pmd.h - shared by the files of sonde pmd: pmd.c reads counters, pmd_gaps.c follows tracepoints, pmd_text.c prints. */
#ifndef POLL_PMD_H
#define POLL_PMD_H

#include "packets/packets.h"
#include "poll/taken.h"
#include "prof/counted.h"

/* Counters. There are three for misses of the last level cache, see prof_llcstat.c; the first that counts is used. */
enum pmd_counter { PMD_CLOCK, PMD_CYCLES, PMD_INSTRUCTIONS, PMD_MISSES, PMD_MISSES_L3, PMD_MISSES_LLC, PMD_COUNTERS };

/* A process, and its own packet statistics. */
struct pmd_process {
	int pid;
	size_t threads;
	bool told;                       /* it answers questions about packets */
	struct packets packets;
};

/* The longest gap of the interval in which a thread did not run, and what took most of it: "softirq TIMER". */
struct pmd_worst {
	uint64_t ns;                     /* 0: there was no gap */
	char by[64];
};

struct pmd {
	struct taken taken;              /* .found: the threads */
	char *list;                      /* the counters' target, a list of tids */
	VEC(struct pmd_process) processes;
	VEC(uint64_t) waited;            /* by thread: total run queue wait, ns, at the end of the last interval */
	VEC(struct pmd_worst) worst;     /* by thread */
	uint64_t at;                     /* end of the last interval, CLOCK_MONOTONIC ns */
	bool has[PMD_COUNTERS], has_packets, has_gaps;
	struct specs sources;            /* tracepoints for gaps, and the CPUs or threads to measure */
	struct target_want where;
};

/* Open the tracepoints for gaps in p->feed. 0: has_gaps tells whether that worked; a note says why not. -ENOMEM. */
int pmd_gaps_open(struct pmd *m, struct prof *p, struct err *e);
void pmd_gaps_close(struct pmd *m, struct prof *p);

/* At an interval's end: count gaps that are not over yet, 0 or -ENOMEM; and behind it: forget its worst gaps. */
int pmd_gaps_now(struct pmd *m, struct prof *p);
void pmd_gaps_forget(struct pmd *m);

/* Print the table of one interval. 0 or -ENOMEM. */
int pmd_print(struct pmd *m, struct prof *p, const struct counted *c, double seconds);

#endif
