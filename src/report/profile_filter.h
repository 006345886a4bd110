/*
 * profile_filter.h - select samples: the options that report, script and flame share, and the test of a sample.
 *
 * Samples of other processes, threads, CPUs and times are ignored; those that only fail the filter for a command,
 * shared object or symbol are left out of the rows but stay in the total, so that percentages keep their meaning.
 */
#ifndef REPORT_PROFILE_FILTER_H
#define REPORT_PROFILE_FILTER_H

#include "analyse/hist.h"
#include "base/opt.h"
#include "source/session.h"

struct filter_want {
	struct opt_list comms, dsos, symbols, pids, tids;   /* each entry may be a list with commas */
	const char *cpus, *time, *symbol_part;
	bool hide_unresolved;
};

/* For OPT_SUB: -C, --pid, --tid, --time, --comms, --dsos, --symbols, --symbol-filter. */
extern const struct opt filter_opts[];

struct filter {
	const struct filter_want *want;
	struct cpus cpus;
	uint64_t from, to;                 /* ns; to UINT64_MAX: no end */
	VEC(uint32_t) pids, tids;
	bool any;                          /* pids, tids, cpus or times are chosen */
	bool by_name;                      /* symbols, shared objects or unresolved ones are chosen */
};

/* The session has the recording's first and last time, for percentages. -EINVAL for invalid texts. */
int filter_init(struct filter *f, const struct filter_want *w, const struct session *s, struct err *e);
void filter_deinit(struct filter *f);

bool filter_chosen(const struct filter *f, const struct sample *smp);
bool filter_listed(const struct filter *f, const char *comm);

/* Test the process, thread, CPU and time of a sample. */
static inline bool filter_sample(const struct filter *f, const struct sample *smp)
{
	return !f->any || filter_chosen(f, smp);
}

static inline bool filter_comm(const struct filter *f, const char *comm)
{
	return !f->want->comms.n || filter_listed(f, comm);
}

/* Test the innermost frame. */
bool filter_frame(const struct filter *f, const struct hist_frame *fr);

#endif
