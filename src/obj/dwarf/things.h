/* things.h - what a unit has names for: variables that are not a function's own, functions, structs. */
#ifndef OBJ_DWARF_THINGS_H
#define OBJ_DWARF_THINGS_H

#include "obj/dwarf/dwarf.h"

enum dwarf_thing_kind { DWARF_THING_VARIABLE, DWARF_THING_FUNCTION, DWARF_THING_STRUCT };

struct dwarf_thing {
	struct die die;
	enum dwarf_thing_kind kind;
	struct ctype type;           /* of a variable; what a function returns; the struct itself */
	bool has_addr;
	uint64_t addr;               /* of a variable that lies in this file */
};

/* Also what is only declared there, and variables of functions that outlive them; until `each` returns non-zero. */
int dwarf_each_thing(const struct dwarf_unit *u, int (*each)(void *arg, const struct dwarf_thing *t), void *arg);

#endif
