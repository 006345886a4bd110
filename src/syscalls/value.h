/*
 * value.h - arguments and results of system calls as text, in perf trace's form: "READ|WRITE", "CWD", "-1 ENOENT (No
 * such file or directory)".
 */
#ifndef SYSCALLS_VALUE_H
#define SYSCALLS_VALUE_H

#include "arch/arch.h"
#include "base/fmt.h"

/* The kind of an argument, by its type, or by tables for the names of call and argument. */
enum value_kind {
	VALUE_NUMBER, VALUE_HEX, VALUE_OCTAL, VALUE_FD, VALUE_MAP_FD, VALUE_DIR, VALUE_PID,
	VALUE_IOCTL,
	VALUE_BITS,              /* by a table of names */
};

struct value_names;

struct value_type {
	enum value_kind kind;
	const struct value_names *names;   /* with VALUE_BITS */
};

/* type, name: as in the kernel's format of the call. */
struct value_type value_type_of(const struct arch *a, const char *call, const char *type, const char *name);

/* The types of address families and signals. */
struct value_type value_family(void);
struct value_type value_signal(void);

/* False: leave it out, because it is 0 and that is the normal case. */
bool value_is_shown(const struct value_type *t, uint64_t v);
void value_put(const struct value_type *t, uint64_t v, struct out *o);

enum value_result { RESULT_NUMBER, RESULT_HEX, RESULT_OCTAL, RESULT_PID };
enum value_result value_result_of(const char *call);

/* "0", "-1 ENOENT (No such file or directory)". */
void value_put_result(enum value_result how, int64_t v, struct out *o);
static inline bool value_is_error(int64_t v)
{
	return v < 0 && v >= -4095;
}

/* "ENOENT"; NULL: unknown errno. */
const char *value_errno(unsigned number);

#endif
