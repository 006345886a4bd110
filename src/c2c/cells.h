/* cells.h - the columns of the tables of lines and of their rows: headings and cell contents. */
#ifndef C2C_CELLS_H
#define C2C_CELLS_H

#include "c2c/text.h"

/* SUMS: what stands over the rows of a line, which these are parts of. */
enum c2c_table { C2C_LINES = 1, C2C_ROWS = 2, C2C_SUMS = 4 };

enum c2c_info { C2C_WHICH_NODES = 1, C2C_SHARES = 2, C2C_WHICH_CPUS = 4, C2C_SOURCE = 8 };

enum c2c_kind {
	CELL_NUMBER,             /* of the line, which people know */
	CELL_INDEX, CELL_COUNT, CELL_PERCENT, CELL_CHANGES, CELL_PID, CELL_CYCLES, CELL_CPUS,
	CELL_ADDRESS, CELL_NODES, CELL_TID, CELL_COMM, CELL_CODE, CELL_SYMBOL, CELL_DSO, CELL_SOURCE, CELL_WHO,
};

struct c2c_col {
	const char *group;       /* heading over this and the next `span` columns; NULL: none */
	const char *head, *key;  /* key NULL: in text output only; head NULL: in CSV and JSON only */
	uint32_t of;             /* COUNT, PERCENT: set of counts; CYCLES: enum c2c_cycles */
	uint8_t kind, span;
	uint8_t width;           /* minimum */
	uint8_t tables;          /* enum c2c_table */
	uint8_t by;              /* 1 << enum c2c_by: of a report by one of these */
	uint8_t keys;            /* enum c2c_key: of rows with one of these; 0: of any */
	uint8_t info;            /* enum c2c_info: shown if that was requested; 0: always */
};

enum { C2C_COLS_MAX = 32, C2C_TEXTS = 16 };

struct c2c_nodes_text {
	uint64_t nodes;                  /* a set; 0: none yet */
	const char *text;
};

/* The columns of a table, and the line or row they currently show. */
struct c2c_cells {
	struct c2c_lines *lines;
	const struct c2c_view *view;
	struct c2c_col v[C2C_COLS_MAX];
	size_t n;
	struct map sources;              /* sym_loc -> text */
	struct c2c_nodes_text texts[C2C_TEXTS];   /* by a hash of the set */
	const struct c2c_line *line;
	const struct c2c_row *row;       /* row of the line; NULL: the line itself */
	const struct c2c_counts *whole;  /* 100 % for percentages */
	uint64_t index;
	struct mem_out text;
	size_t length;                   /* of the last cell */
};

/* All arguments are borrowed until deinit. */
void c2c_cells_init(struct c2c_cells *c, struct c2c_lines *lines, const struct c2c_view *w, enum c2c_table table);
void c2c_cells_deinit(struct c2c_cells *c);


/* The next cells are those of a line that is shown, by its index, or of a row. */
void c2c_at_line(struct c2c_cells *c, size_t index);
void c2c_at_row(struct c2c_cells *c, size_t row);

enum c2c_for { C2C_FOR_PEOPLE, C2C_FOR_PROGRAMS };

/* The contents of a cell, c->length bytes and a NUL; valid until the next call. NULL: no memory. */
const char *c2c_cell(struct c2c_cells *c, const struct c2c_col *col, enum c2c_for who);

/* Is the column left-aligned? */
static inline bool c2c_is_text(const struct c2c_col *col)
{
	return col->kind >= CELL_TID && col->kind != CELL_CODE;
}

static inline bool c2c_is_number(const struct c2c_col *col)
{
	return col->kind <= CELL_CPUS || col->kind == CELL_TID;
}

#endif
