#include "report/globals.h"

#include "base/find.h"
#include "image/module.h"
#include "obj/elf/symbols.h"
#include "sym/kernel.h"

enum { SYMBOLS_MAX = 1 << 20 };

void globals_deinit(struct globals *g)
{
	unit_deinit(&g->unit);
	map_deinit(&g->scopes);
	for (size_t i = 0; i < g->names.n; i++)
		map_deinit(&g->names.v[i].ids);
	vec_free(&g->names);
	map_deinit(&g->returns);
	map_deinit(&g->variables);
	vec_free(&g->symbols);
	vec_free(&g->links);
}

/* Number the files, for the scope of types. */
static int number_scope(struct globals *g)
{
	const void *file = g->want.dwarf ? (const void *)g->want.dwarf : (const void *)g->want.btf;
	bool is_new;
	uint64_t *at = map_add(&g->scopes, (uintptr_t)file, &is_new);

	if (!at)
		return -ENOMEM;
	if (is_new)
		*at = g->scopes.n;
	g->scope = (uint32_t)*at;
	return 0;
}

int globals_of(struct globals *g, const struct globals_want *w, uint64_t addr)
{
	const struct dwarf_unit *u = w->dwarf ? dwarf_unit_of(w->dwarf, addr, NULL) : NULL;

	g->want = *w;
	if (number_scope(g))
		return -ENOMEM;
	if (u)
		return unit_read(&g->unit, u);
	unit_deinit(&g->unit);
	return 0;
}

/* --- symbols --- */

