/*
 * btf.h - BTF, the kernel's type information: /sys/kernel/btf/vmlinux, and the BTF of modules, which extends it. Linux
 * 5.2 and later, kinds up to ENUM64 (6.0). Layout: Documentation/bpf/btf.rst.
 *
 * Borrows untrusted bytes; opening makes one index, 4 bytes per type.
 */
#ifndef OBJ_TYPES_BTF_H
#define OBJ_TYPES_BTF_H

#include "obj/types/ctype.h"

struct btf;

/* base: the kernel's BTF if these bytes are a module's, else NULL. It must outlive this one. */
struct btf *btf_new(const void *bytes, size_t n, const struct btf *base, struct err *e);
void btf_free(struct btf *b);

/* Id of the function of that name, or -ENOENT. Does not search the base. */
int64_t btf_find_func(const struct btf *b, struct sv name);

/* Name of a function; "": not a function. Borrowed from the bytes. */
struct sv btf_func_name(const struct btf *b, uint32_t func);

/* A struct, union, typedef or enum by name ("sk_buff"), in that order; if there is none, the base's; src NULL: none. */
struct ctype btf_find_type(const struct btf *b, struct sv name);

struct btf_enumerator {
	struct sv name;                  /* borrowed from the bytes */
	uint64_t value;                  /* sign-extended */
};

/* The i-th enumerator: 1, 0: no more (or not an enum), -errno. */
int btf_enumerator(struct ctype t, unsigned i, struct btf_enumerator *to, struct err *e);

struct btf_param {
	struct sv name;
	struct ctype type;
};

/* The i-th parameter of a function: 1, 0: no more (the "..." of printf does not count), -errno. */
int btf_param(const struct btf *b, int64_t func, unsigned i, struct btf_param *p, struct err *e);

/* Return type of a function; src NULL: void. */
struct ctype btf_return(const struct btf *b, int64_t func);

/* Call `each` for all functions but the base's, until it returns non-zero, which is passed on. */
int btf_each_func(const struct btf *b, int (*each)(void *arg, struct sv name, int64_t func), void *arg);

/* The same for variables: BTF only has per-CPU variables (up to Linux 6.18). */
int btf_each_var(const struct btf *b, int (*each)(void *arg, struct sv name, int64_t var), void *arg);

/* Type of a variable. */
struct ctype btf_var_type(const struct btf *b, int64_t var);

#endif
