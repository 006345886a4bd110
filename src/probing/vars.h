/*
 * vars.h - the variables that a probe at one spot can fetch, for probe/fetch.h: by debug information; for the kernel
 * without it, a function's parameters by BTF, which are in registers at its first instruction.
 */
#ifndef PROBING_VARS_H
#define PROBING_VARS_H

#include "probe/fetch.h"
#include "probing/subject.h"

struct vars {
	struct subject *s;
	const struct spot *spot;
	bool is_return;
};

/*
 * Set the callbacks of env; v must outlive env. -EXDEV from fetch_put: the variable is only readable at return
 * instructions.
 */
void vars_env(struct vars *v, struct fetch_env *env);

/* All variables, even those that cannot be fetched (loc says why); globals only with VARS_GLOBALS. */
enum vars_globals { VARS_LOCAL, VARS_GLOBALS };
int vars_each(struct vars *v, enum vars_globals globals, int (*each)(void *arg, const struct fetch_var *var), void *arg,
	      struct err *e);

#endif
