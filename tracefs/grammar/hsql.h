/*
 * hsql.h - histograms and synthetic events asked for in the SQL of trace-cmd's sqlhist:
 *
 *   select ITEM, ... from EVENT [as A] [join EVENT as B on A.FIELD = B.FIELD, ...] [where CONDITION && CONDITION ...]
 *   ITEM       FIELD, FIELD + FIELD, FIELD - FIELD, cast(FIELD as KIND); [as] NAME
 *   KIND       hex sym sym-offset syscall execname comm log2 log counter
 *   FIELD      of a join: A.FIELD, B.FIELD, TIMESTAMP_DELTA[_USECS]; TIMESTAMP[_USECS] and STACKTRACE are fields; one
 *              that is called like a word of the grammar has a \ in front
 *   CONDITION  a filter of the kernel about one of the two events; all of it in parentheses may have || and &&
 *
 * Words in any case. EVENT is NAME or SYSTEM.NAME, and may stand for A.
 */
#ifndef TRACEFS_GRAMMAR_HSQL_H
#define TRACEFS_GRAMMAR_HSQL_H

#include "base/err.h"
#include "base/str.h"

enum { HSQL_ITEMS = 8, HSQL_MATCHES = 3, HSQL_TEXT = 128, HSQL_FILTER = 400 };

enum hsql_side { HSQL_FROM = 1, HSQL_TO };
enum hsql_kind { HSQL_FIELD, HSQL_NS, HSQL_US, HSQL_STACK };   /* HSQL_NS, HSQL_US: TIMESTAMP, TIMESTAMP_USECS */

struct hsql_field {
	uint8_t side, kind;
	char name[HSQL_TEXT];      /* of a HSQL_FIELD */
	size_t at;                 /* its offset in the text */
};

struct hsql_item {
	struct hsql_field x, y;
	char op;                   /* '+', '-'; 0: x alone */
	char as[HSQL_TEXT];        /* "": no name was given */
	char mod[16];              /* modifier of a cast: "hex", "counter" ...; "": none */
};

struct hsql {
	const char *text;                          /* borrowed */
	char from[HSQL_TEXT], to[HSQL_TEXT];       /* "SYSTEM:NAME" or "NAME"; to is "" without a join */
	struct {
		struct hsql_field from, to;
	} match[HSQL_MATCHES];                     /* of the join */
	size_t n_matches;
	struct hsql_item items[HSQL_ITEMS];
	size_t n_items, end;                       /* end: offset of the end of the items in the text */
	char from_if[HSQL_FILTER], to_if[HSQL_FILTER];   /* filters for the kernel; "": none */
};

/* -EINVAL with a mark under the offending place. */
int hsql_parse(struct hsql *q, const char *text, struct err *e);

/* -EINVAL with `what` and a mark under the field at offset `at`. */
int hsql_bad(const struct hsql *q, size_t at, const char *what, struct err *e);

/* The query as one histogram: of an event, or of the times of a join by fields of its second event. */
struct hsql_hist {
	char keys[HSQL_ITEMS][HSQL_TEXT];          /* "FIELD.MODIFIER"; with a join: fields of `to` */
	char vals[HSQL_ITEMS][HSQL_TEXT];          /* items that were cast to counter */
	size_t n_keys, n_vals;
	bool ns;                                   /* the times are in ns */
};
int hsql_hist(const struct hsql *q, struct hsql_hist *h, struct err *e);

#endif
