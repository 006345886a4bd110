/*
 * value.h - a setting's value in the form in which it can be written back, whatever the kernel shows around it:
 * "[local] global" is "local", "7 (expanded: 1408)" is "1408", "#### all functions enabled ####" is nothing, "none" of
 * a filter is "0". Function commands in set_ftrace_filter are no part of the list: emptying it does not remove them.
 */
#ifndef TRACING_VALUE_H
#define TRACING_VALUE_H

#include "tracing/tfs.h"

/* malloc'ed. */
int value_read(const struct tfs *t, const char *file, char **text, struct err *e);

/* Long lists of functions go by their numbers in available_filter_functions (Linux 5.1): by name each costs the kernel
 * a walk over all of them. */
int value_write(const struct tfs *t, const char *file, const char *text, struct err *e);

/* A list of pids filters even when it reads as empty: those in it have ended. Only writing it switches the filter off.
 */
bool value_hides(const char *file);

enum value_state {
	VALUE_IS_OURS,      /* as it was set, or it changes by itself (lists of pids) */
	VALUE_IS_OTHERS,    /* somebody has changed it since */
};

/* A mark by which a value is known again: VALUE_UNKNOWN fits every value. */
#define VALUE_UNKNOWN UINT64_MAX
uint64_t value_mark(const char *text);
enum value_state value_state(const char *file, const char *now, uint64_t mark);

#endif
