/* vars.c - chooses the source of variables at a spot. */
#include "probing/vars_parts.h"

#include "arch/arch.h"

enum { VARS_MAX = 4096 };

/* --- by BTF: integers and pointers fill the argument registers one by one --- */

static int btf_nth(const struct vars *v, unsigned i, struct fetch_var *to, struct err *e)
{
	const struct arch *a = v->s->arch;
	const struct btf *b = kernel_image_btf(&v->s->kernel, sv_from(v->spot->module));
	int64_t func = b ? btf_find_func(b, sv_from(v->spot->func)) : -ENOENT;
	struct btf_param p;
	unsigned reg = 0;
	int r;

	if (!b) {
		*e = v->s->kernel.no_btf;
		return -ENODATA;
	}
	if (func < 0)
		return err_set(e, ENODATA, "the kernel's type information does not have %s", v->spot->func);
	for (unsigned k = 0; (r = btf_param(b, func, k, &p, e)) > 0; k++) {
		struct ctype_info t = { 0 };
		unsigned words = 1;

		/* Structs of up to two words are passed in registers; larger ones by address. */
		if (!ctype_info(p.type, &t, NULL) && (t.kind == CTYPE_STRUCT || t.kind == CTYPE_UNION) && t.size > 8 &&
		    t.size <= 16)
			words = 2;
		if (k == i) {
			to->name = p.name;
			to->type = p.type;
			to->loc = (struct loc){ .kind = LOC_REG };
			if (reg + words > a->n_arg_regs)
				to->loc = (struct loc){ .kind = LOC_GONE, .why = "on the stack" };
			else if (t.kind == CTYPE_FLOAT)
				to->loc = (struct loc){ .kind = LOC_GONE, .why = "in a register for floating point" };
			else if (words == 1)
				to->loc.reg = a->regs[a->arg_regs[reg]].dwarf;
			else
				to->loc.kind = LOC_PIECES;
			for (; to->loc.kind == LOC_PIECES && to->loc.n_pieces < words; to->loc.n_pieces++, reg++)
				to->loc.piece[to->loc.n_pieces] = (struct loc_piece){
					.at = 8 * to->loc.n_pieces, .size = 8, .kind = LOC_REG,
					.reg = a->regs[a->arg_regs[reg]].dwarf,
				};
			return 1;
		}
		reg += words;
	}
	return r;
}

static bool btf_may(const struct vars *v)
{
	return v->s->is_kernel && !v->spot->offset && !v->is_return;
}

static int btf_variable(const struct vars *v, struct sv name, struct fetch_var *to, struct err *e)
{
	char all[200] = "";
	size_t n = 0;
	int r;

	for (unsigned i = 0; (r = btf_nth(v, i, to, e)) > 0; i++) {
		if (to->name.n == name.n && !memcmp(to->name.s, name.s, name.n))
			return 0;
		if (n < sizeof(all))
			n += (size_t)snprintf(all + n, sizeof(all) - n, "%s%.*s", n ? ", " : "", (int)to->name.n,
					      to->name.s);
	}
	if (r < 0)
		return r;
	err_set(e, ENOENT, "%s has no parameter '%.*s'", v->spot->func, (int)MIN(name.n, 80u), name.s);
	return all[0] ? err_hint(e, "it has: %s", all) : -ENOENT;
}

static struct ctype btf_returns(const struct vars *v)
{
	const struct btf *b = kernel_image_btf(&v->s->kernel, sv_from(v->spot->module));
	int64_t func = b ? btf_find_func(b, sv_from(v->spot->func)) : -ENOENT;

	return func >= 0 ? btf_return(b, func) : (struct ctype){ 0 };
}

/* --- callbacks of fetch --- */

static int no_names(const struct vars *v, struct err *e)
{
	const struct err *why = NULL;

	if (v->s->is_kernel && (v->spot->offset || v->is_return)) {
		err_set(e, ENODATA,
			"without debug information arguments have names only at a function's first instruction");
		return err_hint(e,
				"-k VMLINUX names a kernel with debug information; %%REGISTER and $retval need none");
	}
	if (subject_dwarf(v->s, &why))
		return err_set(e, ENODATA, "the debug information does not have %s",
			       v->spot->func[0] ? v->spot->func : "this place");
	*e = *why;
	return -ENODATA;
}

static int variable(void *arg, struct sv name, struct fetch_var *to, struct err *e)
{
	const struct vars *v = arg;

	if (v->spot->has_debug)
		return vars_debug_variable(v, name, to, e);
	return btf_may(v) ? btf_variable(v, name, to, e) : no_names(v, e);
}

static int nth(void *arg, unsigned i, bool *is_param, struct fetch_var *to, struct err *e)
{
	const struct vars *v = arg;

	if (i >= VARS_MAX)
		return 0;
	*is_param = true;
	if (v->spot->has_debug)
		return vars_debug_nth(v, i, is_param, to, e);
	return btf_may(v) ? btf_nth(v, i, to, e) : no_names(v, e);
}

static int param(void *arg, unsigned i, struct fetch_var *to, struct err *e)
{
	const struct vars *v = arg;

	if (v->spot->has_debug)
		return vars_debug_param(v, i, to);
	return btf_may(v) ? btf_nth(v, i, to, e) : -ENODATA;
}

static struct ctype returns(void *arg)
{
	const struct vars *v = arg;

	if (v->spot->has_debug)
		return vars_debug_returns(v);
	return v->s->is_kernel ? btf_returns(v) : (struct ctype){ 0 };
}

static int address(void *arg, uint64_t addr, struct out *o, struct err *e)
{
	const struct vars *v = arg;

	if (v->s->is_kernel) {
		if (v->s->kernel.file.code.elf.type == ELF_REL)
			return err_set(e, EOPNOTSUPP,
				       "where a module's own variables are is not known before it is loaded");
		out_printf(o, "@0x%llx", (unsigned long long)(addr + v->s->kernel.shift));
		return 0;
	}
	if (v->s->program.code.elf.type == ELF_EXEC) {
		out_printf(o, "@0x%llx", (unsigned long long)addr);
		return 0;
	}
	/*
	 * Address globals relative to the probe's pc. At a return the pc is in the caller; and @+OFFSET is not
	 * reliable: kernels from 4.20 on add OFFSET twice, up to a fix of 2026 that was backported to stable ones, so
	 * that no version number tells.
	 */
	if (v->is_return)
		return err_set(e, EXDEV, "where the program is in memory is not known at a return address");
	out_printf(o, "%+lld(%%%s)", (long long)(addr - v->spot->addr), v->s->arch->regs[v->s->arch->reg_ip].name);
	return 0;
}

void vars_env(struct vars *v, struct fetch_env *env)
{
	env->arch = v->s->arch;
	env->is_user = !v->s->is_kernel;
	env->is_return = v->is_return;
	env->at_entry = !v->spot->offset && !v->is_return;
	env->variable = variable;
	env->nth = nth;
	env->param = param;
	env->returns = returns;
	env->address = address;
	env->arg = v;
}

int vars_each(struct vars *v, enum vars_globals globals, int (*each)(void *arg, const struct fetch_var *var), void *arg,
	      struct err *e)
{
	struct fetch_var var;
	bool is_param;
	int r = 0;

	if (v->spot->has_debug)
		return vars_debug_each(v, globals, each, arg, e);
	for (unsigned i = 0; (r = nth(v, i, &is_param, &var, e)) > 0; i++) {
		r = each(arg, &var);
		if (r)
			break;
	}
	return r;
}
