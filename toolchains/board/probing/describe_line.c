/* describe_line.c - without debug information there are no lines. */
#include "probing/describe.h"

bool describe_line(struct subject *s UNUSED, uint64_t addr UNUSED, bool at_start UNUSED, struct out *o UNUSED)
{
	return false;
}
