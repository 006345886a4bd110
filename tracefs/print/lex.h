/* lex.h - tokens of a print fmt's C text. */
#ifndef TRACEFS_PRINT_LEX_H
#define TRACEFS_PRINT_LEX_H

#include "base/str.h"

enum tlex_kind {
	TLEX_END, TLEX_BAD, TLEX_NUM, TLEX_STR, TLEX_NAME,
	/* Operators of two characters; an operator of one character is that character. */
	TLEX_SHL = 128, TLEX_SHR, TLEX_LE, TLEX_GE, TLEX_EQ, TLEX_NE, TLEX_AND, TLEX_OR, TLEX_ARROW,
};

struct tlex {
	const char *pos, *end;
	/* The current token. */
	int kind;            /* enum tlex_kind, or an operator's character */
	struct sv text;      /* as written; of a string: without its quotes, escapes not undone */
	uint64_t v;          /* value of a number or character */
	bool is_unsigned, is_long;   /* type of a number: by suffix, and by its size as in C */
};

/* Start at the first token of text. */
void tlex_init(struct tlex *l, struct sv text);

/* Go to the next token. */
void tlex_next(struct tlex *l);

/* Undo the escapes of a C string; dst needs as many bytes as src has. Returns the length. */
size_t tlex_unescape(char *dst, struct sv src);

#endif
