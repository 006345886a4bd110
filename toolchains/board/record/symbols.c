/* symbols.c - a board's sonde reads no recordings. */
#include "record/symbols.h"

bool symbols_can(void)
{
	return false;
}

int symbols_collect(char **body UNUSED, size_t *n UNUSED, const struct sys *sys UNUSED, const char *path UNUSED,
		    const struct dsos *dsos UNUSED, struct err *e UNUSED)
{
	return 0;
}
