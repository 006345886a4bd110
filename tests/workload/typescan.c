/*
 * typescan.c - what the data types of a program's loads and stores are, two ways:
 *
 *   typescan FILE    over all functions with debug information: "OPERANDS N KNOWN N STACK N UNKNOWN N", and of those
 *                    that the place of a variable tells: what the code alone tells of them, from the parameters at
 *                    its first instruction on: "BY VARIABLES N SAME N OTHER N NONE N", those that differ in a line
 *                    before; with one more word what each one is, in lines of their own
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image/module.h"
#include "report/globals.h"
#include "types/places.h"
#include "types/shape.h"

enum { SHOWN = 60 };

struct counts {
	unsigned long operands, known, stack, unknown, by_variables, same, other, none;
};

struct scan {
	struct module m;
	struct types types;
	struct globals globals;
	const struct arch *arch;
	bool tells;                    /* what each operand is */
	struct counts n;
};

static int64_t follow(struct scan *s, const struct sym *f, struct cursor code, const struct type_places *p, size_t n,
		      struct type_touch **v)
{
	struct flow_want w = {
		.arch = s->arch, .addr = f->addr, .code = code, .marks = module_marks(&s->m), .types = &s->types,
		.scope = s->globals.scope, .places = p->v.v, .n_places = n, .variable = globals_variable,
		.is_canary = globals_is_canary, .linked = globals_linked, .returns = globals_returned,
		.arg = &s->globals, .is_whole = p->is_whole,
	};

	return flow_run(&w, v);
}

/* Is the one's place the end of the other's path, and what lies there the same? A part is known by its whole, too. */
static bool is_same(const struct scan *s, const struct type_touch *a, const struct type_touch *b)
{
	char name[2][200];
	struct shape x, y;
	size_t n, m;

	if (!shape_find(types_at(&s->types, a->type)->type, a->off, a->size, SHAPE_ANY, &x) ||
	    !shape_find(types_at(&s->types, b->type)->type, b->off, b->size, SHAPE_ANY, &y))
		return false;
	n = strlen(x.path);
	m = strlen(y.path);
	return !strcmp(ctype_spell(x.type, name[0], sizeof(name[0])), ctype_spell(y.type, name[1], sizeof(name[1]))) &&
	       x.off == y.off && !strcmp(x.path + (n > m ? n - m : 0), y.path + (m > n ? m - n : 0));
}

static void tell(const struct scan *s, const char *name, const struct type_touch *t)
{
	struct shape x;

	printf("%s %llx: ", name, (unsigned long long)t->addr);
	if (t->found != TYPE_FOUND)
		puts(t->found == TYPE_STACK ? "(stack)" : t->found == TYPE_CANARY ? "(canary)" : "(unknown)");
	else if (shape_find(types_at(&s->types, t->type)->type, t->off, t->size, SHAPE_ANY, &x))
		printf("%s +%llu %s\n", types_at(&s->types, t->type)->name, (unsigned long long)t->off, x.path);
}

static void compare(struct scan *s, const char *name, const struct type_touch *a, const struct type_touch *b)
{
	s->n.operands++;
	s->n.known += a->found == TYPE_FOUND;
	s->n.stack += a->found == TYPE_STACK || a->found == TYPE_CANARY;
	s->n.unknown += a->found > TYPE_CANARY;
	if (s->tells)
		tell(s, name, a);
	if (a->found != TYPE_FOUND || a->is_followed)
		return;
	s->n.by_variables++;
	if (b->found != TYPE_FOUND) {
		s->n.none++;
		return;
	}
	if ((a->type == b->type && a->off == b->off) || is_same(s, a, b)) {
		s->n.same++;
		return;
	}
	if (s->n.other++ < SHOWN)
		printf("%s %llx: %s+%llu by its variable, %s+%llu by the code\n", name, (unsigned long long)a->addr,
		       types_at(&s->types, a->type)->name, (unsigned long long)a->off,
		       types_at(&s->types, b->type)->name, (unsigned long long)b->off);
}

/* The places that begin with the function: parameters. */
static size_t at_start(const struct type_places *p, const struct sym *f)
{
	size_t n = 0;

	while (n < p->v.n && p->v.v[n].start <= f->addr)
		n++;
	for (size_t i = 0; i < n; i++)
		if (p->v.v[i].kind == PLACE_REG)
			p->v.v[i].end = f->addr + 1;
	return n;
}

static int scan_function(struct scan *s, const struct sym *f)
{
	struct globals_want w = { .types = &s->types, .module = &s->m, .dwarf = module_dwarf(&s->m, NULL) };
	struct type_places p = { .types = &s->types, .arch = s->arch };
	struct cursor code = module_code(&s->m, f->addr);
	struct type_touch *all = NULL, *alone = NULL;
	int64_t n, n_alone;

	if (code.bad || globals_of(&s->globals, &w, f->addr))
		return -1;
	if (!s->globals.unit.u)
		return 0;
	code = cur_from(code.pos, MIN((size_t)f->size, cur_left(&code)));
	p.scope = s->globals.scope;
	if (places_dwarf(&p, w.dwarf, f->addr) || places_sort(&p))
		return -1;
	n = follow(s, f, code, &p, p.v.n, &all);
	n_alone = n > 0 ? follow(s, f, code, &p, at_start(&p, f), &alone) : 0;
	for (int64_t i = 0; i < n && n == n_alone; i++)
		if (all[i].access)
			compare(s, symtab_name(&s->m.functions, f), &all[i], &alone[i]);
	free(all);
	free(alone);
	places_deinit(&p);
	return n < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
	static struct scan s;
	struct module_want w = { .path = "file" };
	struct stat st;
	int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1, failed = 0;
	void *p;

	if (fd < 0 || fstat(fd, &st))
		return 1;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED || module_borrow(&s.m, p, (size_t)st.st_size, &w, NULL))
		return 1;
	s.tells = argc > 2;
	s.arch = arch_by_elf(s.m.code.elf.machine);
	if (!s.arch || module_functions(&s.m, FUNCTIONS_BEST, NULL))
		return 1;
	for (size_t i = 0; i < s.m.functions.syms.n; i++)
		failed += scan_function(&s, &s.m.functions.syms.v[i]) != 0;
	printf("OPERANDS %lu KNOWN %lu STACK %lu UNKNOWN %lu ", s.n.operands, s.n.known, s.n.stack, s.n.unknown);
	printf("BY VARIABLES %lu SAME %lu OTHER %lu NONE %lu FAILED %d\n", s.n.by_variables, s.n.same, s.n.other,
	       s.n.none, failed);
	return 0;
}
