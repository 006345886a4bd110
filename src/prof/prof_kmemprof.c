/* prof_kmemprof.c - sonde prof kmemprof: which places allocate most, and how much of it is freed. */
#include "base/sort.h"
#include "prof/blocks.h"

enum { TOP = 20 };

struct want {
	struct prof_want prof;
	uint64_t top;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Places"),
	OPT_U64(0, "top", struct want, top, "<n>", "print only the first <n> rows (default: 20)"),
	OPT_SUB(prof_chain_opts, struct want, prof),
	OPT_END,
};

struct kmemprof {
	struct blocks blocks;
};

static bool frees(const struct prof *p UNUSED, const struct spec *s)
{
	return s->group == 1;
}

static int prepare(struct prof *p, struct err *e)
{
	blocks_keys(p, frees);
	if (p->specs.groups == 2 || !p->specs.v.n)
		return 0;
	err_set(e, EINVAL, "kmemprof takes two -e: events that allocate, and events that free");
	return err_hint(e, "-e kmem:kmalloc//size=bytes_alloc/stack/ -e kmem:kfree -k ptr");
}

static int begin(struct prof *p, struct err *e)
{
	struct kmemprof *k = p->own;

	k->blocks.stacks.unit = "bytes";
	return blocks_open(&k->blocks, p, frees, e);
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct kmemprof *k = p->own;

	return blocks_hit(&k->blocks, h);
}

static int lost(struct prof *p, uint32_t cpu)
{
	struct kmemprof *k = p->own;

	return blocks_lost(&k->blocks, cpu);
}

/* --- the report ---------------------------------------------------------------------------------------------- */

static int compare(const void *arg, uint32_t a, uint32_t b)
{
	const struct blocks_row *v = arg;

	if (v[a].alloc_bytes != v[b].alloc_bytes)
		return v[a].alloc_bytes > v[b].alloc_bytes ? -1 : 1;
	return v[a].allocs > v[b].allocs ? -1 : v[a].allocs < v[b].allocs;
}

static double share(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static void put_place(struct kmemprof *k, const struct blocks_row *r, struct out *o)
{
	const struct blocks_stats *s = &k->blocks.stats;

	out_printf(o, "Allocate %llu (%.1f%%) bytes on %llu (%.1f%%) objects, freed %llu bytes on %llu objects:\n",
		   (unsigned long long)r->alloc_bytes, share(r->alloc_bytes, s->alloc_bytes),
		   (unsigned long long)r->allocs, share(r->allocs, s->allocs),
		   (unsigned long long)r->free_bytes, (unsigned long long)r->frees);
	blocks_put_place(&k->blocks, r, o);
}

static void put_text(struct kmemprof *k, const uint32_t *order, size_t n, struct out *o)
{
	const struct blocks_stats *s = &k->blocks.stats;

	prof_interval(k->blocks.prof, o);
	out_printf(o, "total alloc %llu bytes on %llu objects\n", (unsigned long long)s->alloc_bytes,
		   (unsigned long long)s->allocs);
	out_printf(o, "total free %llu bytes on %llu objects\n", (unsigned long long)s->free_bytes,
		   (unsigned long long)s->frees);
	for (size_t i = 0; i < n; i++)
		put_place(k, &k->blocks.rows.v[order[i]], o);
	blocks_put_rest(&k->blocks, o);
}

static void put_row(struct kmemprof *k, struct table *t, const struct blocks_row *r)
{
	struct mem_out m;

	table_u64(t, r->alloc_bytes);
	table_u64(t, r->allocs);
	table_u64(t, r->free_bytes);
	table_u64(t, r->frees);
	table_str(t, k->blocks.prof->feed.taps.v[r->tap].name);
	mem_out_init(&m);
	callers_put_short(&k->blocks.stacks.callers, r->stack, UINT_MAX, &m.out);
	table_str(t, mem_out_str(&m));
	mem_out_deinit(&m);
}

static int put_table(struct kmemprof *k, const uint32_t *order, size_t n, struct out *o)
{
	static const struct table_col cols[] = {
		{ "bytes", NULL, TABLE_RIGHT, 0 }, { "objects", NULL, TABLE_RIGHT, 0 },
		{ "freed_bytes", NULL, TABLE_RIGHT, 0 }, { "freed_objects", NULL, TABLE_RIGHT, 0 },
		{ "event", NULL, TABLE_LEFT, 0 }, { "stack", NULL, TABLE_LEFT, 0 },
	};
	struct table_want form = prof_table(k->blocks.prof);
	struct table *t = table_new(cols, ARRAY_SIZE(cols));
	int r;

	for (size_t i = 0; t && i < n; i++)
		put_row(k, t, &k->blocks.rows.v[order[i]]);
	r = t ? table_print(t, &form, o) : -ENOMEM;
	table_free(t);
	return r;
}

static int report(struct kmemprof *k, struct prof *p, struct out *o)
{
	const struct want *w = p->want;
	struct blocks *b = &k->blocks;
	uint32_t *order = malloc((2 * b->rows.n + 1) * sizeof(*order));
	size_t n = 0;
	int r = 0;

	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0; i < b->rows.n; i++)
		if (b->rows.v[i].allocs || b->rows.v[i].frees)
			order[n++] = i;
	sort_u32(order, order + b->rows.n, n, compare, b->rows.v);
	for (size_t i = 0; !r && i < n; i++)
		r = prof_stacks_add(&b->stacks, b->rows.v[order[i]].stack, NULL, b->rows.v[order[i]].alloc_bytes);
	n = MIN(n, w->top ? w->top : TOP);
	if (!r && prof_table(p).form == TABLE_TEXT)
		put_text(k, order, n, o);
	else if (!r)
		r = put_table(k, order, n, o);
	if (prof_table(p).form != TABLE_TEXT)
		blocks_put_rest(b, o);
	free(order);
	blocks_next(b);
	return r;
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct kmemprof *k = p->own;

	return report(k, p, o) ? err_nomem(e) : prof_stacks_show(&k->blocks.stacks, p, last, e);
}

static void close(struct prof *p)
{
	struct kmemprof *k = p->own;

	blocks_close(&k->blocks);
}

DEFINE_PROF(kmemprof) = {
	.cmd = {
		.name = "kmemprof", .family = "prof",
		.brief = "Show the call sites that allocate most, and how much is freed",
		.synopsis = "-e <allocating events> -e <freeing events> [-k EXPR] [options] [-- command [arguments]]",
		.details = PACKED(
			"The first -e has the allocation events, the second the free events. ptr=, key= or -k is the "
			"address of the block (default: field ptr), size= its size (default: field bytes_alloc)."),
		.examples = PACKED(
			"sonde prof kmemprof -e kmem:kmalloc//size=bytes_alloc/stack/ -e kmem:kfree -k ptr -m 128 -i "
				"1000\tevery second\n"
			"sonde prof kmemprof -e 'kmem:mm_page_alloc//size=4096<<order/key=pfn/stack/' -e "
				"kmem:mm_page_free//key=pfn/ --top 5\tpages\n"
			"sonde prof kmemprof -e kmem:kmalloc -e kmem:kfree -g --flame-graph allocs -i perf.data\ta "
				"recording, weighted by bytes"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct kmemprof), .prepare = prepare, .begin = begin, .hit = hit, .lost = lost, .show = show,
	.close = close,
};
