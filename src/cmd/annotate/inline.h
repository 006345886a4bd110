/*
 * inline.h - probes within -e (kprobe:f, uprobe:f@"file"/args/ ..., and definitions in the kernel's own words): for the
 * commands that trace by files they are made in the name of the run's undo, which takes them away again. Those of perf
 * events are the event_env's.
 */
#ifndef CMD_INLINE_H
#define CMD_INLINE_H

#include "cmd/cmd.h"
#include "live/run_probes.h"

/* Where they go. */
struct inline_to {
	const struct sys *sys;
	struct undo *undo;
	const struct tfs *top;
};

/* One of the events that a probe has become: as "GROUP:EVENT", and as it was typed. Not 0: the end. */
typedef int inline_event(void *arg, const char *name, const char *shown, struct err *e);

/* Does an event begin here that is defined by being named? */
bool inline_is(const char *text);

/*
 * Where the first event of a list "A,B" ends; that of a probe may have commas of its own. *end stands at a comma or
 * NUL. -EINVAL with a mark.
 */
int inline_cut(const char *list, const char **end, struct err *e);

/* Define the probe that text is. *p: made when it is NULL, to be freed by run_probes_free. */
int inline_define(struct run_probes **p, const struct inline_to *to, const char *text, inline_event *found, void *arg,
		  struct err *e);

struct inline_one {
	char name[200], shown[300];
};

/* For what can only be one event: "GROUP:EVENT" of a probe, which is defined, or text itself. */
int inline_define_one(struct run_probes **p, const struct inline_to *to, const char *text, struct inline_one *one,
		      struct err *e);

/* Say what there is to know of them; p may be NULL. */
void inline_notes(struct ctx *c, const struct run_probes *p);

#endif