static int by_address(const void *a, const void *b)
{
	const struct globals_symbol *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

static int add_symbols(struct globals *g, const struct elf_symbols *t)
{
	struct elf_symbol s;

	for (size_t i = 0; elf_symbols_get(t, i, &s) && g->symbols.n < SYMBOLS_MAX; i++) {
		struct globals_symbol *new;

		if (s.type != ELF_OBJECT || s.section == ELF_UNDEF || !s.size)
			continue;
		new = vec_add(&g->symbols);
		if (!new)
			return -ENOMEM;
		*new = (struct globals_symbol){ s.value, s.size, elf_symbols_name(t, &s) };
	}
	return 0;
}

/* Read the variables of the first symbol table that there is. */
static void read_symbols(struct globals *g)
{
	struct module *m = g->want.module;
	const struct elf *debug = module_debug(m);
	struct elf_symbols t;

	g->symbols.n = 0;
	g->symbols_of = m;
	if ((debug && elf_symbols_static(debug, &t)) || elf_symbols_static(&m->code.elf, &t) ||
	    elf_symbols_dynamic(&m->code.elf, &t))
		add_symbols(g, &t);
	if (g->symbols.n)
		qsort(g->symbols.v, g->symbols.n, sizeof(*g->symbols.v), by_address);
}

static const struct globals_symbol *symbol_at(struct globals *g, uint64_t addr)
{
	size_t n;

	if (!g->want.module)
		return NULL;
	if (g->symbols_of != g->want.module)
		read_symbols(g);
	n = find_upto(g->symbols.v, g->symbols.n, addr, addr);
	return n && addr - g->symbols.v[n - 1].addr < g->symbols.v[n - 1].size ? &g->symbols.v[n - 1] : NULL;
}

/* --- relocations --- */

/* Numbers of ELF for the Arm 64-bit Architecture and the System V psABI for AMD64: RELATIVE; ABS64/64 and GLOB_DAT. */
static bool is_relative(const struct elf *f, uint32_t type)
{
	return type == (f->machine == ELF_AARCH64 ? 1027 : 8);
}

static bool is_symbols(const struct elf *f, uint32_t type)
{
	return f->machine == ELF_AARCH64 ? type == 257 || type == 1025 : type == 1 || type == 6;
}

static int add_links(struct globals *g, const struct elf *f, struct cursor c, const struct elf_symbols *t)
{
	while (cur_left(&c) && !c.bad && g->links.n < SYMBOLS_MAX) {
		uint64_t at = cur_u64(&c), info = cur_u64(&c), to = cur_u64(&c);
		struct globals_link *new;
		struct elf_symbol s;

		if (is_symbols(f, (uint32_t)info) && elf_symbols_get(t, info >> 32, &s) && s.value)
			to += s.value;
		else if (!is_relative(f, (uint32_t)info))
			continue;
		new = vec_add(&g->links);
		if (!new)
			return -ENOMEM;
		*new = (struct globals_link){ at, to };
	}
	return 0;
}

static int by_place(const void *a, const void *b)
{
	const struct globals_link *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

static void read_links(struct globals *g)
{
	const struct elf *f = &g->want.module->code.elf;
	struct elf_symbols t = { 0 };
	struct elf_section s;

	g->links.n = 0;
	g->links_of = g->want.module;
	if (!elf_symbols_dynamic(f, &t))
		t.n = 0;
	for (uint32_t i = 1; f->is64 && elf_section(f, i, &s); i++)
		if (s.type == ELF_RELA && s.flags & ELF_ALLOC && add_links(g, f, elf_section_data(f, &s), &t))
			return;
	if (g->links.n)
		qsort(g->links.v, g->links.n, sizeof(*g->links.v), by_place);
}

uint64_t globals_linked(void *globals, uint64_t addr)
{
	struct globals *g = globals;
	size_t n;

	if (!g->want.module)
		return 0;
	if (g->links_of != g->want.module)
		read_links(g);
	n = find_upto(g->links.v, g->links.n, at, addr);
	return n && g->links.v[n - 1].at == addr ? g->links.v[n - 1].to : 0;
}

/* --- names of the kernel --- */

enum name_kind { NAME_FUNCTION, NAME_VARIABLE };

static uint64_t key_of(enum name_kind kind, struct sv name)
{
	return (uint64_t)hash_bytes(name.s, name.n) << 32 | (uint64_t)(name.n & 0xffff) << 1 | kind;
}

/* The first type of a name counts. */
static int add_name(struct map *ids, enum name_kind kind, struct sv name, int64_t id)
{
	uint64_t *at = map_add(ids, key_of(kind, name), NULL);

	if (at && !*at)
		*at = (uint64_t)id;
	return at ? 0 : -ENOMEM;
}

static int add_function(void *arg, struct sv name, int64_t func)
{
	return add_name(arg, NAME_FUNCTION, name, func);
}

static int add_variable(void *arg, struct sv name, int64_t var)
{
	return add_name(arg, NAME_VARIABLE, name, var);
}

/* NULL: no memory. */
static struct globals_names *names_of(struct globals *g, const struct btf *btf)
{
	struct globals_names *new;

	for (size_t i = 0; i < g->names.n; i++)
		if (g->names.v[i].of == btf)
			return &g->names.v[i];
	new = vec_add(&g->names);
	if (!new)
		return NULL;
	new->of = btf;
	btf_each_func(btf, add_function, &new->ids);
	btf_each_var(btf, add_variable, &new->ids);
	return new;
}

static int64_t named(struct globals *g, enum name_kind kind, const char *name)
{
	const struct btf *btf[] = { g->want.btf, g->want.base };
	const uint64_t *at = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(btf) && btf[i] && !at; i++) {
		const struct globals_names *names = names_of(g, btf[i]);

		at = names ? map_get(&names->ids, key_of(kind, sv_from(name))) : NULL;
	}
	return at ? (int64_t)*at : 0;
}

int64_t globals_function(struct globals *g, const char *name)
{
	return named(g, NAME_FUNCTION, name);
}

/* --- variables --- */

static uint32_t kernel_variable(struct globals *g, uint64_t addr, uint64_t *start)
{
	struct kernel_symbol s;
	bool is_new;
	uint64_t *at;

	if (!g->want.btf || !resolver_kernel_thing(g->want.session->resolver, addr + g->want.shift, &s))
		return TYPES_NONE;
	*start = s.start - g->want.shift;
	at = map_add(&g->variables, s.start, &is_new);
	if (at && is_new) {
		struct ctype type = btf_var_type(g->want.btf, named(g, NAME_VARIABLE, s.name));

		*at = types_add(g->want.types, g->scope, type);
	}
	return at ? (uint32_t)*at : TYPES_NONE;
}

uint32_t globals_variable(void *globals, uint64_t addr, uint64_t *start)
{
	struct globals *g = globals;
	const struct unit_thing *own = unit_at(&g->unit, addr);
	const struct globals_symbol *s;

	if (own) {
		*start = own->addr;
		return types_add(g->want.types, g->scope, own->type);
	}
	if (!g->want.dwarf)
		return kernel_variable(g, addr, start);
	s = symbol_at(g, addr);
	if (!s)
		return TYPES_NONE;
	*start = s->addr;
	return types_add(g->want.types, g->scope, unit_named(&g->unit, DWARF_THING_VARIABLE, sv_from(s->name)));
}

bool globals_is_canary(void *globals, uint64_t addr)
{
	struct globals *g = globals;
	const struct globals_symbol *s = symbol_at(g, addr);
	struct kernel_symbol k;

	if (!g->want.dwarf && resolver_kernel_thing(g->want.session->resolver, addr + g->want.shift, &k))
		return !strcmp(k.name, "__stack_chk_guard") || !strcmp(k.name, "__ref_stack_chk_guard");
	return s && !strcmp(s->name, "__stack_chk_guard");
}

/* --- functions --- */

static struct ctype returned_by_kernel(struct globals *g, uint64_t addr)
{
	struct kernel_symbol s;
	int64_t func;

	if (!resolver_kernel_thing(g->want.session->resolver, addr + g->want.shift, &s) ||
	    s.start != addr + g->want.shift)
		return (struct ctype){ 0 };
	func = globals_function(g, s.name);
	return func > 0 ? btf_return(g->want.btf, func) : (struct ctype){ 0 };
}

/* The return type of the function at addr, or of the one that a PLT stub is named after: "malloc@plt". */
static struct ctype returned_by_symbol(struct globals *g, uint64_t addr)
{
	struct module *m = g->want.module;
	const struct sym *s = module_functions(m, FUNCTIONS_BEST, NULL) ? NULL : symtab_find(&m->functions, addr);
	struct sv name = s ? sv_from(symtab_name(&m->functions, s)) : SV("");
	const char *at = memchr(name.s, '@', name.n);

	if (!s || s->addr != addr)
		return (struct ctype){ 0 };
	if (at)
		name.n = (size_t)(at - name.s);
	return unit_named(&g->unit, DWARF_THING_FUNCTION, name);
}

uint32_t globals_returned(void *globals, uint64_t addr)
{
	struct globals *g = globals;
	struct ctype type;
	bool is_new;
	uint64_t *at;

	if (g->want.dwarf)
		return types_add(g->want.types, g->scope, returned_by_symbol(g, addr));
	at = map_add(&g->returns, addr, &is_new);
	if (at && !is_new)
		return (uint32_t)*at;
	type = returned_by_kernel(g, addr);
	if (at)
		*at = types_add(g->want.types, g->scope, type);
	return at ? (uint32_t)*at : TYPES_NONE;
}

uint32_t globals_task(struct globals *g)
{
	struct sv name = SV("task_struct");
	struct globals_names *names;

	if (g->want.dwarf)
		return types_add(g->want.types, g->scope, unit_named(&g->unit, DWARF_THING_STRUCT, name));
	names = names_of(g, g->want.btf);
	if (names && !names->has_task) {
		names->has_task = true;
		names->task = types_add(g->want.types, g->scope, btf_find_type(g->want.btf, name));
	}
	return names ? names->task : TYPES_NONE;
}
