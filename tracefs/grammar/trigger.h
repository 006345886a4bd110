/*
 * trigger.h - checks a text before it is written to events/SYSTEM/EVENT/trigger: old kernels report a bad one with a
 * bare errno, and none names what was meant.
 *
 *   COMMAND[:COUNT][ if FILTER]                    traceon traceoff snapshot stacktrace
 *   enable_event:SYSTEM:EVENT[:COUNT][ if FILTER]  also disable_event, enable_hist, disable_hist
 *   hist:keys=F[.MOD],..[:vals=..][:sort=..][:size=N][:VAR=EXPR][:onmatch(..)..][..][ if FILTER]
 *
 * Grammar of Linux 6.12; what the running kernel supports is looked up in its README.
 */
#ifndef TRACEFS_GRAMMAR_TRIGGER_H
#define TRACEFS_GRAMMAR_TRIGGER_H

#include "base/fmt.h"
#include "tracefs/format/format.h"

/*
 * Bytes of a trigger, its NUL counted: its removal has a "!" in front and a line feed behind, and still fits into the
 * page that kernels accept.
 */
enum { TRIGGER_MAX = 4094 };

struct trigger_env {
	const struct tfmt *fmt;   /* of the event; NULL: fields are not checked */
	struct sv readme;         /* of this kernel; empty: modifiers are not checked */
};

/* 0, or -EINVAL / -EOPNOTSUPP (this kernel lacks it); the error has a mark under the place, and the nearest names. */
int trigger_check(const struct trigger_env *env, const char *text, struct err *e);

/* The event that a trigger enables or disables, borrowed from its text; false: another kind of trigger. */
bool trigger_other(const char *text, struct sv *system, struct sv *event);

/* Check only the part behind " if ": do its fields exist? */
int trigger_check_filter(const struct trigger_env *env, const char *filter, struct err *e);

/*
 * The line that removes a trigger: "!" and the trigger without count and filter (of a histogram: with everything).
 * Returns as snprintf does.
 */
int trigger_removal(const char *text, char *buf, size_t size);

/* Set e to `what`, then the text around `off` with a mark under it: for parsers of such lines. Returns -code. */
int trigger_spot(struct err *e, int code, const char *what, const char *text, size_t off);

/* Copy what was written to m to buf, and free m: the text of a trigger or a definition. -ENAMETOOLONG. */
int trigger_take(struct mem_out *m, char buf[TRIGGER_MAX], struct err *e);

/*
 * "u32 prio": declare a field of a synthetic event that takes the values of f. Size and sign must agree: the kernel
 * compares them. False: such a field cannot be passed on.
 */
bool trigger_put_field(struct out *o, const struct tfield *f, const char *name);

/* Does this README describe hist triggers (CONFIG_HIST_TRIGGERS)? */
bool trigger_has_hist(struct sv readme);

#endif
