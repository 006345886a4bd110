/* What a recording tells of functions: the walk over its messages, the table of each file, and addresses looked up. */
#include "base/cursor.h"
#include "sym/told.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { ADDRESSES = 64 };

static void look_up(struct told_file *f)
{
	const struct symtab *t = told_functions(f);

	if (t != told_functions(f) || t->syms.n > f->path.n + cur_left(&f->message))
		abort();
	for (size_t i = 0; i < MIN(t->syms.n, (size_t)ADDRESSES); i++) {
		const struct sym *s = symtab_find(t, t->syms.v[i].addr);

		if (s && !strlen(symtab_name(t, s)) && t->strings[SYMTAB_OWN].n < 2)
			abort();
	}
	if (!told_agrees(f, t))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct cursor section = cur_from(p, n);
	struct told t = { 0 };

	section.swap = n & 1;
	if (told_init(&t, section))
		abort();
	for (size_t i = 0; i < t.files.n; i++)
		look_up(&t.files.v[i]);
	told_deinit(&t);
	return 0;
}
