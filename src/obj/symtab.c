/* symtab.c - gather, sort, choose, look up. */
#include "obj/symtab.h"

#include "obj/elf.h"
#include "obj/elf_symbols.h"

/* Copied names beyond this are dropped: real files have some thousand stubs, run-time code some hundred thousand. */
enum { OWN_MAX = 24 << 20 };

/* Functions that are kept of all files: 32 MB. The largest programs have one million. */
enum { FUNCTIONS_MAX = 1 << 21 };

/* How far names are compared: many aliases with endless names must not take for ever. */
enum { COMPARE_MAX = 256 };

/* How many symbols to go back for an enclosing one. */
enum { NEST_MAX = 64 };

/* $x and $d mark code and data in arm64 text; .L names are local to the assembler. */
static bool is_mark(const char *name)
{
	return !name[0] || name[0] == '$' || (name[0] == '.' && name[1] == 'L');
}

static bool is_function(const struct elf_symbol *s, const struct elf_code *code)
{
	if (s->section == ELF_UNDEF)
		return false;
	if (s->type == ELF_FUNC || s->type == ELF_IFUNC)
		return true;
	return s->type == ELF_NOTYPE && s->section != ELF_ABS && s->visibility != ELF_HIDDEN &&
	       s->visibility != ELF_INTERNAL && elf_code_find(code, s->value);
}

static uint32_t size_of(uint64_t size)
{
	return (uint32_t)MIN(size, (uint64_t)SYMTAB_SIZE_MAX);
}

static uint32_t rank_of(const struct elf_symbol *s)
{
	switch (s->bind) {
	case ELF_LOCAL:
		return SYMTAB_LOCAL;
	case ELF_WEAK:
		return SYMTAB_WEAK;
	default:
		return SYMTAB_GLOBAL;
	}
}

int symtab_add(struct symtab *t, const struct sym *s)
{
	struct sym *to = vec_add(&t->syms);

	if (!to)
		return -ENOMEM;
	*to = *s;
	return 0;
}

int symtab_add_own(struct symtab *t, uint64_t addr, uint64_t size, const char *name)
{
	size_t n = strlen(name) + 1, at = t->own.n;

	if (at > OWN_MAX || n > OWN_MAX)
		return 0;
	if (vec_reserve(&t->own, n))
		return -ENOMEM;
	memcpy(t->own.v + at, name, n);
	t->own.n += n;
	return symtab_add(t, &(struct sym){
		.addr = addr,
		.size = size_of(size) & SYMTAB_SIZE_MAX,
		.rank = SYMTAB_LOCAL,
		.source = SYMTAB_OWN,
		.name = (uint32_t)at & (SYMTAB_NAME_MAX - 1),
	});
}

bool symtab_own_is_full(const struct symtab *t)
{
	return t->own.n > OWN_MAX;
}

static int free_source(const struct symtab *t)
{
	for (int i = 0; i < SYMTAB_OWN; i++) {
		if (!t->strings[i].n)
			return i;
	}
	return -ENOSPC;
}

static int add_elf(struct symtab *t, const struct elf *f, const struct elf_symbols *from,
		   struct err *e)
{
	uint64_t thumb = f->machine == ELF_ARM;   /* bit 0 is not address but instruction set */
	int source = free_source(t), n = 0;
	struct elf_code code;
	struct elf_symbol s;

	if (source < 0)
		return err_set(e, ENOSPC, "too many symbol files");
	elf_code_init(&code, f);
	for (size_t i = 1; t->syms.n < FUNCTIONS_MAX && elf_symbols_get(from, i, &s); i++) {
		if (!is_function(&s, &code) || s.name >= SYMTAB_NAME_MAX ||
		    is_mark(elf_symbols_name(from, &s)))
			continue;
		if (symtab_add(t, &(struct sym){
			.addr = s.value & ~thumb,
			.size = size_of(s.size) & SYMTAB_SIZE_MAX,
			.rank = rank_of(&s) & 3,
			.source = (uint32_t)source & 3,
			.label = s.type == ELF_NOTYPE,
			.name = s.name & (SYMTAB_NAME_MAX - 1),
		}))
			return err_nomem(e);
		n++;
	}
	if (n)
		t->strings[source] = from->strings;
	return n;
}

int symtab_add_static(struct symtab *t, const struct elf *f, struct err *e)
{
	struct elf_symbols from;

	return f->type != ELF_REL && elf_symbols_static(f, &from) ? add_elf(t, f, &from, e) : 0;
}

int symtab_add_dynamic(struct symtab *t, const struct elf *f, struct err *e)
{
	struct elf_symbols from;

	return f->type != ELF_REL && elf_symbols_dynamic(f, &from) ? add_elf(t, f, &from, e) : 0;
}

/* End of the ascending run that starts at i. */
static size_t run_end(const struct sym *v, size_t i, size_t n)
{
	for (i++; i < n && v[i - 1].addr <= v[i].addr; i++)
		;
	return i;
}

