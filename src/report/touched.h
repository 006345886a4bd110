/*
 * touched.h - which data (type and offset) an instruction of a program or the kernel accesses: types/flow.h, fed with
 * debug information, or with BTF for a kernel without any.
 *
 * A function is analysed once, when the first of its addresses is looked up; beyond a limit of memory all results are
 * dropped and computed again when needed.
 */
#ifndef REPORT_TOUCHED_H
#define REPORT_TOUCHED_H

#include "report/code.h"
#include "types/flow.h"
#include "types/shape.h"

struct touched;

struct touched *touched_new(struct session *s);   /* NULL: no memory. Borrows the session */
void touched_free(struct touched *t);

enum touched_why {
	TOUCHED_OK, TOUCHED_NO_SYMBOL, TOUCHED_NO_CODE, TOUCHED_NO_ACCESS, TOUCHED_NO_TYPES, TOUCHED_NO_VARIABLE,
	TOUCHED_NO_SIZE, TOUCHED_OUTSIDE, TOUCHED_WHYS,
};

/* The data that the instruction at an address accesses. Names live as long as the struct touched. */
struct touched_at {
	enum touched_why why;
	const char *type;            /* "struct foo", "(stack operation)", "(unknown)" */
	uint32_t id;                 /* of the type, for touched_type(); 0: not a type */
	uint64_t off;                /* offset in the type */
	unsigned size;               /* bytes, 0: unknown */
	uint8_t access;              /* arch_access */
	bool is_followed;
};

/* 0 or -ENOMEM. */
int touched_find(struct touched *t, const struct sym_loc *l, struct touched_at *at);

const struct type_entry *touched_type(const struct touched *t, uint32_t id);

/* "+0x10 (sub.field)": offset and field; "no field" if the type has none there. Returns buf. */
enum { TOUCHED_TEXT = SHAPE_PATH + 64 };
const char *touched_place(const struct touched *t, const struct touched_at *at, char buf[TOUCHED_TEXT]);

#endif
