/* where.h - the stretches of code in which a variable's location is told. */
#ifndef OBJ_DWARF_WHERE_H
#define OBJ_DWARF_WHERE_H

#include "obj/dwarf/dwarf.h"

enum dwarf_where { DWARF_NOWHERE, DWARF_EVERYWHERE, DWARF_IN_STRETCHES };

/*
 * Each stretch of its location list, of which dwarf_locate tells more at its start, until `each` returns non-zero.
 * Where one expression holds wherever the variable can be seen there are none.
 */
enum dwarf_where dwarf_each_stretch(const struct dwarf_var *v, int (*each)(void *arg, const struct dwarf_range *r),
				    void *arg);

#endif
