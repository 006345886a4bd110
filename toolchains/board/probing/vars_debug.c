/* vars_debug.c - no spot has debug information here, so nobody comes this way. */
#include "probing/vars_parts.h"

int vars_debug_variable(const struct vars *v UNUSED, struct sv name UNUSED, struct fetch_var *to UNUSED,
			struct err *e UNUSED)
{
	return -ENODATA;
}

int vars_debug_nth(const struct vars *v UNUSED, unsigned i UNUSED, bool *is_param UNUSED, struct fetch_var *to UNUSED,
		   struct err *e UNUSED)
{
	return -ENODATA;
}

int vars_debug_param(const struct vars *v UNUSED, unsigned i UNUSED, struct fetch_var *to UNUSED)
{
	return -ENODATA;
}

struct ctype vars_debug_returns(const struct vars *v UNUSED)
{
	return (struct ctype){ 0 };
}

int vars_debug_each(const struct vars *v UNUSED, enum vars_globals globals UNUSED,
		    int (*each)(void *arg, const struct fetch_var *var) UNUSED, void *arg UNUSED, struct err *e UNUSED)
{
	return -ENODATA;
}
