/*
 * fetch_abi.c - the registers of a function's arguments and return value by their types: Arm's AAPCS64 (6.4.2, 6.5),
 * and the System V ABI for x86_64 (3.2.3). Registers are assigned separately for each class: the first integer
 * behind a double is still in the first integer register.
 */
#include "probe/fetch_parts.h"

enum { WORD = 8, STRUCT_MAX = 2 * WORD, FLOATS_MAX = 4, DEPTH_MAX = 8, LEAVES_MAX = 64 };

/* The components of a type. */
struct shape {
	uint64_t size;
	unsigned floats, leaves;
	uint64_t float_size;     /* of each float, 0: sizes differ */
	bool has_int[2];         /* an integer in its first, second word */
	bool is_struct;
};

static void see_leaves(struct shape *s, struct ctype t, uint64_t at, unsigned depth);

static void see_members(struct shape *s, struct ctype t, uint64_t at, unsigned depth)
{
	struct ctype_member m;

	for (unsigned i = 0; s->leaves < LEAVES_MAX && t.src->member(t.src, t.id, i, &m, NULL) > 0; i++)
		see_leaves(s, m.type, at + m.bit_offset / 8, depth + 1);
}

static void see_leaves(struct shape *s, struct ctype t, uint64_t at, unsigned depth)
{
	struct ctype_info info;

	if (depth > DEPTH_MAX || s->leaves >= LEAVES_MAX || ctype_info(t, &info, NULL)) {
		s->leaves = LEAVES_MAX;
		return;
	}
	if (info.kind == CTYPE_STRUCT || info.kind == CTYPE_UNION) {
		see_members(s, t, at, depth);
		return;
	}
	if (info.kind == CTYPE_ARRAY) {
		struct ctype_info of;

		if (ctype_info(info.target, &of, NULL))
			return;
		for (uint64_t i = 0; i < info.count && s->leaves < LEAVES_MAX; i++)
			see_leaves(s, info.target, at + i * of.size, depth + 1);
		return;
	}
	s->leaves++;
	if (info.kind == CTYPE_FLOAT) {
		s->float_size = !s->floats++ || s->float_size == info.size ? info.size : 0;
		return;
	}
	if (at < STRUCT_MAX)
		s->has_int[at / WORD] = true;
}

static int shape_of(struct ctype t, struct shape *s)
{
	struct ctype_info info = { 0 };

	*s = (struct shape){ 0 };
	if (!t.src || ctype_info(t, &info, NULL))
		return -ENODATA;
	s->size = info.size;
	s->is_struct = info.kind == CTYPE_STRUCT || info.kind == CTYPE_UNION;
	see_leaves(s, t, 0, 0);
	return 0;
}

/* Number of registers of each class; *in_memory: none, it is passed on the stack. */
static void registers(const struct arch *a, const struct shape *s, unsigned *ints, unsigned *floats, bool *in_memory)
{
	bool all_floats = s->floats && s->floats == s->leaves;

	*ints = *floats = 0;
	*in_memory = false;
	if (a->floats_in_a_row) {
		if (all_floats && s->float_size && s->floats <= FLOATS_MAX)
			*floats = s->floats;
		else    /* larger types are passed by address */
			*ints = s->size > STRUCT_MAX ? 1 : (unsigned)(MAX(s->size, (uint64_t)1) + WORD - 1) / WORD;
		return;
	}
	*in_memory = s->size > STRUCT_MAX || (all_floats && s->float_size > WORD);
	if (*in_memory)
		return;
	for (unsigned i = 0; i < (s->size > WORD ? 2u : 1u); i++) {
		*ints += s->has_int[i] || !s->floats;
		*floats += !s->has_int[i] && s->floats;
	}
}

static int no_such(unsigned n, unsigned there, struct err *e)
{
	if (!there)
		return err_set(e, EINVAL, "the function has no parameters");
	return err_set(e, EINVAL, "there is no $arg%u: the function has %u parameter%s", n, there,
		       there > 1 ? "s" : "");
}

static int put_reg(const struct fetch_env *env, unsigned dwarf, struct fetch_value *v)
{
	return fetch_reg_put(arch_reg_by_dwarf(env->arch, dwarf), env->arch, v) ? 0 : -ENODATA;
}

static int in_float(const struct fetch_env *env, unsigned dwarf, struct sv name, struct err *e)
{
	char buf[64];

	return err_set(e, EOPNOTSUPP, "%.*s is in %s: no probe can read that", (int)MIN(name.n, 60u), name.s,
		       fetch_reg_unread(env->arch, dwarf, buf));
}

/* If the compiler described the place at the first instruction, that counts: in clones arguments move up. */
static int by_place(const struct fetch_env *env, const struct fetch_var *var, struct fetch_value *v, struct err *e)
{
	unsigned reg = var->loc.reg;

	if (var->loc.kind != LOC_REG)
		return -ENODATA;
	if (reg >= env->arch->float_dwarf && reg - env->arch->float_dwarf < env->arch->n_float_regs)
		return in_float(env, reg, var->name, e);
	return put_reg(env, reg, v);
}

int fetch_abi_arg(const struct fetch_env *env, unsigned n, struct fetch_value *v, struct err *e)
{
	const struct arch *a = env->arch;
	unsigned ints = 0, floats = 0, n_ints = 0, n_floats = 0;
	struct fetch_var var = { 0 };
	bool in_memory = false;
	struct shape s;

	if (env->arg_regs || !env->param)
		return -ENODATA;
	for (unsigned i = 0; i < n; i++) {
		int r = env->param(env->arg, i, &var, e);

		if (r <= 0)
			return r ? r : no_such(n, i, e);
		if (shape_of(var.type, &s))
			return -ENODATA;
		ints += n_ints;
		floats += n_floats;
		registers(a, &s, &n_ints, &n_floats, &in_memory);
		/* Arguments are not split: this one and the following ones of its class are on the stack. */
		if (ints + n_ints > a->n_arg_regs) {
			in_memory = true;
			n_ints = a->floats_in_a_row ? a->n_arg_regs - ints : 0;
		}
	}
	if (by_place(env, &var, v, e) != -ENODATA)
		return e && e->code ? -e->code : 0;
	if (in_memory)
		return err_set(e, EOPNOTSUPP, "$arg%u is on the stack, not in a register", n);
	if (n_floats)
		return in_float(env, a->float_dwarf + floats, var.name, e);
	fetch_reg_put(&a->regs[a->arg_regs[ints]], a, v);
	return 0;
}

int fetch_abi_returned(const struct fetch_env *env, struct ctype t, struct err *e)
{
	char buf[120], reg[64];
	unsigned ints, floats;
	bool in_memory;
	struct shape s;

	if (shape_of(t, &s))
		return 0;
	registers(env->arch, &s, &ints, &floats, &in_memory);
	if (!floats || s.has_int[0])
		return 0;
	return err_set(e, EOPNOTSUPP, "it is %s, returned in %s: no probe can read that",
		       ctype_spell(t, buf, sizeof(buf)), fetch_reg_unread(env->arch, env->arch->float_dwarf, reg));
}
