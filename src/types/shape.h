/* shape.h - what of a type lies at an offset: the innermost member, and its path. */
#ifndef TYPES_SHAPE_H
#define TYPES_SHAPE_H

#include "obj/types/ctype.h"

/* How deep members are followed. */
enum { SHAPE_DEPTH = 24, SHAPE_PATH = 256 };

struct shape {
	struct ctype type;           /* of the innermost member; elements of arrays are members */
	uint64_t off, size;          /* within it; of it, 0: not told */
	unsigned looks;              /* members that were looked at for it */
	char path[SHAPE_PATH];       /* "sub.list[].next"; "": of the type itself */
};

/*
 * The member of t at off, of which `size` bytes are touched (0: not known): of a union the one that has just that size
 * there (POINTER: and is a pointer), else the first that is there. False: there is none, or t cannot be read.
 */
enum shape_of_union { SHAPE_ANY, SHAPE_POINTER };
bool shape_find(struct ctype t, uint64_t off, unsigned size, enum shape_of_union best, struct shape *s);

/* Is its last member an array of no size that is told, which goes on behind its end? */
bool shape_is_open(struct ctype t);

/* One line of a type that is written out. */
struct shape_line {
	unsigned depth;
	uint64_t off, size;          /* from the start of the outermost */
	struct ctype type;
	struct sv name;              /* "": the outermost, or an unnamed member */
	bool opens;                  /* it has members, which follow */
	bool closes;                 /* they have been */
};

/* The type with its members, in order. What is too deep or too long is not followed; returns what `each` returns. */
int shape_each(struct ctype t, int (*each)(void *arg, const struct shape_line *l), void *arg);

#endif
