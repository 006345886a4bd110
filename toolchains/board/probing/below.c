/* below.c - nobody asks for it on a board. */
#include "probing/below.h"

int below_find(struct subject *s UNUSED, char path[PATH_MAX] UNUSED, struct err *e UNUSED)
{
	return -EOPNOTSUPP;
}
