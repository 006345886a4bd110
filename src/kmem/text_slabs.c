/* text_slabs.c - the slab allocator: tables and summary as perf prints them, and as JSON and CSV. */
#include "kmem/kmem.h"

enum key { KEY_PTR, KEY_SITE, KEY_BYTES, KEY_HIT, KEY_PINGPONG, KEY_FRAG };

static const char rule[] =
	"---------------------------------------------------------------------------------------------------------\n";

struct view {
	const struct slabs *s;
	const struct kmem_rows *rows;
	bool callers;
	struct slabs_row last;   /* the row whose text is in `numbers` */
	struct mem_out numbers;  /* the numeric columns of a row */
};

static const struct slabs_row *row_of(const struct view *v, uint32_t i)
{
	return v->callers ? &v->s->sites.v[i] : &v->s->blocks.v[i].row;
}

/* Map a double to an integer with the same order. */
static uint64_t order_of(double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* The value of a sort key. A key that the table lacks (ptr, with --caller) is 0, as in perf. */
static uint64_t value_of(const struct view *v, enum key key, uint32_t i)
{
	const struct slabs_row *r = row_of(v, i);

	switch (key) {
	case KEY_PTR:
		return v->callers ? 0 : r->at;
	case KEY_SITE:
		return v->callers ? r->at : v->s->sites.v[v->s->blocks.v[i].site].at;
	case KEY_BYTES:
		return r->given;
	case KEY_HIT:
		return r->hits;
	case KEY_PINGPONG:
		return r->moved;
	default:
		return order_of(slabs_waste(r->asked, r->given));
	}
}

/* Row numbers, largest keys first, ties by ascending address. malloc'ed; NULL: no memory. */
static uint32_t *sorted(const struct view *v, size_t n)
{
	uint32_t *order = malloc((2 * n + 1) * sizeof(*order));
	uint64_t *value = malloc((n + 1) * sizeof(*value));

	for (size_t i = 0; order && value && i < n; i++) {
		order[i] = (uint32_t)i;
		value[i] = row_of(v, (uint32_t)i)->at;
	}
	for (unsigned k = v->rows->keys.n + 1; order && value && k--;) {
		sort_by_key(order, order + n, n, value);
		for (size_t i = 0; k && i < n; i++)
			value[i] = ~value_of(v, (enum key)v->rows->keys.v[k - 1], (uint32_t)i);
	}
	if (!value) {
		free(order);
		order = NULL;
	}
	free(value);
	return order;
}

static void fill_to(struct out *o, uint64_t from, unsigned width)
{
	out_fill(o, ' ', width - MIN(o->total - from, (uint64_t)width));
}

/* "kmalloc_order+1f", or the address. */
static void put_place(struct kmem *k, const struct view *v, uint64_t addr, struct out *o)
{
	const struct sym_loc *l = v->callers ? kmem_place(k, addr) : NULL;

	if (l) {
		out_str(o, l->sym);
		out_char(o, '+');
		out_hex(o, l->addr - l->start);
	} else {
		out_str(o, "0x");
		out_hex(o, addr);
	}
}

/* "     4096/512  ": total bytes, and bytes per allocation. */
static void put_bytes(struct out *o, uint64_t bytes, uint32_t hits)
{
	uint64_t from;

	out_str(o, " | ");
	out_u64w(o, bytes, 9);
	out_char(o, '/');
	from = o->total;
	out_u64(o, bytes / hits);
	fill_to(o, from, 5);
}

static void put_numbers(const struct slabs_row *r, struct out *o)
{
	put_bytes(o, r->given, r->hits);
	put_bytes(o, r->asked, r->hits);
	out_str(o, " | ");
	out_u64w(o, r->hits, 8);
	out_str(o, " | ");
	out_u64w(o, r->moved, 9);
	out_str(o, " | ");
	out_near(o, slabs_waste(r->asked, r->given), 6, 3);
	out_str(o, "%\n");
}

static bool same_numbers(const struct slabs_row *a, const struct slabs_row *b)
{
	return a->asked == b->asked && a->given == b->given && a->hits == b->hits && a->moved == b->moved;
}

/* Many rows have the same numbers as the row before, so their text is reused. */
static void put_row(struct kmem *k, struct view *v, const struct slabs_row *r, struct out *o)
{
	struct mem_out *m = &v->numbers;
	uint64_t from;

	out_char(o, ' ');
	from = o->total;
	put_place(k, v, r->at, o);
	fill_to(o, from, 34);
	if (!same_numbers(r, &v->last)) {
		m->n = 0;
		m->out.total = 0;
		put_numbers(r, &m->out);
		out_flush(&m->out);
		v->last = *r;
	}
	out_bytes(o, m->v, m->n);
}

static void put_text(struct kmem *k, struct view *v, const uint32_t *order, size_t n, struct out *o)
{
	uint64_t left = v->rows->most;
	size_t i = 0;

	out_str(o, rule);
	out_printf(o, " %-34s | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag\n",
		   v->callers ? "Callsite" : "Alloc Ptr");
	out_str(o, rule);
	for (; i < n && left; i++) {
		const struct slabs_row *r = row_of(v, order[i]);

		if (!r->hits)
			continue;
		put_row(k, v, r, o);
		left--;
	}
	while (i < n && !row_of(v, order[i])->hits)
		i++;
	if (i < n)
		out_str(o, " ...                                | ...             | ...             | ...      | "
			   "...       | ...   \n");
	out_str(o, rule);
}

static void put_cells(struct kmem *k, const struct view *v, const struct slabs_row *r, struct table *t)
{
	const struct sym_loc *l = v->callers ? kmem_place(k, r->at) : NULL;
	char addr[32];

	snprintf(addr, sizeof(addr), "0x%llx", (unsigned long long)r->at);
	table_str(t, addr);
	table_str(t, l ? l->sym : NULL);
	table_u64(t, r->given);
	table_u64(t, r->asked);
	table_u64(t, r->hits);
	table_u64(t, r->moved);
	table_fixed(t, slabs_waste(r->asked, r->given), 3);
}

static int put_table(struct kmem *k, const struct view *v, const uint32_t *order, size_t n, struct out *o)
{
	const struct table_col cols[] = {
		{ v->callers ? "callsite" : "ptr", NULL, TABLE_RIGHT, 0 }, { "symbol", NULL, TABLE_LEFT, 0 },
		{ "bytes_alloc", NULL, TABLE_RIGHT, 0 }, { "bytes_req", NULL, TABLE_RIGHT, 0 },
		{ "hit", NULL, TABLE_RIGHT, 0 }, { "pingpong", NULL, TABLE_RIGHT, 0 }, { "frag", NULL, TABLE_RIGHT, 0 },
	};
	struct table_want form = prof_table(k->prof);
	struct table *t = table_new(cols, ARRAY_SIZE(cols));
	uint64_t left = v->rows->most;
	int r;

	for (size_t i = 0; t && i < n && left; i++)
		if (row_of(v, order[i])->hits) {
			put_cells(k, v, row_of(v, order[i]), t);
			left--;
		}
	r = t ? table_print(t, &form, o) : -ENOMEM;
	table_free(t);
	return r;
}

static int put_rows(struct kmem *k, int by, struct out *o)
{
	struct view v = {
		&k->slabs, &k->rows[KMEM_SLABS][by], .callers = by == KMEM_BY_CALLER, .last.hits = UINT32_MAX,
	};
	size_t n = v.callers ? k->slabs.sites.n : k->slabs.blocks.n;
	uint32_t *order = sorted(&v, n);
	int r = order ? 0 : -ENOMEM;

	mem_out_init(&v.numbers);
	if (order && prof_table(k->prof).form != TABLE_TEXT)
		r = put_table(k, &v, order, n, o);
	else if (order)
		put_text(k, &v, order, n, o);
	r = r ? r : v.numbers.out.error;
	mem_out_deinit(&v.numbers);
	free(order);
	return r;
}

static void put_number(struct out *o, const char *what, uint64_t n)
{
	out_str(o, what);
	out_grouped(o, n);
	out_char(o, '\n');
}

static void put_summary(const struct slabs *s, struct out *o)
{
	out_str(o, "\nSUMMARY (SLAB allocator)\n========================\n");
	put_number(o, "Total bytes requested: ", s->asked);
	put_number(o, "Total bytes allocated: ", s->given);
	put_number(o, "Total bytes freed:     ", s->freed);
	if (s->given > s->freed)
		put_number(o, "Net total bytes allocated: ", s->given - s->freed);
	put_number(o, "Total bytes wasted on internal fragmentation: ", s->given - MIN(s->given, s->asked));
	out_str(o, "Internal fragmentation: ");
	out_near(o, slabs_waste(s->asked, s->given), 0, 6);
	out_str(o, "%\nCross CPU allocations: ");
	out_grouped(o, s->elsewhere);
	put_number(o, "/", s->allocs);
}

static int put_sums(struct kmem *k, struct out *o)
{
	static const struct table_col cols[] = {
		{ "bytes_req", NULL, TABLE_RIGHT, 0 }, { "bytes_alloc", NULL, TABLE_RIGHT, 0 },
		{ "bytes_freed", NULL, TABLE_RIGHT, 0 }, { "frag", NULL, TABLE_RIGHT, 0 },
		{ "allocs", NULL, TABLE_RIGHT, 0 }, { "cross", NULL, TABLE_RIGHT, 0 },
	};
	const struct slabs *s = &k->slabs;
	struct table_want form = prof_table(k->prof);
	struct table *t = table_new(cols, ARRAY_SIZE(cols));
	int r;

	if (t) {
		table_u64(t, s->asked);
		table_u64(t, s->given);
		table_u64(t, s->freed);
		table_fixed(t, slabs_waste(s->asked, s->given), 6);
		table_u64(t, s->allocs);
		table_u64(t, s->elsewhere);
	}
	r = t ? table_print(t, &form, o) : -ENOMEM;
	table_free(t);
	return r;
}

int kmem_put_slabs(struct kmem *k, struct out *o)
{
	bool text = prof_table(k->prof).form == TABLE_TEXT;
	int r = 0;

	if (kmem_has(k, KMEM_SLABS, KMEM_BY_CALLER))
		r = put_rows(k, KMEM_BY_CALLER, o);
	if (!r && kmem_has(k, KMEM_SLABS, KMEM_BY_BLOCK))
		r = put_rows(k, KMEM_BY_BLOCK, o);
	if (!r && text)
		put_summary(&k->slabs, o);
	else if (!r && !k->want->by[KMEM_BY_CALLER] && !k->want->by[KMEM_BY_BLOCK])
		r = put_sums(k, o);
	return r;
}
