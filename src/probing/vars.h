/*
 * vars.h - the variables that a probe at one spot can fetch, as probe/fetch.h asks for them: by debug information; in
 * the kernel without it a function's parameters by BTF, which are in registers at its first instruction.
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
 * Fill env's callbacks; v stays as long as env is used. -EXDEV of fetch_put: it can be read at return
 * instructions only.
 */
void vars_env(struct vars *v, struct fetch_env *env);

/* All of them, also those that cannot be fetched (their loc says why); globals too when `globals`. */
enum vars_globals { VARS_LOCAL, VARS_GLOBALS };
int vars_each(struct vars *v, enum vars_globals globals, int (*each)(void *arg, const struct fetch_var *var), void *arg,
	      struct err *e);

#endif
