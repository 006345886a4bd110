/* unit.h - variables, functions and structs of one compilation unit, by name and address, as its code sees them. */
#ifndef TYPES_UNIT_H
#define TYPES_UNIT_H

#include "base/map.h"
#include "obj/dwarf/things.h"

struct unit_thing {
	uint64_t addr, size;
	struct ctype type;
};

struct type_unit {
	const struct dwarf_unit *u;  /* NULL: none was read yet */
	struct map named;            /* hash of kind and name -> index + 1 in things */
	VEC(struct unit_thing) things;
	VEC(struct unit_thing) at;   /* variables by address */
};

/* Replace the contents by those of u, unless it is u's already. 0 or -ENOMEM. */
int unit_read(struct type_unit *t, const struct dwarf_unit *u);
void unit_deinit(struct type_unit *t);

/* The type by name; src NULL: the unit has none of that name. */
struct ctype unit_named(const struct type_unit *t, enum dwarf_thing_kind kind, struct sv name);

/* The variable that contains the address; NULL: none of this unit. */
const struct unit_thing *unit_at(const struct type_unit *t, uint64_t addr);

#endif
