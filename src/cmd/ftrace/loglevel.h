/* loglevel.h - --verbose[=LEVEL] of trace-cmd: which messages are printed beside the output. */
#ifndef CMD_FTRACE_LOGLEVEL_H
#define CMD_FTRACE_LOGLEVEL_H

#include "cmd/cmd.h"

enum loglevel { LOGLEVEL_NOT_GIVEN, LOGLEVEL_NONE, LOGLEVEL_CRIT, LOGLEVEL_ERR, LOGLEVEL_WARN, LOGLEVEL_INFO,
		LOGLEVEL_DEBUG, LOGLEVEL_ALL };

#define OPT_LOGLEVEL(letter, type, field) \
	OPT_CALL(letter, "verbose", OPT_OPTIONAL, type, field, loglevel_set, "<level>", \
		 "0 none: no messages, not even errors; 1 crit, 2 err: errors; 3 warn; 4 info and higher: all")

/* For OPT_LOGLEVEL; field is an enum loglevel. */
int loglevel_set(void *field, const char *value, struct err *e);

/* Is a message of level `of` printed at this `level`? */
bool loglevel_says(enum loglevel level, enum loglevel of);

/* Limit the messages of c to this level. */
void loglevel_apply(struct ctx *c, enum loglevel level);

#endif
