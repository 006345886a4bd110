/* Debug information: the file is its own alternate file and the .dwo of its skeletons, too. */
#include "obj/dwarf/parts.h"
#include "obj/dwarf/spot.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { ENOUGH = 300 };

struct seen {
	struct dwarf *d;
	unsigned n, types;
	const char *name;
	uint64_t pc;
};

static void type_look(struct seen *s, struct ctype t, unsigned depth)
{
	struct ctype_info info;
	struct ctype_member m;

	if (!t.src || depth > 4 || s->types++ > ENOUGH || t.src->info(t.src, t.id, &info, NULL))
		return;
	if (info.name.n && memchr(info.name.s, 0, info.name.n))
		abort();
	type_look(s, info.target, depth + 1);
	for (unsigned i = 0; i < 20 && t.src->member(t.src, t.id, i, &m, NULL) == 1; i++)
		type_look(s, m.type, depth + 1);
}

static int variable(void *arg, const struct dwarf_var *v)
{
	struct seen *s = arg;

	if (strlen(v->name) == SIZE_MAX)
		abort();
	type_look(s, die_type(&v->die), 0);
	return ++s->n > ENOUGH;
}

static int function(void *arg, const struct dwarf_func *f)
{
	struct seen *s = arg;
	const char *name = die_name(&f->die);

	if (!f->outer.u || !f->die.u)
		abort();
	if (*name)
		s->name = name;
	s->pc = f->entry;
	s->types = 0;
	dwarf_each_variable(f, f->entry, variable, s, NULL);
	type_look(s, die_type(&f->die), 0);
	return ++s->n > ENOUGH;
}

static int entry(void *arg, const struct dwarf_walk *w)
{
	struct seen *s = arg;

	type_look(s, dwarf_type_of(&w->die), 0);
	return ++s->n > ENOUGH;
}

static bool self(void *arg, const char *name, const char *dir, uint64_t id, struct elf *out)
{
	(void)name;
	(void)dir;
	(void)id;
	*out = *(const struct elf *)arg;
	return true;
}

/* Asked twice: when the unit is read, and when it is known. */
static void look_at_spots(struct dwarf *d, uint64_t pc)
{
	struct dwarf_spots *s = dwarf_spots_new(d);
	struct dwarf_spot v[2][DWARF_INLINE_DEPTH];

	if (!s)
		abort();
	for (uint64_t at = pc; at < pc + 16; at += 4) {
		int n = dwarf_spots_at(s, at, DWARF_SPOTS_FUNCTIONS, v[0]);

		int with_lines = dwarf_spots_at(s, at, DWARF_SPOTS_LINES, v[1]);

		/* A line may be known where no function is. */
		if (n < 0 || n > DWARF_INLINE_DEPTH || with_lines < n || (n && with_lines != n))
			abort();
		for (int i = 0; i < n; i++)
			if (v[0][i].func.off != v[1][i].func.off ||
			    v[0][i].is_inlined != (i < n - 1))
				abort();
	}
	dwarf_spots_free(s);
}

static void look(struct dwarf *d)
{
	struct dwarf_func_want all = { .inlined = true }, one = { .inlined = true };
	struct dwarf_search types = { .d = d, .kind = DWARF_TYPES_NAMED, .found = entry };
	struct seen s = { .d = d };
	struct dwarf_func v[DWARF_INLINE_DEPTH];
	struct dwarf_var var;

	for (size_t i = 0; i < 50; i++)
		dwarf_unit_at(d, i, NULL);
	dwarf_each_function(d, &all, function, &s, NULL);
	one.name = s.name ? s.name : "a::b";
	s.n = 0;
	dwarf_each_function(d, &one, function, &s, NULL);
	one.name = "*::[a-m]*";
	one.is_glob = true;
	s.n = 0;
	dwarf_each_function(d, &one, function, &s, NULL);
	dwarf_functions_at(d, s.pc, v, NULL);
	look_at_spots(d, s.pc);
	dwarf_global(d, NULL, "x", &var, NULL);
	s.n = 0;
	types.arg = &s;
	dwarf_each_entry(&types, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct elf f;

	if (elf_init(&f, p, n, NULL))
		return 0;

	struct dwarf_files files = { .elf = &f, .alt = n % 2 ? &f : NULL, .split = self, .arg = &f };
	struct dwarf *d = dwarf_new(&files, NULL);

	if (d)
		look(d);
	dwarf_free(d);
	return 0;
}
