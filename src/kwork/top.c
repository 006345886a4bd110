/* top.c - sonde kwork top: CPU time of tasks, without that of the interrupts that interrupted them. */
#include "kwork/kwork.h"

#include "base/sort.h"

enum key { KEY_RATE, KEY_RUNTIME, KEY_TID };
enum { BAR = 30, RATE = 10000 };

struct want {
	struct kwork_want kwork;
};

static const struct opt opts[] = {
	OPT_HEAD("Rows"),
	OPT_STR('s', "sort", struct want, kwork.sort, "<keys>",
		"sort keys, comma-separated: rate, runtime, tid (default rate,runtime)"),
	OPT_STR('k', "kwork", struct want, kwork.classes, "<classes>",
		"what to subtract from run times: irq, softirq (default sched,irq,softirq)"),
	OPT_CALL('i', "interval", 0, struct want, kwork.view.prof.from, prof_set_from, "<ms|file>",
		 "number: live, print a table every <ms>; else recording to read (default perf.data)"),
	OPT_STR(0, "input", struct want, kwork.view.prof.from.input, "<file>", "recording to read"),
	OPT_SUB(kwork_opts, struct want, kwork),
	OPT_END,
};

struct cpu {
	uint64_t total, load, idle, irq, softirq;   /* ns */
	bool is_seen;
};

/* A task on all CPUs; the idle task has a row for each CPU. */
struct row {
	uint64_t id, rate, total;        /* rate: hundredths of a percent; total: ns */
	const struct work *work;
};

struct top {
	struct kwork kwork;
	VEC(struct cpu) cpus;
	VEC(struct row) rows;
};

/* --- events --- */

static int prepare(struct prof *p, struct err *e)
{
	static const char *const keys[] = { "rate", "runtime", "tid" };
	const struct want *w = p->want;
	struct top *t = p->own;
	const char *sort = w->kwork.sort ? w->kwork.sort : "rate,runtime";
	int r = view_keys_read(&t->kwork.keys, sort, keys, ARRAY_SIZE(keys), e);

	t->kwork.by_task = true;
	r = r ? r : kwork_add(p, &t->kwork, "sched,irq,softirq", 1 << WORK_ENTRY | 1 << WORK_EXIT, e);
	for (unsigned i = 0; !r && i < t->kwork.classes.n; i++)
		if (t->kwork.classes.v[i] == WORK_QUEUE)
			return err_set(e, EINVAL, "-k workqueue: work items run within tasks of their own");
	/* Needed in any case: run times of tasks are what is shown, whatever -k subtracts from them. */
	return r ? r : prof_add(p, "sched:sched_switch", e);
}

static int begin(struct prof *p, struct err *e)
{
	struct top *t = p->own;

	return kwork_begin(p, &t->kwork, e);
}

static void add(struct work *w, uint64_t from, uint64_t to)
{
	w->total += to - MIN(from, to);
}

static int take_switch(struct top *t, const struct hit *h)
{
	struct kwork_hit to;
	struct work_atom was;
	int r = kwork_take_switch(&t->kwork, h, WORK_EXIT, &to);

	if (r)
		return r;
	if (to.counts && works_pop(to.work, WORK_ENTRY, WORK_EXIT, &was))
		add(to.work, was.time, h->time);
	r = kwork_take_switch(&t->kwork, h, WORK_ENTRY, &to);
	if (!r && to.counts)
		works_push(&t->kwork.works, to.work, WORK_ENTRY, h->time);
	return r;
}

/* Has the interrupted task a work of its own on this CPU, i.e. was it seen in a sched_switch there? */
static bool has_task(const struct top *t, const struct work *w)
{
	struct work_key key = { .id = w->key.id, .cpu = w->key.cpu, .class = WORK_SCHED };
	uint32_t i;

	return !works_find(&t->kwork.works, &key, &i);
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct top *t = p->own;
	struct work_atom was;
	struct kwork_hit to;
	int r;

	if (kwork_is_switch(&t->kwork, h)) {
		r = take_switch(t, h);
		return MIN(r, 0);
	}
	r = kwork_take(&t->kwork, h, &to);
	if (r || !to.counts)
		return MIN(r, 0);
	if (to.step == WORK_ENTRY)
		works_push(&t->kwork.works, to.work, WORK_ENTRY, h->time);
	else if (to.step == WORK_EXIT && works_pop(to.work, WORK_ENTRY, WORK_EXIT, &was) && has_task(t, to.work))
		add(to.work, was.time, h->time);
	return 0;
}

static int lost(struct prof *p, uint32_t cpu)
{
	struct top *t = p->own;

	works_lose(&t->kwork.works, cpu);
	return 0;
}

/* --- sums --- */

