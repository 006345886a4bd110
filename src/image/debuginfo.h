/*
 * debuginfo.h - a module's debug information, including the parts in other files: the file that dwz shares between
 * programs (.gnu_debugaltlink), and split DWARF (.dwo, .dwp).
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
	struct dwarf_spots *spots;   /* made when first needed */
	char missing[256];       /* a file with parts of it that does not exist; "": none */
};

/* of: the file with the debug information, may be == code. Both must stay open, and d must not move. 0 or -errno. */
int debuginfo_open(struct debuginfo *d, const struct image *of, const struct image *code, struct err *e);
void debuginfo_close(struct debuginfo *d);   /* a zeroed one is closed */

#endif
