/* stat.c - the options of sonde kmem stat, and how its events are counted. */
#include "kmem/kmem.h"

#include "machine/places.h"
#include "prof/tasks.h"

enum { FRAMES = 16, PAGE_SIZE_USUAL = 4096, NODE_NONE = -1 };

/* --- options --- */

/* Mark an option as given later than the other of its pair, see struct kmem_want. */
static int choose(unsigned *mine, unsigned other)
{
	*mine = other + 1;
	return 0;
}

static int set_slab(void *want, const char *value UNUSED, struct err *e UNUSED)
{
	struct kmem_want *w = want;

	return choose(&w->about[KMEM_SLABS], w->about[KMEM_PAGES]);
}

static int set_page(void *want, const char *value UNUSED, struct err *e UNUSED)
{
	struct kmem_want *w = want;

	return choose(&w->about[KMEM_PAGES], w->about[KMEM_SLABS]);
}

static int set_caller(void *want, const char *value UNUSED, struct err *e UNUSED)
{
	struct kmem_want *w = want;

	return choose(&w->by[KMEM_BY_CALLER], w->by[KMEM_BY_BLOCK]);
}

static int set_alloc(void *want, const char *value UNUSED, struct err *e UNUSED)
{
	struct kmem_want *w = want;

	return choose(&w->by[KMEM_BY_BLOCK], w->by[KMEM_BY_CALLER]);
}

static int set_sort(void *want, const char *value, struct err *e UNUSED)
{
	struct kmem_want *w = want;
	bool pages = w->about[KMEM_PAGES] > w->about[KMEM_SLABS], caller = w->by[KMEM_BY_CALLER] > w->by[KMEM_BY_BLOCK];

	w->sort[pages][caller] = value;
	return 0;
}

static int set_lines(void *want, const char *value, struct err *e)
{
	struct kmem_want *w = want;
	uint64_t n;

	if (!str_u64(sv_from(value), 10, &n))
		return err_set(e, EINVAL, "'%.40s' is no number of lines", value);
	w->lines[w->by[KMEM_BY_CALLER] > w->by[KMEM_BY_BLOCK]] = value;
	return 0;
}

const struct opt kmem_opts[] = {
	OPT_HEAD("Events"),
	OPT_CALL_WANT(0, "slab", OPT_NO_VALUE, set_slab, "", "slab allocations: kmalloc and slab caches (default)"),
	OPT_CALL_WANT(0, "page", OPT_NO_VALUE, set_page, "", "page allocations"),
	OPT_FLAG(0, "live", struct kmem_want, live, "with --page: only pages that were not freed"),
	OPT_STR(0, "time", struct kmem_want, time, "<from,to>",
		"only this time range, in seconds; either end may be left out"),
	OPT_HEAD("Tables"),
	OPT_CALL_WANT(0, "caller", OPT_NO_VALUE, set_caller, "", "one row per call site"),
	OPT_CALL_WANT(0, "alloc", OPT_NO_VALUE, set_alloc, "", "one row per allocation, by address"),
	OPT_CALL_WANT('s', "sort", 0, set_sort, "<keys>",
		      "sort keys of the --caller or --alloc before it, comma-separated: ptr, callsite, bytes, hit, "
		      "pingpong, frag (default frag,hit,bytes); with --page: page, callsite, bytes, hit, order, "
		      "migtype, gfp (default bytes,hit)"),
	OPT_CALL_WANT('l', "line", 0, set_lines, "<n>", "print only its first <n> rows"),
	OPT_FLAG(0, "raw-ip", struct kmem_want, raw_ip, "print addresses, not symbols"),
	OPT_HEAD("Input"),
	OPT_CALL('i', "interval", 0, struct kmem_want, view.prof.from, prof_set_from, "<ms|file>",
		 "number: live, print a table every <ms>; else recording to read (default perf.data)"),
	OPT_STR(0, "input", struct kmem_want, view.prof.from.input, "<file>", "recording to read"),
	OPT_STR('k', "vmlinux", struct kmem_want, view.prof.session.vmlinux, "<file>",
		"vmlinux of the recorded kernel"),
	OPT_STR(0, "kallsyms", struct kmem_want, view.prof.session.kallsyms, "<file>",
		"copy of the recorded machine's /proc/kallsyms"),
	OPT_SUB(view_opts, struct kmem_want, view),
	OPT_FLAG('j', "json", struct kmem_want, view.prof.form.json, "print rows as JSON"),
	OPT_STR('x', "field-separator", struct kmem_want, view.prof.form.sep, "<sep>",
		"print rows as CSV with this separator"),
	OPT_END,
};

/* An -s or -l given before the option that names its table is used if there is only one table (`only`). */
static const char *said(const char *mine, const char *other, bool only)
{
	return mine || !only ? mine : other;
}

