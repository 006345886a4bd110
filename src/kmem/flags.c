/* flags.c - takes the text of gfp_flags from the kernel's print format of the event, once for each value. */
#include "kmem/flags.h"

enum { FLAGS_MOST = 1 << 12, TEXT_MOST = 400 };

static const struct { const char *name, *brief; } names[] = {
#define GFP(name, abbreviation) { name, abbreviation },
#include "kmem/gfp.def"
};

void gfp_flags_deinit(struct gfp_flags *g)
{
	map_deinit(&g->of);
	vec_free(&g->v);
	names_deinit(&g->texts);
}

/* "GFP_KERNEL|__GFP_ZERO" as "K|Z". */
static void put_brief(struct sv text, struct out *o)
{
	const char *between = "";
	struct sv piece;

	while (sv_cut(&text, '|', &piece)) {
		size_t i = 0;

		while (i < ARRAY_SIZE(names) && !sv_eq(piece, names[i].name))
			i++;
		out_str(o, between);
		/* A flag of a newer kernel is not abbreviated. */
		out_sv(o, i < ARRAY_SIZE(names) ? sv_from(names[i].brief) : piece);
		between = "|";
	}
}

static const char *keep(struct gfp_flags *g, struct mem_out *m)
{
	const char *s = mem_out_str(m);
	uint32_t id = names_add(&g->texts, s, MIN(strlen(s), (size_t)TEXT_MOST));

	return id == NAMES_NONE ? NULL : names_str(&g->texts, id);
}

static void put_text(struct feed *f, const struct hit *h, uint32_t flags, struct out *o)
{
	struct tevent *ev = tevents_by_id(f->session.trace, h->event->fmt.id);
	const struct tprint *p = ev ? tevents_print(f->session.trace, ev) : NULL;
	struct tprint_names with = session_names(&f->session);
	struct tprint_part at = { 0 };

	if (p)
		at = tprint_part_of(p, "gfp_flags");
	if (at.at)
		tprint_part_record(p, at, &with, h->raw.p, h->raw.n, o);
	else
		out_printf(o, "0x%x", flags);
}

static int add(struct gfp_flags *g, struct feed *f, const struct hit *h, uint32_t flags)
{
	struct gfp_flag *to = vec_add(&g->v);
	struct mem_out m;

	if (!to)
		return -ENOMEM;
	mem_out_init(&m);
	put_text(f, h, flags, &m.out);
	to->flags = flags;
	to->text = keep(g, &m);
	mem_out_deinit(&m);
	mem_out_init(&m);
	if (to->text)
		put_brief(sv_from(to->text), &m.out);
	to->brief = keep(g, &m);
	mem_out_deinit(&m);
	if (!to->text || !to->brief)
		return -ENOMEM;
	g->width = MAX(g->width, (unsigned)strlen(to->brief));
	return 0;
}

int gfp_flags_see(struct gfp_flags *g, struct feed *f, const struct hit *h, uint32_t flags)
{
	bool is_new = false;
	uint64_t *at = map_get(&g->of, flags);

	if (at || g->v.n >= FLAGS_MOST)
		return 0;
	at = map_add(&g->of, flags, &is_new);
	if (!at || add(g, f, h, flags))
		return -ENOMEM;
	*at = g->v.n;
	return 0;
}

const char *gfp_flags_brief(const struct gfp_flags *g, uint32_t flags)
{
	uint64_t *at = map_get(&g->of, flags);

	return at && *at ? g->v.v[*at - 1].brief : "?";
}

static int by_number(const void *a, const void *b)
{
	const struct gfp_flag *x = a, *y = b;

	return x->flags < y->flags ? -1 : x->flags > y->flags;
}

void gfp_flags_sort(struct gfp_flags *g)
{
	if (g->v.n)
		qsort(g->v.v, g->v.n, sizeof(*g->v.v), by_number);
	for (size_t i = 0; i < g->v.n; i++)
		*map_get(&g->of, g->v.v[i].flags) = i + 1;
}
