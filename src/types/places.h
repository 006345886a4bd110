/* places.h - where the variables of a function are, with their types: from debug information, or from BTF. */
#ifndef TYPES_PLACES_H
#define TYPES_PLACES_H

#include "obj/dwarf/dwarf.h"
#include "obj/types/btf.h"
#include "types/flow.h"

struct type_places {
	VEC(struct type_place) v;    /* by start, once places_sort was called */
	struct types *types;
	uint32_t scope;
	const struct arch *arch;
	bool is_whole;               /* the code begins with the function's first instruction */
};

/* Those of the function whose code is at an address, and of what is inlined in it. 0 or -ENOMEM. */
int places_dwarf(struct type_places *p, struct dwarf *d, uint64_t start);

/* Parameters in registers at the first instruction of a function, by its id; 0: it is none that types tell of. */
int places_btf(struct type_places *p, const struct btf *b, int64_t func, uint64_t start);

/* 0 or -ENOMEM */
int places_sort(struct type_places *p);
void places_deinit(struct type_places *p);

#endif
