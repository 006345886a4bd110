/*
 * lock.h - sonde lock: which tasks wait for kernel locks, and where; cmd/cmd_lock.c runs the views. contention.c and
 * report.c implement the views, chosen.c filters the waits, owners.c finds the lock owners, rows.c prints for both.
 */
#ifndef LOCK_LOCK_H
#define LOCK_LOCK_H

#include "analyse/contention.h"
#include "prof/view.h"

extern const struct prof_kind lock_contention;   /* sonde lock contention */
extern const struct prof_kind lock_report;       /* sonde lock report */
extern const struct prof_kind lock_info;         /* sonde lock info */

/* The columns, by their names in -k and -F. */
enum lock_key {
	LOCK_ACQUIRED, LOCK_CONTENDED, LOCK_AVG_WAIT, LOCK_WAIT_TOTAL, LOCK_WAIT_MAX, LOCK_WAIT_MIN, LOCK_KEYS,
};

/* What a row stands for. */
enum lock_by { LOCK_BY_CALLER, LOCK_BY_TASK, LOCK_BY_LOCK, LOCK_BY_OWNER };

struct lock_row {
	uint64_t at;                     /* tid, address of the lock, or for callers an address in the function */
	uint32_t flags;                  /* from contention_begin */
	uint32_t name;                   /* index into texts + 1; 0: none */
	uint32_t stack;                  /* stack of the first wait: index into stacks + 1; 0: not kept */
	uint64_t acquired, contended;
	uint64_t total, min, max, avg;   /* wait times in ns; min UINT64_MAX: none */
};

/* Options of both views that select columns and rows. */
struct lock_show_want {
	const char *key, *fields;
	uint64_t entries;                /* 0: all */
};

struct lock_show {
	struct prof *prof;
	enum lock_key key;
	uint8_t field[LOCK_KEYS];
	unsigned n_fields;
	uint64_t entries;
	enum lock_by by;
	bool stacks;                     /* print the stack of the first wait below each row */
};

/* Parse -k and -F; `first`: the first key of enum lock_key that this view has. */
int lock_show_read(struct lock_show *s, const struct lock_show_want *w, enum lock_key first, struct err *e);

/* The name of the lock type, with and without R (read) or W (write): "rwsem:R", "rwsem"; or "unknown". */
const char *lock_way(uint32_t flags);
const char *lock_type(uint32_t flags);

/* Indices of the rows, sorted by the key; to be freed. NULL: no memory. */
uint32_t *lock_sorted(const struct lock_show *s, const struct lock_row *v, size_t n);

/* Merge the rows with the same owner, or with the same stack, into the first of them. To be freed. NULL: no memory. */
enum lock_fold { LOCK_FOLD_OWNER, LOCK_FOLD_STACK };
struct lock_row *lock_folded(const struct lock_row *v, size_t n, enum lock_fold by, size_t *n_folded);

void lock_put_heads(const struct lock_show *s, struct out *o);
void lock_put_fields(const struct lock_show *s, const struct lock_row *r, struct out *o);

/* Columns and cells for JSON and CSV. Columns have perf's names for -F, times are in ns. */
unsigned lock_columns(const struct lock_show *s, struct table_col *cols);
void lock_cells(const struct lock_show *s, const struct lock_row *r, struct table *t);
const char *lock_key_head(unsigned key);
uint64_t lock_value(const struct lock_row *r, unsigned key);

/* Write the name of the kernel variable at the lock's address to buf; "" if there is none. */
enum { LOCK_NAME = 128 };
const char *lock_variable(struct prof *p, uint64_t lock, char buf[LOCK_NAME]);

/* --- which waits count (chosen.c) --- */

enum { LOCK_STACK = 8, LOCK_STACK_MAX = 128, LOCK_SKIP = 4 };

struct lock_chosen_want {
	struct opt_list types, locks, functions;
};

struct lock_chosen {
	struct prof *prof;
	const struct lock_chosen_want *want;
	uint64_t types;                  /* bit n: locks with flags n are chosen; 0: all */
	VEC(uint64_t) locks;
	VEC(struct sv) parts;            /* substrings of function names */
	struct map known;                /* address -> does its function's name contain one of parts? */
	struct map waiting;              /* address -> result of lock_is_waiting() */
	uint64_t left_out;
};

/*
 * lock_chosen_read() parses the options, in prepare. lock_chosen_open() looks up the names of locks: when the feed is
 * open, since it needs the symbols of the recorded kernel.
 */
int lock_chosen_read(struct lock_chosen *c, const struct lock_chosen_want *w, struct err *e);
int lock_chosen_open(struct lock_chosen *c, struct prof *p, struct err *e);
void lock_chosen_deinit(struct lock_chosen *c);

struct lock_stack {
	struct chain_frame v[LOCK_STACK_MAX];
	size_t n;
};

/* Does this wait count? If not, left_out is incremented. */
bool lock_is_chosen(struct lock_chosen *c, uint64_t lock, uint32_t flags, const struct lock_stack *s);

/* Is it a kernel function that acquires locks, waits or schedules, and so no call site of interest? */
bool lock_is_waiting(struct lock_chosen *c, const struct chain_frame *f);

#endif
