/* shape.h - find the innermost member at an offset of a type, and its path. */
#ifndef TYPES_SHAPE_H
#define TYPES_SHAPE_H

#include "obj/types/ctype.h"

/* Maximum nesting; bytes of a path. */
enum { SHAPE_DEPTH = 24, SHAPE_PATH = 256 };

struct shape {
	struct ctype type;           /* type of the innermost member; elements of arrays are members, too */
	uint64_t off, size;          /* offset within that member; its size, 0: unknown */
	unsigned looks;              /* number of members that were searched */
	char path[SHAPE_PATH];       /* "sub.list[].next"; "": the type itself */
};

/*
 * Find the member of t at off, where `size` bytes are accessed (0: unknown). Of a union, a member of exactly that size
 * (with SHAPE_POINTER: that is a pointer) is preferred to the first one there. False: none, or t cannot be read.
 */
enum shape_of_union { SHAPE_ANY, SHAPE_POINTER };
bool shape_find(struct ctype t, uint64_t off, unsigned size, enum shape_of_union best, struct shape *s);

/* Does t end with a flexible array member? */
bool shape_is_open(struct ctype t);

/* One line of a type's layout. */
struct shape_line {
	unsigned depth;
	uint64_t off, size;          /* off: from the start of the outermost type */
	struct ctype type;
	struct sv name;              /* "": the outermost type, or an unnamed member */
	bool opens;                  /* its members follow */
	bool closes;                 /* its members are over */
};

/* Call `each` for the type and its members in order, within limits of nesting and lines; returns its result. */
int shape_each(struct ctype t, int (*each)(void *arg, const struct shape_line *l), void *arg);

#endif