static int read_rows(struct kmem *k, int about, int by, struct err *e)
{
	static const char *const slab_keys[] = { "ptr", "callsite", "bytes", "hit", "pingpong", "frag" };
	static const char *const page_keys[] = { "page", "callsite", "bytes", "hit", "order", "migtype", "gfp" };
	const struct kmem_want *w = k->want;
	bool pages = about == KMEM_PAGES, only_about = !w->about[!about], only = !w->by[!by];
	const char *sort = said(w->sort[about][by], w->sort[about][!by], only);
	const char *lines = said(w->lines[by], w->lines[!by], only);
	struct kmem_rows *r = &k->rows[about][by];

	sort = said(sort, said(w->sort[!about][by], w->sort[!about][!by], only), only_about);
	r->most = UINT64_MAX;
	if (lines)
		str_u64(sv_from(lines), 10, &r->most);
	if (pages)
		return view_keys_read(&r->keys, sort ? sort : "bytes,hit", page_keys, ARRAY_SIZE(page_keys), e);
	return view_keys_read(&r->keys, sort ? sort : "frag,hit,bytes", slab_keys, ARRAY_SIZE(slab_keys), e);
}

static int read_tables(struct kmem *k, struct err *e)
{
	bool form = k->want->view.prof.form.json || k->want->view.prof.form.sep;
	unsigned tables = 0;
	int r = 0;

	for (int about = 0; about < KMEM_ABOUT; about++)
		for (int by = 0; !r && by < KMEM_BY; by++)
			if (kmem_has(k, about, by)) {
				r = read_rows(k, about, by, e);
				tables++;
			}
	for (int by = 0; !r && !tables && by < KMEM_BY; by++)
		if (k->want->sort[0][by] || k->want->sort[1][by] || k->want->lines[by])
			return err_set(e, EINVAL, "-s and -l: of which table? --caller or --alloc");
	if (!r && form && (tables > 1 || (k->want->about[KMEM_SLABS] && k->want->about[KMEM_PAGES])))
		return err_set(e, EINVAL, "-j and -x: these are several tables; ask for one, as --slab --caller");
	return r;
}

/* --- events --- */

enum kind { ALLOC_FIRST, ALLOC_LAST = 3, FREE_FIRST, FREE_LAST = 5, PAGE_ALLOC, PAGE_FREE, KINDS };
enum { SITE, PTR, REQ, GIVEN, NODE };
enum { PFN, PAGE, ORDER, GFP, MIGRATE };

#define ALLOC(name) { "kmem:" name, { "call_site", "ptr", "bytes_req", "bytes_alloc", "node" } }
/* Tracepoints with "_node" existed until Linux 6.0; the field pfn exists since 4.1. */
static const struct view_kind kinds[KINDS] = {
	ALLOC("kmalloc"), ALLOC("kmalloc_node"), ALLOC("kmem_cache_alloc"), ALLOC("kmem_cache_alloc_node"),
	{ "kmem:kfree", { "call_site", "ptr" } }, { "kmem:kmem_cache_free", { "call_site", "ptr" } },
	{ "kmem:mm_page_alloc", { "pfn", "page", "order", "gfp_flags", "migratetype" } },
	{ "kmem:mm_page_free", { "pfn", "page", "order" } },
};
#undef ALLOC

static int prepare(struct prof *p, struct err *e)
{
	struct kmem_want *w = p->want;
	struct kmem *k = p->own;
	int r;

	w->about[KMEM_SLABS] |= !w->about[KMEM_PAGES];
	k->want = w;
	if (w->live && !w->about[KMEM_PAGES])
		return err_set(e, EINVAL, "--live goes with --page");
	r = read_tables(k, e);
	if (!r && w->about[KMEM_SLABS])
		r = prof_add(p, kinds[ALLOC_FIRST].label, e);
	for (int i = ALLOC_FIRST + 1; !r && w->about[KMEM_SLABS] && i <= FREE_LAST; i++)
		r = prof_add_optional(p, kinds[i].label, e);
	if (!r && w->about[KMEM_PAGES])
		r = prof_add(p, "kmem:mm_page_alloc//max-stack=16/", e);
	return r || !w->about[KMEM_PAGES] ? r : prof_add(p, kinds[PAGE_FREE].label, e);
}

static int read_places(struct kmem *k, struct prof *p)
{
	const struct cpus *online = &p->feed.live.target.online;

	if (!feed_is_live(&p->feed))
		return topology_read(&k->places, p->feed.session.head);
	for (int cpu = cpus_next(online, 0); cpu >= 0; cpu = cpus_next(online, (unsigned)cpu + 1)) {
		while (k->places.v.n <= (size_t)cpu)
			if (!vec_add(&k->places.v))
				return -ENOMEM;
		cpu_place_read(&k->places.v.v[cpu], p->sys, cpu);
	}
	return 0;
}

