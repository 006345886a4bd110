/*
 * spot.h - source line and inlined functions at an address, for many addresses. A unit's line table and inlined
 * functions are read once, and kept in tables sorted by address.
 *
 * Memory is bounded: beyond DWARF_SPOTS_BYTES the tables of other units are freed.
 */
#ifndef OBJ_DWARF_SPOT_H
#define OBJ_DWARF_SPOT_H

#include "obj/dwarf/dwarf.h"

struct dwarf_spots;

enum { DWARF_SPOTS_BYTES = 4 << 20 };

/* A function at the address, with its source line: of the innermost one the address' line, of the others the call's. */
struct dwarf_spot {
	struct die func;               /* u NULL: function unknown, only the line */
	const struct dwarf_unit *u;    /* unit of the file number; see dwarf_file */
	uint32_t file, line;           /* line 0: unknown, or not asked for */
	bool is_inlined;
};

/* NULL: no memory. d must live until dwarf_spots_free. */
struct dwarf_spots *dwarf_spots_new(struct dwarf *d);
void dwarf_spots_free(struct dwarf_spots *s);

/* For functions alone the line table is not read. */
enum dwarf_spots_what { DWARF_SPOTS_FUNCTIONS, DWARF_SPOTS_LINES };

/* Functions at pc, innermost first, the out-of-line one last. Their number; 0: unknown; -ENOMEM. */
int dwarf_spots_at(struct dwarf_spots *s, uint64_t pc, enum dwarf_spots_what what,
		   struct dwarf_spot v[DWARF_INLINE_DEPTH]);

#endif
