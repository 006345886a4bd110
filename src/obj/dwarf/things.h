/* things.h - the named entities of a unit: static and global variables, functions, structs. */
#ifndef OBJ_DWARF_THINGS_H
#define OBJ_DWARF_THINGS_H

#include "obj/dwarf/dwarf.h"

enum dwarf_thing_kind { DWARF_THING_VARIABLE, DWARF_THING_FUNCTION, DWARF_THING_STRUCT };

struct dwarf_thing {
	struct die die;
	enum dwarf_thing_kind kind;
	struct ctype type;           /* of a variable; return type of a function; the struct itself */
	bool has_addr;
	uint64_t addr;               /* of a variable that is defined in this file */
};

/* Includes declarations, and static variables of functions; until `each` returns non-zero. */
int dwarf_each_thing(const struct dwarf_unit *u, int (*each)(void *arg, const struct dwarf_thing *t), void *arg);

#endif
