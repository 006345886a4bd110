/*
 * budget.h - how many threads and how much memory an analysis of a recording may take: the options that report and
 * flame share. What comes out is the same whatever the number of threads.
 */
#ifndef REPORT_BUDGET_H
#define REPORT_BUDGET_H

#include "base/opt.h"
#include "sys/sys.h"

struct budget_want {
	uint64_t jobs, memory;     /* 0: as the machine has it */
};

/* For OPT_SUB: --jobs, --max-memory; --jobs alone, for what keeps nothing. */
extern const struct opt budget_opts[], jobs_opts[];

struct budget {
	unsigned jobs;             /* at least 1 */
	uint64_t memory;           /* bytes for what grows with the recording */
};

struct budget budget_of(const struct budget_want *w, const struct sys *sys);

#endif
