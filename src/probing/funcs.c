/* funcs.c - collect the functions of a program. */
#include "probing/funcs.h"

#include "obj/cfi.h"
#include "obj/elf_symbols.h"
#include "obj/gofunc.h"

enum { FUNCS_MAX = 1 << 23 };

const char *func_source_name(enum func_source s)
{
	static const char *const names[] = { ".symtab", ".dynsym", "debug file", "Go's table", ".eh_frame" };

	return names[s];
}

static int add(struct funcs *f, const struct func *what)
{
	struct func *at = f->v.n < FUNCS_MAX ? vec_add(&f->v) : NULL;

	if (!at)
		return -ENOMEM;
	*at = *what;
	return 0;
}

/* Mapping symbols ($x, $d) and what has no name are none. */
static bool is_function(const struct elf_symbol *s, const char *name, const struct program *p)
{
	if (s->section == ELF_UNDEF || s->section == ELF_ABS || !name[0] || name[0] == '$' || name[0] == '.')
		return false;
	if (s->type == ELF_FUNC || s->type == ELF_IFUNC)
		return true;
	return s->type == ELF_NOTYPE && s->bind != ELF_LOCAL && image_is_code(&p->code, s->value);
}

static int add_mark(struct funcs *f, uint64_t addr, bool is_data)
{
	struct func_mark *at = f->marks.n < FUNCS_MAX ? vec_add(&f->marks) : NULL;

	if (!at)
		return -ENOMEM;
	*at = (struct func_mark){ addr, is_data };
	return 0;
}

/* What one section ends with says nothing of the next one. */
static int add_starts(struct funcs *f, const struct program *p)
{
	struct elf_code code;
	int r = 0;

	elf_code_init(&code, &p->code.elf);
	for (size_t i = 0; !r && f->marks.n && i < code.n; i++)
		r = add_mark(f, code.v[i].start, false);
	return r;
}

static int mark_order(const void *a, const void *b)
{
	const struct func_mark *x = a, *y = b;

	return x->addr != y->addr ? x->addr < y->addr ? -1 : 1 : (int)x->is_data - (int)y->is_data;
}

static int add_symbols(struct funcs *f, const struct program *p, const struct elf_symbols *t, enum func_source source)
{
	struct elf_symbol s;
	int r = 0;

	for (size_t i = 0; !r && elf_symbols_get(t, i, &s); i++) {
		const char *name = elf_symbols_name(t, &s);

		if (name[0] == '$' && (name[1] == 'd' || name[1] == 'x') && image_is_code(&p->code, s.value))
			r = add_mark(f, s.value, name[1] == 'd');
		else if (is_function(&s, name, p))
			r = add(f, &(struct func){ s.value, s.size, name, source, s.type == ELF_IFUNC });
	}
	return r;
}

static int add_go(struct funcs *f, const struct program *p)
{
	struct gofuncs g;
	struct gofunc x;
	int r = 0;

	if (gofuncs_init(&g, &p->code.elf, NULL))
		return 0;
	for (size_t i = 0; !r && i < g.n; i++)
		if (gofuncs_get(&g, i, &x))
			r = add(f, &(struct func){ x.start, x.end - x.start, x.name, FUNC_GO, false });
	return r;
}

static int add_frame(void *arg, const struct cfi_fde *fde)
{
	return add(arg, &(struct func){ fde->start, fde->end - fde->start, NULL, FUNC_FRAME, false });
}

/* By address; then by name, the nameless last. */
static int order(const void *a, const void *b)
{
	const struct func *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	if (!x->name || !y->name)
		return (int)!x->name - (int)!y->name;

	int by_name = strcmp(x->name, y->name);

	return by_name ? by_name : (int)x->source - (int)y->source;
}

