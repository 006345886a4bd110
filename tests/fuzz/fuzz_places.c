/* A program with debug information: where its functions' variables are, and what their code touches. */
#include "image/module.h"
#include "obj/dwarf/things.h"
#include "report/globals.h"
#include "types/places.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { FUNCTIONS_MAX = 40, CODE_MAX = 4096 };

struct program {
	struct module m;
	struct types types;
	struct globals globals;
	const struct arch *arch;
	unsigned n;
};

static void follow(struct program *g, const struct type_places *p, struct cursor code, uint64_t addr)
{
	struct flow_want w = {
		.arch = g->arch, .addr = addr, .code = code, .marks = module_marks(&g->m), .types = &g->types,
		.scope = g->globals.scope, .places = p->v.v, .n_places = p->v.n, .variable = globals_variable,
		.is_canary = globals_is_canary, .linked = globals_linked, .returns = globals_returned,
		.arg = &g->globals, .is_whole = p->is_whole,
	};
	struct type_touch *v;
	int64_t n = flow_run(&w, &v);

	for (int64_t i = 0; i < n; i++)
		if (v[i].found == TYPE_FOUND && !types_at(&g->types, v[i].type)->name)
			abort();
	free(v);
}

static int function(void *arg, const struct dwarf_func *f)
{
	struct program *g = arg;
	struct globals_want w = { .types = &g->types, .module = &g->m, .dwarf = module_dwarf(&g->m, NULL) };
	struct type_places p = { .types = &g->types, .arch = g->arch };
	struct cursor code = module_code(&g->m, f->entry);

	if (code.bad || globals_of(&g->globals, &w, f->entry))
		return ++g->n > FUNCTIONS_MAX;
	p.scope = g->globals.scope;
	if (!places_dwarf(&p, w.dwarf, f->entry) && !places_sort(&p))
		follow(g, &p, cur_from(code.pos, MIN(cur_left(&code), (size_t)CODE_MAX)), f->entry);
	globals_task(&g->globals);
	places_deinit(&p);
	return ++g->n > FUNCTIONS_MAX;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct program g = { .n = 0 };
	struct module_want w = { .path = "file" };
	struct dwarf_func_want all = { 0 };
	struct dwarf *d;

	if (module_borrow(&g.m, p, n, &w, NULL))
		return 0;
	g.arch = arch_by_elf(g.m.code.elf.machine);
	d = g.arch ? module_dwarf(&g.m, NULL) : NULL;
	if (d)
		dwarf_each_function(d, &all, function, &g, NULL);
	globals_deinit(&g.globals);
	types_deinit(&g.types);
	module_close(&g.m);
	return 0;
}
