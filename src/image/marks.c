/* marks.c - see marks.h. */
#include "image/marks.h"

#include "base/find.h"
#include "obj/elf/symbols.h"

enum { MARKS_MAX = 1 << 23 };

static int add(struct marks *m, uint64_t addr, bool is_data)
{
	struct mark *at = m->v.n < MARKS_MAX ? vec_add(&m->v) : NULL;

	if (!at)
		return -ENOMEM;
	*at = (struct mark){ addr, is_data };
	return 0;
}

static int add_symbols(struct marks *m, const struct elf_symbols *t, const struct elf_code *code)
{
	struct elf_symbol s;
	int r = 0;

	for (size_t i = 0; !r && elf_symbols_get(t, i, &s); i++) {
		const char *name = elf_symbols_name(t, &s);

		if (name[0] == '$' && (name[1] == 'd' || name[1] == 'x') && elf_code_find(code, s.value))
			r = add(m, s.value, name[1] == 'd');
	}
	return r;
}

static int order(const void *a, const void *b)
{
	const struct mark *x = a, *y = b;

	return x->addr != y->addr ? x->addr < y->addr ? -1 : 1 : (int)x->is_data - (int)y->is_data;
}

int marks_read(struct marks *m, const struct elf *file, const struct elf *debug)
{
	struct elf_code code;
	struct elf_symbols t;
	int r = 0;

	elf_code_init(&code, file);
	if (elf_symbols_static(file, &t))
		r = add_symbols(m, &t, &code);
	if (!r && debug && elf_symbols_static(debug, &t))
		r = add_symbols(m, &t, &code);
	/* Marks are per section: each range of code starts as code. */
	for (size_t i = 0; !r && m->v.n && i < code.n; i++)
		r = add(m, code.v[i].start, false);
	if (m->v.n)
		qsort(m->v.v, m->v.n, sizeof(m->v.v[0]), order);
	return r;
}

void marks_deinit(struct marks *m)
{
	vec_free(&m->v);
}

bool marks_is_data(const struct marks *m, uint64_t addr)
{
	size_t n = find_upto(m->v.v, m->v.n, addr, addr);

	return n && m->v.v[n - 1].is_data;
}