static int begin(struct prof *p, struct err *e)
{
	struct kmem *k = p->own;
	const struct tevents *trace = p->feed.session.trace;
	int r = view_span_read(&k->span, p, k->want->time, e);

	if (r)
		return r;
	k->prof = p;
	k->taps = view_taps(p, kinds, KINDS);
	k->page_size = feed_is_live(&p->feed) ? (uint32_t)p->sys->page_size(p->sys) :
		       trace && trace->page_size ? trace->page_size : PAGE_SIZE_USUAL;
	k->pages.live = k->want->live;
	k->pages.by_page = k->want->by[KMEM_BY_BLOCK];
	for (size_t i = 0; k->taps && i < p->feed.taps.n; i++)
		k->has_pfn |= k->taps[i].kind == PAGE_ALLOC && k->taps[i].field[PFN];
	return !k->taps || read_places(k, p) ? err_nomem(e) : 0;
}

/* Was memory of another NUMA node than the CPU's asked for? The field is NODE_NONE if any node would do. */
static bool is_elsewhere(struct kmem *k, const struct view_tap *t, const struct hit *h)
{
	int64_t node = t->field[NODE] ? (int64_t)view_value(t, h, NODE) : NODE_NONE;

	if (node == NODE_NONE)
		return false;
	if (h->cpu < k->places.v.n)
		return k->places.v.v[h->cpu].node != (uint64_t)node;
	k->unplaced++;
	return false;
}

static int take_alloc(struct kmem *k, const struct view_tap *t, const struct hit *h)
{
	struct slabs_event ev = {
		.site = view_value(t, h, SITE), .block = view_value(t, h, PTR), .asked = view_value(t, h, REQ),
		.given = view_value(t, h, GIVEN), .cpu = (int32_t)h->cpu, .elsewhere = is_elsewhere(k, t, h),
	};

	return slabs_alloc(&k->slabs, &ev);
}

/* --- pages --- */

/*
 * Is it a function that allocates pages on behalf of its caller? These are perf's pattern, the names since Linux 6.14,
 * and on arm64 the tracepoint's own function, which is the first in the call chain.
 */
static bool is_allocator_name(const char *name)
{
	static const char *const begins[] = {
		"alloc_page", "alloc_frozen_page", "get_free_page", "get_zeroed_page", "traceiter_mm_page_alloc",
	};
	size_t i = 0;

	name += *name == '_';
	name += *name == '_';
	while (i < ARRAY_SIZE(begins) && strncmp(name, begins[i], strlen(begins[i])))
		i++;
	return i < ARRAY_SIZE(begins);
}

const struct sym_loc *kmem_place(struct kmem *k, uint64_t addr)
{
	const struct sym_loc *l = k->want->raw_ip ? NULL : resolver_find(k->prof->feed.session.resolver, UINT32_MAX,
									 PERF_MISC_KERNEL, addr);

	return l && l->sym ? l : NULL;
}

static bool is_allocator(void *arg, uint64_t ip)
{
	const struct kmem *k = arg;
	const struct sym_loc *l = resolver_find(k->prof->feed.session.resolver, UINT32_MAX, PERF_MISC_KERNEL, ip);

	return l && l->sym && is_allocator_name(l->sym);
}

/* The first address of the call chain outside the page allocator; if there is none, the last one of the chain. */
static uint64_t call_site(struct kmem *k, const struct hit *h)
{
	const struct sample *s = h->sample;
	uint64_t last = s ? s->ip : 0;
	unsigned n = 0;

	for (uint64_t i = 0; s && i < s->n_chain && n < FRAMES; i++) {
		uint64_t ip = sample_chain(&h->perf->layout, s, i);

		if (ip >= PERF_CONTEXT_MAX)
			continue;
		n++;
		last = ip;
		if (!view_is(&k->allocators, ip, is_allocator, k))
			return ip;
	}
	return last;
}

static uint64_t page_of(const struct kmem *k, const struct view_tap *t, const struct hit *h)
{
	return view_value(t, h, k->has_pfn ? PFN : PAGE);
}

