/* fetch_parts.h - shared by fetch*.c: a value between its expression and the kernel's text. */
#ifndef PROBE_FETCH_PARTS_H
#define PROBE_FETCH_PARTS_H

#include "probe/fetch.h"

/* Limits of the kernel. */
enum { FETCH_NAME_SIZE = 32, FETCH_TEXT_MAX = 63, FETCH_ARGS_MAX = 128 };
/* The kernel allows 16 steps per argument; base, end and store need the rest. */
enum { FETCH_HOPS = 12 };

enum fetch_base {
	FETCH_BASE_TEXT,         /* "%x0", "$retval", "\5": the text yields the value */
	FETCH_BASE_AT,           /* "@jiffies": the text yields memory at an address */
	FETCH_BASE_ADDR,         /* memory at a file's address, in the notation of env->address */
	FETCH_BASE_FINAL,        /* resolved by the kernel, or unreadable: no further steps */
	FETCH_BASE_SPREAD,       /* in several places: members are looked up one by one */
};

/* With base B: V = B, then V = *(V + hop[i].off) for each hop. The value is V + off, or the memory at V + off. */
struct fetch_value {
	enum fetch_base base;
	char text[FETCH_TEXT_MAX + 1];
	uint64_t addr;
	struct fetch_hop {
		int64_t off;
		bool is_user;
	} hop[FETCH_HOPS];
	unsigned n;
	int64_t off;
	bool is_mem, mem_is_user;
	bool is_user;            /* it points to user memory */
	unsigned bits, bit_off;  /* bit-field, or part of a register: bit_off counts from off */
	unsigned reg_bits;       /* size of that part of a register, else 0 */
	char prefix;             /* without a known type: print as 'u' or 's'; 0: unspecified */
	unsigned sign_bits;      /* bits of a signed value that the kernel prints unsigned, else 0 */
	struct ctype type;
	struct sv name;          /* the last name in the expression; empty: none */
	bool is_path;            /* the expression selected members or elements */
	/* Of a variable that is not in memory, to locate its members; else env is NULL. */
	const struct fetch_env *env;
	struct loc whole;
	uint64_t at;             /* offset of the selected byte in it */
};

/* fetch_usdt.c: the n-th argument of a marker, counted from 1. */
int fetch_usdt_arg(const struct fetch_env *env, unsigned n, struct fetch_value *v, struct err *e);

/* fetch_expr.c */
bool fetch_has_btf(const struct fetch_env *env);      /* the kernel resolves argument names here */
/* *at: place of an error in the text. */
int fetch_value_parse(const struct fetch_env *env, const struct point_arg *a, struct fetch_value *v, const char **at,
		      struct err *e);

/*
 * fetch_value.c. _load: replace an address of memory by its content. _deref: use the value as an address of memory.
 * _target, _element, _member, _address: * [] . and &, by the type. _is_text: is it a string of Go or Rust? *len is the
 * member with its length, *text the one with its pointer.
 */
enum { FETCH_INDEX_MAX = 1 << 30 };
int fetch_value_of(const struct fetch_env *env, const struct fetch_var *var, struct fetch_value *v, struct err *e);
int fetch_load(struct fetch_value *v, struct err *e);
int fetch_deref(struct fetch_value *v, struct err *e);
int fetch_member(struct fetch_value *v, struct sv name, struct err *e);
int fetch_element(struct fetch_value *v, int64_t i, struct err *e);
int fetch_target(struct fetch_value *v, struct err *e);
int fetch_address(struct fetch_value *v, struct err *e);
bool fetch_is_text(const struct fetch_value *v, struct ctype_member *text, struct ctype_member *len);
int fetch_fail_type(const struct fetch_value *v, const char *what, struct err *e);   /* -EINVAL: "NAME is TYPE, WHAT" */
int64_t fetch_add(int64_t a, int64_t b);      /* wraps */
int fetch_value_put(const struct fetch_env *env, const struct fetch_value *v, struct out *o, struct err *e);

/* Look up a register by any of its names (-EINVAL); false: the kernel has no name for it. */
int fetch_reg(const struct arch *a, struct sv name, struct fetch_value *v, struct err *e);
bool fetch_reg_put(const struct arch_reg *r, const struct arch *a, struct fetch_value *v);

/*
 * fetch_abi.c: registers of arguments and return values by their types. _arg: of the n-th argument, from 1 on;
 * -ENODATA: types are unknown, the n-th integer register is assumed. _returned: can $retval be read?
 */
int fetch_abi_arg(const struct fetch_env *env, unsigned n, struct fetch_value *v, struct err *e);
int fetch_abi_returned(const struct fetch_env *env, struct ctype t, struct err *e);

/* Describe a register that no probe can read: "register v0, which is for floating point", or its DWARF number. */
const char *fetch_reg_unread(const struct arch *a, unsigned dwarf, char buf[64]);

#endif
