/*
 * btf.h - BTF, the kernel's own type information: /sys/kernel/btf/vmlinux, and modules' that continue it. Linux 5.2 and
 * later, kinds up to ENUM64 (6.0). Layout: Documentation/bpf/btf.rst.
 *
 * Borrowed, untrusted bytes; opening makes one index, 4 bytes for each type.
 */
#ifndef OBJ_TYPES_BTF_H
#define OBJ_TYPES_BTF_H

#include "obj/types/ctype.h"

struct btf;

/* base: of the kernel, when these bytes are a module's; else NULL. It must outlive this one. */
struct btf *btf_new(const void *bytes, size_t n, const struct btf *base, struct err *e);
void btf_free(struct btf *b);

/* A function by name: its type's id, or -ENOENT. Those of the base are not this one's. */
int64_t btf_find_func(const struct btf *b, struct sv name);

/* A function's name; "": the type is none. Borrowed from the bytes. */
struct sv btf_func_name(const struct btf *b, uint32_t func);

/* A struct, union, typedef or enum by name ("sk_buff"), in that order, else the base's; src NULL: none. */
struct ctype btf_find_type(const struct btf *b, struct sv name);

struct btf_enumerator {
	struct sv name;                  /* borrowed from the bytes */
	uint64_t value;                  /* sign-extended */
};

/* The i-th name of an enum: 1, 0: no more (what is no enum has none), -errno. */
int btf_enumerator(struct ctype t, unsigned i, struct btf_enumerator *to, struct err *e);

struct btf_param {
	struct sv name;
	struct ctype type;
};

/* The i-th parameter of a function: 1, 0: no more (the dots of printf are none), -errno. */
int btf_param(const struct btf *b, int64_t func, unsigned i, struct btf_param *p, struct err *e);

/* What a function returns; src NULL: nothing. */
struct ctype btf_return(const struct btf *b, int64_t func);

/* All functions but the base's, until `each` returns non-zero, which is passed on. */
int btf_each_func(const struct btf *b, int (*each)(void *arg, struct sv name, int64_t func), void *arg);

/* The same of variables: those that each CPU has for itself are all that there are (up to Linux 6.18). */
int btf_each_var(const struct btf *b, int (*each)(void *arg, struct sv name, int64_t var), void *arg);

/* What a variable is. */
struct ctype btf_var_type(const struct btf *b, int64_t var);

#endif
