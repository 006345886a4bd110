/*
 * verbatim.h - definitions in the kernel's own words, as they are echoed into the tracing file system: "r16:g/e
 * vfs_read", "e:g/e sched/sched_switch ...". They go to the kernel as they are, but for what it would not tell of
 * itself.
 */
#ifndef PROBING_VERBATIM_H
#define PROBING_VERBATIM_H

#include "tracefs/grammar/dynevent.h"

struct verbatim {
	char *typed;                   /* d lies in it and in names */
	struct dynevent d;
	struct dynevent_names names;
	char *text, *removal;          /* for dynevent_file(&d): what makes it, and what takes it away */
};

/* UNSAFE: also where a probe keeps a program from getting on. */
enum verbatim_care { VERBATIM_SAFE, VERBATIM_UNSAFE };

/*
 * group: for those that name none; NULL: the kernel's choice. readme: of the tracing file system, "" unknown.
 * -EOPNOTSUPP: this kernel does not know such events. A line that was not initialised is left empty.
 */
struct verbatim_how {
	const struct sys *sys;
	const char *group, *readme;
	enum verbatim_care care;
};
int verbatim_init(struct verbatim *l, const struct verbatim_how *how, const char *typed, struct err *e);
void verbatim_deinit(struct verbatim *l);

/* A second place of an event that is there goes alone. */
int verbatim_is_place(struct verbatim *l, struct err *e);

#endif
