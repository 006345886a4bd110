/* attr.h - a perf_event_attr for people: its fields as text, and why the kernel would not open it. */
#ifndef PERF_ATTR_H
#define PERF_ATTR_H

#include "base/fmt.h"
#include "perf/event.h"

/* The dummy event: it has no samples, and is there for the records beside them. */
bool attr_is_dummy(const struct perf_attr *a);

/* One line per field that is not zero, as `perf -vv` spells and orders them: "  config 0x10000". */
void attr_print(const struct perf_attr *a, struct out *o);

/* What is known about the machine and the caller when an open fails. */
struct attr_context {
	int paranoid;              /* kernel.perf_event_paranoid; INT_MIN: not readable, perf events are missing */
	unsigned uid;
	bool perfmon;              /* CAP_PERFMON or CAP_SYS_ADMIN */
	bool sys_admin;            /* CAP_SYS_ADMIN */
	const char *lockdown;      /* "none", "integrity", "confidentiality", "" */
	size_t n_core_pmus;        /* 0: the machine shows no hardware counters */
	bool looks_virtual;        /* a guest: the hypervisor decides about counters */
	int pid, cpu;              /* as given to perf_event_open */
	uint64_t max_sample_rate;  /* kernel.perf_event_max_sample_rate, 0 unknown */
};

/*
 * Fill e for an event that failed to open with errno `code` (positive); attr as it was last tried. What kernel or
 * hardware cannot do is "not supported", what the caller may not do "no permission", what a CPU lacks for now "not
 * counted". Returns -code.
 */
int attr_explain(const struct event *ev, int code, const struct attr_context *c, struct err *e);

#endif
