/*
 * spot.h - what the source has at an address: its line, and the functions that are inlined there, for many
 * addresses. A unit's line table and its inlined functions are read once, and kept in tables by address.
 *
 * Memory is bounded: beyond DWARF_SPOTS_BYTES the units that were read before are forgotten.
 */
#ifndef OBJ_DWARF_SPOT_H
#define OBJ_DWARF_SPOT_H

#include "obj/dwarf/dwarf.h"

struct dwarf_spots;

enum { DWARF_SPOTS_BYTES = 4 << 20 };

/* A function that has the address, and where in its source that is: the innermost one's own line, else a call's. */
struct dwarf_spot {
	struct die func;               /* u NULL: no function is known, only the line */
	const struct dwarf_unit *u;    /* whose files are meant; see dwarf_file */
	uint32_t file, line;           /* line 0: not known, or not asked for */
	bool is_inlined;
};

/* NULL: no memory. d stays until dwarf_spots_free. */
struct dwarf_spots *dwarf_spots_new(struct dwarf *d);
void dwarf_spots_free(struct dwarf_spots *s);

/* Of functions alone the line table need not be read. */
enum dwarf_spots_what { DWARF_SPOTS_FUNCTIONS, DWARF_SPOTS_LINES };

/* Innermost first, the out-of-line function last. How many; 0: nothing is known of it; -ENOMEM. */
int dwarf_spots_at(struct dwarf_spots *s, uint64_t pc, enum dwarf_spots_what what,
		   struct dwarf_spot v[DWARF_INLINE_DEPTH]);

#endif
