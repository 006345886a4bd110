/*
 * line.h - line tables of debug information: which code is from which line of the source. DWARF 2 to 5.
 */
#ifndef OBJ_DWARF_LINE_H
#define OBJ_DWARF_LINE_H

#include "obj/dwarf/dwarf.h"

struct dwarf_row {
	uint64_t addr;
	uint32_t file;           /* number as in this unit's table, see dwarf_file */
	uint32_t line;           /* 0: of no line */
	uint16_t column;
	bool is_stmt, prologue_end, end_sequence;
};

/* All rows of a unit in the order of its program, until `each` returns non-zero, which is passed on. */
int dwarf_each_row(const struct dwarf_unit *u, int (*each)(void *arg, const struct dwarf_row *r), void *arg,
		   struct err *e);

/* Path of a file as the compiler saw it, its folder in front of it; "" when there is none. Into buf, returned. */
const char *dwarf_file(const struct dwarf_unit *u, uint32_t file, char *buf, size_t size);

/* Is the path the one that the user means: equal, or ending with it at a slash ("slub.c", "mm/slub.c")? */
bool dwarf_file_is(const char *path, struct sv wanted);

/* The row that covers pc: 1, 0: none, -errno. */
int dwarf_row_at(const struct dwarf_unit *u, uint64_t pc, struct dwarf_row *r, struct err *e);

/*
 * Where the code of a line begins, over all units with that file: `each` gets the address, once for each inlined copy
 * and block of code. When the line has no code, -ENOENT and *near is the next line with code (0: none).
 * DWARF_EVERY_LINE: those of each line with code, one after the other.
 */
enum { DWARF_EVERY_LINE = 0 };
int dwarf_each_line(struct dwarf *d, struct sv file, unsigned line,
		    int (*each)(void *arg, const struct dwarf_unit *u, const struct dwarf_row *r), void *arg,
		    unsigned *near, struct err *e);

#endif
