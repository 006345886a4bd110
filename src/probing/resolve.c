/* resolve.c - from a point to its spots: which way to look, and what to say when nothing was found. */
#include "probing/resolve_parts.h"

#include "obj/demangle.h"

struct spot *resolve_add(struct resolving *g, uint64_t addr, int *r)
{
	struct spot *s;

	*r = 0;
	for (size_t i = 0; i < g->to->v.n && i < 4096; i++)
		if (addr && g->to->v.v[i].addr == addr)
			return NULL;
	s = g->to->v.n < SPOTS_MAX ? vec_add(&g->to->v) : NULL;
	if (!s) {
		*r = err_nomem(g->e);
		return NULL;
	}
	s->addr = addr;
	s->func = s->module = s->inlined = s->inlined_symbol = "";
	return s;
}

const char *resolve_keep(struct resolving *g, struct sv text)
{
	const char *s = arena_dup(&g->s->arena, text.s, text.n);

	return s ? s : "";
}

static bool matches(const struct resolving *g, const char *name)
{
	if (g->rex)
		return rex_match(g->rex, sv_from(name));
	return g->is_glob ? str_glob(g->name, sv_from(name)) : !strcmp(g->name, name);
}

/* "int ns::most<int>(int)": where the name begins, behind what it returns. */
static char *behind_type(char *full)
{
	char *from = full;
	unsigned depth = 0;

	for (char *s = full; *s && (*s != '(' || depth); s++) {
		depth += *s == '<' || *s == '(';
		depth -= (*s == '>' || *s == ')') && depth;
		if (*s == ' ' && !depth)
			from = s + 1;
	}
	return from;
}

/*
 * A name with its parameters, as demanglers print it: with what was made of it (" [clone .isra.0]"), const, and what it
 * returns, or without each of them.
 */
static bool matches_full(const struct resolving *g, char *full)
{
	static const char *const tails[] = { " [clone ", ") const" };

	if (matches(g, full) || matches(g, behind_type(full)))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(tails); i++) {
		char *tail = strstr(full, tails[i]);

		if (!tail)
			continue;
		tail[*tail == ')'] = '\0';
		if (matches(g, full) || matches(g, behind_type(full)))
			return true;
	}
	return false;
}

bool resolve_means(const struct resolving *g, const char *name)
{
	char plain[8192];

	if (matches(g, name))
		return true;
	if (name[0] != '_' || (name[1] != 'Z' && name[1] != 'R'))
		return false;
	if (demangle(name, DEMANGLE_SHORT, plain, sizeof(plain)) && matches(g, plain))
		return true;
	/* With parameters one of several overloaded ones is meant; with a hash, one of Rust's that share a name. */
	return (strchr(g->name, '(') || strstr(g->name, "::h")) &&
	       demangle(name, DEMANGLE_FULL, plain, sizeof(plain)) && matches_full(g, plain);
}

static int not_found(struct resolving *g)
{
	const struct point *p = g->p;
	const struct err *why = NULL;
	char near[160];

	if (g->saw_chooser) {
		err_set(g->e, EINVAL, "'%s' only chooses, at load time, which function is used (IFUNC)", g->name);
		return err_hint(g->e, "probe that one: -F '*%.60s*' lists what there is", g->name);
	}
	if (p->kind == POINT_FUNC && g->s->want->no_inlines && resolve_debug_is_inlined(g))
		return err_set(g->e, ENOENT, "%s is inlined wherever it is called, which --no-inlines leaves out",
			       g->name);
	if (p->kind == POINT_USDT)
		return err_set(g->e, ENOENT, "%s has no marker %.*s%s%.*s", g->s->program.code.path,
			       (int)p->provider.n, p->provider.s, p->provider.n ? ":" : "", (int)p->func.n, p->func.s);
	if (p->kind == POINT_LINE || p->has_line || p->pattern.n || p->src.n) {
		if (!subject_dwarf(g->s, &why)) {
			*g->e = *why;
			return err_hint(g->e, "lines and files of the source are told by debug information only");
		}
		return g->e->code ? -g->e->code : err_set(g->e, ENOENT, "there is no code of that place in the source");
	}
	if (g->s->is_kernel && kernel_image_check_module(&g->s->kernel, g->e))
		return -ENOENT;
	err_set(g->e, ENOENT, "there is no function '%s' in %s%s", g->name,
		g->s->is_kernel ? "the kernel or its modules" : g->s->program.code.path,
		nearest_text(&g->near, near, sizeof(near)));
	return -ENOENT;
}

/* A place in a function that the debug information was not asked for. */
static int check_offsets(struct resolving *g, size_t from)
{
	for (size_t i = from; i < g->to->v.n; i++) {
		const struct spot *s = &g->to->v.v[i];

		if (s->size && s->offset >= s->size)
			return err_set(g->e, EINVAL, "%s is only %llu bytes long", s->func,
				       (unsigned long long)s->size);
	}
	return 0;
}

static int find(struct resolving *g)
{
	const struct point *p = g->p;
	int r;

	if (p->kind == POINT_USDT)
		return resolve_usdt(g);
	if (p->kind == POINT_LINE || p->has_line || p->src.n || p->pattern.n)
		return p->kind == POINT_LINE ? resolve_debug_line(g) : resolve_debug_func(g);
	if (p->kind == POINT_FUNC && !g->is_glob && !g->rex && !p->offset) {
		r = resolve_debug_func(g);
		if (r != -ENOENT && r != -ENODATA)
			return r;
		*g->e = (struct err){ 0 };
	}
	return g->s->is_kernel ? resolve_kernel(g) : resolve_program(g);
}

int resolve(struct subject *s, const struct point *p, enum resolve_for what, struct spots *to, struct err *e)
{
	struct resolving g = { .s = s, .p = p, .what = what, .to = to, .e = e };
	size_t from = to->v.n;
	struct arena arena = { 0 };
	struct rex rex;
	int r = 0;

	g.name = p->func.n ? p->func.s : "";
	nearest_init(&g.near, p->func);
	if (p->is_regex) {
		r = rex_init(&rex, &arena, p->func, e);
		g.rex = &rex;
	} else {
		g.is_glob = p->kind == POINT_FUNC && str_is_glob(p->func) && !p->is_exact &&
			    !strstr(g.name, " [clone .");
	}
	r = r ? r : find(&g);
	if ((!r && to->v.n == from) || r == -ENOENT || r == -ENODATA)
		r = not_found(&g);
	if (!r)
		r = check_offsets(&g, from);
	arena_deinit(&arena);
	return r;
}

void spots_deinit(struct spots *to)
{
	vec_free(&to->v);
}
