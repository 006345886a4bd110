/*
 * ftcmd.h - commands of functions, as set_ftrace_filter takes them:
 *
 *   FUNCTION:COMMAND[:COUNT]                           traceon traceoff stacktrace snapshot dump cpudump
 *   FUNCTION:enable_event:SYSTEM:EVENT[:COUNT]         also disable_event
 *   FUNCTION:mod:MODULE                                is a filter, no command
 *
 * FUNCTION may be a glob. dump and cpudump act once; a COUNT of them has no effect.
 */
#ifndef TRACEFS_FTCMD_H
#define TRACEFS_FTCMD_H

#include "base/err.h"
#include "base/str.h"

enum ftcmd_kind {
	FTCMD_NONE,        /* only a function: a filter */
	FTCMD_MOD, FTCMD_TRACEON, FTCMD_TRACEOFF, FTCMD_STACKTRACE, FTCMD_SNAPSHOT, FTCMD_DUMP, FTCMD_CPUDUMP,
	FTCMD_ENABLE_EVENT, FTCMD_DISABLE_EVENT,
};

struct ftcmd {
	enum ftcmd_kind kind;
	struct sv function;
	struct sv module;          /* MOD */
	struct sv system, event;   /* ENABLE_EVENT, DISABLE_EVENT */
	bool counted;
	uint64_t count;
};

/* -EINVAL with a mark under the place, and the nearest command. Reads what the kernel shows, too: "f:traceoff:count=3".
 */
int ftcmd_parse(struct ftcmd *c, const char *text, struct err *e);

/*
 * The line that takes it away again: '!', and :0 for a COUNT, as the kernel wants it (checked on 5.10 to 6.12). Like
 * snprintf; 0 for a filter, which is not taken away like this.
 */
int ftcmd_removal(const char *text, char *buf, size_t size);

#endif
