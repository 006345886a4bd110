/*
 * eval.h - the value of an expression for one record. Nothing is allocated; results borrow from the record or the
 * expression tree.
 */
#ifndef TRACEFS_PRINT_EVAL_H
#define TRACEFS_PRINT_EVAL_H

#include "tracefs/print/expr.h"

struct tprint_names;

enum tval_kind {
	TVAL_NONE,     /* the value is not known outside of the kernel */
	TVAL_NUM,      /* v */
	TVAL_BYTES,    /* from the record or a string literal; type.elem is the size of one element */
	TVAL_TEXT,     /* node: the text of a helper function, see text.h */
};

struct tval {
	enum tval_kind kind;
	struct texpr_type type;
	uint64_t v;              /* sign-extended when the type is signed */
	struct traw bytes;
	const struct texpr *node;
};

/* The values of an expression's words (struct texpr_word): args are evaluated before; a variable has none. */
struct teval_words {
	struct tval (*value)(void *arg, uint64_t word, const struct tval *args, size_t n);
	void *arg;
};

struct teval {
	const void *raw;         /* the record, NULL while constants are folded */
	size_t n;
	uint8_t long_size;
	bool swap;
	const struct tprint_names *names;   /* print.h; NULL: addresses stay numbers */
	const struct teval_words *words;    /* NULL: words have no values */
};

/* The bytes as text up to a NUL; bytes NULL: not a text. */
struct sv tval_text(struct tval v);

struct tval tval_of(const struct teval *ev, const struct texpr *x);

/* The number that the expression evaluates to, or `other` when it has no number. */
uint64_t tval_num(const struct teval *ev, const struct texpr *x, uint64_t other);

#endif
