/*
 * debugfile.h - the separate file with a program's symbols and debug information: the one of its build id, or the one
 * that its .gnu_debuglink names, in the process's own root first where that is another one; where there is none, the
 * one that is packed into the program (.gnu_debugdata), with the symbols that .dynsym lacks and nothing else.
 */
#ifndef IMAGE_DEBUGFILE_H
#define IMAGE_DEBUGFILE_H

#include "image/image.h"

struct debugfile_want {
	const struct image *of;              /* by the path it was opened with, symfs included */
	const char *symfs;                   /* prefix of all paths, or NULL */
	uint32_t pid;                        /* whose root is looked at first; 0: only ours */
};

/*
 * Open it; false: there is none. It is the file that is meant: by its build id, or, where the program has none, by the
 * sum in the link.
 */
bool debugfile_find(struct image *to, const struct debugfile_want *w);

#endif
