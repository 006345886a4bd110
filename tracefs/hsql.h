/*
 * hsql.h - histograms asked for in the words of trace-cmd's sqlhist:
 *
 *   select ITEM, ... from EVENT [as A] [join EVENT as B on A.FIELD = B.FIELD] [where A.FIELD < 3 && B.FIELD == 1]
 *   ITEM    FIELD, cast(FIELD as hex|sym|sym-offset|execname|syscall|log2|counter); of a join: B.FIELD, and once
 *           (B.TIMESTAMP_USECS - A.TIMESTAMP_USECS) or TIMESTAMP_DELTA_USECS; without _USECS: ns; [as NAME]: no effect
 *
 * Words in any case. EVENT is NAME or SYSTEM.NAME.
 */
#ifndef TRACEFS_HSQL_H
#define TRACEFS_HSQL_H

#include "base/err.h"
#include "base/str.h"

enum { HSQL_ITEMS = 8, HSQL_TEXT = 128, HSQL_FILTER = 400 };

struct hsql {
	char from[HSQL_TEXT], to[HSQL_TEXT];       /* "SYSTEM:NAME" or "NAME"; to is "" without a join */
	char key[HSQL_TEXT], to_key[HSQL_TEXT];    /* of the join */
	char keys[HSQL_ITEMS][HSQL_TEXT];          /* "FIELD.MODIFIER"; of a join: fields of `to` */
	char vals[HSQL_ITEMS][HSQL_TEXT];          /* as counter */
	size_t n_keys, n_vals;
	char from_if[HSQL_FILTER], to_if[HSQL_FILTER];   /* kernel filters, "" none */
	bool ns;                                   /* the times */
};

/* -EINVAL with a mark under the place. */
int hsql_parse(struct hsql *q, const char *text, struct err *e);

#endif
