/* attr.h - a perf_event_attr in readable form: its fields as text, and why the kernel refused to open it. */
#ifndef PERF_ATTR_H
#define PERF_ATTR_H

#include "base/fmt.h"
#include "perf/event.h"

/* Is this the software event "dummy"? It never samples; it is opened for its side records (MMAP, COMM, ...). */
bool attr_is_dummy(const struct perf_attr *a);

/* One line per field that is not zero, as `perf -vv` spells and orders them: "  config 0x10000". */
void attr_print(const struct perf_attr *a, struct out *o);

/* What is known about the machine and the caller when perf_event_open fails. */
struct attr_context {
	int paranoid;              /* kernel.perf_event_paranoid; INT_MIN: not readable, so no CONFIG_PERF_EVENTS */
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
 * Fill e for an event that failed to open with errno `code` (positive); ev->attr is the one of the last attempt. The
 * text says "not supported" when kernel or hardware cannot do it, "no permission" when the caller may not, and "not
 * counted" when a CPU lacks a resource for now. Returns -code.
 */
int attr_explain(const struct event *ev, int code, const struct attr_context *c, struct err *e);

#endif
