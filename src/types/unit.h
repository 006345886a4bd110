/* unit.h - a unit's variables, functions and structs, by name and by address: what code of that unit means by them. */
#ifndef TYPES_UNIT_H
#define TYPES_UNIT_H

#include "base/map.h"
#include "obj/dwarf/things.h"

struct unit_thing {
	uint64_t addr, size;
	struct ctype type;
};

struct type_unit {
	const struct dwarf_unit *u;  /* NULL: none was read */
	struct map named;            /* hash of kind and name: index into things, plus one */
	VEC(struct unit_thing) things;
	VEC(struct unit_thing) at;   /* variables by address */
};

/* Those of a unit instead of what was there; the same one is kept. 0 or -ENOMEM. */
int unit_read(struct type_unit *t, const struct dwarf_unit *u);
void unit_deinit(struct type_unit *t);

/* src NULL: the unit has none of that name. */
struct ctype unit_named(const struct type_unit *t, enum dwarf_thing_kind kind, struct sv name);

/* A variable that has the address; NULL: none of this unit's own. */
const struct unit_thing *unit_at(const struct type_unit *t, uint64_t addr);

#endif