static struct cpu *cpu_of(struct top *t, uint32_t cpu)
{
	while (t->cpus.n <= cpu)
		if (!vec_add(&t->cpus))
			return NULL;
	return &t->cpus.v[cpu];
}

static int sum_cpus(struct top *t)
{
	for (size_t i = 0; i < t->kwork.works.v.n; i++) {
		const struct work *w = &t->kwork.works.v.v[i];
		struct cpu *c = w->key.class == WORK_SCHED ? cpu_of(t, w->key.cpu) : NULL;

		if (w->key.class == WORK_SCHED && !c)
			return -ENOMEM;
		if (c)
			c->total += w->total;
	}
	return 0;
}

/* The task's run time without the interrupts during it, whose times are added to the CPU's. */
static uint64_t without_interrupts(struct top *t, const struct work *w, struct cpu *c)
{
	uint64_t left = w->total;

	for (uint32_t class = WORK_IRQ; class <= WORK_SOFTIRQ; class++) {
		struct work_key key = { .id = w->key.id, .cpu = w->key.cpu, .class = class };
		uint64_t part;
		uint32_t i;

		if (works_find(&t->kwork.works, &key, &i))
			continue;
		part = t->kwork.works.v.v[i].total;
		if (left <= part)
			continue;
		left -= part;
		*(class == WORK_IRQ ? &c->irq : &c->softirq) += part;
	}
	return left;
}

static int add_row(struct top *t, struct map *of, const struct work *w, uint64_t left, uint64_t rate)
{
	bool is_new = false;
	uint64_t key = w->key.id ? w->key.id : UINT64_C(1) << 32 | w->key.cpu, *at = map_add(of, key, &is_new);
	struct row *r = at && is_new ? vec_add(&t->rows) : NULL;

	if (!at || (is_new && !r))
		return -ENOMEM;
	if (r) {
		*r = (struct row){ .id = w->key.id, .work = w };
		*at = t->rows.n - 1;
	}
	t->rows.v[*at].total += left;
	t->rows.v[*at].rate += rate;
	/* The row's work, and so the task's name, is that on the highest CPU, as in perf. */
	if (w->key.cpu > t->rows.v[*at].work->key.cpu)
		t->rows.v[*at].work = w;
	return 0;
}

static int sum_tasks(struct top *t)
{
	struct map of = { 0 };
	int r = 0;

	for (size_t i = 0; !r && i < t->kwork.works.v.n; i++) {
		const struct work *w = &t->kwork.works.v.v[i];
		struct cpu *c = w->key.class == WORK_SCHED ? &t->cpus.v[w->key.cpu] : NULL;
		uint64_t left;

		if (!c || !w->total)
			continue;
		c->is_seen = true;
		left = without_interrupts(t, w, c);
		*(w->key.id ? &c->load : &c->idle) += kwork_is_named(&t->kwork, w) || !w->key.id ? left : 0;
		if (kwork_is_named(&t->kwork, w))
			r = add_row(t, &of, w, left, left * RATE / c->total);
	}
	map_deinit(&of);
	return r;
}

/* --- order --- */

static int larger(uint64_t a, uint64_t b)
{
	return a > b ? -1 : a < b;
}

static int compare_key(enum key key, const struct row *a, const struct row *b)
{
	int r;

	switch (key) {
	case KEY_RATE:
		return larger(a->rate, b->rate);
	case KEY_RUNTIME:
		return larger(a->total, b->total);
	default:
		r = larger(b->id, a->id);
		return r || a->id ? r : larger(b->work->key.cpu, a->work->key.cpu);
	}
}

static int compare(const void *arg, uint32_t i, uint32_t j)
{
	const struct top *t = arg;
	const struct row *a = &t->rows.v[i], *b = &t->rows.v[j];
	int r = 0;

	for (unsigned k = 0; !r && k < t->kwork.keys.n; k++)
		r = compare_key((enum key)t->kwork.keys.v[k], a, b);
	r = r ? r : larger(a->work->key.cpu, b->work->key.cpu);
	return r ? r : larger(a->id, b->id);
}

/* --- text --- */

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100 * (double)part / (double)all : 0;
}

static void put_bar(const struct cpu *c, unsigned cpu, struct out *o)
{
	uint64_t rate = c->load * RATE / c->total, width = MIN(BAR * rate / RATE, (uint64_t)BAR);

	out_printf(o, "%%Cpu%-4u[", cpu);
	out_fill(o, '|', width);
	out_fill(o, ' ', BAR - width);
	out_char(o, ' ');
	out_fixed(o, (double)rate / 100, 6, 2);
	out_str(o, "%]\n");
}

