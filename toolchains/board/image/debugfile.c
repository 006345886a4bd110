/* debugfile.c - symbols are those in the program itself. */
#include "image/debugfile.h"

bool debugfile_find(struct image *to UNUSED, const struct debugfile_want *w UNUSED)
{
	return false;
}
