/* cells.h - the columns of the tables of cache lines and of their rows: headings and cell texts. */
#ifndef C2C_CELLS_H
#define C2C_CELLS_H

#include "c2c/text.h"

/* Tables in which a column occurs. SUMS: the line's totals above its rows; the rows' percentages are of these. */
enum c2c_table { C2C_LINES = 1, C2C_ROWS = 2, C2C_SUMS = 4 };

enum c2c_info { C2C_WHICH_NODES = 1, C2C_SHARES = 2, C2C_WHICH_CPUS = 4, C2C_SOURCE = 8 };

enum c2c_kind {
	CELL_NUMBER,             /* index of the row's line; empty in text, as the totals above the rows have it */
	CELL_INDEX, CELL_COUNT, CELL_PERCENT, CELL_CHANGES, CELL_PID, CELL_CYCLES, CELL_CPUS,
	CELL_ADDRESS, CELL_NODES, CELL_TID, CELL_COMM, CELL_CODE, CELL_SYMBOL, CELL_DSO, CELL_SOURCE, CELL_WHO,
};

struct c2c_col {
	const char *group;       /* heading over this and the next `span` columns; NULL: none */
	const char *head, *key;  /* names in text, and in CSV and JSON; NULL: not a column there */
	uint32_t of;             /* COUNT, PERCENT: set of counts; CYCLES: enum c2c_cycles */
	uint8_t kind, span;      /* kind: enum c2c_kind */
	uint8_t width;           /* minimum */
	uint8_t tables;          /* enum c2c_table */
	uint8_t by;              /* bits 1 << enum c2c_by: in reports by one of these */
	uint8_t keys;            /* enum c2c_key: if rows are told apart by one of these; 0: always */
	uint8_t info;            /* enum c2c_info: if one of these was asked for; 0: always */
};

enum { C2C_COLS_MAX = 32, C2C_TEXTS = 16 };

struct c2c_nodes_text {
	uint64_t nodes;                  /* 1 << index of each node; 0: the entry is free */
	const char *text;
};

/* The columns of a table, and the line or row whose cells are next. */
struct c2c_cells {
	struct c2c_lines *lines;
	const struct c2c_view *view;
	struct c2c_col v[C2C_COLS_MAX];
	size_t n;
	struct map sources;              /* sym_loc -> text "file.c:12" */
	struct c2c_nodes_text texts[C2C_TEXTS];   /* cache, indexed by a hash of the set */
	const struct c2c_line *line;
	const struct c2c_row *row;       /* a row of the line; NULL: cells are of the line itself */
	const struct c2c_counts *whole;  /* 100 % of the percentages: of all lines, or of the row's line */
	uint64_t index;                  /* of the line among those shown */
	struct mem_out text;
	size_t length;                   /* of the last cell's text */
};

/* lines and w are borrowed until c2c_cells_deinit. */
void c2c_cells_init(struct c2c_cells *c, struct c2c_lines *lines, const struct c2c_view *w, enum c2c_table table);
void c2c_cells_deinit(struct c2c_cells *c);


/* Choose the line (index in lines->shown) or row (index in lines->shown_rows) of the next cells. */
void c2c_at_line(struct c2c_cells *c, size_t index);
void c2c_at_row(struct c2c_cells *c, size_t row);

enum c2c_for { C2C_FOR_PEOPLE, C2C_FOR_PROGRAMS };

/* Text of a cell, c->length bytes and a NUL; valid until the next call. NULL: no memory. */
const char *c2c_cell(struct c2c_cells *c, const struct c2c_col *col, enum c2c_for who);

/* Is the column aligned to the left? */
static inline bool c2c_is_text(const struct c2c_col *col)
{
	return col->kind >= CELL_TID && col->kind != CELL_CODE;
}

static inline bool c2c_is_number(const struct c2c_col *col)
{
	return col->kind <= CELL_CPUS || col->kind == CELL_TID;
}

#endif
