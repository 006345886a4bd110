/*
 * dwarf_spot.h - what the source has at an address: its line, and the functions that are inlined there, for many
 * addresses. A unit's line table and its inlined functions are read once, and kept in tables by address.
 *
 * Memory is bounded: beyond DWARF_SPOTS_BYTES the units that were read before are forgotten.
 */
#ifndef OBJ_DWARF_SPOT_H
#define OBJ_DWARF_SPOT_H

#include "obj/dwarf.h"

struct dwarf_spots;

enum { DWARF_SPOTS_BYTES = 4 << 20 };

/* A function that has the address, and where in its source that is: the innermost one's own line, else a call's. */
struct dwarf_spot {
	const char *name;              /* of what is inlined: its linkage name, else its name, "" none; else NULL */
	const struct dwarf_unit *u;    /* whose files are meant; see dwarf_file */
	uint32_t file, line;           /* line 0: not known, or not asked for */
	bool is_inlined;
};

/* NULL: no memory. d stays until dwarf_spots_free. */
struct dwarf_spots *dwarf_spots_new(struct dwarf *d);
void dwarf_spots_free(struct dwarf_spots *s);

/* Of functions alone the line table need not be read. */
enum dwarf_spots_what { DWARF_SPOTS_FUNCTIONS, DWARF_SPOTS_LINES };

/*
 * Not many more units will be asked for: what was unpacked of .debug_info is given back (struct dwarf_files.passed)
 * when none was since the last time, and unpacked once more when one is. Not where lines are asked for, too, for names
 * of their files may lie there.
 */
void dwarf_spots_rest(struct dwarf_spots *s);

/* Names stay until dwarf_spots_free or the next call. Innermost first, the out-of-line function last. How many; 0: nothing is known of it; -ENOMEM. */
int dwarf_spots_at(struct dwarf_spots *s, uint64_t pc, enum dwarf_spots_what what,
		   struct dwarf_spot v[DWARF_INLINE_DEPTH]);

#endif
