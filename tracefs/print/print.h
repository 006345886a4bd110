/*
 * print.h - the text of a trace event: its "print fmt" compiled once, then a raw record rendered many times.
 *
 * What cannot be computed outside of the kernel (its functions, unknown types) makes the whole event print as
 * "field=value field=value"; a value that depends on a kernel variable prints as "?". tprint_state() and
 * tprint_reason() report both; no record is ever dropped.
 */
#ifndef TRACEFS_PRINT_PRINT_H
#define TRACEFS_PRINT_PRINT_H

#include "base/fmt.h"
#include "tracefs/format/format.h"

struct tprint;

struct tprint_symbol {
	const char *name;        /* borrowed until the next call */
	const char *module;      /* or NULL */
	uint64_t offset, size;   /* of the address in the symbol; the symbol's bytes, 0 unknown */
};

/* How addresses become names. Each callback may be NULL. */
struct tprint_names {
	void *arg;
	bool (*symbol)(void *arg, uint64_t addr, struct tprint_symbol *s);
	const char *(*string)(void *arg, uint64_t addr);   /* text at a kernel address (printk_formats), or NULL */
	bool bare;   /* print a plain %p as the kernel does: all digits, no 0x */
};

enum tprint_state {
	TPRINT_WHOLE,     /* everything is understood */
	TPRINT_PARTLY,    /* some values print as "?" */
	TPRINT_FIELDS,    /* the print fmt is not usable: fields are printed */
};

/* Compile. `f` and the arena must outlive the result. NULL: no memory. A bad print fmt is a state, not an error. */
struct tprint *tprint_new(const struct tfmt *f, struct arena *a);

enum tprint_state tprint_state(const struct tprint *p);

/* Why the state is not WHOLE, else "". */
const char *tprint_reason(const struct tprint *p);

/* May the text have names of functions? If not, the callback `symbol` is never called. */
bool tprint_asks_names(const struct tprint *p);

/* The text of a record of n bytes; names may be NULL. No newline at the end. */
void tprint_record(const struct tprint *p, const struct tprint_names *names, const void *raw, size_t n, struct out *o);

/* Where the value of a field stands in the text: behind "name=" at the start of a word. at 0: nowhere. */
struct tprint_part {
	uint32_t piece, at;
	char conv;   /* conversion that starts the value, 'd' of "name=%d"; 0: literal text */
};
struct tprint_part tprint_part_of(const struct tprint *p, const char *field);

/* The text of that value alone. It may have spaces: it ends at a space of the print fmt itself. */
void tprint_part_record(const struct tprint *p, struct tprint_part at, const struct tprint_names *names,
			const void *raw, size_t n, struct out *o);

/* All fields but the common ones, " a=1 b=0x2": each in the form of the print fmt, if that prints the bare field. */
void tprint_raw(const struct tprint *p, const struct tprint_names *names, const void *raw, size_t n, struct out *o);

/* All fields but the common ones, "a=1 b=0x2": for raw output, and for events without a usable print fmt. */
void tprint_fields(const struct tfmt *f, const void *raw, size_t n, struct out *o);

/* The value of one field as above, without its name. */
void tprint_field(const struct tfield *f, const void *raw, size_t n, struct out *o);

#endif
