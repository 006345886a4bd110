/* resolve_kernel.c - places in the kernel by its own list of symbols. */
#include "probing/resolve_parts.h"

enum { NEAR = 3 };

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
	bool clones;             /* "name.isra.0" and its like count */
	size_t first;            /* spot */
	int r;
};

/* What the compiler has made of a function that was changed to suit its callers. */
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
	return resolve_means(x->g, text);
}

static int consider(void *arg, const struct kallsyms_line *f)
{
	struct search *x = arg;
	struct resolving *g = x->g;
	struct spot *s;

	if (!is_meant(x, f->name)) {
		/* When the name itself is not there. Only what is near is kept: there are a quarter of a million. */
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

/* The kernel refuses a name that several functions have, or takes the first: those need their address. */
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

int resolve_kernel(struct resolving *g)
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
	/* How long a function is matters only to those that go into it, and is a search. */
	for (size_t i = x.first; g->p->offset && i < g->to->v.n; i++) {
		struct kallsyms_line f;

		s = &g->to->v.v[i];
		if (s->addr)
			kernel_image_at(&g->s->kernel, s->addr - s->offset, &f, &s->size);
	}
	return x.r;
}
