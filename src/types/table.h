/*
 * table.h - the types that code touches, each once: those of one file with one spelling and one size are one type,
 * however often debug information tells it.
 */
#ifndef TYPES_TABLE_H
#define TYPES_TABLE_H

#include "base/map.h"
#include "obj/types/ctype.h"

/* Of an index into the table; 0: no type. */
enum { TYPES_NONE = 0 };

struct type_entry {
	struct ctype type;           /* the first one that was met */
	struct ctype_info info;      /* size 0: it is only declared, and code there cannot touch what it has */
	const char *name;            /* as C spells it */
	uint32_t scope;
	bool is_open;                /* it may go on behind its end */
};

struct types {
	VEC(struct type_entry) v;    /* from index 1 on */
	struct map known;            /* of a type of a source: its index */
	struct names names;          /* scope, size, spelling */
	struct map by_name;
};

void types_deinit(struct types *t);   /* a zeroed one is empty */

/*
 * Arrays are what they are arrays of. scope: a number for the file. TYPES_NONE: it is void, cannot be read, or there is
 * no memory.
 */
uint32_t types_add(struct types *t, uint32_t scope, struct ctype type);

static inline const struct type_entry *types_at(const struct types *t, uint32_t type)
{
	return &t->v.v[type - 1];
}

/* What a pointer points to; TYPES_NONE: it is no pointer, or to nothing that is told. */
uint32_t types_target(struct types *t, uint32_t type);

#endif
