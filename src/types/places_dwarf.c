/* places_dwarf.c - locations of variables from DWARF: of a function's scopes, and of functions inlined in it. */
#include "obj/dwarf/where.h"
#include "types/places.h"

/* Limits: nesting of scopes; DIEs of a function; locations; evaluated expressions; ranges of a scope. */
enum { DEPTH_MAX = 64, ENTRIES_MAX = 1 << 16, PLACES_MAX = 1 << 16, LOOKS_MAX = 1 << 17, RANGES_MAX = 64 };

/* DWARF tags of scopes and variables. */
enum { TAG_PARAMETER = 0x05, TAG_BLOCK = 0x0b, TAG_INLINED = 0x1d, TAG_TRY = 0x32, TAG_VARIABLE = 0x34 };

struct gather {
	struct type_places *p;
	struct dwarf_func func;      /* the current function, which may be an inlined one */
	uint64_t entry;              /* entry point of the outermost, real function */
	unsigned entries, depth, looks;
	const struct dwarf_range *scope;
	size_t n_scope;
	/* The current variable. */
	const struct dwarf_var *var;
	uint32_t type;
	uint64_t size;
	int err;
};

/* The size of the whole variable: for an array the table has the element's type only. */
static uint64_t size_of(struct ctype type)
{
	struct ctype_info info;

	return ctype_info(type, &info, NULL) ? 0 : info.size;
}

/* Convert a location; false: of a kind that the data flow analysis cannot use. */
static bool place_of(const struct gather *g, const struct loc *loc, struct type_place *p)
{
	*p = (struct type_place){ .type = g->type, .size = g->size, .off = loc->off, .depth = (uint16_t)g->depth };
	if (loc->n_derefs || loc->reg >= ARCH_NO_REG)
		return false;
	p->reg = (uint8_t)loc->reg;
	switch (loc->kind) {
	case LOC_REG:
		p->off = 0;
		p->kind = PLACE_REG;
		return true;
	case LOC_VALUE:
		p->kind = PLACE_REG;
		return !loc->shift;
	case LOC_MEM:
		p->kind = PLACE_MEM;
		return g->size;
	default:
		return false;
	}
}

static int put(struct gather *g, const struct type_place *p)
{
	struct type_place *new;

	if (p->start >= p->end || g->p->v.n >= PLACES_MAX)
		return 0;
	new = vec_add(&g->p->v);
	if (!new)
		return g->err = -ENOMEM;
	*new = *p;
	return 0;
}

/* An entry of a location list. */
static int put_stretch(void *arg, const struct dwarf_range *r)
{
	struct gather *g = arg;
	struct type_place p;
	struct loc loc;

	if (++g->looks > LOOKS_MAX)
		return 1;
	if (dwarf_locate(&g->func, g->var, r->start, &loc, NULL) || !place_of(g, &loc, &p))
		return 0;
	p.start = r->start;
	p.end = r->end;
	return put(g, &p);
}

/*
 * The variable has one location expression for its whole scope. It is evaluated at the entry point, so that a location
 * in the frame is relative to the first stack pointer. If that is not possible, it is evaluated at the start of each
 * range of the scope; instead of the entry point one instruction later, where parameters may be stored by then.
 */
static int put_everywhere(struct gather *g)
{
	const struct arch *a = g->p->arch;
	struct type_place p;
	struct loc loc;

	if (dwarf_locate(&g->func, g->var, g->entry, &loc, NULL))
		return 0;

	bool from_entry = place_of(g, &loc, &p) && g->p->is_whole;

	if (from_entry && p.kind == PLACE_MEM && p.reg == a->regs[a->reg_sp].dwarf)
		p.kind = PLACE_FRAME;
	for (size_t i = 0; i < g->n_scope && !g->err; i++) {
		uint64_t start = g->scope[i].start;

		if (!from_entry) {
			start = start == g->entry ? start + MAX(a->insn_size, 1) : start;
			if (dwarf_locate(&g->func, g->var, start, &loc, NULL) || !place_of(g, &loc, &p))
				continue;
		}
		p.start = start;
		p.end = g->scope[i].end;
		put(g, &p);
	}
	return g->err;
}

static int put_variable(struct gather *g, const struct die *die)
{
	struct dwarf_var var = { .die = *die, .name = "", .is_param = die->tag == TAG_PARAMETER };
	struct ctype type = die_type(die);

	g->type = types_add(g->p->types, g->p->scope, type);
	if (!g->type)
		return 0;
	g->var = &var;
	g->size = size_of(type);
	if (dwarf_each_stretch(&var, put_stretch, g) == DWARF_EVERYWHERE)
		put_everywhere(g);
	g->var = NULL;
	return g->err;
}

static int gather_in(struct gather *g, const struct die *die);

/* A nested scope; without ranges of its own it has those of the outer scope. */
static int gather_scope(struct gather *g, const struct die *die)
{
	struct dwarf_range ranges[RANGES_MAX];
	struct gather in = *g;
	int n = die_ranges(die, ranges, ARRAY_SIZE(ranges), NULL), r;

	if (g->depth >= DEPTH_MAX)
		return 0;
	in.depth++;
	if (n > 0) {
		in.scope = ranges;
		in.n_scope = (size_t)n;
	}
	if (die->tag == TAG_INLINED) {
		in.func.die = *die;
		in.func.is_inlined = true;
	}
	r = gather_in(&in, die);
	g->entries = in.entries;
	g->looks = in.looks;
	g->err = in.err;
	return r;
}

static int gather_in(struct gather *g, const struct die *die)
{
	struct die child;
	int got = die_child(die, &child, NULL);

	while (got == 1 && !g->err && ++g->entries < ENTRIES_MAX) {
		struct die at = child;

		if (child.tag == TAG_PARAMETER || child.tag == TAG_VARIABLE)
			put_variable(g, &child);
		else if (child.tag == TAG_BLOCK || child.tag == TAG_TRY || child.tag == TAG_INLINED)
			gather_scope(g, &child);
		got = die_sibling(&at, &child, NULL);
	}
	return g->err;
}

static int gather_function(struct type_places *p, const struct dwarf_func *f)
{
	struct dwarf_range ranges[RANGES_MAX];
	struct gather g = { .p = p, .func = *f, .entry = f->entry, .scope = ranges };
	int n = die_ranges(&f->die, ranges, ARRAY_SIZE(ranges), NULL);

	g.n_scope = n > 0 ? (size_t)n : 0;
	return gather_in(&g, &f->die);
}

int places_dwarf(struct type_places *p, struct dwarf *d, uint64_t start)
{
	struct dwarf_func v[DWARF_INLINE_DEPTH];
	int n = dwarf_functions_at(d, start, v, NULL);

	p->is_whole = n > 0 && v[0].entry == start;
	return n > 0 ? gather_function(p, &v[0]) : 0;
}
