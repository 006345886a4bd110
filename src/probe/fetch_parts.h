/* fetch_parts.h - between fetch*.c: an argument on its way from its expression to the kernel's text. */
#ifndef PROBE_FETCH_PARTS_H
#define PROBE_FETCH_PARTS_H

#include "probe/fetch.h"

/* As the kernel has them. */
enum { FETCH_NAME_SIZE = 32, FETCH_TEXT_MAX = 63, FETCH_ARGS_MAX = 128 };
/* Of the kernel's 16 steps for one argument; the base, the end and the storing take the others. */
enum { FETCH_HOPS = 12 };

enum fetch_base {
	FETCH_BASE_TEXT,         /* "%x0", "$retval", "\5": what its text yields */
	FETCH_BASE_AT,           /* "@jiffies": its text reads memory */
	FETCH_BASE_ADDR,         /* a file's address, read by what env->address makes of it */
	FETCH_BASE_FINAL,        /* for the kernel to resolve, or for nobody to dereference */
	FETCH_BASE_SPREAD,       /* in several places: its members are asked for one by one */
};

/*
 * With base B: V = B, then V = *(V + hop[i].off) for each hop. The thing itself is V + off, or in memory at V + off.
 */
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
	bool is_user;            /* what it points to is the user's */
	unsigned bits, bit_off;  /* bit-field, or a part of a register: bit_off from the memory at off */
	unsigned reg_bits;       /* of a part of a register, else 0 */
	char prefix;             /* of no known type: how it is shown, 'u' or 's'; 0: not told */
	unsigned sign_bits;      /* it has a sign that the kernel does not show: bits of the value, else 0 */
	struct ctype type;
	struct sv name;          /* the last name in the expression; empty: none */
	bool is_path;            /* members or elements were chosen */
	/* Of a variable that is not in memory, so that its members can be told apart; else env is NULL. */
	const struct fetch_env *env;
	struct loc whole;
	uint64_t at;             /* the byte of it that is meant */
};

/* fetch_usdt.c: the n-th argument of a marker, from 1 on. */
int fetch_usdt_arg(const struct fetch_env *env, unsigned n, struct fetch_value *v, struct err *e);

/* fetch_expr.c */
bool fetch_has_btf(const struct fetch_env *env);      /* the kernel resolves names of arguments here */
/* *at: where it went wrong, in the text. */
int fetch_value_parse(const struct fetch_env *env, const struct point_arg *a, struct fetch_value *v, const char **at,
		      struct err *e);

/*
 * fetch_value.c. _load: what is in memory becomes the value. _deref: the value is an address, what is there is meant.
 * _target, _element, _member, _address: * [] . and &, by the type. _is_text: a string of Go or Rust, *len is the
 * member that has its length; its text is the first one.
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

/* A register as the kernel calls it, by any name (-EINVAL); false: the kernel does not have it. */
int fetch_reg(const struct arch *a, struct sv name, struct fetch_value *v, struct err *e);
bool fetch_reg_put(const struct arch_reg *r, const struct arch *a, struct fetch_value *v);

/*
 * fetch_abi.c: which registers hold arguments and what is returned, by their types. _arg: that of the n-th argument,
 * from 1 on; -ENODATA: not known, it is the n-th of those for integers. _returned: can $retval be read?
 */
int fetch_abi_arg(const struct fetch_env *env, unsigned n, struct fetch_value *v, struct err *e);
int fetch_abi_returned(const struct fetch_env *env, struct ctype t, struct err *e);

/* "register v0, which is for floating point", or its number in DWARF; of one that no probe can read. */
const char *fetch_reg_unread(const struct arch *a, unsigned dwarf, char buf[64]);

#endif