static void put_cpus(const struct top *t, struct out *o)
{
	struct cpu sum = { 0 };
	unsigned n = 0;

	for (size_t i = 0; i < t->cpus.n; i++) {
		const struct cpu *c = &t->cpus.v[i];

		n += c->is_seen;
		sum.total += c->total;
		sum.idle += c->idle;
		sum.irq += c->irq;
		sum.softirq += c->softirq;
	}
	out_str(o, "\nTotal  : ");
	out_fixed(o, (double)sum.total / 1e6, 10, 3);
	out_printf(o, " ms, %u cpus\n%%Cpu(s): ", n);
	out_fixed(o, percent(sum.idle, sum.total), 6, 2);
	out_str(o, "% id, ");
	out_fixed(o, percent(sum.irq, sum.total), 6, 2);
	out_str(o, "% hi, ");
	out_fixed(o, percent(sum.softirq, sum.total), 6, 2);
	out_str(o, "% si\n");
	for (size_t i = 0; i < t->cpus.n; i++)
		if (t->cpus.v[i].is_seen && t->cpus.v[i].total)
			put_bar(&t->cpus.v[i], (unsigned)i, o);
}

static void put_row(const struct top *t, const struct row *r, struct out *o)
{
	out_str(o, "  ");
	out_u64w(o, r->id, 7);
	out_str(o, "  ");
	out_fixed(o, (double)r->rate / 100, 6, 2);
	out_str(o, "  ");
	out_fixed(o, (double)r->total / 1e6, 13, 3);
	out_str(o, " ms  ");
	out_left(o, kwork_plain(&t->kwork, r->work), 16);
	out_char(o, '\n');
}

static void put_text(const struct top *t, const uint32_t *order, struct out *o)
{
	put_cpus(t, o);
	out_printf(o, "\n  %7s  %6s  %16s  %-16s\n  ----------------------------------------------------\n", "PID",
		   "%CPU",
		   "RUNTIME", "COMMAND");
	for (size_t i = 0; i < t->rows.n; i++)
		if (t->rows.v[order[i]].total)
			put_row(t, &t->rows.v[order[i]], o);
	out_char(o, '\n');
}

static int put_table(const struct top *t, const uint32_t *order, struct out *o)
{
	static const struct table_col cols[] = {
		{ "tid", NULL, TABLE_RIGHT, 0 }, { "comm", NULL, TABLE_LEFT, 0 },
		{ "cpu_percent", NULL, TABLE_RIGHT, 0 }, { "runtime_ms", NULL, TABLE_RIGHT, 0 },
	};
	struct table_want form = prof_table(t->kwork.prof);
	struct table *to = table_new(cols, ARRAY_SIZE(cols));
	int r;

	for (size_t i = 0; to && i < t->rows.n; i++) {
		const struct row *row = &t->rows.v[order[i]];

		if (!row->total)
			continue;
		table_u64(to, row->id);
		table_str(to, kwork_plain(&t->kwork, row->work));
		table_fixed(to, (double)row->rate / 100, 2);
		table_fixed(to, (double)row->total / 1e6, 6);
	}
	r = to ? table_print(to, &form, o) : -ENOMEM;
	table_free(to);
	return r;
}

static int put_rows(struct top *t, struct out *o)
{
	uint32_t *order = malloc((2 * t->rows.n + 1) * sizeof(*order));
	int r = order ? 0 : -ENOMEM;

	for (size_t i = 0; order && i < t->rows.n; i++)
		order[i] = (uint32_t)i;
	if (order)
		sort_u32(order, order + t->rows.n, t->rows.n, compare, t);
	if (order && prof_table(t->kwork.prof).form == TABLE_TEXT)
		put_text(t, order, o);
	else if (order)
		r = put_table(t, order, o);
	free(order);
	return r;
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct top *t = p->own;
	int r = sum_cpus(t);

	r = r ? r : sum_tasks(t);
	prof_interval(p, o);
	r = r ? r : put_rows(t, o);
	if (last)
		kwork_tell(&t->kwork);
	works_forget(&t->kwork.works);
	t->rows.n = t->cpus.n = 0;
	return r ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct top *t = p->own;

	kwork_close(&t->kwork);
	vec_free(&t->cpus);
	vec_free(&t->rows);
}

const struct prof_kind kwork_top = {
	.cmd = {
		.name = "top", .family = "kwork", .brief = "Show the CPU usage of tasks without interrupts",
		.synopsis = "[options] [-i <file>] | -i <ms> | -a | [--] command",
		.details = PACKED(
			"Run times of tasks between context switches, without the IRQs (hi) and softirqs (si) in "
			"between. Time slices that began before the recording or end after it do not count."),
		.examples = PACKED(
			"sonde kwork record -k sched,irq,softirq -- make && sonde kwork top\tas with perf\n"
			"sonde kwork top -s runtime -C 0\tone CPU\n"
			"sonde kwork top -i 1000\tlive, every second"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct top), .first = view_first, .prepare = prepare, .begin = begin, .hit = hit, .lost = lost,
	.show = show, .close = close, .kernel_only = true,
};
