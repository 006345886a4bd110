/* resolve_debug.c - no debug information, no places by it. */
#include "probing/resolve_parts.h"

int resolve_debug_func(struct resolving *g UNUSED)
{
	return -ENOENT;
}

int resolve_debug_line(struct resolving *g)
{
	const struct err *why = NULL;

	subject_dwarf(g->s, &why);
	*g->e = *why;
	return -ENODATA;
}

bool resolve_debug_is_inlined(struct resolving *g UNUSED)
{
	return false;
}

void resolve_debug_at(struct resolving *g UNUSED, struct spot *s UNUSED)
{
}

void resolve_debug_skip(struct resolving *g UNUSED, struct spot *s UNUSED)
{
}
