/* func.c - functions by name, and at an address. */
#include "obj/dwarf/parts.h"

struct func_search {
	const struct dwarf_func_want *want;
	int (*each)(void *arg, const struct dwarf_func *f);
	void *arg;
};

/* Make a function of an entry with code, and find the function around it. False: it has no code. */
static bool func_make(const struct dwarf_walk *w, struct dwarf_func *f)
{
	*f = (struct dwarf_func){ .die = w->die, .outer = w->die };
	f->is_inlined = w->die.tag == DW_TAG_inlined_subroutine;
	for (unsigned i = w->depth; f->is_inlined && i-- > 0;) {
		if (w->up[i].tag == DW_TAG_subprogram) {
			f->outer = w->up[i];
			break;
		}
	}
	return dwarf_entry_pc(&w->die, &f->entry) == 1;
}

static int func_found(void *arg, const struct dwarf_walk *w)
{
	const struct func_search *s = arg;
	struct dwarf_func f;

	if (w->die.tag == DW_TAG_inlined_subroutine && !s->want->inlined)
		return 0;
	return func_make(w, &f) ? s->each(s->arg, &f) : 0;
}

/* All functions: test the name, which may come from an abstract origin. */
static int func_any(void *arg, const struct dwarf_walk *w)
{
	const struct func_search *s = arg;
	const char *pattern = s->want->name;

	if (w->die.tag == DW_TAG_inlined_subroutine && !s->want->inlined)
		return 0;
	if (pattern && !str_glob(pattern, sv_from(die_name(&w->die))) &&
	    !str_glob(pattern, sv_from(die_linkage_name(&w->die))))
		return 0;
	return func_found(arg, w);
}

int dwarf_each_function(struct dwarf *d, const struct dwarf_func_want *w,
			int (*each)(void *arg, const struct dwarf_func *f), void *arg, struct err *e)
{
	struct func_search s = { w, each, arg };
	struct dwarf_search search = { .d = d, .name = w->name, .is_glob = w->name && w->is_glob,
				       .kind = DWARF_FUNCTIONS, .found = func_found, .arg = &s };

	if (w->name && (!w->is_glob || strstr(w->name, "::")))
		return dwarf_search(&search, e);
	search.found = func_any;
	return dwarf_each_entry(&search, e);
}

enum nested { NESTED_SKIP, NESTED_LOOK };

/* Nested functions are outside of their parent's range: search them only when nothing else contains the address. */
static int functions_in(const struct dwarf_unit *u, uint64_t pc, enum nested nested,
			struct dwarf_func v[DWARF_INLINE_DEPTH], struct err *e)
{
	struct dwarf_walk w;
	int got, n = 0;
	unsigned depth = 0;

	dwarf_walk_init(&w, u);
	while ((got = dwarf_walk_next(&w, e)) == 1) {
		bool is_inline = w.die.tag == DW_TAG_inlined_subroutine;

		if (n && w.depth <= depth)
			break;
		if (w.die.tag != DW_TAG_subprogram && !is_inline)
			continue;
		if ((is_inline && !n) || !die_has_pc(&w.die, pc)) {
			if (nested == NESTED_SKIP || n || is_inline)
				dwarf_walk_jump(&w);
			continue;
		}
		if (n == DWARF_INLINE_DEPTH)
			break;
		if (!n || !is_inline) {
			depth = w.depth;
			n = 0;
		}
		func_make(&w, &v[n++]);
	}
	return got < 0 ? got : n;
}

int dwarf_functions_at(struct dwarf *d, uint64_t pc, struct dwarf_func v[DWARF_INLINE_DEPTH], struct err *e)
{
	const struct dwarf_unit *u = dwarf_unit_of(d, pc, e);
	int n = u ? functions_in(u, pc, NESTED_SKIP, v, e) : 0;

	return u && !n ? functions_in(u, pc, NESTED_LOOK, v, e) : n;
}
