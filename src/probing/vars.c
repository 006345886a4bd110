/* vars.c - variables at a spot. */
#include "probing/vars.h"

#include "arch/arch.h"

enum {
	DW_AT_ABSTRACT_ORIGIN = 0x31,
	DW_AT_SPECIFICATION = 0x47,
	DW_TAG_PARAM = 0x05,
	DW_TAG_UNSPECIFIED = 0x18,   /* "..." */
	DW_TAG_VARIABLE = 0x34,
	DW_TAG_PACK = 0x4107,        /* of a C++ template: it has any number of them */
	VARS_MAX = 4096,
};

/* --- by debug information --- */

struct pick {
	struct sv name;          /* the last one of that name is the innermost */
	unsigned index;          /* or the i-th */
	unsigned n;
	bool found;
	struct dwarf_var var;
};

static int pick_name(void *arg, const struct dwarf_var *v)
{
	struct pick *p = arg;

	if (sv_eq(p->name, v->name)) {
		p->var = *v;
		p->found = true;
	}
	return 0;
}

static int pick_index(void *arg, const struct dwarf_var *v)
{
	struct pick *p = arg;

	if (p->n++ != p->index)
		return 0;
	p->var = *v;
	return p->found = true;
}

/*
 * Marks of branch protection at a function's entry change no argument, but clang's lists of places begin behind them:
 * what holds there holds at the entry, too. The address behind them.
 */
static uint64_t behind_marks(const struct vars *v)
{
	enum { MARKS_MAX = 4 };
	uint64_t pc = v->spot->pc;
	struct cursor c = v->s->is_kernel ? module_code(&v->s->kernel.file, pc)
					  : module_code(&v->s->program, pc);
	struct arch_insn insn;

	for (unsigned i = 0; i < MARKS_MAX && !c.bad && v->s->arch->insn(c.pos, cur_left(&c), pc, &insn) &&
			     insn.flags & ARCH_INSN_MARK; i++) {
		cur_skip(&c, insn.len);
		pc += insn.len;
	}
	return pc;
}

static int locate(const struct vars *v, const struct dwarf_func *f, const struct dwarf_var *var, struct loc *loc,
		  struct err *e)
{
	int r = dwarf_locate(f, var, v->spot->pc, loc, e);
	uint64_t pc;

	if (r || loc->kind != LOC_GONE || !var->is_param || v->spot->pc != f->entry)
		return r;
	pc = behind_marks(v);
	return pc != v->spot->pc ? dwarf_locate(f, var, pc, loc, e) : 0;
}

static int take_of(const struct vars *v, const struct dwarf_func *f, const struct dwarf_var *var, struct fetch_var *to,
		   struct err *e)
{
	to->name = sv_from(var->name);
	to->type = die_type(&var->die);
	return locate(v, f, var, &to->loc, e);
}

static int take(const struct vars *v, const struct dwarf_var *var, struct fetch_var *to, struct err *e)
{
	return take_of(v, &v->spot->debug, var, to, e);
}

/*
 * A variable of the functions that this one is inlined in; or of one that was inlined just before, as rows of its lines
 * may come behind its last instruction: what is known of its variables holds there still.
 */
static bool find_around(const struct vars *v, struct sv name, struct fetch_var *to)
{
	const struct dwarf_func *own = &v->spot->debug;
	struct dwarf_func f[DWARF_INLINE_DEPTH];
	struct pick p = { .name = name };

	for (unsigned back = 0; back <= (v->spot->offset ? 1 : 0); back++) {
		int n = dwarf_functions_at(own->die.u->d, v->spot->pc - back, f, NULL);

		if (n <= 0 || f[0].die.off != own->outer.off)
			return false;
		/* At a function's entry, what is inlined there is not meant. */
		while (!back && n && f[n - 1].die.off != own->die.off)
			n--;
		while (n--) {
			if (dwarf_each_variable(&f[n], v->spot->pc - back, pick_name, &p, NULL) < 0)
				return false;
			if (p.found)
				return !take_of(v, &f[n], &p.var, to, NULL) && (!back || to->loc.kind != LOC_GONE);
		}
	}
	return false;
}

struct feeding {
	struct nearest near;
};

static int feed(void *arg, const struct dwarf_var *v)
{
	struct feeding *f = arg;

	nearest_feed(&f->near, v->name);
	return 0;
}

static int debug_variable(const struct vars *v, struct sv name, struct fetch_var *to, struct err *e)
{
	struct pick p = { .name = name };
	struct feeding f;
	char text[256];
	int r = dwarf_each_variable(&v->spot->debug, v->spot->pc, pick_name, &p, e);

	if (r < 0)
		return r;
	if (!p.found && find_around(v, name, to))
		return 0;
	if (!p.found) {
		str_copy(text, sizeof(text), name);
		r = dwarf_global(v->spot->debug.die.u->d, v->spot->debug.die.u, text, &p.var, NULL);
		if (r && !v->s->is_kernel && module_is_tls(&v->s->program, name))
			return err_set(e, EOPNOTSUPP,
				       "%s is thread local: where a thread has its own no probe can tell", text);
		if (r) {
			nearest_init(&f.near, name);
			dwarf_each_variable(&v->spot->debug, v->spot->pc, feed, &f, NULL);
			err_set(e, ENOENT, "there is no variable '%.*s' in %s%s", (int)MIN(name.n, 80u), name.s,
				v->spot->func, nearest_text(&f.near, text, sizeof(text)));
			return err_hint(e, "'sonde probe -V %s' lists those there are", v->spot->func);
		}
	}
	return take(v, &p.var, to, e);
}

