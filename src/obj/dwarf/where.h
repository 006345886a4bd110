/* where.h - the ranges of code for which a variable's location is described. */
#ifndef OBJ_DWARF_WHERE_H
#define OBJ_DWARF_WHERE_H

#include "obj/dwarf/dwarf.h"

enum dwarf_where { DWARF_NOWHERE, DWARF_EVERYWHERE, DWARF_IN_STRETCHES };

/*
 * Call `each` for each range of its location list until it returns non-zero; dwarf_locate at its start gives the
 * location. A variable with a single expression for its whole scope has no ranges.
 */
enum dwarf_where dwarf_each_stretch(const struct dwarf_var *v, int (*each)(void *arg, const struct dwarf_range *r),
				    void *arg);

#endif
