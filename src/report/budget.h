/*
 * budget.h - how many threads and how much memory an analysis of a recording may use: options that report and flame
 * share. The result is the same whatever the number of threads.
 */
#ifndef REPORT_BUDGET_H
#define REPORT_BUDGET_H

#include "base/opt.h"
#include "sys/sys.h"

struct budget_want {
	uint64_t jobs, memory;     /* 0: by the machine's CPUs and memory */
};

/* For OPT_SUB: --jobs and --max-memory; or --jobs alone, for commands that accumulate nothing. */
extern const struct opt budget_opts[], jobs_opts[];

struct budget {
	unsigned jobs;             /* at least 1 */
	uint64_t memory;           /* bytes for data that grows with the recording */
};

struct budget budget_of(const struct budget_want *w, const struct sys *sys);

#endif
