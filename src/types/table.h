/*
 * table.h - a table of types without duplicates: types of one file with the same spelling and size are one entry,
 * however many copies debug information has.
 */
#ifndef TYPES_TABLE_H
#define TYPES_TABLE_H

#include "base/map.h"
#include "obj/types/ctype.h"

/* Types are indexes of the table, from 1 on. */
enum { TYPES_NONE = 0 };

struct type_entry {
	struct ctype type;           /* the first copy that was added */
	struct ctype_info info;      /* size 0: only declared, so that code cannot access its members */
	const char *name;            /* in C's spelling */
	uint32_t scope;
	bool is_open;                /* it ends with a flexible array member */
};

struct types {
	VEC(struct type_entry) v;    /* the entry of index 1 comes first */
	struct map known;            /* type of debug information -> index */
	struct names names;          /* keys: spelling, scope, size, hash of members */
	struct map by_name;          /* key -> index */
};

void types_deinit(struct types *t);   /* a zeroed one is empty */

/*
 * Add a type; of an array, its element's type. scope: a number for the file. TYPES_NONE: it is void, cannot be read, or
 * there is no memory.
 */
uint32_t types_add(struct types *t, uint32_t scope, struct ctype type);

static inline const struct type_entry *types_at(const struct types *t, uint32_t type)
{
	return &t->v.v[type - 1];
}

/* The type that a pointer type points to; TYPES_NONE: not a pointer, or to void. */
uint32_t types_target(struct types *t, uint32_t type);

#endif
