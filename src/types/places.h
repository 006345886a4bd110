/* places.h - locations and types of a function's variables, from DWARF or BTF. */
#ifndef TYPES_PLACES_H
#define TYPES_PLACES_H

#include "obj/dwarf/dwarf.h"
#include "obj/types/btf.h"
#include "types/flow.h"

struct type_places {
	VEC(struct type_place) v;    /* by start after places_sort() */
	struct types *types;
	uint32_t scope;
	const struct arch *arch;
	bool is_whole;               /* the code begins with the function's first instruction */
};

/* Variables of the function that contains the address, and of functions inlined in it. 0 or -ENOMEM. */
int places_dwarf(struct type_places *p, struct dwarf *d, uint64_t start);

/* Parameters in registers at the first instruction of a function; func: its BTF id, 0 if BTF has none. */
int places_btf(struct type_places *p, const struct btf *b, int64_t func, uint64_t start);

/* 0 or -ENOMEM */
int places_sort(struct type_places *p);
void places_deinit(struct type_places *p);

#endif
