/* unit.h - variables, functions and structs of a compilation unit, by name and by address, to find their types. */
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
	struct map named;            /* hash of kind and name -> index into things + 1 */
	VEC(struct unit_thing) things;
	VEC(struct unit_thing) at;   /* variables by address */
};

/* Replaces the contents by those of u, unless u is the present one. 0 or -ENOMEM. */
int unit_read(struct type_unit *t, const struct dwarf_unit *u);
void unit_deinit(struct type_unit *t);

/* src NULL: the unit has nothing of this name. */
struct ctype unit_named(const struct type_unit *t, enum dwarf_thing_kind kind, struct sv name);

/* The unit's variable that contains the address, or NULL. */
const struct unit_thing *unit_at(const struct type_unit *t, uint64_t addr);

#endif
