/*
 * debugfile.h - find the separate file with a program's symbols and debug information: by its build-id or by its
 * .gnu_debuglink, first in the process's own root if that differs from ours; else the ELF file that is compressed in
 * the program itself (.gnu_debugdata, "MiniDebugInfo"), which only has the symbols that .dynsym lacks.
 */
#ifndef IMAGE_DEBUGFILE_H
#define IMAGE_DEBUGFILE_H

#include "image/image.h"

struct debugfile_want {
	const struct image *of;              /* the program; its path includes symfs */
	const char *symfs;                   /* prefix of all paths, or NULL */
	uint32_t pid;                        /* try the root of this process first; 0: only ours */
};

/*
 * Open it; false: none was found. The file is checked: by its build-id, or, if the program has none, by the CRC in the
 * link.
 */
bool debugfile_find(struct image *to, const struct debugfile_want *w);

#endif
