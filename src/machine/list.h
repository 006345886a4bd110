/*
 * list.h - the events that can be named with -e, by kind: generic ones, what the PMUs in sysfs offer, the built-in
 * tables of the cores, tracepoints, probes that exist now, metrics. Each says whether this machine has it. Nothing is
 * changed; root is not needed.
 */
#ifndef MACHINE_LIST_H
#define MACHINE_LIST_H

#include "arch/arch.h"
#include "sys/sys.h"

enum list_kind {
	LIST_HARDWARE, LIST_SOFTWARE, LIST_TOOL, LIST_CACHE, LIST_PMU, LIST_CORE, LIST_TRACEPOINT, LIST_PROBE,
	LIST_METRIC, LIST_METRICGROUP, LIST_OTHER, LIST_KINDS
};

enum list_there {
	LIST_THERE,
	LIST_ABSENT,    /* the kernel or the hardware does not have it */
	LIST_UNSURE,    /* cannot be told without counting with it */
};

/* Texts are borrowed for the call; those that do not apply are NULL. */
struct list_item {
	enum list_kind kind;
	enum list_there there;
	const char *group;      /* PMU, core or tracing system that it belongs to */
	const char *name;       /* as -e takes it */
	const char *alias;      /* another spelling */
	const char *text;       /* what it really counts */
	const char *encoding;   /* "event=0x11", a probe's definition, a metric's formula */
	const char *unit;       /* of the counts: "MiB" */
	const char *groups;     /* of a metric: "MPKI;Branch_Effectiveness" */
	bool is_form;           /* the name has N where numbers are to stand */
};

struct list_want {
	char *const *words;     /* kinds, globs and parts of names; none: everything */
	size_t n_words;
	const char *unit;       /* only PMUs of this name, which may be a glob, and metrics of their cores; NULL: all */
	const char *core;       /* only the table of this core, here or not; NULL: the machine's tables and the rest */
	bool all_cores;         /* only the tables of all cores */
};

/* Whether a core answers to that name, in any case; what stands in brackets may be left out. */
bool list_core_named(const struct arch_core *core, const char *name);

/*
 * Call each for every event that matches, kind by kind, until it returns non-zero, which is passed on.
 * `tracefs` gets the reason why tracepoints could not be looked at (code 0: they could, or nobody asked).
 */
int list_events(const struct sys *sys, const struct list_want *w, int (*each)(void *to, const struct list_item *it),
		void *to, struct err *tracefs);

#endif
