/* text_pages.c - the page allocator: tables and summary as perf prints them, and as JSON and CSV. */
#include "kmem/kmem.h"

enum key { KEY_PAGE, KEY_SITE, KEY_BYTES, KEY_HIT, KEY_ORDER, KEY_TYPE, KEY_FLAGS };
enum { ORDERS_SHOWN = 11, TYPES_SHOWN = PAGES_TYPES - 1, KIB = 1024 };

static const char rule[] =
	"---------------------------------------------------------------------------------------------------------\n";

/* Linux 4.4 and later: enum migratetype in include/linux/mmzone.h. */
static const char *const types[PAGES_TYPES] = { "UNMOVABL", "MOVABLE", "RECLAIM", "HIGHATOM", "CMA/ISLT", "UNKNOWN" };

struct view {
	const struct pages *p;
	const struct kmem_rows *rows;
	bool callers;
	const struct pages_row *v;
	size_t n;
};

static int larger(uint64_t a, uint64_t b)
{
	return a > b ? -1 : a < b;
}

static int compare_key(const struct view *v, enum key key, const struct pages_row *a, const struct pages_row *b)
{
	const struct pages_kind *x = &v->p->kinds.v[a->kind], *y = &v->p->kinds.v[b->kind];

	switch (key) {
	case KEY_PAGE:
		return v->callers ? 0 : larger(a->at, b->at);
	case KEY_SITE:
		return larger(a->site, b->site);
	case KEY_BYTES:
		return larger(a->bytes, b->bytes);
	case KEY_HIT:
		return larger(a->allocs, b->allocs);
	case KEY_ORDER:
		return larger(x->order, y->order);
	case KEY_TYPE:
		return larger(x->type, y->type);
	default:
		return larger(x->flags, y->flags);
	}
}

/* Ties, in the order of perf's trees: ascending by page or call site, but with --live pages descend. */
static int compare_place(const struct view *v, const struct pages_row *a, const struct pages_row *b)
{
	int r = larger(b->at, a->at);

	if (v->p->live && !v->callers)
		return -r;
	r = r ? r : compare_key(v, KEY_ORDER, b, a);
	r = r ? r : compare_key(v, KEY_TYPE, b, a);
	return r ? r : compare_key(v, KEY_FLAGS, b, a);
}

static int compare(const void *arg, uint32_t i, uint32_t j)
{
	const struct view *v = arg;
	int r = 0;

	for (unsigned k = 0; !r && k < v->rows->keys.n; k++)
		r = compare_key(v, (enum key)v->rows->keys.v[k], &v->v[i], &v->v[j]);
	return r ? r : compare_place(v, &v->v[i], &v->v[j]);
}

static void put_grouped(struct out *o, uint64_t n, unsigned width)
{
	char buf[32];

	out_right(o, fmt_grouped(buf, sizeof(buf), n), width);
}

static unsigned flags_width(const struct kmem *k)
{
	return MAX(k->flags.width, 9u);
}

static void put_site(struct kmem *k, uint64_t site, struct out *o)
{
	const struct sym_loc *l = kmem_place(k, site);

	if (l)
		out_str(o, l->sym);
	else
		out_hex(o, site);
}

static void put_row(struct kmem *k, const struct view *v, const struct pages_row *r, struct out *o)
{
	const struct pages_kind *kind = &v->p->kinds.v[r->kind];

	out_char(o, ' ');
	if (!v->callers) {
		if (k->has_pfn)
			out_u64w(o, r->at, 16);
		else
			out_zero_hex(o, r->at, 16);
		out_str(o, " | ");
	}
	put_grouped(o, r->bytes / KIB, 16);
	out_str(o, " | ");
	put_grouped(o, r->allocs, 9);
	out_printf(o, " | %5u | %8s | ", kind->order, types[kind->type]);
	out_left(o, gfp_flags_brief(&k->flags, kind->flags), flags_width(k));
	out_str(o, " | ");
	put_site(k, r->site, o);
	out_char(o, '\n');
}

