/* list.h - the table of all profilers. */
#ifndef PROF_LIST_H
#define PROF_LIST_H

#include "prof/prof.h"

extern const struct cmd *const profs[];   /* the first member of each struct prof_kind; NULL-terminated */

static inline const struct prof_kind *prof_of(const struct cmd *cmd)
{
	return (const struct prof_kind *)(const void *)((const char *)cmd - offsetof(struct prof_kind, cmd));
}

#endif
