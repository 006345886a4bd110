/* BTF alone, and as a module's behind itself: all functions, all types, and look-ups by name. */
#include "obj/types/btf.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { TYPES_MAX = 400 };

static void look_at(struct ctype t)
{
	struct btf_enumerator one;
	struct ctype_member m;
	struct ctype_info info;
	char text[80];

	ctype_spell(t, text, sizeof(text));
	if (ctype_info(t, &info, NULL))
		return;
	if (info.name.n && info.name.s[info.name.n])
		abort();
	for (unsigned i = 0; i < TYPES_MAX && t.src && t.src->member(t.src, t.id, i, &m, NULL) > 0; i++) {
		if (m.name.n > 512 || m.name.s[m.name.n])
			abort();
	}
	for (unsigned i = 0; i < TYPES_MAX && btf_enumerator(t, i, &one, NULL) > 0; i++)
		if (one.name.n > 512 || one.name.s[one.name.n])
			abort();
	ctype_member(t, SV("next"), &m, NULL);
	if (info.name.n)
		ctype_member(t, info.name, &m, NULL);
}

struct seen {
	const struct btf *b;
	unsigned n;
};

static int look_at_func(void *arg, struct sv name, int64_t func)
{
	struct seen *seen = arg;
	struct btf_param p;

	for (unsigned i = 0; btf_param(seen->b, func, i, &p, NULL) > 0 && i < 20; i++)
		look_at(p.type);
	look_at(btf_return(seen->b, func));
	if (btf_find_func(seen->b, name) > func)
		abort();
	return ++seen->n > TYPES_MAX;
}

static void look_through(const struct btf *b)
{
	struct seen seen = { b, 0 };
	struct ctype t = btf_find_type(b, SV("task"));

	btf_each_func(b, look_at_func, &seen);
	btf_find_type(b, SV("list_head"));
	for (t.id = 0; t.src && t.id < TYPES_MAX; t.id++)
		look_at(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct btf *b = btf_new(p, n, NULL, NULL), *module = b ? btf_new(p, n, b, NULL) : NULL;

	if (b)
		look_through(b);
	if (module)
		look_through(module);
	btf_free(module);
	btf_free(b);
	return 0;
}