static void put_head(struct kmem *k, const struct view *v, struct out *o)
{
	out_char(o, '\n');
	out_str(o, rule);
	out_char(o, ' ');
	if (!v->callers)
		out_printf(o, "%-16s | ", k->has_pfn ? "PFN" : "Page");
	out_printf(o, "%5s alloc (KB) | Hits      | Order | Mig.type | ", k->want->live ? "Live" : "Total");
	out_left(o, "GFP flags", flags_width(k));
	out_str(o, " | Callsite\n");
	out_str(o, rule);
}

static void put_text(struct kmem *k, const struct view *v, const uint32_t *order, struct out *o)
{
	uint64_t left = v->rows->most;
	size_t i = 0;

	put_head(k, v, o);
	for (; i < v->n && left; i++)
		if (v->v[order[i]].allocs) {
			put_row(k, v, &v->v[order[i]], o);
			left--;
		}
	while (i < v->n && !v->v[order[i]].allocs)
		i++;
	if (i < v->n) {
		out_str(o, v->callers ? " ..." : " ...              | ...");
		out_str(o, "              | ...       | ...   | ...      | ");
		out_left(o, "...", flags_width(k));
		out_str(o, " | ...\n");
	}
	out_str(o, rule);
}

static void put_cells(struct kmem *k, const struct view *v, const struct pages_row *r, struct table *t)
{
	const struct pages_kind *kind = &v->p->kinds.v[r->kind];
	const struct sym_loc *l = kmem_place(k, r->site);
	char addr[32];

	if (!v->callers)
		table_u64(t, r->at);
	table_u64(t, r->bytes);
	table_u64(t, r->allocs);
	table_u64(t, kind->order);
	table_str(t, types[kind->type]);
	table_str(t, gfp_flags_brief(&k->flags, kind->flags));
	snprintf(addr, sizeof(addr), "0x%llx", (unsigned long long)r->site);
	table_str(t, addr);
	table_str(t, l ? l->sym : NULL);
}

static int put_table(struct kmem *k, const struct view *v, const uint32_t *order, struct out *o)
{
	static const struct table_col cols[] = {
		{ "page", NULL, TABLE_RIGHT, 0 }, { "bytes", NULL, TABLE_RIGHT, 0 }, { "hits", NULL, TABLE_RIGHT, 0 },
		{ "order", NULL, TABLE_RIGHT, 0 }, { "type", NULL, TABLE_LEFT, 0 }, { "gfp", NULL, TABLE_LEFT, 0 },
		{ "callsite", NULL, TABLE_RIGHT, 0 }, { "symbol", NULL, TABLE_LEFT, 0 },
	};
	struct table_want form = prof_table(k->prof);
	struct table *t = table_new(cols + v->callers, ARRAY_SIZE(cols) - v->callers);
	uint64_t left = v->rows->most;
	int r;

	for (size_t i = 0; t && i < v->n && left; i++)
		if (v->v[order[i]].allocs) {
			put_cells(k, v, &v->v[order[i]], t);
			left--;
		}
	r = t ? table_print(t, &form, o) : -ENOMEM;
	table_free(t);
	return r;
}

static int put_rows(struct kmem *k, int by, struct out *o)
{
	struct pages *p = &k->pages;
	struct view v = { .p = p, .rows = &k->rows[KMEM_PAGES][by], .callers = by == KMEM_BY_CALLER };
	uint32_t *order;
	int r = 0;

	if (!v.callers && p->live && pages_live_rows(p))
		return -ENOMEM;
	v.v = v.callers ? p->callers.v : p->rows.v;
	v.n = v.callers ? p->callers.n : p->rows.n;
	order = kmem_sorted(v.n, compare, &v);
	if (!order)
		r = -ENOMEM;
	else if (prof_table(k->prof).form != TABLE_TEXT)
		r = put_table(k, &v, order, o);
	else
		put_text(k, &v, order, o);
	free(order);
	return r;
}

static void put_flags(struct kmem *k, struct out *o)
{
	gfp_flags_sort(&k->flags);
	out_str(o, "#\n# GFP flags\n# ---------\n");
	for (size_t i = 0; i < k->flags.v.n; i++) {
		const struct gfp_flag *f = &k->flags.v.v[i];

		out_printf(o, "# %08x: ", f->flags);
		out_right(o, f->brief, k->flags.width);
		out_printf(o, ": %s\n", f->text);
	}
}

