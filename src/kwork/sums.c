/* sums.c - sonde kwork report: how long works ran; and latency: how long they waited before they ran. */
#include "kwork/kwork.h"

#include "base/sort.h"

/* TIME: the total run time (report), or the average delay (latency). */
enum key { KEY_TIME, KEY_MAX, KEY_COUNT, KEY_ID };

struct want {
	struct kwork_want kwork;
	bool summary;
};

#define OPTS_INPUT \
	OPT_STR('k', "kwork", struct want, kwork.classes, "<classes>", \
		"comma-separated: irq, softirq, workqueue (default all)"), \
	OPT_CALL('i', "interval", 0, struct want, kwork.view.prof.from, prof_set_from, "<ms|file>", \
		 "number: live, print a table every <ms>; else recording to read (default perf.data)"), \
	OPT_STR(0, "input", struct want, kwork.view.prof.from.input, "<file>", "recording to read"), \
	OPT_STR(0, "vmlinux", struct want, kwork.view.prof.session.vmlinux, "<file>", \
		"vmlinux of the recorded kernel"), \
	OPT_STR(0, "kallsyms", struct want, kwork.view.prof.session.kallsyms, "<file>", \
		"copy of the recorded machine's /proc/kallsyms")

static const struct opt report_opts[] = {
	OPT_HEAD("Rows"),
	OPT_STR('s', "sort", struct want, kwork.sort, "<keys>",
		"sort keys, comma-separated: runtime, max, count, id (default runtime,max,count)"),
	OPT_FLAG('S', "with-summary", struct want, summary, "print a summary, too"),
	OPTS_INPUT,
	OPT_SUB(kwork_opts, struct want, kwork),
	OPT_END,
};

static const struct opt latency_opts[] = {
	OPT_HEAD("Rows"),
	OPT_STR('s', "sort", struct want, kwork.sort, "<keys>",
		"sort keys, comma-separated: avg, max, count, id (default avg,max,count)"),
	OPTS_INPUT,
	OPT_SUB(kwork_opts, struct want, kwork),
	OPT_END,
};

struct sums {
	struct kwork kwork;
	bool delays;
};

/* --- events --- */

static int prepare(struct prof *p, struct err *e)
{
	static const char *const report_keys[] = { "runtime", "max", "count", "id" };
	static const char *const latency_keys[] = { "avg", "max", "count", "id" };
	const struct want *w = p->want;
	struct sums *s = p->own;
	const char *sort = w->kwork.sort;
	int r;

	s->delays = p->kind == &kwork_latency;
	if (s->delays)
		r = view_keys_read(&s->kwork.keys, sort ? sort : "avg,max,count", latency_keys,
				   ARRAY_SIZE(latency_keys), e);
	else
		r = view_keys_read(&s->kwork.keys, sort ? sort : "runtime,max,count", report_keys,
				   ARRAY_SIZE(report_keys), e);
	if (!r && w->summary && (w->kwork.view.prof.form.json || w->kwork.view.prof.form.sep))
		return err_set(e, EINVAL, "-S is no rows: take -j or -x without it");
	r = r ? r : kwork_add(p, &s->kwork, "irq,softirq,workqueue",
			      s->delays ? 1 << WORK_RAISE | 1 << WORK_ENTRY : 1 << WORK_ENTRY | 1 << WORK_EXIT, e);
	for (unsigned i = 0; !r && i < s->kwork.classes.n; i++)
		if (s->kwork.classes.v[i] == WORK_SCHED) {
			err_set(e, EINVAL, "-k sched: tasks are no works here");
			r = err_hint(e, "sonde kwork top adds them up, sonde sched timehist -s, too");
		}
	return r;
}

static int begin(struct prof *p, struct err *e)
{
	struct sums *s = p->own;

	return kwork_begin(p, &s->kwork, e);
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct sums *s = p->own;
	enum work_step from = s->delays ? WORK_RAISE : WORK_ENTRY;
	struct work_atom was;
	struct kwork_hit to;
	int r = kwork_take(&s->kwork, h, &to);

	if (r || !to.counts)
		return MIN(r, 0);
	if (to.step == from)
		works_push(&s->kwork.works, to.work, from, h->time);
	else if (works_pop(to.work, from, to.step, &was))
		works_count(to.work, was.time, h->time);
	return 0;
}

static int lost(struct prof *p, uint32_t cpu)
{
	struct sums *s = p->own;

	works_lose(&s->kwork.works, cpu);
	return 0;
}

/* --- order --- */

static int larger(uint64_t a, uint64_t b)
{
	return a > b ? -1 : a < b;
}

static int by_id(const struct work *a, const struct work *b)
{
	int r = larger(a->key.cpu, b->key.cpu);

	return r ? r : larger(a->key.id, b->key.id);
}

static uint64_t average(const struct work *w)
{
	return w->n ? w->total / w->n : 0;
}

