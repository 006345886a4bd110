/*
 * resolve.c - resolves a point to its spots, by symbols, addresses and markers, or by debug information
 * (resolve_debug.c); also the error when nothing was found.
 */
#include "probing/resolve_parts.h"

#include "obj/demangle/demangle.h"
#include "obj/elf/usdt.h"

enum { NEAR = 3 };

struct spot *resolve_add(struct resolving *g, uint64_t addr, int *r)
{
	struct spot *s;

	*r = 0;
	for (size_t i = 0; i < g->to->v.n && i < 4096; i++)
		if (addr && g->to->v.v[i].addr == addr)
			return NULL;
	s = g->to->v.n < SPOTS_MAX ? vec_add(&g->to->v) : NULL;
	if (!s) {
		*r = err_nomem(g->e);
		return NULL;
	}
	s->addr = addr;
	s->func = s->module = s->inlined = s->inlined_symbol = "";
	return s;
}

const char *resolve_keep(struct resolving *g, struct sv text)
{
	const char *s = arena_dup(&g->s->arena, text.s, text.n);

	return s ? s : "";
}

static bool matches(const struct resolving *g, const char *name)
{
	if (g->rex)
		return rex_match(g->rex, sv_from(name));
	return g->is_glob ? str_glob(g->name, sv_from(name)) : !strcmp(g->name, name);
}

/* "int ns::most<int>(int)": the start of the name, behind the return type. */
static char *behind_type(char *full)
{
	char *from = full;
	unsigned depth = 0;

	for (char *s = full; *s && (*s != '(' || depth); s++) {
		depth += *s == '<' || *s == '(';
		depth -= (*s == '>' || *s == ')') && depth;
		if (*s == ' ' && !depth)
			from = s + 1;
	}
	return from;
}

/*
 * Compare with a demangled name that has parameters: with or without a clone suffix (" [clone .isra.0]"), const, and
 * the return type.
 */
static bool matches_full(const struct resolving *g, char *full)
{
	static const char *const tails[] = { " [clone ", ") const" };

	if (matches(g, full) || matches(g, behind_type(full)))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(tails); i++) {
		char *tail = strstr(full, tails[i]);

		if (!tail)
			continue;
		tail[*tail == ')'] = '\0';
		if (matches(g, full) || matches(g, behind_type(full)))
			return true;
	}
	return false;
}

/* Does the wanted name or pattern match? Names are tried as in the file, and demangled. */
static bool means(const struct resolving *g, const char *name)
{
	char plain[8192];

	if (matches(g, name))
		return true;
	if (name[0] != '_' || (name[1] != 'Z' && name[1] != 'R'))
		return false;
	if (demangle(name, DEMANGLE_SHORT, plain, sizeof(plain)) && matches(g, plain))
		return true;
	/* Parameters select one of several overloads; a hash selects one of several equal names of Rust. */
	return (strchr(g->name, '(') || strstr(g->name, "::h")) &&
	       demangle(name, DEMANGLE_FULL, plain, sizeof(plain)) && matches_full(g, plain);
}

/* --- the kernel, by kallsyms --- */

bool resolve_kernel_at(struct resolving *g, struct spot *s, uint64_t addr)
{
	struct kallsyms_line f;

	if (!kernel_image_at(&g->s->kernel, addr, &f, &s->size))
		return false;
	s->func = resolve_keep(g, f.name);
	s->module = resolve_keep(g, f.module);
	s->offset = addr - f.addr;
	return true;
}

struct search {
	struct resolving *g;
	struct sv exact;         /* empty: a pattern */
	bool clones;             /* "name.isra.0" and the like match, too */
	size_t first;            /* index of the first spot of this search */
	int r;
};

/* Is the name a clone that the compiler specialised? */
static bool is_clone(struct sv name, struct sv of)
{
	static const char *const kinds[] = { ".isra.", ".constprop.", ".llvm." };

	if (name.n <= of.n || memcmp(name.s, of.s, of.n))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (sv_starts((struct sv){ name.s + of.n, name.n - of.n }, kinds[i]))
			return true;
	return false;
}