static int debug_nth(const struct vars *v, unsigned i, bool *is_param, struct fetch_var *to, struct err *e)
{
	struct pick p = { .index = i };
	int r = dwarf_each_variable(&v->spot->debug, v->spot->pc, pick_index, &p, e);

	if (r < 0 || !p.found)
		return r < 0 ? r : 0;
	*is_param = p.var.is_param;
	r = take(v, &p.var, to, e);
	return r ? r : 1;
}

/* --- by BTF: integers and pointers one after the other in the registers for arguments --- */

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

		/* Structs of up to two words are in registers; larger ones are passed by their address. */
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

/* --- what fetch asks --- */

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
		return debug_variable(v, name, to, e);
	return btf_may(v) ? btf_variable(v, name, to, e) : no_names(v, e);
}

static int nth(void *arg, unsigned i, bool *is_param, struct fetch_var *to, struct err *e)
{
	const struct vars *v = arg;

	if (i >= VARS_MAX)
		return 0;
	*is_param = true;
	if (v->spot->has_debug)
		return debug_nth(v, i, is_param, to, e);
	return btf_may(v) ? btf_nth(v, i, to, e) : no_names(v, e);
}

/* As it was declared: of an instance of a function that is inlined elsewhere, that is told once for all. */
static int declared_param(const struct vars *v, unsigned i, struct die *param)
{
	struct die die = v->spot->debug.die, origin;
	int got;

	if (die_ref(&die, DW_AT_ABSTRACT_ORIGIN, &origin, NULL) > 0)
		die = origin;
	for (got = die_child(&die, param, NULL); got > 0; got = die_sibling(param, param, NULL)) {
		if (param->tag == DW_TAG_UNSPECIFIED || param->tag == DW_TAG_PACK)
			return -ENODATA;
		if (param->tag == DW_TAG_PARAM && !i--)
			return 1;
	}
	return 0;
}

static int param(void *arg, unsigned i, struct fetch_var *to, struct err *e)
{
	const struct vars *v = arg;
	struct pick p = { 0 };
	struct die die;
	int r;

	if (!v->spot->has_debug)
		return btf_may(v) ? btf_nth(v, i, to, e) : -ENODATA;
	if (v->spot->debug.is_inlined)
		return -ENODATA;
	r = declared_param(v, i, &die);
	if (r <= 0)
		return r;
	to->name = p.name = sv_from(die_name(&die));
	to->type = die_type(&die);
	to->loc = (struct loc){ .kind = LOC_GONE };
	if (p.name.n && dwarf_each_variable(&v->spot->debug, v->spot->pc, pick_name, &p, NULL) >= 0 && p.found)
		locate(v, &v->spot->debug, &p.var, &to->loc, NULL);
	return 1;
}

static struct ctype returns(void *arg)
{
	const struct vars *v = arg;
	struct die die, origin;
	struct ctype t = { 0 };

	if (v->spot->has_debug) {
		die = v->spot->debug.outer;
		for (unsigned i = 0; i < 4; i++) {
			t = die_type(&die);
			if (t.src || (die_ref(&die, DW_AT_ABSTRACT_ORIGIN, &origin, NULL) <= 0 &&
				      die_ref(&die, DW_AT_SPECIFICATION, &origin, NULL) <= 0))
				break;
			die = origin;
		}
	} else if (v->s->is_kernel) {
		const struct btf *b = kernel_image_btf(&v->s->kernel, sv_from(v->spot->module));
		int64_t func = b ? btf_find_func(b, sv_from(v->spot->func)) : -ENOENT;

		if (func >= 0)
			t = btf_return(b, func);
	}
	return t;
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
	 * Where the probe is tells where the rest is, too. A return's is in the caller; and @+OFFSET is not to be
	 * relied on: from 4.20 on kernels add OFFSET twice, up to a fix of 2026 that went to the stable ones as well,
	 * so that no version tells.
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

/* --- for listing --- */

struct listing {
	const struct vars *v;
	int (*each)(void *arg, const struct fetch_var *var);
	void *arg;
	struct err *e;
};

static int list_one(void *arg, const struct dwarf_var *var)
{
	struct listing *l = arg;
	struct fetch_var to;
	int r = take(l->v, var, &to, l->e);

	/* Not all compilers tell where it is: arm64 has no relocation for that. */
	if (!r && var->depth == UINT_MAX && to.loc.kind == LOC_GONE && !l->v->s->is_kernel &&
	    module_is_tls(&l->v->s->program, to.name))
		to.loc.why = "thread local";
	return r ? r : l->each(l->arg, &to);
}

/* Globals of the unit: what stands at its top. */
static int list_globals(struct listing *l)
{
	struct die unit, die;
	int r = die_at(l->v->spot->debug.die.u, l->v->spot->debug.die.u->first, &unit, l->e);

	r = r ? r : die_child(&unit, &die, l->e);
	for (; r > 0; r = die_sibling(&die, &die, l->e)) {
		struct dwarf_var var = { .die = die, .name = die_name(&die), .depth = UINT_MAX };

		if (die.tag == DW_TAG_VARIABLE && var.name[0] && list_one(l, &var))
			break;
	}
	return r < 0 ? r : 0;
}

int vars_each(struct vars *v, enum vars_globals globals, int (*each)(void *arg, const struct fetch_var *var), void *arg,
	      struct err *e)
{
	struct listing l = { v, each, arg, e };
	struct fetch_var var;
	bool is_param;
	int r = 0;

	if (v->spot->has_debug) {
		r = dwarf_each_variable(&v->spot->debug, v->spot->pc, list_one, &l, e);
		return r || globals == VARS_LOCAL ? r : list_globals(&l);
	}
	for (unsigned i = 0; (r = nth(v, i, &is_param, &var, e)) > 0; i++) {
		r = each(arg, &var);
		if (r)
			break;
	}
	return r;
}
