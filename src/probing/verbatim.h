/*
 * verbatim.h - definitions in the kernel's grammar, as they are echoed into tracefs: "r16:g/e vfs_read", "e:g/e
 * sched/sched_switch ...". They are passed on as they are, after checks for errors that the kernel would not explain.
 */
#ifndef PROBING_VERBATIM_H
#define PROBING_VERBATIM_H

#include "tracefs/grammar/dynevent.h"

struct verbatim {
	char *typed;                   /* text; d borrows from it and from names */
	struct dynevent d;
	struct dynevent_names names;
	char *text, *removal;          /* for dynevent_file(&d): the lines that add and remove it */
};

/* VERBATIM_UNSAFE: also where a probe keeps the program from making progress. */
enum verbatim_care { VERBATIM_SAFE, VERBATIM_UNSAFE };

/*
 * group: for definitions that name none; NULL: the kernel's choice. readme: of tracefs, "": unknown. -EOPNOTSUPP: this
 * kernel lacks such events. After an error l is empty.
 */
struct verbatim_how {
	const struct sys *sys;
	const char *group, *readme;
	enum verbatim_care care;
};
int verbatim_init(struct verbatim *l, const struct verbatim_how *how, const char *typed, struct err *e);
void verbatim_deinit(struct verbatim *l);

/* Make l->removal remove only this place, since the event existed before. */
int verbatim_is_place(struct verbatim *l, struct err *e);

#endif
