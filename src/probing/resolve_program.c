/* resolve_program.c - places in a program by its symbols, addresses and markers. */
#include "probing/resolve_parts.h"

#include "obj/usdt.h"

void resolve_program_at(struct resolving *g, struct spot *s)
{
	const struct sym *f = subject_function_at(g->s, s->addr);

	if (!f)
		return;
	s->func = symtab_name(&g->s->program.functions, f);
	s->offset = s->addr - f->addr;
	s->size = f->size;
}

/* A name with * in it may be meant as it is: Go's methods have one. */
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

		if (!resolve_means(g, name)) {
			nearest_feed(&g->near, name);
			continue;
		}
		if (f->chooser) {
			g->saw_chooser = true;
			continue;
		}
		/* Stubs, and starts that only a frame tells, have no names of their own: they are not meant by "*". */
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

/* Headers are in what is mapped executable, too, where a linker puts all into one segment. */
static bool is_in_headers(const struct image *img, uint64_t addr)
{
	const struct elf *f = &img->elf;
	uint64_t offset, size = MAX(f->segment_off + (uint64_t)f->n_segments * f->segment_step, UINT64_C(64));

	return image_offset(img, addr, &offset) && offset < size;
}

/* The sections say what is code, where there are some; of very many not all are known. */
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

/* An address of the file; or, where that is none of code, an offset in it. */
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

int resolve_program(struct resolving *g)
{
	return g->p->kind == POINT_ADDR ? by_address(g) : by_name(g);
}

/* --- markers --- */

struct marker {
	struct resolving *g;
	int r;
};

static bool is_meant(const char *name, struct sv pattern)
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

	if (!is_meant(u->provider, p->provider) || !is_meant(u->name, p->func))
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

int resolve_usdt(struct resolving *g)
{
	struct marker m = { .g = g };
	unsigned damaged;

	if (g->s->is_kernel)
		return err_set(g->e, EINVAL, "markers are in programs: name one with -x");
	usdt_each(&g->s->program.code.elf, marker, &m, &damaged);
	return m.r;
}
