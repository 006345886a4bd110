/* ktypes.h - offsets of members in the running kernel's structs, for programs that read them; from the kernel's BTF. */
#ifndef BPF_KTYPES_H
#define BPF_KTYPES_H

#include "obj/types/btf.h"
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

/* path: e.g. "thread_info.flags". -ENOENT: there is no such struct or member; -EINVAL: a bit-field. */
int ktypes_member(const struct ktypes *k, const char *of, const char *path, struct kmember *m, struct err *e);

/* Their ids, as the kernel wants them; 0: it has none of that name. */
uint32_t ktypes_type(const struct ktypes *k, const char *name);
uint32_t ktypes_function(const struct ktypes *k, const char *name);

#endif
