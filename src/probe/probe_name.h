/*
 * probe_name.h - names of probe events: legal for the kernel (letters, digits, _; at most 63), unique, and near to what
 * is probed: "main.(*T).M" becomes main_T_M. perf's own choice wherever perf has one.
 */
#ifndef PROBE_PROBE_NAME_H
#define PROBE_PROBE_NAME_H

#include "base/base.h"
#include "base/str.h"

enum { PROBE_NAME_SIZE = 64 };   /* with the NUL */

/* "probe", or "probe_BASENAME" up to the first dot, dash or what else is not legal: as perf does for a program. */
void probe_group(struct sv file, char buf[PROBE_NAME_SIZE]);

/* Event for a function: legal, "__return" behind it for returns as perf does, or "L12" ones for lines. */
void probe_event(struct sv func, bool is_return, char buf[PROBE_NAME_SIZE]);

/* Put _1, _2 ... behind it until `taken` says no; false: hundreds are taken. */
bool probe_unique(char buf[PROBE_NAME_SIZE], bool (*taken)(void *arg, const char *name), void *arg);

bool probe_name_is_legal(struct sv name);

#endif
