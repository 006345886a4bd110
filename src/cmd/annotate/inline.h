/*
 * inline.h - probes defined within -e (kprobe:f, uprobe:f@"file"/args/ ..., or a definition in the kernel's syntax),
 * for the commands that trace through tracefs: each probe is entered into the run's undo, which removes it again.
 * Probes of commands that open perf events go through event_env instead.
 */
#ifndef CMD_INLINE_H
#define CMD_INLINE_H

#include "cmd/cmd.h"
#include "live/run_probes.h"

/* Where probes are created. */
struct inline_to {
	const struct sys *sys;
	struct undo *undo;
	const struct tfs *top;
};

/* Called for each event that a probe has become: "GROUP:EVENT", and as the user typed it. Not 0 ends the calls. */
typedef int inline_event(void *arg, const char *name, const char *shown, struct err *e);

/* Does the text begin with an inline probe, and not with the name of an event? */
bool inline_is(const char *text);

/*
 * Find the end of the first event of a list "A,B"; a probe may have commas in it. *end is at a comma or the NUL. 0, or
 * -EINVAL with the bad place marked in e.
 */
int inline_cut(const char *list, const char **end, struct err *e);

/* Define the probe in `text`. If *p is NULL it is allocated; the caller frees it by run_probes_free(). */
int inline_define(struct run_probes **p, const struct inline_to *to, const char *text, inline_event *found, void *arg,
		  struct err *e);

struct inline_one {
	char name[200], shown[300];
};

/* Where only one event is allowed: define the probe and return its "GROUP:EVENT", or return `text` if it is a name. */
int inline_define_one(struct run_probes **p, const struct inline_to *to, const char *text, struct inline_one *one,
		      struct err *e);

/* Print the notes that the probes have for the user; p may be NULL. */
void inline_notes(struct ctx *c, const struct run_probes *p);

#endif