static bool is_meant(const struct search *x, struct sv name)
{
	char text[256];

	if (x->exact.n)
		return x->clones ? is_clone(name, x->exact)
				 : name.n == x->exact.n && !memcmp(name.s, x->exact.s, name.n);
	str_copy(text, sizeof(text), name);
	return means(x->g, text);
}

static int consider(void *arg, const struct kallsyms_line *f)
{
	struct search *x = arg;
	struct resolving *g = x->g;
	struct spot *s;

	if (!is_meant(x, f->name)) {
		/* For the case of no match: keep only near names, as there are a quarter of a million functions. */
		if (x->clones && str_distance(x->exact, f->name, NEAR) <= NEAR)
			nearest_feed(&g->near, resolve_keep(g, f->name));
		return 0;
	}
	s = resolve_add(g, f->addr ? f->addr + g->p->offset : 0, &x->r);
	if (s) {
		s->func = resolve_keep(g, f->name);
		s->module = resolve_keep(g, f->module);
		s->offset = g->p->offset;
		s->is_unique = true;
	}
	return x->r;
}

struct seen {
	const char *name;
	unsigned times;
};

static int count_name(void *arg, const struct kallsyms_line *f)
{
	struct seen *s = arg;

	s->times += sv_eq(f->name, s->name);
	return s->times > 1;
}

/* The kernel refuses a name that several functions share, or takes the first one: those need an address. */
static void mark_unique(struct search *x)
{
	struct spots *to = x->g->to;

	if (x->exact.n && !x->clones) {
		for (size_t i = x->first; i < to->v.n; i++)
			to->v.v[i].is_unique = to->v.n == x->first + 1;
		return;
	}
	for (size_t i = x->first; i < to->v.n && i < x->first + 64; i++) {
		struct seen seen = { .name = to->v.v[i].func };

		to->v.v[i].is_unique = !kernel_image_each(&x->g->s->kernel, count_name, &seen);
	}
}

static int by_kernel(struct resolving *g)
{
	struct search x = { .g = g, .first = g->to->v.n };
	struct spot *s;
	int r;

	if (g->p->kind == POINT_ADDR) {
		s = resolve_add(g, g->p->offset, &r);
		if (s && !resolve_kernel_at(g, s, g->p->offset))
			return err_set(g->e, EINVAL, "there is no function of the kernel at 0x%llx",
				       (unsigned long long)g->p->offset);
		mark_unique(&x);
		return r;
	}
	if (!g->is_glob && !g->rex)
		x.exact = sv_from(g->name);
	kernel_image_each(&g->s->kernel, consider, &x);
	if (!x.r && g->to->v.n == x.first && x.exact.n) {
		x.clones = true;
		kernel_image_each(&g->s->kernel, consider, &x);
	}
	mark_unique(&x);
	/* Finding the size of a function takes a search, and only an offset into the function needs it. */
	for (size_t i = x.first; g->p->offset && i < g->to->v.n; i++) {
		struct kallsyms_line f;

		s = &g->to->v.v[i];
		if (s->addr)
			kernel_image_at(&g->s->kernel, s->addr - s->offset, &f, &s->size);
	}
	return x.r;
}

/* --- a program, by its symbols and addresses --- */

void resolve_program_at(struct resolving *g, struct spot *s)
{
	const struct sym *f = subject_function_at(g->s, s->addr);

	if (!f)
		return;
	s->func = symtab_name(&g->s->program.functions, f);
	s->offset = s->addr - f->addr;
	s->size = f->size;
}

/* A name with * in it may be literal: methods of Go have one. */
static bool is_literal(struct resolving *g)
{
	const struct symtab *t = &g->s->program.functions;

	for (size_t i = 0; i < t->syms.n; i++)
		if (!strcmp(symtab_name(t, &t->syms.v[i]), g->name))
			return true;
	return false;
}

