/*
 * pmu_probe.h - probes by perf's PMUs kprobe and uprobe (Linux 4.17): they need no tracefs, vanish with their
 * descriptor, and have no arguments.
 */
#ifndef PROBING_PMU_PROBE_H
#define PROBING_PMU_PROBE_H

#include "abi/perf_event.h"
#include "probing/define.h"

enum pmu_probe_kind { PMU_PROBE_KERNEL, PMU_PROBE_USER };

struct pmu_probe {
	enum pmu_probe_kind kind;
	bool is_return;
	const char *name;        /* of a kernel function, NULL: `at` is an address; or path of a program's file */
	uint64_t at;             /* offset from the function or in the file, or an address */
	uint64_t semaphore;      /* offset in the file, 0: none */
};

/* Texts are borrowed. */
struct pmu_probe pmu_probe_of(const struct subject *s, const struct defined *d);

/*
 * Set type and config of the attr; config1 points to the name, which must live until the event is open. -EOPNOTSUPP:
 * the kernel has no such PMU, or not the wanted feature (semaphores before 4.20).
 */
int pmu_probe_attr(struct perf_attr *attr, const struct sys *sys, const struct pmu_probe *p, struct err *e);

/* Type number of the PMU for perf_event_attr, or -EOPNOTSUPP. */
int pmu_probe_type(const struct sys *sys, enum pmu_probe_kind kind, struct err *e);

#endif