static int take_page_alloc(struct kmem *k, const struct view_tap *t, const struct hit *h)
{
	struct pages_event ev = {
		.page = page_of(k, t, h),
		.kind = {
			.flags = (uint32_t)view_value(t, h, GFP), .order = (uint32_t)view_value(t, h, ORDER),
			.type = (uint32_t)view_value(t, h, MIGRATE),
		},
	};

	if (ev.kind.order >= PAGES_ORDERS) {
		k->bad++;
		return 0;
	}
	ev.kind.type = MIN(ev.kind.type, PAGES_TYPES - 1u);
	ev.bytes = (uint64_t)k->page_size << ev.kind.order;
	if (ev.page == (k->has_pfn ? UINT64_MAX : 0)) {
		pages_failed(&k->pages, ev.bytes);
		return 0;
	}
	ev.site = call_site(k, h);
	if (gfp_flags_see(&k->flags, &k->prof->feed, h, ev.kind.flags))
		return -ENOMEM;
	return pages_alloc(&k->pages, &ev);
}

static void take_page_free(struct kmem *k, const struct view_tap *t, const struct hit *h)
{
	uint32_t order = (uint32_t)view_value(t, h, ORDER);

	if (order < PAGES_ORDERS)
		pages_free(&k->pages, page_of(k, t, h), (uint64_t)k->page_size << order);
	else
		k->bad++;
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct kmem *k = p->own;
	const struct view_tap *t = &k->taps[h->tap->index];

	if (!view_span_has(&k->span, h->time))
		return 0;
	if (t->kind <= ALLOC_LAST)
		return take_alloc(k, t, h);
	if (t->kind <= FREE_LAST)
		return slabs_free(&k->slabs, view_value(t, h, PTR), (int32_t)h->cpu);
	if (t->kind == PAGE_ALLOC)
		return take_page_alloc(k, t, h);
	if (t->kind == PAGE_FREE)
		take_page_free(k, t, h);
	return 0;
}

/* --- results --- */

uint32_t *kmem_sorted(size_t n, sort_order *order, const void *arg)
{
	uint32_t *v = malloc((2 * n + 1) * sizeof(*v));

	for (size_t i = 0; v && i < n; i++)
		v[i] = (uint32_t)i;
	if (v)
		sort_u32(v, v + n, n, order, arg);
	return v;
}

static void tell(const struct kmem *k)
{
	const struct prof *p = k->prof;

	view_note(p, k->slabs.dropped + k->pages.dropped,
		  "allocations are in no row: too many blocks, pages or places");
	view_note(p, k->bad, "events make no sense: they are left out");
	view_note(p, k->unplaced, "allocations are of a NUMA node, but those of the CPUs are not known");
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct kmem *k = p->own;
	int r = slabs_settle(&k->slabs);

	if (r)
		return err_nomem(e);
	prof_interval(p, o);
	if (k->want->about[KMEM_SLABS])
		r = kmem_put_slabs(k, o);
	if (!r && k->want->about[KMEM_PAGES])
		r = kmem_put_pages(k, o);
	if (last)
		tell(k);
	r = r ? r : slabs_forget(&k->slabs);
	r = r ? r : pages_forget(&k->pages);
	return r ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct kmem *k = p->own;

	slabs_deinit(&k->slabs);
	pages_deinit(&k->pages);
	gfp_flags_deinit(&k->flags);
	cpu_places_deinit(&k->places);
	map_deinit(&k->allocators);
}

const struct prof_kind kmem_stat = {
	.cmd = {
		.name = "stat", .family = "kmem", .brief = "Show kernel memory allocations by call site or address",
		.synopsis = "[--slab] [--page] [--caller] [--alloc] [-i <file>] | -i <ms> | -a | [--] command",
		.details = PACKED(
			"Slab allocations (kmalloc and caches): bytes requested and allocated, the share that is "
			"wasted (frag), number of allocations (hit), and how often a block was freed on another CPU "
			"than the one that allocated it (ping-pong). Page allocations (--page): orders, migrate types "
			"and GFP flags; the call site is the first function of the call chain that is not one of the "
			"page allocator. Frees are only known for what was allocated during the recording. Migrate "
			"types are those of Linux 4.4 and later; perf has older names. Without -i, -a and a command "
			"perf.data is read, as perf does; with them all tasks are traced live."),
		.examples = PACKED(
			"sonde kmem record -- make && sonde kmem stat --caller\tby call site, as with perf\n"
			"sonde kmem stat --caller -s bytes -l 10\tthe ten call sites with the most bytes\n"
			"sonde kmem stat --alloc --raw-ip\teach block, by address\n"
			"sonde kmem stat --page --live --caller -- make\tpages that are not freed while a command "
				"runs; live\n"
			"sonde kmem stat --caller -l 5 -i 1000\tlive, every second\n"
			"sonde kmem stat --caller -i perf.data -j\tas JSON"),
		.opts = kmem_opts, .want_size = sizeof(struct kmem_want),
	},
	.own = sizeof(struct kmem), .first = view_first, .prepare = prepare, .begin = begin, .hit = hit, .show = show,
	.close = close, .kernel_only = true,
};
