/*
 * fetch.h - translates arguments in terms of the source into the kernel's fetch arguments: skb->dev->name to
 * name=+0(+16(%x0)):string. Grammar of the result: Documentation/trace/kprobetrace.rst, uprobetracer.rst.
 *
 * Pure: the caller looks variables up in DWARF, BTF or the ABI.
 */
#ifndef PROBE_FETCH_H
#define PROBE_FETCH_H

#include "arch/arch.h"
#include "base/fmt.h"
#include "obj/dwarf/loc.h"
#include "obj/types/ctype.h"
#include "probe/point.h"

struct fetch_var {
	struct ctype type;       /* src NULL: unknown */
	struct loc loc;
	struct sv name;
};

/* What the running kernel supports, by its tracing README; an empty text, as none could be read, means everything. */
enum fetch_feature {
	FETCH_USTRING = 1,       /* ustring, +uOFF() */
	FETCH_IMMEDIATE = 2,     /* \IMM */
	FETCH_SYMSTR = 4,
	FETCH_CHAR = 8,
	FETCH_BTF = 16,          /* arguments by name at a function's start, and -> */
	FETCH_REFCOUNT = 32,     /* (REFCTR) of uprobes */
	FETCH_RETURN_SUFFIX = 64,
	FETCH_ARGN = 128,            /* $argN of the kernel's functions */
	FETCH_RETURN_ARGS = 256,     /* also at their return, with the values of the entry */
	FETCH_ARRAY = 512,           /* TYPE[N] */
	FETCH_DENTRY = 1024,         /* %pd, %pD */
};
unsigned fetch_features(const char *readme);

struct fetch_env {
	const struct arch *arch;     /* of the probed code */
	bool is_user;                /* a uprobe */
	bool is_return;
	bool at_entry;               /* the probe is on a function's first instruction */
	bool at_ret_insn;            /* the probes are on return instructions: $retval is in its register */
	const char *usdt_args;       /* of a marker: the argument text of its note, which locates $argN; else NULL */
	const uint8_t *arg_regs;     /* perf register numbers of arguments; NULL: the architecture's */
	uint8_t n_arg_regs;
	unsigned features;           /* fetch_feature */
	/*
	 * Look up the variable of that name at the place. -ENOENT, with the existing ones; -ENODATA: no information.
	 * NULL: names are not supported here.
	 */
	int (*variable)(void *arg, struct sv name, struct fetch_var *v, struct err *e);
	/* The i-th variable, for $vars and $params: 1, 0: no more, or -errno. May be NULL. */
	int (*nth)(void *arg, unsigned i, bool *is_param, struct fetch_var *v, struct err *e);
	/*
	 * The i-th declared parameter, and its place at the first instruction: 1, 0: no more, -ENODATA: unknown, or any
	 * number may follow. May be NULL.
	 */
	int (*param)(void *arg, unsigned i, struct fetch_var *v, struct err *e);
	/* The function's return type; src NULL: unknown. May be NULL. */
	struct ctype (*returns)(void *arg);
	/*
	 * Write the kernel's notation for memory at an address of the file: "@SYMBOL+8" in the kernel, "@+OFFSET" in a
	 * program. -EOPNOTSUPP: there is none. May be NULL.
	 */
	int (*address)(void *arg, uint64_t addr, struct out *o, struct err *e);
	void *arg;
	unsigned *signless;          /* counts values that the kernel prints unsigned. May be NULL */
	unsigned *skipped;           /* counts variables that $vars and $params skip. May be NULL */
};

/* Write all arguments of a point, each with a space in front. -EINVAL, -ENOENT ... naming the argument. */
int fetch_put(const struct fetch_env *env, const struct point *p, struct out *o, struct err *e);

/*
 * Write those arguments of a USDT marker (text of obj/elf/usdt.h) that can be fetched: " arg1=%x0:s32 ...". *skipped:
 * number of the others.
 */
void fetch_put_usdt(const struct fetch_env *env, const char *args, struct out *o, unsigned *skipped);

#endif
