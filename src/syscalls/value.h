/*
 * value.h - arguments and results of system calls as text, as perf trace has it: "READ|WRITE", "CWD", "-1 ENOENT (No
 * such file or directory)".
 */
#ifndef SYSCALLS_VALUE_H
#define SYSCALLS_VALUE_H

#include "arch/arch.h"
#include "base/fmt.h"

/* What an argument is: as its type says, or the tables for its call and name. */
enum value_kind {
	VALUE_NUMBER, VALUE_HEX, VALUE_OCTAL, VALUE_FD, VALUE_MAP_FD, VALUE_DIR, VALUE_PID,
	VALUE_IOCTL,
	VALUE_BITS,              /* and beyond: by a table of names */
};

struct value_names;

struct value_type {
	enum value_kind kind;
	const struct value_names *names;   /* with VALUE_BITS */
};

/* By what the kernel's format says of it, and the call that it is of. */
struct value_type value_type_of(const struct arch *a, const char *call, const char *type, const char *name);

/* Families of sockets, signals. */
struct value_type value_family(void);
struct value_type value_signal(void);

/* False: it is 0 where that says nothing, and is left out. */
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

/* "ENOENT"; NULL: there is no such one. */
const char *value_errno(unsigned number);

#endif
