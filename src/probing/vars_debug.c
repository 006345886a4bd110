/* vars_debug.c - finds variables at a spot by debug information. */
#include "probing/vars_parts.h"

#include "arch/arch.h"

enum {
	DW_AT_ABSTRACT_ORIGIN = 0x31,
	DW_AT_SPECIFICATION = 0x47,
	DW_TAG_PARAM = 0x05,
	DW_TAG_UNSPECIFIED = 0x18,   /* "..." */
	DW_TAG_VARIABLE = 0x34,
	DW_TAG_PACK = 0x4107,        /* parameter pack of a C++ template: any number of parameters */
};

struct pick {
	struct sv name;          /* the last match is the innermost one */
	unsigned index;          /* or: the i-th variable */
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
 * Address behind the branch protection instructions at a function's entry: they change no argument, but clang's
 * location lists begin behind them, and hold for the entry, too.
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
 * Search the functions into which this one is inlined; or one that was inlined just before, whose line rows may
 * continue behind its last instruction: its variables are still valid there.
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
		/* At a function's entry skip functions that are inlined there. */
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

int vars_debug_variable(const struct vars *v, struct sv name, struct fetch_var *to, struct err *e)
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

int vars_debug_nth(const struct vars *v, unsigned i, bool *is_param, struct fetch_var *to, struct err *e)
{
	struct pick p = { .index = i };
	int r = dwarf_each_variable(&v->spot->debug, v->spot->pc, pick_index, &p, e);

	if (r < 0 || !p.found)
		return r < 0 ? r : 0;
	*is_param = p.var.is_param;
	r = take(v, &p.var, to, e);
	return r ? r : 1;
}

/* The declared parameter: for an instance that is inlined elsewhere it stands in the abstract origin. */
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

int vars_debug_param(const struct vars *v, unsigned i, struct fetch_var *to)
{
	struct pick p = { 0 };
	struct die die;
	int r;

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

struct ctype vars_debug_returns(const struct vars *v)
{
	struct die die = v->spot->debug.outer, origin;
	struct ctype t = { 0 };

	for (unsigned i = 0; i < 4; i++) {
		t = die_type(&die);
		if (t.src || (die_ref(&die, DW_AT_ABSTRACT_ORIGIN, &origin, NULL) <= 0 &&
			      die_ref(&die, DW_AT_SPECIFICATION, &origin, NULL) <= 0))
			break;
		die = origin;
	}
	return t;
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

	/* Not all compilers describe thread-local variables: arm64 has no relocation for that. */
	if (!r && var->depth == UINT_MAX && to.loc.kind == LOC_GONE && !l->v->s->is_kernel &&
	    module_is_tls(&l->v->s->program, to.name))
		to.loc.why = "thread local";
	return r ? r : l->each(l->arg, &to);
}

/* List the globals of the unit: its top-level DIEs. */
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

int vars_debug_each(const struct vars *v, enum vars_globals globals,
		    int (*each)(void *arg, const struct fetch_var *var), void *arg, struct err *e)
{
	struct listing l = { v, each, arg, e };
	int r = dwarf_each_variable(&v->spot->debug, v->spot->pc, list_one, &l, e);

	return r || globals == VARS_LOCAL ? r : list_globals(&l);
}
