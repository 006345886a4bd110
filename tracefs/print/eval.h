/*
 * eval.h - the value of an expression for one record. Nothing allocates; what is borrowed is the record's or the
 * tree's.
 */
#ifndef TRACEFS_PRINT_EVAL_H
#define TRACEFS_PRINT_EVAL_H

#include "tracefs/print/expr.h"

struct tprint_names;

enum tval_kind {
	TVAL_NONE,     /* cannot be known here */
	TVAL_NUM,      /* v */
	TVAL_BYTES,    /* bytes: of the record or of a string literal; type.elem is the size of one element */
	TVAL_TEXT,     /* node: a helper's text, see text.h */
};

struct tval {
	enum tval_kind kind;
	struct texpr_type type;
	uint64_t v;              /* sign-extended when the type is signed */
	struct traw bytes;
	const struct texpr *node;
};

/* What the words of an expression are: arguments are evaluated, of a variable there are none. */
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
	const struct teval_words *words;    /* NULL: they have no values */
};

/* Text up to a NUL; bytes NULL: it is none. */
struct sv tval_text(struct tval v);

struct tval tval_of(const struct teval *ev, const struct texpr *x);

/* Its number, or `other` when it has none. */
uint64_t tval_num(const struct teval *ev, const struct texpr *x, uint64_t other);

#endif
