/*
 * touched.h - which data the instructions of a recording's programs and kernel touch: types/flow.h with a program's
 * debug information, or, of a kernel without, with its BTF.
 *
 * A function is looked at once, when the first of its addresses is asked for; beyond a limit what was found is
 * forgotten and found anew.
 */
#ifndef REPORT_TOUCHED_H
#define REPORT_TOUCHED_H

#include "report/code.h"
#include "types/flow.h"
#include "types/shape.h"

struct touched;

struct touched *touched_new(struct session *s);   /* NULL: no memory. The session must stay */
void touched_free(struct touched *t);

enum touched_why {
	TOUCHED_OK, TOUCHED_NO_SYMBOL, TOUCHED_NO_CODE, TOUCHED_NO_ACCESS, TOUCHED_NO_TYPES, TOUCHED_NO_VARIABLE,
	TOUCHED_NO_SIZE, TOUCHED_OUTSIDE, TOUCHED_WHYS,
};

/* What an address touches. Names live as long as `of`. */
struct touched_at {
	enum touched_why why;
	const char *type;            /* "struct foo", "(stack operation)", "(unknown)" */
	uint32_t id;                 /* of the type, 0: it is none; see touched_type */
	uint64_t off;
	unsigned size;               /* bytes, 0: not known */
	uint8_t access;              /* arch_access */
	bool is_followed;
};

/* 0 or -ENOMEM. */
int touched_find(struct touched *t, const struct sym_loc *l, struct touched_at *at);

const struct type_entry *touched_type(const struct touched *t, uint32_t id);

/* "+0x10 (sub.field)": what lies there; "no field" where the type has none. Returns buf. */
enum { TOUCHED_TEXT = SHAPE_PATH + 64 };
const char *touched_place(const struct touched *t, const struct touched_at *at, char buf[TOUCHED_TEXT]);

#endif