static void merge(struct sym *to, const struct sym *a, size_t na, const struct sym *b, size_t nb)
{
	while (na && nb) {
		if (b->addr < a->addr) {
			*to++ = *b++;
			nb--;
		} else {
			*to++ = *a++;
			na--;
		}
	}
	if (na)
		memcpy(to, a, na * sizeof(*a));
	if (nb)
		memcpy(to, b, nb * sizeof(*b));
}

/* One pass: pairs of runs from v to `to`. How many pairs there were. */
static size_t merge_pass(struct sym *to, const struct sym *v, size_t n)
{
	size_t pairs = 0;

	for (size_t i = 0; i < n; pairs++) {
		size_t j = run_end(v, i, n), k = j < n ? run_end(v, j, n) : j;

		merge(to + i, v + i, j - i, v + j, k - j);
		i = k;
	}
	return pairs;
}

/* Stable natural merge sort: the tables come in long ascending runs, often as a single one. */
static int sort(struct symtab *t)
{
	size_t n = t->syms.n;

	if (!n || run_end(t->syms.v, 0, n) == n)
		return 0;

	struct sym *tmp = malloc(n * sizeof(*tmp)), *from = t->syms.v, *to = tmp;

	if (!tmp)
		return -ENOMEM;
	while (run_end(from, 0, n) < n) {
		struct sym *swap = from;

		merge_pass(to, from, n);
		from = to;
		to = swap;
	}
	if (from == tmp)
		memcpy(t->syms.v, tmp, n * sizeof(*tmp));
	free(tmp);
	return 0;
}

static size_t underscores(const char *s)
{
	size_t n = 0;

	while (n < COMPARE_MAX && s[n] == '_')
		n++;
	return n;
}

/* Does b name the address better than a? */
static bool is_better(const struct symtab *t, const struct sym *b, const struct sym *a)
{
	if (t->last_wins)
		return true;
	if (!a->size != !b->size)
		return b->size;
	if (a->label != b->label)
		return a->label;
	if (a->rank != b->rank)
		return b->rank > a->rank;

	const char *na = symtab_name(t, a), *nb = symtab_name(t, b);
	size_t ua = underscores(na), ub = underscores(nb);

	if (ua != ub)
		return ub < ua;

	size_t la = strnlen(na, COMPARE_MAX), lb = strnlen(nb, COMPARE_MAX);

	return la != lb ? lb < la : strncmp(nb, na, COMPARE_MAX) < 0;
}

static void choose(struct symtab *t)
{
	struct sym *v = t->syms.v;
	size_t kept = 0;

	for (size_t i = 0; i < t->syms.n; i++) {
		if (!kept || v[kept - 1].addr != v[i].addr)
			v[kept++] = v[i];
		else if (is_better(t, &v[i], &v[kept - 1]))
			v[kept - 1] = v[i];
	}
	t->syms.n = kept;
}

static uint64_t code_end(const struct elf_code *code, uint64_t addr)
{
	const struct elf_range *in = code ? elf_code_find(code, addr) : NULL;

	if (!code)
		return UINT64_MAX;
	return in ? in->end : addr;
}

static void fill_sizes(struct symtab *t, const struct elf_code *code)
{
	struct sym *v = t->syms.v;

	for (size_t i = 0; i < t->syms.n; i++) {
		if (v[i].size)
			continue;

		uint64_t end = code_end(code, v[i].addr);

		if (i + 1 < t->syms.n)
			end = MIN(end, v[i + 1].addr);
		v[i].size = size_of(end - v[i].addr) & SYMTAB_SIZE_MAX;
	}
}

int symtab_finish(struct symtab *t, const struct elf_code *code)
{
	t->strings[SYMTAB_OWN] = (struct sv){ t->own.v, t->own.n };
	if (sort(t))
		return -ENOMEM;
	choose(t);
	fill_sizes(t, code);

	struct sym *less = t->syms.n ? realloc(t->syms.v, t->syms.n * sizeof(*less)) : NULL;

	if (less) {
		t->syms.v = less;
		t->syms.cap = t->syms.n;
	}
	return 0;
}

const struct sym *symtab_find(const struct symtab *t, uint64_t addr)
{
	const struct sym *v = t->syms.v;
	size_t lo = 0, hi = t->syms.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (v[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (size_t back = 0; back < NEST_MAX && lo; back++, lo--) {
		if (addr - v[lo - 1].addr < v[lo - 1].size)
			return &v[lo - 1];
	}
	return NULL;
}

const char *symtab_name(const struct symtab *t, const struct sym *s)
{
	return s->name < t->strings[s->source].n ? t->strings[s->source].s + s->name : "";
}

void symtab_deinit(struct symtab *t)
{
	vec_free(&t->syms);
	vec_free(&t->own);
	*t = (struct symtab){ 0 };
}
