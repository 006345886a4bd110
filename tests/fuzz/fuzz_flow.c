/*
 * Code of both architectures with types of BTF and places made of the input: what an instruction touches lies within
 * its type. The first bytes: how many of the others are BTF (2), the architecture (1).
 */
#include "types/flow.h"
#include "types/shape.h"

#include "obj/types/btf.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { START = 0x1000, PLACES_MAX = 32 };

struct given {
	struct types types;
	struct btf *btf;
	struct ctype first;
};

static uint32_t type_of(struct given *g, uint32_t id)
{
	return g->first.src ? types_add(&g->types, 1, (struct ctype){ g->first.src, id }) : TYPES_NONE;
}

static uint32_t variable(void *arg, uint64_t addr, uint64_t *start)
{
	*start = addr & ~UINT64_C(255);
	return type_of(arg, addr >> 8 & 63);
}

static uint32_t returns(void *arg, uint64_t addr)
{
	return type_of(arg, addr >> 4 & 63);
}

static size_t read_places(struct given *g, struct cursor *c, struct type_place places[PLACES_MAX])
{
	size_t n = cur_u8(c) % PLACES_MAX, made = 0;
	uint64_t start = START;

	for (size_t i = 0; i < n; i++) {
		struct type_place *to = &places[made];

		start += cur_u8(c);
		*to = (struct type_place){ .start = start, .end = start + cur_u8(c) * 4u, .depth = (uint16_t)(i & 7) };
		to->kind = cur_u8(c) % 4;
		to->reg = cur_u8(c) & 63;
		to->off = (int8_t)cur_u8(c);
		to->size = cur_u8(c);
		to->type = type_of(g, cur_u8(c));
		made += to->type != TYPES_NONE;
	}
	return made;
}

static void check(const struct given *g, const struct type_touch *t)
{
	const struct type_entry *e;
	struct shape s;

	if (t->found != TYPE_FOUND)
		return;
	e = types_at(&g->types, t->type);
	if (e->info.size && t->off >= e->info.size && !e->is_open)
		abort();
	shape_find(e->type, t->off, t->size, SHAPE_ANY, &s);
	if (strlen(s.path) >= SHAPE_PATH)
		abort();
}

static int put_line(void *arg, const struct shape_line *l)
{
	unsigned *depth = arg;

	if (l->depth > SHAPE_DEPTH || (!l->closes && l->depth > *depth + 1))
		abort();
	*depth = l->depth;
	return 0;
}

/* Any type of the source will do. */
static int take_first(void *arg, struct sv name, int64_t func)
{
	struct given *g = arg;
	struct btf_param p;

	(void)name;
	if (btf_param(g->btf, func, 0, &p, NULL) > 0)
		g->first = p.type;
	return g->first.src != NULL;
}

static void follow(struct given *g, const struct arch *a, struct cursor *c)
{
	struct type_place places[PLACES_MAX];
	size_t n_places = read_places(g, c, places);
	struct flow_want w = {
		.arch = a, .addr = START, .code = cur_from(c->pos, cur_left(c)), .types = &g->types, .scope = 1,
		.places = places, .n_places = n_places, .task = type_of(g, 1), .variable = variable, .returns = returns,
		.arg = g, .is_whole = n_places & 1,
	};
	struct type_touch *v;
	int64_t n = flow_run(&w, &v);

	for (int64_t i = 0; i < n; i++) {
		check(g, &v[i]);
		if (i && v[i].addr != v[i - 1].addr + v[i - 1].len)
			abort();
	}
	free(v);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct cursor c = cur_from(p, n), types;
	struct given g = { 0 };
	size_t size = cur_u16(&c);
	const struct arch *a = cur_u8(&c) & 1 ? &arch_aarch64 : &arch_x86_64;

	types = cur_sub(&c, cur_off(&c), MIN(size, cur_left(&c)));
	g.btf = types.bad ? NULL : btf_new(types.pos, cur_left(&types), NULL, NULL);
	cur_skip(&c, MIN(size, cur_left(&c)));
	if (g.btf)
		btf_each_func(g.btf, take_first, &g);
	follow(&g, a, &c);
	for (uint32_t i = 0; i < g.types.v.n && i < 20; i++) {
		unsigned depth = 0;

		shape_each(g.types.v.v[i].type, put_line, &depth);
	}
	types_deinit(&g.types);
	btf_free(g.btf);
	return 0;
}