static void put_sum(struct out *o, const char *what, struct pages_sum s)
{
	out_left(o, what, 30);
	out_str(o, ": ");
	put_grouped(o, s.n, 16);
	out_str(o, "   [ ");
	put_grouped(o, s.bytes / KIB, 16);
	out_str(o, " KB ]\n");
}

static bool is_empty(const struct pages *p, unsigned order)
{
	bool empty = true;

	for (unsigned type = 0; type < TYPES_SHOWN; type++)
		empty &= !p->orders[order][type];
	return empty;
}

/* A row for each of the usual orders, and for higher ones (of other kernel configurations) if they occurred. */
static void put_orders(const struct pages *p, struct out *o)
{
	out_str(o, "Order     Unmovable       Movable   Reclaimable    HighAtomic  CMA/Isolated\n"
		   "-----  ------------  ------------  ------------  ------------  ------------\n");
	for (unsigned order = 0; order < PAGES_ORDERS; order++) {
		if (order >= ORDERS_SHOWN && is_empty(p, order))
			continue;
		out_u64w(o, order, 5);
		for (unsigned type = 0; type < TYPES_SHOWN; type++) {
			out_str(o, "  ");
			if (p->orders[order][type] > 0)
				put_grouped(o, (uint64_t)p->orders[order][type], 12);
			else
				out_right(o, ".", 12);
		}
		out_char(o, '\n');
	}
}

static struct pages_sum minus(struct pages_sum a, struct pages_sum b)
{
	return (struct pages_sum){ a.n - b.n, a.bytes - b.bytes };
}

static void put_summary(const struct pages *p, struct out *o)
{
	struct pages_sum freed = minus(p->frees, p->unknown);

	out_str(o, "\nSUMMARY (page allocator)\n========================\n");
	put_sum(o, "Total allocation requests", p->allocs);
	put_sum(o, "Total free requests", p->frees);
	out_char(o, '\n');
	put_sum(o, "Total alloc+freed requests", freed);
	put_sum(o, "Total alloc-only requests", minus(p->allocs, freed));
	put_sum(o, "Total free-only requests", p->unknown);
	out_char(o, '\n');
	put_sum(o, "Total allocation failures", p->failed);
	out_char(o, '\n');
	put_orders(p, o);
}

static int put_sums(struct kmem *k, struct out *o)
{
	static const struct table_col cols[] = {
		{ "allocs", NULL, TABLE_RIGHT, 0 }, { "alloc_bytes", NULL, TABLE_RIGHT, 0 },
		{ "frees", NULL, TABLE_RIGHT, 0 }, { "free_bytes", NULL, TABLE_RIGHT, 0 },
		{ "free_only", NULL, TABLE_RIGHT, 0 }, { "free_only_bytes", NULL, TABLE_RIGHT, 0 },
		{ "failures", NULL, TABLE_RIGHT, 0 }, { "failure_bytes", NULL, TABLE_RIGHT, 0 },
	};
	const struct pages *p = &k->pages;
	const struct pages_sum sums[] = { p->allocs, p->frees, p->unknown, p->failed };
	struct table_want form = prof_table(k->prof);
	struct table *t = table_new(cols, ARRAY_SIZE(cols));
	int r;

	for (size_t i = 0; t && i < ARRAY_SIZE(sums); i++) {
		table_u64(t, sums[i].n);
		table_u64(t, sums[i].bytes);
	}
	r = t ? table_print(t, &form, o) : -ENOMEM;
	table_free(t);
	return r;
}

int kmem_put_pages(struct kmem *k, struct out *o)
{
	bool text = prof_table(k->prof).form == TABLE_TEXT;
	int r = 0;

	if (text && (k->want->by[KMEM_BY_CALLER] || k->want->by[KMEM_BY_BLOCK]))
		put_flags(k, o);
	if (kmem_has(k, KMEM_PAGES, KMEM_BY_CALLER))
		r = put_rows(k, KMEM_BY_CALLER, o);
	if (!r && kmem_has(k, KMEM_PAGES, KMEM_BY_BLOCK))
		r = put_rows(k, KMEM_BY_BLOCK, o);
	if (!r && text)
		put_summary(&k->pages, o);
	else if (!r && !k->want->by[KMEM_BY_CALLER] && !k->want->by[KMEM_BY_BLOCK])
		r = put_sums(k, o);
	return r;
}
