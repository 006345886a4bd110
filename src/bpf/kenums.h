/*
 * kenums.h - names and values of the running kernel's enums by its BTF, which is read when first needed. Types are
 * spelled as in event formats: "enum hrtimer_mode".
 */
#ifndef BPF_KENUMS_H
#define BPF_KENUMS_H

#include "base/vec.h"
#include "bpf/ktypes.h"

struct kenum {
	char *type;
	struct ctype is;                 /* src NULL: not in this kernel */
};

struct kenums {
	const struct sys *sys;           /* NULL: no names available */
	struct ktypes types;
	bool was_read;
	VEC(struct kenum) of;
};

void kenums_deinit(struct kenums *k);

static inline bool kenums_is_enum(const char *type)
{
	return !strncmp(type, "enum ", 5);
}

/* Name of a value; empty: none. Valid until kenums_deinit. Negative values may also be given as 32 bits. */
struct sv kenums_name(struct kenums *k, const char *type, uint64_t value);
/* Value of a name: 0; -ENOENT: no such name, `near` gets similar ones; -EOPNOTSUPP: not an enum in BTF. */
int kenums_value(struct kenums *k, const char *type, struct sv name, uint64_t *value, struct nearest *near);

#endif