static int compare_key(const struct sums *s, unsigned key, const struct work *a, const struct work *b)
{
	switch (key) {
	case KEY_TIME:
		return s->delays ? larger(average(a), average(b)) : larger(a->total, b->total);
	case KEY_MAX:
		return larger(a->max, b->max);
	case KEY_COUNT:
		return larger(a->n, b->n);
	default:
		return by_id(a, b);
	}
}

static unsigned place_of(const struct kwork_classes *c, unsigned class)
{
	unsigned i = 0;

	while (i < c->n && c->v[i] != class)
		i++;
	return i;
}

static int compare(const void *arg, uint32_t i, uint32_t j)
{
	const struct sums *s = arg;
	const struct work *a = &s->kwork.works.v.v[i], *b = &s->kwork.works.v.v[j];
	int r = 0;

	for (unsigned k = 0; !r && k < s->kwork.keys.n; k++)
		r = compare_key(s, s->kwork.keys.v[k], a, b);
	/* perf has a tree for each class, in the order of -k. */
	if (!r && a->key.class != b->key.class)
		r = place_of(&s->kwork.classes, a->key.class) < place_of(&s->kwork.classes, b->key.class) ? -1 : 1;
	return r ? r : by_id(a, b);
}

/* --- text --- */

enum { NAME_WIDTH = 30, MS_WIDTH = 10, COUNT_WIDTH = 9, TIME_WIDTH = 17, LINE = 128 };

static void put_rule(struct out *o)
{
	out_char(o, ' ');
	out_fill(o, '-', LINE);
	out_char(o, '\n');
}

static double ms(uint64_t ns)
{
	return (double)ns / 1e6;
}

static void put_heads(const struct sums *s, struct out *o)
{
	out_printf(o, "\n  %-30s | %-4s | %-13s | %-9s | %-13s | %-19s | %-19s |\n", "Kwork Name", "Cpu",
		   s->delays ? "Avg delay" : "Total Runtime", "Count", s->delays ? "Max delay" : "Max runtime",
		   s->delays ? "Max delay start" : "Max runtime start",
		   s->delays ? "Max delay end" : "Max runtime end");
	put_rule(o);
}

static void put_row(const struct sums *s, const struct work *w, struct out *o)
{
	char name[KWORK_NAME];

	out_str(o, "  ");
	out_left(o, kwork_name(&s->kwork, w, name), NAME_WIDTH);
	out_str(o, " | ");
	out_zero(o, w->key.cpu, 4);
	out_str(o, " | ");
	out_fixed(o, s->delays ? (double)w->total / (double)w->n / 1e6 : ms(w->total), MS_WIDTH, 3);
	out_str(o, " ms | ");
	out_u64w(o, w->n, COUNT_WIDTH);
	out_str(o, " | ");
	out_fixed(o, ms(w->max), MS_WIDTH, 3);
	out_str(o, " ms | ");
	view_time(o, w->max_from, TIME_WIDTH);
	out_str(o, " s | ");
	view_time(o, w->max_to, TIME_WIDTH);
	out_str(o, " s |\n");
}

static void put_summary(const struct kwork *k, struct out *o)
{
	uint64_t n = 0, total = 0, time = k->last - MIN(k->first, k->last);

	for (size_t i = 0; i < k->works.v.n; i++) {
		n += k->works.v.v[i].n;
		total += k->works.v.v[i].total;
	}
	out_printf(o, "  Total count            : %9llu\n  Total runtime   (msec) : ", (unsigned long long)n);
	out_fixed(o, ms(total), 9, 3);
	out_str(o, " (");
	out_fixed(o, time ? 100 * (double)total / (double)time : 0, 0, 3);
	out_str(o, "% load average)\n  Total time span (msec) : ");
	out_fixed(o, ms(time), 9, 3);
	out_char(o, '\n');
	put_rule(o);
}

/* Percentages are of the events of works; perf divides by all records of the file. */
static void put_skipped(const struct kwork *k, struct out *o)
{
	const struct feed_stats *f = &k->prof->feed.stats;
	uint64_t n[WORK_STEPS], all;

	works_skipped(&k->works, n);
	all = n[WORK_RAISE] + n[WORK_ENTRY] + n[WORK_EXIT];
	if (f->lost) {
		out_str(o, "  INFO: ");
		out_fixed(o, 100 * (double)f->lost / (double)(f->lost + f->seen), 0, 3);
		out_printf(o, "%% lost events (%llu out of %llu)\n", (unsigned long long)f->lost,
			   (unsigned long long)(f->lost + f->seen));
	}
	if (!all || !k->events)
		return;
	out_str(o, "  INFO: ");
	out_fixed(o, 100 * (double)all / (double)k->events, 0, 3);
	out_printf(o, "%% skipped events (%llu including %llu raise, %llu entry, %llu exit)\n", (unsigned long long)all,
		   (unsigned long long)n[WORK_RAISE], (unsigned long long)n[WORK_ENTRY],
		   (unsigned long long)n[WORK_EXIT]);
}