static int by_name(struct resolving *g)
{
	int r = module_functions(&g->s->program, FUNCTIONS_ALL, g->e);
	const struct symtab *t = &g->s->program.functions;

	if (!r && g->is_glob && is_literal(g))
		g->is_glob = false;
	for (size_t i = 0; !r && i < t->syms.n; i++) {
		const struct sym *f = &t->syms.v[i];
		const char *name = symtab_name(t, f);
		struct spot *s;

		if (!means(g, name)) {
			nearest_feed(&g->near, name);
			continue;
		}
		if (f->chooser) {
			g->saw_chooser = true;
			continue;
		}
		/*
		 * A pattern does not match stubs, and functions known only by unwind tables, which have no symbol of
		 * their own.
		 */
		if (!functions_is_named(f) && (g->is_glob || g->rex))
			continue;
		s = resolve_add(g, f->addr + g->p->offset, &r);
		if (s) {
			s->func = name;
			s->offset = g->p->offset;
			s->size = f->size;
			resolve_debug_at(g, s);
			resolve_debug_skip(g, s);
		}
	}
	return r;
}

/* File headers are mapped executable, too, if the linker puts everything into one segment. */
static bool is_in_headers(const struct image *img, uint64_t addr)
{
	const struct elf *f = &img->elf;
	uint64_t offset, size = MAX(f->segment_off + (uint64_t)f->n_segments * f->segment_step, UINT64_C(64));

	return image_offset(img, addr, &offset) && offset < size;
}

/* If there are sections they say what is code; of very many sections not all are known. */
static bool is_code(const struct image *img, const struct elf_code *code, uint64_t addr)
{
	return image_is_code(img, addr) && !is_in_headers(img, addr) &&
	       (elf_code_find(code, addr) || code->n == ELF_CODE_MAX || !code->n);
}

static int no_code(const struct image *img, const struct elf_code *code, uint64_t addr, struct err *e)
{
	const struct elf_range *near = NULL;
	uint64_t least = UINT64_MAX;

	for (const struct elf_range *x = code->v; x < code->v + code->n; x++) {
		uint64_t far = addr < x->start ? x->start - addr : addr - x->end;

		if (far < least) {
			least = far;
			near = x;
		}
	}
	err_set(e, EINVAL, "there is no code at 0x%llx in %s", (unsigned long long)addr, img->path);
	return near ? err_hint(e, "the nearest is from 0x%llx up to 0x%llx", (unsigned long long)near->start,
			       (unsigned long long)near->end - 1)
		    : -EINVAL;
}

/* An address in the file; if there is no code at it, an offset in the file. */
static int by_address(struct resolving *g)
{
	const struct image *img = &g->s->program.code;
	uint64_t addr = g->p->offset;
	struct elf_code code;
	struct spot *s;
	int r;

	elf_code_init(&code, &img->elf);
	if (!is_code(img, &code, addr) && !(image_addr(img, addr, &addr) && is_code(img, &code, addr)))
		return no_code(img, &code, g->p->offset, g->e);
	s = resolve_add(g, addr, &r);
	if (s) {
		resolve_program_at(g, s);
		resolve_debug_at(g, s);
	}
	return r;
}

static int by_program(struct resolving *g)
{
	return g->p->kind == POINT_ADDR ? by_address(g) : by_name(g);
}

/* --- markers --- */

struct marker {
	struct resolving *g;
	int r;
};

static bool fits(const char *name, struct sv pattern)
{
	char text[256];

	str_copy(text, sizeof(text), pattern);
	return str_glob(text, sv_from(name));
}

static int marker(void *arg, const struct usdt *u)
{
	struct marker *m = arg;
	const struct point *p = m->g->p;
	struct spot *s;

	if (!fits(u->provider, p->provider) || !fits(u->name, p->func))
		return 0;
	s = resolve_add(m->g, u->pc, &m->r);
	if (s) {
		resolve_program_at(m->g, s);
		s->semaphore = u->semaphore_offset;
		s->usdt_args = u->args;
		s->provider = u->provider;
		s->func = u->name;
		resolve_debug_at(m->g, s);
	}
	return m->r;
}

