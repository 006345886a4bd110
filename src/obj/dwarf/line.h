/* line.h - line tables: the source line of each instruction. DWARF 2 to 5. */
#ifndef OBJ_DWARF_LINE_H
#define OBJ_DWARF_LINE_H

#include "obj/dwarf/dwarf.h"

struct dwarf_row {
	uint64_t addr;
	uint32_t file;           /* number in this unit's table, see dwarf_file */
	uint32_t line;           /* 0: belongs to no line */
	uint16_t column;
	bool is_stmt, prologue_end, end_sequence;
};

/*
 * Call `each` for all rows of a unit in the order of its line program, until it returns non-zero, which is passed on.
 */
int dwarf_each_row(const struct dwarf_unit *u, int (*each)(void *arg, const struct dwarf_row *r), void *arg,
		   struct err *e);

/* Write the path of a file as the compiler saw it, including its folder, to buf; "" when there is none. Returns buf. */
const char *dwarf_file(const struct dwarf_unit *u, uint32_t file, char *buf, size_t size);

/* Does the user's name denote this path: equal, or its end behind a slash ("slub.c", "mm/slub.c")? */
bool dwarf_file_is(const char *path, struct sv wanted);

/* The row that covers pc: 1, 0: none, -errno. */
int dwarf_row_at(const struct dwarf_unit *u, uint64_t pc, struct dwarf_row *r, struct err *e);

/*
 * Find the code of a line, over all units with that file: `each` gets the start of each block of code and inlined copy.
 * If the line has no code, -ENOENT and *near is the next line with code (0: none). DWARF_EVERY_LINE: does that for each
 * line with code.
 */
enum { DWARF_EVERY_LINE = 0 };
int dwarf_each_line(struct dwarf *d, struct sv file, unsigned line,
		    int (*each)(void *arg, const struct dwarf_unit *u, const struct dwarf_row *r), void *arg,
		    unsigned *near, struct err *e);

#endif