static void put_text(struct sums *s, const uint32_t *order, struct out *o)
{
	const struct kwork *k = &s->kwork;

	put_heads(s, o);
	for (size_t i = 0; i < k->works.v.n; i++)
		if (k->works.v.v[order[i]].n)
			put_row(s, &k->works.v.v[order[i]], o);
	put_rule(o);
	if (((const struct want *)k->want)->summary)
		put_summary(k, o);
	put_skipped(k, o);
	out_char(o, '\n');
}

static int put_table(struct sums *s, const uint32_t *order, struct out *o)
{
	const struct table_col cols[] = {
		{ "class", NULL, TABLE_LEFT, 0 }, { "name", NULL, TABLE_LEFT, 0 }, { "id", NULL, TABLE_RIGHT, 0 },
		{ "cpu", NULL, TABLE_RIGHT, 0 }, { s->delays ? "avg_delay_ms" : "runtime_ms", NULL, TABLE_RIGHT, 0 },
		{ "count", NULL, TABLE_RIGHT, 0 }, { "max_ms", NULL, TABLE_RIGHT, 0 },
		{ "max_start", NULL, TABLE_RIGHT, 0 }, { "max_end", NULL, TABLE_RIGHT, 0 },
	};
	struct table_want form = prof_table(s->kwork.prof);
	struct table *t = table_new(cols, ARRAY_SIZE(cols));
	int r;

	for (size_t i = 0; t && i < s->kwork.works.v.n; i++) {
		const struct work *w = &s->kwork.works.v.v[order[i]];

		if (!w->n)
			continue;
		table_str(t, kwork_class(w));
		table_str(t, kwork_plain(&s->kwork, w));
		table_u64(t, w->key.id);
		table_u64(t, w->key.cpu);
		table_fixed(t, ms(s->delays ? w->total / w->n : w->total), 6);
		table_u64(t, w->n);
		table_fixed(t, ms(w->max), 6);
		table_fixed(t, (double)w->max_from / 1e9, 9);
		table_fixed(t, (double)w->max_to / 1e9, 9);
	}
	r = t ? table_print(t, &form, o) : -ENOMEM;
	table_free(t);
	return r;
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct sums *s = p->own;
	size_t n = s->kwork.works.v.n;
	uint32_t *order = malloc((2 * n + 1) * sizeof(*order));
	int r = 0;

	if (!order)
		return err_nomem(e);
	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	sort_u32(order, order + n, n, compare, s);
	prof_interval(p, o);
	if (prof_table(p).form == TABLE_TEXT)
		put_text(s, order, o);
	else
		r = put_table(s, order, o);
	free(order);
	if (last)
		kwork_tell(&s->kwork);
	works_forget(&s->kwork.works);
	s->kwork.first = s->kwork.last = s->kwork.events = 0;
	return r ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct sums *s = p->own;

	kwork_close(&s->kwork);
}

const struct prof_kind kwork_report = {
	.cmd = {
		.name = "report", .family = "kwork", .brief = "Show the run time of IRQs, softirqs and work items",
		.synopsis = "[options] [-i <file>] | -i <ms> | -a | [--] command",
		.details = PACKED(
			"One row per IRQ, softirq or work function and CPU; times are from entry to exit. Skipped "
			"events lack their entry or exit: it was before or after the recording, or was lost. The load "
			"average of -S is the share of one CPU's time (perf's is a hundredth of it). Without -i, -a "
			"and a command perf.data is read, as perf does; with them the system is traced live."),
		.examples = PACKED(
			"sonde kwork record -- make && sonde kwork report -S\tas with perf\n"
			"sonde kwork report -k softirq -s max\tsoftirqs, by longest run\n"
			"sonde kwork report -i 1000 -C 2\tlive, every second, one CPU\n"
			"sonde kwork report -n TIMER -i perf.data -j\tonly TIMER, as JSON"),
		.opts = report_opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct sums), .first = view_first, .prepare = prepare, .begin = begin, .hit = hit, .lost = lost,
	.show = show, .close = close, .kernel_only = true,
};

const struct prof_kind kwork_latency = {
	.cmd = {
		.name = "latency", .family = "kwork",
		.brief = "Show how long softirqs and work items wait until they run",
		.synopsis = "[options] [-i <file>] | -i <ms> | -a | [--] command",
		.details = PACKED(
			"From softirq_raise to softirq_entry, and from workqueue_activate_work to "
			"workqueue_execute_start on the same CPU; when raised again meanwhile, the wait counts from "
			"the last time. IRQs have no such event."),
		.examples = PACKED(
			"sonde kwork record -- make && sonde kwork latency\tas with perf\n"
			"sonde kwork latency -k workqueue -s max --time 12.5,13\twork items, during half a second\n"
			"sonde kwork latency -- make\tlive"),
		.opts = latency_opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct sums), .first = view_first, .prepare = prepare, .begin = begin, .hit = hit, .lost = lost,
	.show = show, .close = close, .kernel_only = true,
};
