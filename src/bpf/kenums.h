/*
 * kenums.h - names and values of the running kernel's enums, from its BTF, which is read at the first question. Types
 * are spelled as in the format files of events: "enum hrtimer_mode".
 */
#ifndef BPF_KENUMS_H
#define BPF_KENUMS_H

#include "base/vec.h"
#include "bpf/ktypes.h"

struct kenum {
	char *type;
	struct ctype is;                 /* src NULL: the kernel has no such enum */
};

struct kenums {
	const struct sys *sys;           /* NULL: no value has a name */
	struct ktypes types;
	bool was_read;
	VEC(struct kenum) of;
};

void kenums_deinit(struct kenums *k);

static inline bool kenums_is_enum(const char *type)
{
	return !strncmp(type, "enum ", 5);
}

/* The name of a value; empty: it has none. Valid until kenums_deinit(). A negative value may be given as its u32. */
struct sv kenums_name(struct kenums *k, const char *type, uint64_t value);
/* The value of a name. -ENOENT: the enum has no such name, `near` has similar ones; -EOPNOTSUPP: not an enum in BTF. */
int kenums_value(struct kenums *k, const char *type, struct sv name, uint64_t *value, struct nearest *near);

#endif
