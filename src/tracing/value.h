/*
 * value.h - the value of a setting in the form in which it can be written back, without the kernel's decoration:
 * "[local] global" is "local", "7 (expanded: 1408)" is "1408", "#### all functions enabled ####" is nothing, "none" of
 * a filter is "0". Function commands in set_ftrace_filter are not part of the list: emptying it does not remove them.
 */
#ifndef TRACING_VALUE_H
#define TRACING_VALUE_H

#include "tracing/tfs.h"

/* Read the value; *text is malloc'ed. */
int value_read(const struct tfs *t, const char *file, char **text, struct err *e);

/*
 * Write the value back. Long function lists are written as indices in available_filter_functions (Linux 5.1): for each
 * name the kernel would walk over all functions.
 */
int value_write(const struct tfs *t, const char *file, const char *text, struct err *e);

/*
 * Does the file filter even when it reads as empty? A pid list does when its processes have ended: only writing it ends
 * the filter.
 */
bool value_hides(const char *file);

enum value_state {
	VALUE_IS_OURS,      /* as it was set, or it changes by itself (pid lists) */
	VALUE_IS_OTHERS,    /* somebody has changed it since */
};

/* A hash by which a value is recognised; VALUE_UNKNOWN matches every value. */
#define VALUE_UNKNOWN UINT64_MAX
uint64_t value_mark(const char *text);
enum value_state value_state(const char *file, const char *now, uint64_t mark);

#endif
