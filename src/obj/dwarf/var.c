/* var.c - variables and parameters in scope at an address, globals, definitions of types. */
#include "obj/dwarf/parts.h"

/* Limits: nesting of blocks; children of a function that are compared with those of an instance. */
enum { BLOCKS = 64, LOST = 4096 };

static bool is_variable(unsigned tag)
{
	return tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
}

static bool is_block(unsigned tag)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_try_block;
}

static bool has_code(const struct die *die)
{
	struct dwarf_value v;

	return die_attr(die, DW_AT_low_pc, &v, NULL) == 1 || die_attr(die, DW_AT_ranges, &v, NULL) == 1;
}

struct variables {
	int (*each)(void *arg, const struct dwarf_var *v);
	void *arg;
	uint64_t pc;
	int stop;
};

/* Visit the variables of a block; then *block becomes the inner block that contains pc. False: there is none. */
static bool block_each(struct variables *s, struct die *block, unsigned depth)
{
	struct die child, inner = { 0 };
	int got = die_child(block, &child, NULL);

	while (got == 1) {
		struct die at = child;
		struct dwarf_var v = { .die = child, .depth = depth, .is_param = child.tag == DW_TAG_formal_parameter };

		if (is_variable(child.tag)) {
			v.name = die_name(&child);
			s->stop = *v.name ? s->each(s->arg, &v) : 0;
			if (s->stop)
				return false;
		}
		if (is_block(child.tag) && (die_has_pc(&child, s->pc) || (!inner.u && !has_code(&child))))
			inner = child;
		got = die_sibling(&at, &child, NULL);
	}
	*block = inner;
	return inner.u;
}

static bool stands_for(const struct die *die, const struct die *abstract)
{
	struct die to;

	return is_variable(die->tag) && dwarf_origin(die, &to, NULL) == 1 &&
	       to.off == abstract->off && to.u == abstract->u;
}

/* Has the block a child whose abstract origin is this entry? */
static bool is_there(const struct die *block, const struct die *abstract)
{
	struct die child;
	int got = die_child(block, &child, NULL);

	while (got == 1 && !stands_for(&child, abstract)) {
		struct die at = child;

		got = die_sibling(&at, &child, NULL);
	}
	return got == 1;
}

/* Visit variables of the abstract function that this instance lacks, to report them as optimised out. */
static void lost_each(struct variables *s, const struct die *function)
{
	struct die origin, child;
	int got = die_ref(function, DW_AT_abstract_origin, &origin, NULL) == 1 ? die_child(&origin, &child, NULL) : 0;

	for (unsigned i = 0; got == 1 && i < LOST; i++) {
		struct die at = child;
		struct dwarf_var v = { .die = child, .is_param = child.tag == DW_TAG_formal_parameter };

		if (is_variable(child.tag) && !is_there(function, &child)) {
			v.name = die_name(&child);
			s->stop = *v.name ? s->each(s->arg, &v) : 0;
			if (s->stop)
				return;
		}
		got = die_sibling(&at, &child, NULL);
	}
}

int dwarf_each_variable(const struct dwarf_func *f, uint64_t pc, int (*each)(void *arg, const struct dwarf_var *v),
			void *arg, struct err *e)
{
	struct variables s = { .each = each, .arg = arg, .pc = pc };
	struct die block = f->die;
	bool more = true;

	(void)e;
	for (unsigned depth = 0; depth < BLOCKS && more; depth++) {
		more = block_each(&s, &block, depth);
		if (!depth && !s.stop)
			lost_each(&s, &f->die);
		more = more && !s.stop;
	}
	return s.stop;
}

/* --- globals --- */

struct global_search {
	const char *name;
	struct dwarf_var *var;
};

static int global_found(void *arg, const struct dwarf_walk *w)
{
	struct global_search *s = arg;
	struct dwarf_value v;

	for (unsigned i = 0; i < w->depth; i++) {
		if (w->up[i].tag == DW_TAG_subprogram || w->up[i].tag == DW_TAG_inlined_subroutine)
			return 0;
	}
	if (die_attr(&w->die, DW_AT_location, &v, NULL) != 1 && die_attr(&w->die, DW_AT_const_value, &v, NULL) != 1)
		return 0;
	*s->var = (struct dwarf_var){ .die = w->die, .depth = UINT_MAX };
	s->var->name = die_name(&s->var->die);
	return 1;
}

int dwarf_global(struct dwarf *d, const struct dwarf_unit *u, const char *name, struct dwarf_var *v, struct err *e)
{
	struct global_search s = { name, v };
	struct dwarf_search search = { .d = d, .name = name, .kind = DWARF_VARIABLES, .only = u,
				       .found = global_found, .arg = &s };
	int got = u ? dwarf_search(&search, e) : 0;

	search.only = NULL;
	if (!got)
		got = dwarf_search(&search, e);
	return got < 0 ? got : got ? 0 : err_set(e, ENOENT, "there is no variable '%s'", name);
}

/* --- definitions of types --- */

struct type_search {
	unsigned tag;
	struct die *to;
};

static unsigned kind_of(unsigned tag)
{
	return tag == DW_TAG_class_type ? DW_TAG_structure_type : tag;
}

/* Only top-level types: inside of a scope the name means another type. */
static int type_found(void *arg, const struct dwarf_walk *w)
{
	struct type_search *s = arg;
	struct dwarf_value v;

	if (w->depth != 1 || kind_of(w->die.tag) != s->tag || die_attr(&w->die, DW_AT_declaration, &v, NULL) == 1)
		return 0;
	*s->to = w->die;
	return 1;
}

static bool is_outermost(const struct die *die)
{
	struct dwarf_walk w;

	dwarf_walk_init(&w, die->u);
	while (dwarf_walk_next(&w, NULL) == 1 && w.die.off < die->off) {
		if (w.sibling && w.sibling <= die->off)
			dwarf_walk_jump(&w);
	}
	return w.die.off == die->off && w.depth == 1;
}

static int definition_find(const struct die *declared, struct die *to)
{
	struct type_search s = { kind_of(declared->tag), to };
	struct dwarf_search search = { .d = declared->u->d, .name = die_name(declared), .kind = DWARF_TYPES_NAMED,
				       .found = type_found, .arg = &s };

	return *search.name && is_outermost(declared) ? dwarf_search(&search, NULL) : 0;
}

int dwarf_definition(const struct die *declared, enum dwarf_effort effort, struct die *to)
{
	struct dwarf *d = declared->u->d;
	uint64_t key = (uintptr_t)declared->u->bytes.start + declared->off, *at = map_get(&d->definitions, key);
	struct die *found;

	if (at && *at)
		*to = d->defined.v[*at - 1];
	if (at || effort == DWARF_KNOWN)
		return at && *at;
	found = definition_find(declared, to) == 1 ? vec_add(&d->defined) : NULL;
	at = map_add(&d->definitions, key, NULL);
	if (!found || !at)
		return 0;
	*found = *to;
	*at = d->defined.n;
	return 1;
}
