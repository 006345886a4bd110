/*
 * list.h - the events that -e accepts, by kind: generic ones, those of PMUs in sysfs, the built-in tables of cores,
 * tracepoints, existing probes, metrics. Each with its availability on this machine. Changes nothing; needs no root.
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
	LIST_UNSURE,    /* only counting with it would tell */
};

/* Texts are borrowed for the call; those that do not apply are NULL. */
struct list_item {
	enum list_kind kind;
	enum list_there there;
	const char *group;      /* its PMU, core or tracing system */
	const char *name;       /* as in -e */
	const char *alias;      /* another spelling */
	const char *text;       /* what it really counts */
	const char *encoding;   /* "event=0x11", a probe's definition, a metric's formula */
	const char *unit;       /* of the counts: "MiB" */
	const char *groups;     /* of a metric: "MPKI;Branch_Effectiveness" */
	bool is_form;           /* the name has N in place of numbers */
};

struct list_want {
	char *const *words;     /* kinds, globs and parts of names; none: list everything */
	size_t n_words;
	const char *unit;       /* only PMUs of this name or glob, and metrics of their cores; NULL: all */
	const char *core;       /* only the table of this core, here or not; NULL: the machine's tables and the rest */
	bool all_cores;         /* only the tables of all cores */
};

/* Is that a name of the core? Case is ignored; the part in brackets may be omitted. */
bool list_core_named(const struct arch_core *core, const char *name);

/*
 * Call `each` for every matching event, kind by kind, until it returns non-zero, which is passed on. `tracefs` gets the
 * reason why tracepoints could not be listed (code 0: they were, or nobody asked).
 */
int list_events(const struct sys *sys, const struct list_want *w, int (*each)(void *to, const struct list_item *it),
		void *to, struct err *tracefs);

#endif
