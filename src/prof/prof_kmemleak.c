/* prof_kmemleak.c - sonde prof kmemleak: memory allocated and not freed, by place of the allocation. */
#include "base/sort.h"
#include "engine/line.h"
#include "prof/blocks.h"

struct want {
	struct prof_want prof;
	struct opt_list alloc, free;
	const char *than;
	bool by_comm;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Blocks"),
	OPT_LIST(0, "alloc", struct want, alloc, "<events>",
		"allocation events: ptr= is the address (default: field ptr), size= the size (default: field "
		"bytes_alloc)"),
	OPT_LIST(0, "free", struct want, free, "<events>", "free events: ptr= is the address (default: field ptr)"),
	OPT_STR(0, "than", struct want, than, "<time>", "only blocks older than this: 5ms, 2s; without a unit ns"),
	OPT_FLAG(0, "comm", struct want, by_comm, "separate rows per command"),
	OPT_SUB(prof_chain_opts, struct want, prof),
	OPT_END,
};

struct leaks {
	struct blocks blocks;
	size_t first_free;               /* index of the first spec that frees */
	uint64_t than;
};

static int add(struct prof *p, const struct opt_list *l, const char *name, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < l->n; i++)
		r = prof_add(p, l->v[i], e);
	if (r || l->n)
		return r;
	err_set(e, EINVAL, "--%s is missing: kmemleak takes events that allocate and events that free", name);
	return err_hint(e, "--alloc kmem:kmalloc//ptr=ptr/size=bytes_alloc/stack/ --free kmem:kfree//ptr=ptr/");
}

static bool frees(const struct prof *p, const struct spec *s)
{
	const struct leaks *k = p->own;

	return (size_t)(s - p->specs.v.v) >= k->first_free;
}

static int prepare(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct leaks *k = p->own;
	int r;

	if (p->specs.v.n)
		return err_set(e, EINVAL, "-e does not say what its events do: --alloc and --free");
	if (w->than && !line_read_time(w->than, &k->than))
		return err_set(e, EINVAL, "--than %s: it is no time, as 500, 20us, 5ms or 1s", w->than);
	r = add(p, &w->alloc, "alloc", e);
	k->first_free = p->specs.v.n;
	r = r ? r : add(p, &w->free, "free", e);
	if (!r)
		blocks_keys(p, frees);
	return r;
}

static int begin(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct leaks *k = p->own;

	k->blocks.by_comm = w->by_comm;
	k->blocks.stacks.unit = "bytes";
	return blocks_open(&k->blocks, p, frees, e);
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct leaks *k = p->own;

	return blocks_hit(&k->blocks, h);
}

static int lost(struct prof *p, uint32_t cpu)
{
	struct leaks *k = p->own;

	return blocks_lost(&k->blocks, cpu);
}

/* --- the report ---------------------------------------------------------------------------------------------- */

static int compare(const void *arg, uint32_t a, uint32_t b)
{
	const struct blocks_held *v = arg;

	if (v[a].bytes != v[b].bytes)
		return v[a].bytes > v[b].bytes ? -1 : 1;
	return v[a].n > v[b].n ? -1 : v[a].n < v[b].n;
}

static const char *comm_of(const struct leaks *k, const struct blocks_row *r)
{
	return r->comm == NAMES_NONE ? NULL : names_str(&k->blocks.comms, r->comm);
}

static void put_leak(struct leaks *k, const struct blocks_row *r, const struct blocks_held *h, struct out *o)
{
	const char *comm = comm_of(k, r);

	out_printf(o, "Leak of %llu bytes in %llu objects allocated %s%s%sfrom:\n", (unsigned long long)h->bytes,
		   (unsigned long long)h->n, comm ? "by " : "", comm ? comm : "", comm ? " " : "");
	if (h->doubtful)
		out_printf(o, "    (%llu of them before events were lost)\n", (unsigned long long)h->doubtful);
	blocks_put_place(&k->blocks, r, o);
}

static void put_totals(const struct leaks *k, const struct blocks_held *v, struct out *o)
{
	const struct blocks_stats *s = &k->blocks.stats;
	struct blocks_held sum = { 0 };

	for (size_t i = 0; i < k->blocks.rows.n; i++) {
		sum.n += v[i].n;
		sum.bytes += v[i].bytes;
		sum.doubtful += v[i].doubtful;
	}
	out_printf(o, "%llu allocations of %llu bytes, %llu frees, %llu objects of %llu bytes are left\n",
		   (unsigned long long)s->allocs, (unsigned long long)s->alloc_bytes, (unsigned long long)s->frees,
		   (unsigned long long)sum.n, (unsigned long long)sum.bytes);
	prof_count(k->blocks.prof, o, sum.doubtful,
		   "of them are from before events were lost, their frees may be among those");
	blocks_put_rest(&k->blocks, o);
}

