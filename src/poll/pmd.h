/*
 * pmd.h - shared by the files of sonde pmd: pmd.c queries and counts, pmd_gaps.c watches the CPUs, pmd_text.c prints.
 */
#ifndef POLL_PMD_H
#define POLL_PMD_H

#include "packets/packets.h"
#include "poll/taken.h"
#include "prof/counted.h"

/*
 * Of each kind the first event that this machine counts. Misses are those of the last-level cache, see prof_llcstat.c.
 */
enum pmd_counter { PMD_CLOCK, PMD_CYCLES, PMD_INSTRUCTIONS, PMD_MISSES, PMD_MISSES_L3, PMD_MISSES_LLC, PMD_COUNTERS };

/* A process and its packet statistics. */
struct pmd_process {
	int pid;
	size_t threads;
	bool told;
	struct packets packets;
};

/*
 * The longest gap in the last interval in which a thread did not run its own code, and the main cause: "softirq TIMER".
 */
struct pmd_worst {
	uint64_t ns;                     /* 0: none */
	char by[64];
};

struct pmd {
	struct taken taken;              /* .found: the polling threads */
	char *list;                      /* thread list for the counters' target */
	VEC(struct pmd_process) processes;
	VEC(uint64_t) waited;            /* by thread: ns waited for a CPU, by the last reading */
	VEC(struct pmd_worst) worst;     /* by thread */
	uint64_t at;                     /* time of the last reading, CLOCK_MONOTONIC ns */
	bool has[PMD_COUNTERS], has_packets, has_gaps;
	struct specs sources;            /* events for gaps, and their CPUs */
	struct target_want where;
};

/*
 * Open the events for gaps in p->feed. 0: has_gaps tells whether they are available; if not the reason is noted.
 * -ENOMEM.
 */
int pmd_gaps_open(struct pmd *m, struct prof *p, struct err *e);
void pmd_gaps_close(struct pmd *m, struct prof *p);

/* Before a reading: account for gaps that still go on, as far as known; after it: reset. 0 or -ENOMEM. */
int pmd_gaps_now(struct pmd *m, struct prof *p);
void pmd_gaps_forget(struct pmd *m);

/* Print the table of one interval. 0 or -ENOMEM. */
int pmd_print(struct pmd *m, struct prof *p, const struct counted *c, double seconds);

#endif
