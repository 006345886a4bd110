/*
 * trigger.h - what is written to events/SYSTEM/EVENT/trigger, checked before the kernel sees it: its own message is a
 * single errno on old kernels, and never names what was meant.
 *
 *   COMMAND[:COUNT][ if FILTER]                    traceon traceoff snapshot stacktrace
 *   enable_event:SYSTEM:EVENT[:COUNT][ if FILTER]  also disable_event, enable_hist, disable_hist
 *   hist:keys=F[.MOD],..[:vals=..][:sort=..][:size=N][:VAR=EXPR][:onmatch(..)..][..][ if FILTER]
 *
 * Grammar of Linux 6.12; what a kernel has of it is looked up in its README.
 */
#ifndef TRACEFS_GRAMMAR_TRIGGER_H
#define TRACEFS_GRAMMAR_TRIGGER_H

#include "base/fmt.h"
#include "tracefs/format/format.h"

/*
 * Bytes of a trigger, its NUL counted: with "!" in front and a line feed behind it, which takes it away again, it still
 * fits into the page that kernels take.
 */
enum { TRIGGER_MAX = 4094 };

struct trigger_env {
	const struct tfmt *fmt;   /* of the event; NULL: fields are not checked */
	struct sv readme;         /* of this kernel; empty: modifiers are not checked */
};

/* 0, or -EINVAL / -EOPNOTSUPP (this kernel lacks it): the text has a mark under the place, and the nearest names. */
int trigger_check(const struct trigger_env *env, const char *text, struct err *e);

/* The event that a trigger turns on or off, borrowed from its text; false: it is of another kind. */
bool trigger_other(const char *text, struct sv *system, struct sv *event);

/* Only the part behind " if ": do its fields exist? */
int trigger_check_filter(const struct trigger_env *env, const char *filter, struct err *e);

/* The line that takes it away again: "!" and the trigger without count and filter (a histogram: the whole). Like
 * snprintf. */
int trigger_removal(const char *text, char *buf, size_t size);

/* "what", then the text around `off` with a mark under it: for parsers of lines like these. Returns -code. */
int trigger_spot(struct err *e, int code, const char *what, const char *text, size_t off);

/* What was written to m, which ends here, as the text of a trigger or a definition; -ENAMETOOLONG. */
int trigger_take(struct mem_out *m, char buf[TRIGGER_MAX], struct err *e);

/*
 * "u32 prio": a field as a synthetic event declares one that takes its values, by size and sign, which is what the
 * kernel compares. False: such a field cannot be carried.
 */
bool trigger_put_field(struct out *o, const struct tfield *f, const char *name);

/* README knows the histogram at all: CONFIG_HIST_TRIGGERS. */
bool trigger_has_hist(struct sv readme);

#endif
