/*
 * expr.h - expressions of a print fmt: the part of C, and the kernel's helpers, that trace events use.
 *
 * Parsed once into nodes in the caller's arena, constants folded; evaluated for each record without allocation.
 * Depth is bounded when parsing, so that evaluation may recurse. Helper names: Linux
 * include/trace/stages/stage3_trace_output.h.
 */
#ifndef TRACEFS_PRINT_EXPR_H
#define TRACEFS_PRINT_EXPR_H

#include "tracefs/format/format.h"
#include "tracefs/print/lex.h"

enum texpr_op {
	TEXPR_NUM,          /* v */
	TEXPR_STR,          /* str */
	TEXPR_FIELD,        /* field: number of a scalar, bytes of an array or dynamic field */
	TEXPR_ADDRESS,      /* field: its bytes, whatever it is */
	TEXPR_DYN_LEN,      /* field: length of a dynamic field in bytes */
	TEXPR_UNKNOWN,      /* str: a name whose value is not known outside of the kernel */
	TEXPR_NEG, TEXPR_NOT, TEXPR_INVERT, TEXPR_PLUS,
	TEXPR_BINARY,       /* a `sub` b, sub is the operator's token */
	TEXPR_COND,         /* a ? b : c */
	TEXPR_INDEX,        /* a[b] */
	TEXPR_DEREF,        /* *a */
	TEXPR_CAST,         /* (type)a */
	TEXPR_SWAP,         /* __fswabN: type.size bytes of a */
	TEXPR_LOG2, TEXPR_ORDER2, TEXPR_CLZ,   /* __ilog2, __order_base_2 (rounded up), __builtin_clzll of a */
	TEXPR_DIV_NS, TEXPR_MOD_NS,   /* __print_ns_to_secs, __print_ns_without_secs */
	/* Texts, rendered when printed. */
	TEXPR_FLAGS,        /* a, table, str is the delimiter */
	TEXPR_SYMBOLIC,     /* a, table */
	TEXPR_HEX, TEXPR_HEX_STR,     /* a bytes, b length */
	TEXPR_ARRAY,        /* a bytes, b count, c element size */
	TEXPR_HEX_DUMP,     /* a bytes, b length, c ascii, str prefix, sub its type, type.size row, type.elem group */
	TEXPR_BITMASK,      /* a bytes */
	/* Beyond print fmts, see struct texpr_word. */
	TEXPR_WORD,         /* v: index in ctx->words; args */
	TEXPR_GLOB,         /* does text a match the shell pattern b? */
};

/* What a number is in C, or what a pointer points to. */
struct texpr_type {
	uint8_t size;        /* 4 or 8 after promotion; of the value itself in a cast */
	bool is_unsigned;
	bool pointer;
	bool is_bool;        /* of a cast */
	bool no_arith;       /* points to something of unknown size: no arithmetic on it */
	uint8_t elem;        /* bytes of what it points to, 0: unknown */
	bool elem_unsigned;
};

struct texpr_entry {
	uint64_t v;
	struct sv text;
};

struct texpr {
	uint8_t op, sub;
	uint8_t depth;
	struct texpr_type type;
	uint32_t n_table;
	union {
		uint64_t v;
		struct sv str;
	};
	const struct tfield *field;
	const struct texpr *a, *b, *c;
	union {
		const struct texpr_entry *table;
		const struct texpr *const *args;
	};
};

/*
 * A name that an expression may use though it is neither a field nor the kernel's: a variable or function of the
 * program that evaluates it (eval.h). With words, ~ between two texts matches a shell pattern as in the kernel's
 * filters.
 */
struct texpr_word {
	const char *name;
	bool is_function;
	uint8_t least, most;      /* number of arguments */
};

enum { TEXPR_LETS = 8, TEXPR_ARGS = 8 };

/* State of one compilation. */
struct texpr_ctx {
	struct tlex lex;
	const struct tfmt *fmt;
	struct arena *arena;
	const struct texpr_word *words;   /* NULL: a print fmt */
	size_t n_words;
	unsigned depth;           /* nesting of the parser */
	struct texpr_let {        /* variables of the open statement expressions: the kernel's min() and max() */
		struct sv name;
		const struct texpr *value;
	} let[TEXPR_LETS];
	unsigned n_lets;
	const char *unknown;      /* first name without a value, or NULL */
	char why[120];            /* why parsing failed, "" on success */
	bool no_memory;
};

/* Parse one expression: up to a ',' or the end. NULL: ctx->why or no_memory says why. */
const struct texpr *texpr_parse(struct texpr_ctx *c);

/* Record the reason for giving up, if it is the first; returns NULL. */
void *texpr_fail(struct texpr_ctx *c, const char *what, struct sv token);

/* Parse a call of a helper function (__print_flags ...) of that name. The '(' is the current token. */
const struct texpr *texpr_call(struct texpr_ctx *c, struct sv name);

/* A node with up to two operands; constants are folded. NULL when an operand is NULL. */
struct texpr *texpr_node(struct texpr_ctx *c, enum texpr_op op, const struct texpr *a, const struct texpr *b);
const struct texpr *texpr_fold(struct texpr_ctx *c, struct texpr *n);

/* If the current token is `kind`, take it; otherwise fail. */
bool texpr_want(struct texpr_ctx *c, int kind);

/* The string literals at the current token, joined and unescaped, in the arena. */
bool texpr_string(struct texpr_ctx *c, struct sv *s);

/* The event's field whose name is the current token. */
const struct tfield *texpr_field_name(struct texpr_ctx *c);

/* Is the current token a type name that can start a cast? The '(' was taken before. */
bool texpr_at_type(const struct texpr_ctx *c);

/* Parse a type name up to and including the ')'. */
bool texpr_parse_type(struct texpr_ctx *c, struct texpr_type *t);

#endif
