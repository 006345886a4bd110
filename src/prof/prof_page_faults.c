/* prof_page_faults.c - sonde prof page-faults: page faults by thread and mapped file, or by stack. */
#include "base/sort.h"
#include "prof/rows.h"
#include "prof/stacks.h"

struct want {
	struct prof_want prof;
	uint64_t top;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Rows"),
	OPT_U64(0, "top", struct want, top, "<n>", "print only the first <n> rows (default: all)"),
	OPT_SUB(prof_chain_opts, struct want, prof),
	OPT_END,
};

struct row {
	uint32_t tap, comm, file, stack;
	uint64_t n;
};

struct faults {
	struct prof *prof;
	struct prof_stacks stacks;
	const struct tfield **address;   /* by tap, of tracepoints; NULL: it has no address */
	VEC(struct row) rows;
	struct names ids, texts;         /* ids: (tap, comm, file, stack) of each row */
	uint64_t total, dropped, addressless;
};

static bool is_fault(const char *event)
{
	return strstr(event, "fault") || !strncmp(event, "exceptions:", 11);
}

static int prepare(struct prof *p, struct err *e)
{
	if (prof_want(p)->key)
		return err_set(e, EINVAL, "-k: page-faults has no key but what is mapped");
	for (size_t i = 0; i < p->specs.v.n; i++)
		if (!is_fault(p->specs.v.v[i].event)) {
			err_set(e, EINVAL, "%s is no page fault", p->specs.v.v[i].text);
			return err_hint(e, "minor-faults, major-faults, exceptions:page_fault_user");
		}
	return p->specs.v.n ? 0 : prof_add(p, "page-faults", e);
}

static int begin(struct prof *p, struct err *e)
{
	struct faults *f = p->own;
	size_t n = p->feed.taps.n;

	f->prof = p;
	f->address = arena_alloc(&p->feed.arena, (n + 1) * sizeof(*f->address));
	if (!f->address)
		return err_nomem(e);
	for (size_t i = 0; i < n; i++) {
		const struct tevent *event = p->feed.taps.v[i].event;

		f->address[i] = event ? tfmt_field(&event->fmt, "address") : NULL;
	}
	return prof_stacks_open(&f->stacks, p, e);
}

/* --- events -------------------------------------------------------------------------------------------------- */

static bool address_of(const struct faults *f, const struct hit *h, uint64_t *address)
{
	const struct tfield *field = f->address[h->tap->index];

	*address = h->sample->addr;
	return field ? tfmt_u64(field, h->raw.p, h->raw.n, address) : h->perf->layout.sample_type & PERF_SAMPLE_ADDR;
}

/* The file mapped at the address, or "[heap]" and the like. */
static const char *file_of(struct faults *f, const struct hit *h)
{
	struct resolver *r = f->prof->feed.session.resolver;
	struct resolver_spaces in = resolver_spaces(r, h->pid, h->time);
	const char *name;
	uint64_t address;
	bool is_kernel;

	if (!address_of(f, h, &address)) {
		f->addressless++;
		return "";
	}
	if (address >> 63)
		return "[kernel]";
	name = resolver_file(r, &in, PERF_MISC_USER, address, &is_kernel);
	/* Anonymous memory; resolvers have no name for it, as JIT code may be in it. */
	return name ? name : resolver_is_mapped(&in.user, address) ? "[anon]" : "[unknown]";
}

static uint32_t text(struct faults *f, const char *s)
{
	return names_add(&f->texts, s, strlen(s));
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct faults *f = p->own;
	uint32_t stack = callers_of(&f->stacks.callers, h), at;
	uint32_t id[4] = { h->tap->index, text(f, feed_comm(&p->feed, h->tid)), text(f, file_of(f, h)), stack };
	uint64_t n = h->sample->period ? h->sample->period : 1;
	struct row *r;

	if (stack == CALLTREE_NONE || id[1] == NAMES_NONE || id[2] == NAMES_NONE)
		return -ENOMEM;
	f->total += n;
	at = prof_row(&f->ids, id, sizeof(id));
	f->dropped += at == PROF_ROWS ? n : 0;
	if (at == PROF_ROWS)
		return 0;
	r = at == NAMES_NONE ? NULL : at < f->rows.n ? &f->rows.v[at] : vec_add(&f->rows);
	if (!r)
		return -ENOMEM;
	*r = (struct row){ .tap = id[0], .comm = id[1], .file = id[2], .stack = stack, .n = r->n + n };
	return prof_stacks_draw(&f->stacks, p, stack, h->tid, n);
}

/* --- rows ---------------------------------------------------------------------------------------------------- */

static int compare(const void *arg, uint32_t a, uint32_t b)
{
	const struct faults *f = arg;
	const struct row *x = &f->rows.v[a], *y = &f->rows.v[b];
	int by_comm = strcmp(names_str(&f->texts, x->comm), names_str(&f->texts, y->comm));

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return by_comm ? by_comm : strcmp(names_str(&f->texts, x->file), names_str(&f->texts, y->file));
}

