/* name.h - compare a table's name with borrowed text; ASCII letters match in any case. */
#ifndef ARCH_NAME_H
#define ARCH_NAME_H

#include "base/base.h"

#include <strings.h>

static inline bool name_same(const char *name, const char *text, size_t n)
{
	return strlen(name) == n && !strncasecmp(name, text, n);
}

#endif
