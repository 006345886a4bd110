/* ktypes.h - offsets of struct members in the running kernel, by its BTF. */
#ifndef BPF_KTYPES_H
#define BPF_KTYPES_H

#include "obj/btf.h"
#include "sys/sys.h"

struct ktypes {
	char *text;
	struct btf *btf;
};

/* -ENOENT: the kernel has no BTF. */
int ktypes_open(struct ktypes *k, const struct sys *sys, struct err *e);
void ktypes_close(struct ktypes *k);

struct kmember {
	uint32_t off, size;              /* bytes */
};

/* path: "thread_info.flags". -ENOENT: no such struct or member; -EINVAL: a bit-field. */
int ktypes_member(const struct ktypes *k, const char *of, const char *path, struct kmember *m, struct err *e);

#endif
