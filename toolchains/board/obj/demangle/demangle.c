/* demangle.c - a board shows names as the compiler made them. */
#include "obj/demangle/demangle.h"

bool demangle(const char *name UNUSED, enum demangle_style style UNUSED, char *buf UNUSED, size_t size UNUSED)
{
	return false;
}
