/* filter_parts.h - the tree of a compiled filter: filter.c makes it, filter_eval.c walks it. */
#ifndef TRACEFS_GRAMMAR_FILTER_PARTS_H
#define TRACEFS_GRAMMAR_FILTER_PARTS_H

#include "base/rex.h"
#include "tracefs/grammar/filter.h"
#include "tracefs/print/lex.h"

/* Operators that tracefs/print/lex.h does not have. */
enum { TFILTER_REGEX = 200, TFILTER_NOT_REGEX };

enum tfilter_op {
	TFILTER_FALSE,     /* also what a comparison with an unknown field becomes */
	TFILTER_TRUE,
	TFILTER_LOGIC,     /* a `sub` b: TLEX_AND, TLEX_OR */
	TFILTER_NOT,       /* !a */
	TFILTER_COMPARE,   /* a `sub` b */
	TFILTER_ARITH,     /* a `sub` b */
	TFILTER_TEXT,      /* a `sub` str: ==, !=, ~, TFILTER_REGEX, TFILTER_NOT_REGEX */
	TFILTER_TASKS,     /* one of the fields in list a has the pid of a task */
	TFILTER_NUMBER, TFILTER_STRING, TFILTER_FIELD, TFILTER_COMM, TFILTER_CPU, TFILTER_TIME,
};

struct tfilter_tasks {
	const uint64_t *sorted, *given;
	size_t n;
};

struct tfilter_node {
	uint8_t op, sub;              /* sub of NUMBER: it is above INT64_MAX, not negative */
	bool quoted;                  /* NUMBER: a character in quotes; str has it */
	const struct tfilter_node *a, *b;           /* b of a field of TASKS: the next field */
	const struct tfilter_tasks *tasks;
	const struct tfield *field;   /* of COMM: common_pid */
	uint64_t v;
	struct sv str;                /* NUL-terminated */
	struct rex rex;
};

#endif
