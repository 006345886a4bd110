/*
 * table.h - rows of typed cells as aligned text, CSV or JSON.
 *
 * Cells are added from left to right; the cell after the last column begins the next row. table_new keeps all rows to
 * compute the widths, so its memory grows with them: for unlimited rows use table_new_stream, which keeps one row.
 */
#ifndef SHOW_TABLE_H
#define SHOW_TABLE_H

#include "base/fmt.h"

enum table_align { TABLE_LEFT, TABLE_RIGHT };

struct table_col {
	const char *head;
	const char *key;         /* its name in JSON and CSV; NULL: head */
	enum table_align align;
	unsigned width;          /* minimum; for streams, which cannot look ahead, the width */
};

enum table_form {
	TABLE_TEXT,   /* aligned; on a terminal a long last column is cut */
	TABLE_CSV,    /* RFC 4180 quoting with LF at the end of a line */
	TABLE_JSON,   /* an array of objects, one per line */
};

enum table_head { TABLE_HEAD, TABLE_NO_HEAD };

struct table_want {
	enum table_form form;
	enum table_head head;    /* whether text and CSV begin with a line of titles */
	const char *sep;         /* of CSV; NULL: "," */
};

struct table;

struct table *table_new(const struct table_col *cols, size_t n);   /* borrows; NULL: no memory */
void table_free(struct table *t);

/* Write each row as soon as it is complete. Borrows all arguments until table_free. NULL: no memory. */
struct table *table_new_stream(const struct table_col *cols, size_t n, const struct table_want *w,
			       struct out *o);

void table_str(struct table *t, const char *s);       /* copied; NULL: an empty cell */
void table_sv(struct table *t, struct sv s);          /* copied */
void table_u64(struct table *t, uint64_t v);
void table_i64(struct table *t, int64_t v);
void table_grouped(struct table *t, uint64_t v);      /* 1,234,567 in text, else 1234567 */
void table_hex(struct table *t, uint64_t v);          /* 0x1f; a string in JSON */
void table_fixed(struct table *t, double v, unsigned prec);   /* not finite: an empty cell */
void table_percent(struct table *t, double v);        /* 12.34% in text, coloured; else 12.34 */
void table_none(struct table *t);                     /* empty; null in JSON */

size_t table_rows(const struct table *t);             /* complete rows so far */

/* Write all rows; an incomplete one gets empty cells. 0, or -ENOMEM when a cell could not be stored. */
int table_print(struct table *t, const struct table_want *w, struct out *o);

/* End a stream: completes the last row and the document. 0 or -ENOMEM. */
int table_end(struct table *t);

#endif
