/*
 * ctype.h - types of C and similar languages as probes need them: size, sign, members, elements. A common view of DWARF
 * and BTF. Typedefs and qualifiers are resolved.
 */
#ifndef OBJ_TYPES_CTYPE_H
#define OBJ_TYPES_CTYPE_H

#include "base/err.h"
#include "base/str.h"

enum ctype_kind {
	CTYPE_NONE,     /* void, or unknown */
	CTYPE_INT, CTYPE_CHAR, CTYPE_BOOL, CTYPE_ENUM, CTYPE_FLOAT,
	CTYPE_PTR,      /* also C++ references */
	CTYPE_ARRAY, CTYPE_STRUCT, CTYPE_UNION, CTYPE_FUNC,
};

struct ctype_source;

/* A type: its source, and its id there; src NULL: none. */
struct ctype {
	const struct ctype_source *src;
	uint64_t id;
};

struct ctype_info {
	enum ctype_kind kind;
	uint64_t size;          /* bytes; of a whole array; 0: unknown */
	bool is_signed;
	/* "sk_buff", without struct; of an unnamed type: the innermost typedef's name. Followed by a NUL. */
	struct sv name;
	bool is_typedef;        /* name is a typedef's: "foo_t" is not "struct foo_t" */
	struct ctype target;    /* of a pointer, element of an array, return type of a function */
	uint64_t count;         /* elements of the first dimension of an array, 0: unknown */
};

struct ctype_member {
	/*
	 * Empty: an unnamed struct or union, or a base class, whose members belong to the outer type. Followed by a
	 * NUL.
	 */
	struct sv name;
	struct ctype type;
	uint64_t bit_offset;    /* from the start of the struct */
	unsigned bits;          /* of a bit-field, else 0 */
};

struct ctype_source {
	int (*info)(const struct ctype_source *src, uint64_t id, struct ctype_info *t, struct err *e);
	/* The i-th member of a struct or union: 1, 0: no more, or -errno. */
	int (*member)(const struct ctype_source *src, uint64_t id, unsigned i, struct ctype_member *m, struct err *e);
};

int ctype_info(struct ctype t, struct ctype_info *info, struct err *e);

/*
 * Find a member by name, also in unnamed members and base classes; bit_offset is from the start of t. -ENOENT with the
 * nearest name; -EINVAL: t has no members.
 */
int ctype_member(struct ctype t, struct sv name, struct ctype_member *m, struct err *e);

/* Write the type in C: "struct sk_buff *", "char[16]". Returns buf. */
const char *ctype_spell(struct ctype t, char *buf, size_t size);

#endif
