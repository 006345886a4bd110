/* ktypes.h - where the running kernel keeps what programs read: offsets of members, from its own types (BTF). */
#ifndef BPF_KTYPES_H
#define BPF_KTYPES_H

#include "obj/btf.h"
#include "sys/sys.h"

struct ktypes {
	char *text;
	struct btf *btf;
};

/* -ENOENT: the kernel has none. */
int ktypes_open(struct ktypes *k, const struct sys *sys, struct err *e);
void ktypes_close(struct ktypes *k);

struct kmember {
	uint32_t off, size;              /* bytes */
};

/* Path: "thread_info.flags". -ENOENT: there is no such struct or member; -EINVAL: a bit-field. */
int ktypes_member(const struct ktypes *k, const char *of, const char *path, struct kmember *m, struct err *e);

/* Their ids, as the kernel wants them; 0: it has none of that name. */
uint32_t ktypes_type(const struct ktypes *k, const char *name);
uint32_t ktypes_function(const struct ktypes *k, const char *name);

#endif
