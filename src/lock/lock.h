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

/* What a row is of. */
enum lock_by { LOCK_BY_CALLER, LOCK_BY_TASK, LOCK_BY_LOCK, LOCK_BY_OWNER };

struct lock_row {
	uint64_t at;                     /* the task, the owner or the lock; for callers the address in the function */
	uint32_t flags;                  /* from contention_begin */
	uint32_t name;                   /* index into texts + 1; 0: none */
	uint32_t stack;                  /* index into stacks + 1, of the first wait; 0: not kept */
	uint64_t acquired, contended;
	uint64_t total, min, max, avg;   /* ns; min UINT64_MAX: nobody waited */
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

/* Parses -k and -F; `first`: the first key that this view has. */
int lock_show_read(struct lock_show *s, const struct lock_show_want *w, enum lock_key first, struct err *e);

/* The name of the lock type: "rwsem:R" and "rwsem"; "unknown" if there is none. */
const char *lock_way(uint32_t flags);
const char *lock_type(uint32_t flags);

/* Indices of the rows sorted by the key. NULL: no memory. */
uint32_t *lock_sorted(const struct lock_show *s, const struct lock_row *v, size_t n);

/* What rows of the same key have in all, under the name of the first. NULL: no memory; to be freed. */
enum lock_fold { LOCK_FOLD_OWNER, LOCK_FOLD_STACK };
struct lock_row *lock_folded(const struct lock_row *v, size_t n, enum lock_fold by, size_t *n_folded);

void lock_put_heads(const struct lock_show *s, struct out *o);
void lock_put_fields(const struct lock_show *s, const struct lock_row *r, struct out *o);

/* The columns and cells of the fields, for tables. Names are perf's for -F, times ns. */
unsigned lock_columns(const struct lock_show *s, struct table_col *cols);
void lock_cells(const struct lock_show *s, const struct lock_row *r, struct table *t);
const char *lock_key_head(unsigned key);
uint64_t lock_value(const struct lock_row *r, unsigned key);

/* Writes the name of the lock's variable to buf; "" if it has none. */
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
	uint64_t types;                  /* one bit per value of flags; 0: all */
	VEC(uint64_t) locks;
	VEC(struct sv) parts;            /* substrings of function names */
	struct map known;                /* address -> does the function have such a name? */
	struct map waiting;              /* address -> is it code that waits? */
	uint64_t left_out;
};

/* One is called in prepare, the other when the feed is open: names of locks need the recorded kernel. */
int lock_chosen_read(struct lock_chosen *c, const struct lock_chosen_want *w, struct err *e);
int lock_chosen_open(struct lock_chosen *c, struct prof *p, struct err *e);
void lock_chosen_deinit(struct lock_chosen *c);

struct lock_stack {
	struct chain_frame v[LOCK_STACK_MAX];
	size_t n;
};

bool lock_is_chosen(struct lock_chosen *c, uint64_t lock, uint32_t flags, const struct lock_stack *s);

/* Is the address in a function that acquires locks or waits? */
bool lock_is_waiting(struct lock_chosen *c, const struct chain_frame *f);

#endif