static int by_marker(struct resolving *g)
{
	struct marker m = { .g = g };
	unsigned damaged;

	if (g->s->is_kernel)
		return err_set(g->e, EINVAL, "markers are in programs: name one with -x");
	usdt_each(&g->s->program.code.elf, marker, &m, &damaged);
	return m.r;
}

/* --- choosing the way --- */

static int not_found(struct resolving *g)
{
	const struct point *p = g->p;
	const struct err *why = NULL;
	char near[160];

	if (g->saw_chooser) {
		err_set(g->e, EINVAL, "'%s' only chooses, at load time, which function is used (IFUNC)", g->name);
		return err_hint(g->e, "probe that one: -F '*%.60s*' lists what there is", g->name);
	}
	if (p->kind == POINT_FUNC && g->s->want->no_inlines && resolve_debug_is_inlined(g))
		return err_set(g->e, ENOENT, "%s is inlined wherever it is called, which --no-inlines leaves out",
			       g->name);
	if (p->kind == POINT_USDT)
		return err_set(g->e, ENOENT, "%s has no marker %.*s%s%.*s", g->s->program.code.path,
			       (int)p->provider.n, p->provider.s, p->provider.n ? ":" : "", (int)p->func.n, p->func.s);
	if (p->kind == POINT_LINE || p->has_line || p->pattern.n || p->src.n) {
		if (!subject_dwarf(g->s, &why)) {
			*g->e = *why;
			return err_hint(g->e, "lines and files of the source are told by debug information only");
		}
		return g->e->code ? -g->e->code : err_set(g->e, ENOENT, "there is no code of that place in the source");
	}
	if (g->s->is_kernel && kernel_image_check_module(&g->s->kernel, g->e))
		return -ENOENT;
	err_set(g->e, ENOENT, "there is no function '%s' in %s%s", g->name,
		g->s->is_kernel ? "the kernel or its modules" : g->s->program.code.path,
		nearest_text(&g->near, near, sizeof(near)));
	return -ENOENT;
}

/* Check that offsets are within their functions, which the debug information has not done. */
static int check_offsets(struct resolving *g, size_t from)
{
	for (size_t i = from; i < g->to->v.n; i++) {
		const struct spot *s = &g->to->v.v[i];

		if (s->size && s->offset >= s->size)
			return err_set(g->e, EINVAL, "%s is only %llu bytes long", s->func,
				       (unsigned long long)s->size);
	}
	return 0;
}

static int find(struct resolving *g)
{
	const struct point *p = g->p;
	int r;

	if (p->kind == POINT_USDT)
		return by_marker(g);
	if (p->kind == POINT_LINE || p->has_line || p->src.n || p->pattern.n)
		return p->kind == POINT_LINE ? resolve_debug_line(g) : resolve_debug_func(g);
	if (p->kind == POINT_FUNC && !g->is_glob && !g->rex && !p->offset) {
		r = resolve_debug_func(g);
		if (r != -ENOENT && r != -ENODATA)
			return r;
		*g->e = (struct err){ 0 };
	}
	return g->s->is_kernel ? by_kernel(g) : by_program(g);
}

int resolve(struct subject *s, const struct point *p, enum resolve_for what, struct spots *to, struct err *e)
{
	struct resolving g = { .s = s, .p = p, .what = what, .to = to, .e = e };
	size_t from = to->v.n;
	struct arena arena = { 0 };
	struct rex rex;
	int r = 0;

	g.name = p->func.n ? p->func.s : "";
	nearest_init(&g.near, p->func);
	if (p->is_regex) {
		r = rex_init(&rex, &arena, p->func, e);
		g.rex = &rex;
	} else {
		g.is_glob = p->kind == POINT_FUNC && str_is_glob(p->func) && !p->is_exact &&
			    !strstr(g.name, " [clone .");
	}
	r = r ? r : find(&g);
	if ((!r && to->v.n == from) || r == -ENOENT || r == -ENODATA)
		r = not_found(&g);
	if (!r)
		r = check_offsets(&g, from);
	arena_deinit(&arena);
	return r;
}

void spots_deinit(struct spots *to)
{
	vec_free(&to->v);
}
