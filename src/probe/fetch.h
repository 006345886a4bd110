/*
 * fetch.h - arguments by the names of the source into what the kernel fetches: skb->dev->name into
 * name=+0(+16(%x0)):string. Grammar of the result: Documentation/trace/kprobetrace.rst, uprobetracer.rst.
 *
 * Pure: variables come from the caller, who asks DWARF, BTF or the ABI.
 */
#ifndef PROBE_FETCH_H
#define PROBE_FETCH_H

#include "arch/arch.h"
#include "base/fmt.h"
#include "obj/dwarf/loc.h"
#include "obj/types/ctype.h"
#include "probe/point.h"

struct fetch_var {
	struct ctype type;       /* src NULL: not known */
	struct loc loc;
	struct sv name;
};

/* What the running kernel takes, from the text of its tracing README; "" where none can be read: all of it. */
enum fetch_feature {
	FETCH_USTRING = 1,       /* ustring, +uOFF() */
	FETCH_IMMEDIATE = 2,     /* \IMM */
	FETCH_SYMSTR = 4,
	FETCH_CHAR = 8,
	FETCH_BTF = 16,          /* arguments by name at a function's start, and -> */
	FETCH_REFCOUNT = 32,     /* (REFCTR) of uprobes */
	FETCH_RETURN_SUFFIX = 64,
	FETCH_ARGN = 128,            /* $argN of the kernel's functions */
	FETCH_RETURN_ARGS = 256,     /* and at their return, as they were at the start */
	FETCH_ARRAY = 512,           /* TYPE[N] */
	FETCH_DENTRY = 1024,         /* %pd, %pD */
};
unsigned fetch_features(const char *readme);

struct fetch_env {
	const struct arch *arch;     /* of the probed code */
	bool is_user;                /* a uprobe */
	bool is_return;
	bool at_entry;               /* on a function's first instruction */
	bool at_ret_insn;            /* on a function's return instructions: $retval is in its register there */
	const char *usdt_args;       /* of a marker: the text in its note, where its $argN are; else NULL */
	const uint8_t *arg_regs;     /* perf bits of the registers of arguments; NULL: the architecture's own */
	uint8_t n_arg_regs;
	unsigned features;           /* fetch_feature */
	/*
	 * The variable of that name at the place. -ENOENT, with what there is; -ENODATA: there is nothing to ask.
	 * NULL: no names are known here.
	 */
	int (*variable)(void *arg, struct sv name, struct fetch_var *v, struct err *e);
	/* The i-th one, for $vars and $params: 1, 0: no more, -errno. May be NULL. */
	int (*nth)(void *arg, unsigned i, bool *is_param, struct fetch_var *v, struct err *e);
	/*
	 * The i-th parameter that the function is declared with, and where it is at its first instruction: 1, 0: there
	 * are no more, -ENODATA: that is not known, or any number may follow. May be NULL.
	 */
	int (*param)(void *arg, unsigned i, struct fetch_var *v, struct err *e);
	/* What the function returns, src NULL: not known. May be NULL. */
	struct ctype (*returns)(void *arg);
	/*
	 * How the kernel names a place in memory at a file's address: "@SYMBOL+8" in the kernel, "@+OFFSET" in a
	 * program. -EOPNOTSUPP: it cannot be named. May be NULL.
	 */
	int (*address)(void *arg, uint64_t addr, struct out *o, struct err *e);
	void *arg;
	unsigned *signless;          /* counts the values that are shown without their sign. May be NULL */
	unsigned *skipped;           /* counts the variables that $vars and $params leave out. May be NULL */
};

/* All arguments of a point, a space in front of each. -EINVAL, -ENOENT ... with the argument named. */
int fetch_put(const struct fetch_env *env, const struct point *p, struct out *o, struct err *e);

/*
 * A USDT marker's arguments (obj/elf/usdt.h's text), those that can be fetched: " arg1=%x0:s32 ...". *skipped: how many
 * not.
 */
void fetch_put_usdt(const struct fetch_env *env, const char *args, struct out *o, unsigned *skipped);

#endif
