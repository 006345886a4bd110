/*
 * probe_name.h - names of probe events: legal for the kernel (letters, digits, _; at most 63), unique, and close to the
 * probed name: "main.(*T).M" becomes main_T_M. Where perf has a rule, it is perf's.
 */
#ifndef PROBE_PROBE_NAME_H
#define PROBE_PROBE_NAME_H

#include "base/base.h"
#include "base/str.h"

enum { PROBE_NAME_SIZE = 64 };   /* with the NUL */

/* "probe", or "probe_BASENAME" cut at the first illegal character (dot, dash ...), as perf names a program's group. */
void probe_group(struct sv file, char buf[PROBE_NAME_SIZE]);

/* Event name for a function: made legal, with perf's "__return" for returns, or an "L12" for lines. */
void probe_event(struct sv func, bool is_return, char buf[PROBE_NAME_SIZE]);

/* Append _1, _2 ... until `taken` returns false. Returns false when hundreds are taken. */
bool probe_unique(char buf[PROBE_NAME_SIZE], bool (*taken)(void *arg, const char *name), void *arg);

bool probe_name_is_legal(struct sv name);

#endif
