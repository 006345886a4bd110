/*
 * line.h - definitions in the kernel's own words, as they are echoed into the tracing file system: "r16:g/e vfs_read",
 * "e:g/e sched/sched_switch ...". They go to the kernel as they are, but for what it would not tell of itself.
 */
#ifndef PROBING_LINE_H
#define PROBING_LINE_H

#include "probing/existing.h"
#include "tracefs/dynevent.h"

struct line {
	char *typed;                   /* d lies in it and in names */
	struct dynevent d;
	struct dynevent_names names;
	char *text, *removal;          /* for dynevent_file(&d): what makes it, and what takes it away */
};

enum line_care { LINE_SAFE, LINE_UNSAFE };   /* UNSAFE: also where a probe keeps a program from getting on */

/*
 * group: for those that name none; NULL: the kernel's choice. readme: of the tracing file system, "" unknown.
 * -EOPNOTSUPP: this kernel does not know such events. A line that was not initialised is left empty.
 */
struct line_how {
	const struct sys *sys;
	const char *group, *readme;
	enum line_care care;
};
int line_init(struct line *l, const struct line_how *how, const char *typed, struct err *e);
void line_deinit(struct line *l);

/* A second place of an event that is there goes alone. */
int line_is_place(struct line *l, struct err *e);

bool line_is_same_event(const struct line *a, const struct line *b);

#endif
