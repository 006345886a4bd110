/*
 * kenums.h - what the running kernel's enums call a value, and what value has such a name: of its own types (BTF),
 * which are read when the first is asked for. Types are spelled as formats of events do: "enum hrtimer_mode".
 */
#ifndef BPF_KENUMS_H
#define BPF_KENUMS_H

#include "base/vec.h"
#include "bpf/ktypes.h"

struct kenum {
	char *type;
	struct ctype is;                 /* src NULL: the kernel has none of that name */
};

struct kenums {
	const struct sys *sys;           /* NULL: none has names */
	struct ktypes types;
	bool was_read;
	VEC(struct kenum) of;
};

void kenums_deinit(struct kenums *k);

static inline bool kenums_is_enum(const char *type)
{
	return !strncmp(type, "enum ", 5);
}

/* Of no length: it has none. Until kenums_deinit. A negative one may be as it lies in 4 bytes. */
struct sv kenums_name(struct kenums *k, const char *type, uint64_t value);
/* 0; -ENOENT: it has no such name, but those that are near; -EOPNOTSUPP: that is no enum that the kernel tells of. */
int kenums_value(struct kenums *k, const char *type, struct sv name, uint64_t *value, struct nearest *near);

#endif