static void put_row(struct faults *f, struct table *t, const struct row *r, bool stacks)
{
	struct mem_out m;

	table_u64(t, r->n);
	table_str(t, f->prof->feed.taps.v[r->tap].name);
	table_str(t, names_str(&f->texts, r->comm));
	table_str(t, names_str(&f->texts, r->file));
	if (!stacks)
		return;
	mem_out_init(&m);
	callers_put_short(&f->stacks.callers, r->stack, UINT_MAX, &m.out);
	table_str(t, mem_out_str(&m));
	mem_out_deinit(&m);
}

static int put_table(struct faults *f, const uint32_t *order, size_t n, bool stacks, struct out *o)
{
	static const struct table_col cols[] = {
		{ "faults", NULL, TABLE_RIGHT, 0 }, { "event", NULL, TABLE_LEFT, 0 }, { "comm", NULL, TABLE_LEFT, 0 },
		{ "file", NULL, TABLE_LEFT, 0 }, { "stack", NULL, TABLE_LEFT, 0 },
	};
	struct table_want form = prof_table(f->prof);
	struct table *t = table_new(cols, ARRAY_SIZE(cols) - !stacks);
	int r;

	for (size_t i = 0; t && i < n; i++)
		put_row(f, t, &f->rows.v[order[i]], stacks);
	r = t ? table_print(t, &form, o) : -ENOMEM;
	table_free(t);
	return r;
}

static int put_stacks(struct faults *f, const uint32_t *order, size_t n, struct out *o)
{
	for (size_t i = 0; i < n; i++) {
		const struct row *r = &f->rows.v[order[i]];

		out_printf(o, "%llu %s of %s%s%s from:\n", (unsigned long long)r->n,
			   f->prof->feed.taps.v[r->tap].name, names_str(&f->texts, r->comm),
			   *names_str(&f->texts, r->file) ? " on " : "", names_str(&f->texts, r->file));
		callers_put(&f->stacks.callers, r->stack, o);
	}
	return 0;
}

static int report(struct faults *f, struct out *o)
{
	const struct want *w = f->prof->want;
	bool stacks = f->stacks.callers.tree.nodes.n > 1, text_form = prof_table(f->prof).form == TABLE_TEXT;
	uint32_t *order = malloc((2 * f->rows.n + 1) * sizeof(*order));
	size_t n = w->top ? MIN(w->top, f->rows.n) : f->rows.n;
	int r;

	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0; i < f->rows.n; i++)
		order[i] = i;
	sort_u32(order, order + f->rows.n, f->rows.n, compare, f);
	prof_interval(f->prof, o);
	r = stacks && text_form ? put_stacks(f, order, n, o) : put_table(f, order, n, stacks, o);
	free(order);
	if (text_form)
		prof_count(f->prof, o, f->total, "page faults");
	prof_count(f->prof, o, f->dropped, "are left out: too many rows");
	prof_count(f->prof, o, f->addressless, "do not tell their address: record them with -d");
	return r;
}

static void forget(struct faults *f)
{
	vec_free(&f->rows);
	names_deinit(&f->ids);
	f->ids = (struct names){ 0 };
	f->total = f->dropped = f->addressless = 0;
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct faults *f = p->own;
	int r = report(f, o);

	forget(f);
	return r ? err_nomem(e) : prof_stacks_show(&f->stacks, p, last, e);
}

static void close(struct prof *p)
{
	struct faults *f = p->own;

	forget(f);
	names_deinit(&f->texts);
	prof_stacks_close(&f->stacks);
}

DEFINE_PROF(page_faults) = {
	.cmd = {
		.name = "page-faults", .family = "prof", .brief = "Show page faults by task and mapping",
		.synopsis = "[-g] [options] [-- command [arguments]]",
		.details = PACKED(
			"Rows are commands and the mapping of the faulting address; with -g one row per call chain. Of "
			"mappings that existed before the start only code is known. -e chooses other events than "
			"page-faults: minor-faults, major-faults, on x86 exceptions:page_fault_user. A recording has "
			"addresses if made with record -d."),
		.examples = PACKED(
			"sonde prof page-faults -p 2347 -g\tcall chains of a process's faults\n"
			"sonde prof page-faults -C 0 -i 1000 --top 10\ta CPU, every second\n"
			"sonde prof page-faults -e major-faults -- ls\tonly faults that need disk I/O\n"
			"sonde prof page-faults -i perf.data\ta recording: record -d -e page-faults -c 1"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct faults), .prepare = prepare, .begin = begin, .hit = hit, .show = show, .close = close,
	.sample = PERF_SAMPLE_ADDR, .period = 1,
};
