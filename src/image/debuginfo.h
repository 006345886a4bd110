/*
 * debuginfo.h - a module's debug information, and the files that parts of it are in: the one that dwz shares between
 * programs (.gnu_debugaltlink), and those that compilers split off (.dwo, .dwp).
 */
#ifndef IMAGE_DEBUGINFO_H
#define IMAGE_DEBUGINFO_H

#include "image/image.h"
#include "obj/dwarf/spot.h"

struct debuginfo {
	const struct image *code;
	struct image alt;
	VEC(struct image *) splits;
	struct dwarf *dwarf;     /* NULL: none */
	struct dwarf_spots *spots;   /* of it, once asked for */
	char missing[256];       /* a file that parts of it are in, and that is not there; "" none */
};

/* of: the file with it, which may be the one with the code. Both stay open, and d where it is. 0 or -errno. */
int debuginfo_open(struct debuginfo *d, const struct image *of, const struct image *code, struct err *e);
void debuginfo_close(struct debuginfo *d);   /* a zeroed one is closed */

#endif
