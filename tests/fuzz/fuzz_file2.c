/* What a recording tells of functions: the walk over its messages, the table of each file, and addresses looked up. */
#include "base/cursor.h"
#include "sym/file2.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { ADDRESSES = 64 };

static void look_up(struct file2_file *f)
{
	const struct symtab *t = file2_functions(f);

	if (t != file2_functions(f) || t->syms.n > f->path.n + cur_left(&f->message))
		abort();
	for (size_t i = 0; i < MIN(t->syms.n, (size_t)ADDRESSES); i++) {
		const struct sym *s = symtab_find(t, t->syms.v[i].addr);

		if (s && !strlen(symtab_name(t, s)) && t->strings[SYMTAB_OWN].n < 2)
			abort();
	}
	if (!file2_agrees(f, t))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct cursor section = cur_from(p, n);
	struct file2 t = { 0 };

	section.swap = n & 1;
	if (file2_init(&t, section))
		abort();
	for (size_t i = 0; i < t.files.n; i++)
		look_up(&t.files.v[i]);
	file2_deinit(&t);
	return 0;
}