static void put_row(struct leaks *k, struct table *t, const struct blocks_row *r, const struct blocks_held *h)
{
	const struct prof *p = k->blocks.prof;
	struct mem_out m;

	table_u64(t, h->bytes);
	table_u64(t, h->n);
	table_u64(t, h->doubtful);
	table_fixed(t, (double)(p->to - MIN(p->to, h->oldest)) / 1e6, 3);
	table_str(t, p->feed.taps.v[r->tap].name);
	if (k->blocks.by_comm)
		table_str(t, comm_of(k, r));
	mem_out_init(&m);
	callers_put_short(&k->blocks.stacks.callers, r->stack, UINT_MAX, &m.out);
	table_str(t, mem_out_str(&m));
	mem_out_deinit(&m);
}

static int put_table(struct leaks *k, const uint32_t *order, size_t n, const struct blocks_held *v, struct out *o)
{
	static const struct table_col stack = { "stack", NULL, TABLE_LEFT, 0 };
	struct table_col cols[] = {
		{ "bytes", NULL, TABLE_RIGHT, 0 }, { "objects", NULL, TABLE_RIGHT, 0 },
		{ "doubtful", NULL, TABLE_RIGHT, 0 }, { "oldest_ms", NULL, TABLE_RIGHT, 0 },
		{ "event", NULL, TABLE_LEFT, 0 }, { "comm", NULL, TABLE_LEFT, 0 }, stack,
	};
	size_t n_cols = ARRAY_SIZE(cols) - !k->blocks.by_comm;
	struct table_want form = prof_table(k->blocks.prof);
	struct table *t = table_new(cols, n_cols);
	int r;

	cols[n_cols - 1] = stack;
	for (size_t i = 0; t && i < n; i++)
		put_row(k, t, &k->blocks.rows.v[order[i]], &v[order[i]]);
	r = t ? table_print(t, &form, o) : -ENOMEM;
	table_free(t);
	return r;
}

/* Weights are the bytes held at the end. */
static int draw(struct leaks *k, const struct blocks_held *v)
{
	struct blocks *b = &k->blocks;
	int r = 0;

	for (size_t i = 0; !r && i < b->rows.n; i++)
		if (v[i].bytes)
			r = prof_stacks_add(&b->stacks, b->rows.v[i].stack, comm_of(k, &b->rows.v[i]), v[i].bytes);
	return r;
}

static int report(struct leaks *k, struct prof *p, bool last, const struct blocks_held *v, struct out *o)
{
	struct blocks *b = &k->blocks;
	uint32_t *order = malloc((2 * b->rows.n + 1) * sizeof(*order));
	size_t n = 0;
	int r = order ? 0 : -ENOMEM;

	for (uint32_t i = 0; order && i < b->rows.n; i++)
		if (v[i].n)
			order[n++] = i;
	if (order)
		sort_u32(order, order + b->rows.n, n, compare, v);
	if (order && prof_table(p).form != TABLE_TEXT) {
		r = put_table(k, order, n, v, o);
		blocks_put_rest(b, o);
	} else if (order) {
		prof_interval(p, o);
		for (size_t i = 0; i < n; i++)
			put_leak(k, &b->rows.v[order[i]], &v[order[i]], o);
		put_totals(k, v, o);
	}
	free(order);
	return r || !last || !b->stacks.flame ? r : draw(k, v);
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct leaks *k = p->own;
	struct blocks_held *v = blocks_held(&k->blocks, p->to, k->than);
	int r = v ? report(k, p, last, v, o) : -ENOMEM;

	free(v);
	return r ? err_nomem(e) : prof_stacks_show(&k->blocks.stacks, p, last, e);
}

static void close(struct prof *p)
{
	struct leaks *k = p->own;

	blocks_close(&k->blocks);
}

DEFINE_PROF(kmemleak) = {
	.cmd = {
		.name = "kmemleak", .family = "prof",
		.brief = "Find memory that is not freed, by call site of its allocation",
		.synopsis = "--alloc <events> --free <events> [-g] [options] [-- command [arguments]]",
		.details = PACKED(
			"If a function's entry has the size and its return the address, give both as --alloc, one with "
			"size= and one with ptr=. Shown is what was not freed at the end, or at each -i. Blocks "
			"allocated before events were lost are listed separately: their frees may be among the lost "
			"events."),
		.examples = PACKED(
			"sonde prof kmemleak --alloc kmem:kmalloc//stack/ --free kmem:kfree -m 128\tthe kernel\n"
			"sonde prof kmemleak --alloc kmem:kmalloc//ptr=ptr/size=bytes_alloc/stack/ --free "
				"kmem:kfree//ptr=ptr/ --than 5s --comm\tolder than 5 s, by command\n"
			"sonde prof kmemleak --alloc 'uprobe:malloc@\"libc.so.6\"//args=n=%x0:u64/size=n/stack/' "
				"--alloc 'uretprobe:malloc@\"libc.so.6\"//args=p=$retval:u64/ptr=p/' --free "
				"'uprobe:free@\"libc.so.6\"//args=p=%x0:u64/ptr=p/' -- ./server\ta program\n"
			"sonde prof kmemleak --alloc kmem:kmalloc --free kmem:kfree -g --flame-graph leaks -i "
				"perf.data\ta recording, weighted by bytes"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct leaks), .prepare = prepare, .begin = begin, .hit = hit, .lost = lost, .show = show,
	.close = close,
};
