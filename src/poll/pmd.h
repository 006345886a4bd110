/* pmd.h - the pieces of sonde pmd: pmd.c asks and counts, pmd_gaps.c watches the CPUs, pmd_text.c prints. */
#ifndef POLL_PMD_H
#define POLL_PMD_H

#include "packets/packets.h"
#include "poll/taken.h"
#include "prof/counted.h"

/* The first of each kind that this machine counts. Of misses: those of the last cache, see prof_llcstat.c. */
enum pmd_counter { PMD_CLOCK, PMD_CYCLES, PMD_INSTRUCTIONS, PMD_MISSES, PMD_MISSES_L3, PMD_MISSES_LLC, PMD_COUNTERS };

/* A process, and what it tells of its packets. */
struct pmd_process {
	int pid;
	size_t threads;
	bool told;
	struct packets packets;
};

/* The longest time since the last look in which a thread did not run its own code, and most of it: "softirq TIMER". */
struct pmd_worst {
	uint64_t ns;                     /* 0: there was none */
	char by[64];
};

struct pmd {
	struct taken taken;              /* .found: the threads */
	char *list;                      /* for the counters' target */
	VEC(struct pmd_process) processes;
	VEC(uint64_t) waited;            /* by thread: ns up to the last look */
	VEC(struct pmd_worst) worst;     /* by thread */
	uint64_t at;                     /* of the last look, CLOCK_MONOTONIC ns */
	bool has[PMD_COUNTERS], has_packets, has_gaps;
	struct specs sources;            /* of gaps, and where */
	struct target_want where;
};

/* Events that tell of gaps, into p->feed. 0: has_gaps says whether they are to be had; why not is noted. -ENOMEM. */
int pmd_gaps_open(struct pmd *m, struct prof *p, struct err *e);
void pmd_gaps_close(struct pmd *m, struct prof *p);

/* Before a look: gaps that still go on, as far as they are known. 0 or -ENOMEM. Behind it: none were. */
int pmd_gaps_now(struct pmd *m, struct prof *p);
void pmd_gaps_forget(struct pmd *m);

/* The table of one interval. 0 or -ENOMEM. */
int pmd_print(struct pmd *m, struct prof *p, const struct counted *c, double seconds);

#endif
