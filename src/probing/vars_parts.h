/* vars_parts.h - shared by vars*.c: variables of a spot that has debug information. */
#ifndef PROBING_VARS_PARTS_H
#define PROBING_VARS_PARTS_H

#include "probing/vars.h"

int vars_debug_variable(const struct vars *v, struct sv name, struct fetch_var *to, struct err *e);

/* The i-th variable: 1, 0: there are fewer, or -errno. */
int vars_debug_nth(const struct vars *v, unsigned i, bool *is_param, struct fetch_var *to, struct err *e);

/* The i-th parameter as declared: 1, 0: there are fewer, or -ENODATA: unknown. */
int vars_debug_param(const struct vars *v, unsigned i, struct fetch_var *to);

struct ctype vars_debug_returns(const struct vars *v);

int vars_debug_each(const struct vars *v, enum vars_globals globals,
		    int (*each)(void *arg, const struct fetch_var *var), void *arg, struct err *e);

#endif
