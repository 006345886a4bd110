/*
 * table.h - the types that code accesses, without duplicates: types of one file with the same spelling, size and
 * members are one type, however often the debug information repeats it.
 */
#ifndef TYPES_TABLE_H
#define TYPES_TABLE_H

#include "base/map.h"
#include "obj/types/ctype.h"

/* Types are indexes of the table, from 1 on. */
enum { TYPES_NONE = 0 };

struct type_entry {
	struct ctype type;           /* the first one of these */
	struct ctype_info info;      /* size 0: only declared; its members are unknown */
	const char *name;            /* in C's spelling */
	uint32_t scope;
	bool is_open;                /* it ends with a flexible array member */
};

struct types {
	VEC(struct type_entry) v;    /* from index 1 on */
	struct map known;            /* (source, type) -> index */
	struct names names;          /* scope, size, spelling */
	struct map by_name;
};

void types_deinit(struct types *t);   /* a zeroed one is empty */

/*
 * An array counts as its element type. scope: a number for the file. TYPES_NONE: void, unreadable, too many types, or
 * out of memory.
 */
uint32_t types_add(struct types *t, uint32_t scope, struct ctype type);

static inline const struct type_entry *types_at(const struct types *t, uint32_t type)
{
	return &t->v.v[type - 1];
}

/* What a pointer points to; TYPES_NONE: not a pointer, or an unknown target. */
uint32_t types_target(struct types *t, uint32_t type);

#endif