/* One of equal names at an address; starts of frames only where there is nothing better, then with a name. */
static int tidy(struct funcs *f, const struct program *p)
{
	uint64_t covered = 0;
	size_t n = 0;

	if (f->marks.n)
		qsort(f->marks.v, f->marks.n, sizeof(f->marks.v[0]), mark_order);
	if (f->v.n)
		qsort(f->v.v, f->v.n, sizeof(f->v.v[0]), order);
	for (size_t i = 0; i < f->v.n; i++) {
		struct func *x = &f->v.v[i];
		const struct func *last = n ? &f->v.v[n - 1] : NULL;

		if (x->source == FUNC_FRAME) {
			char name[32];

			if (x->addr < covered || (last && last->addr == x->addr) || !image_is_code(&p->code, x->addr))
				continue;
			snprintf(name, sizeof(name), "fn_%#llx", (unsigned long long)x->addr);
			x->name = arena_dup(&f->arena, name, strlen(name));
			if (!x->name)
				return -ENOMEM;
		} else {
			covered = MAX(covered, x->addr + x->size);
			if (last && last->addr == x->addr && last->name && !strcmp(last->name, x->name)) {
				f->v.v[n - 1].size = MAX(last->size, x->size);
				continue;
			}
		}
		f->v.v[n++] = *x;
	}
	f->v.n = n;
	return 0;
}

int funcs_of(struct funcs *f, const struct program *p, enum funcs_what what, struct err *e)
{
	struct elf_symbols t;
	struct cfi cfi;
	int r = 0;

	memset(f, 0, sizeof(*f));
	if (elf_symbols_static(&p->code.elf, &t))
		r = add_symbols(f, p, &t, FUNC_SYMTAB);
	if (!r && elf_symbols_dynamic(&p->code.elf, &t))
		r = add_symbols(f, p, &t, FUNC_DYNSYM);
	if (!r && p->debug.bytes && elf_symbols_static(&p->debug.elf, &t))
		r = add_symbols(f, p, &t, FUNC_DEBUG);
	if (!r)
		r = add_go(f, p);
	if (!r && (what == FUNCS_ALL || !f->v.n) && !cfi_init(&cfi, &p->code.elf, NULL)) {
		r = cfi_each(&cfi, add_frame, f, NULL);
		r = r == -ENOMEM ? r : 0;   /* a damaged one ends the list: the others are known */
	}
	if (!r)
		r = add_starts(f, p);
	if (!r)
		r = tidy(f, p);
	if (!r)
		return 0;
	funcs_deinit(f);
	return err_nomem(e);
}

void funcs_deinit(struct funcs *f)
{
	vec_free(&f->v);
	vec_free(&f->marks);
	arena_deinit(&f->arena);
}

static size_t underscores(const char *name)
{
	return strspn(name, "_");
}

/* Of several names of one address: what people call it. */
static bool is_better(const struct func *a, const struct func *b)
{
	if (a->size != b->size && (!a->size || !b->size))
		return a->size;
	if (underscores(a->name) != underscores(b->name))
		return underscores(a->name) < underscores(b->name);
	return strlen(a->name) < strlen(b->name);
}

/* The first that starts behind addr. */
static size_t behind(const struct funcs *f, uint64_t addr)
{
	size_t lo = 0, hi = f->v.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (f->v.v[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct func *funcs_at(const struct funcs *f, uint64_t addr)
{
	enum { BACK_MAX = 64 };
	const struct func *best = NULL;
	size_t lo = behind(f, addr);

	/* A label inside a function may stand nearer than the function. */
	for (size_t back = 0; lo && back < BACK_MAX; back++, lo--) {
		const struct func *x = &f->v.v[lo - 1];
		bool has = x->addr == addr || addr - x->addr < x->size || (!x->size && !back);

		if (best && x->addr != best->addr)
			break;
		if (has && (!best || is_better(x, best)))
			best = x;
	}
	return best;
}

const struct func *funcs_named(const struct funcs *f, uint64_t addr, const char *name)
{
	const struct func *x = f->v.v + behind(f, addr);

	while (x > f->v.v && (--x)->addr == addr)
		if (!strcmp(x->name, name))
			return x;
	return NULL;
}

bool funcs_is_data(const struct funcs *f, uint64_t addr)
{
	size_t lo = 0, hi = f->marks.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (f->marks.v[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && f->marks.v[lo - 1].is_data;
}

uint64_t funcs_size(const struct funcs *f, const struct func *x)
{
	if (x->size)
		return x->size;
	for (const struct func *next = x + 1; next < f->v.v + f->v.n; next++)
		if (next->addr > x->addr)
			return next->addr - x->addr;
	return 0;
}
