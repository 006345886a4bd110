/* latency.c - sonde sched latency: how long each task ran, and how long it waited for a CPU; with perf's columns. */
#include "analyse/cpuwaits.h"
#include "sched/common.h"

enum { CPUS_TRACKED = CPUS_MAX };

enum key { KEY_AVG, KEY_MAX, KEY_SWITCH, KEY_RUNTIME, KEY_PID };
static const char *const key_names[] = { "avg", "max", "switch", "runtime", "pid" };

struct want {
	struct view_want sched;
	const char *sort, *cpu;
	bool by_pid;
};

static const struct opt opts[] = {
	OPT_HEAD("Rows"),
	OPT_STR('s', "sort", struct want, sort, "<keys>",
		"sort keys, comma-separated: avg, max, switch, runtime, pid (default avg,max,switch,runtime)"),
	OPT_FLAG('p', "pids", struct want, by_pid, "one row per thread, not one per name"),
	OPT_STR('C', "CPU", struct want, cpu, "<cpu>", "only this CPU"),
	OPT_HEAD("Input"),
	OPT_CALL('i', "interval", 0, struct want, sched.prof.from, prof_set_from, "<ms|file>",
		 "number: live, print a table every <ms>; else recording to read (default perf.data)"),
	OPT_STR(0, "input", struct want, sched.prof.from.input, "<file>", "recording to read"),
	OPT_SUB(view_opts, struct want, sched),
	OPT_FLAG('j', "json", struct want, sched.prof.form.json, "print rows as JSON"),
	OPT_STR('x', "field-separator", struct want, sched.prof.form.sep, "<sep>",
		"print rows as CSV with this separator"),
	OPT_END,
};

struct row {
	const char *comm;
	uint32_t tid, tasks;             /* tasks: number of those with this name */
	uint64_t n, total, runtime, max, max_from, max_to;   /* n: number of delays; others in ns */
};

struct lat {
	struct prof *prof;
	struct cpuwaits delays;
	struct sched_ends ends;
	struct sched_fields fields;
	struct names names;              /* of ended tasks: cpuwaits_task.name is the index + 1 */
	struct view_keys keys;
	struct cpus cpu;                 /* -C, if has_cpu */
	bool has_cpu, has_waking;
	uint32_t on[CPUS_TRACKED];       /* by CPU: tid + 1 of the task that runs; 0: unknown */
	uint64_t switches, bugs;         /* bugs: switches from a task that did not run there */
};

/* --- events --- */

static int prepare(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct lat *l = p->own;
	int r = view_keys_read(&l->keys, w->sort ? w->sort : "avg,max,switch,runtime", key_names,
			       ARRAY_SIZE(key_names), e);

	l->has_cpu = w->cpu;
	r = r || !w->cpu ? r : cpus_parse(&l->cpu, sv_from(w->cpu), e);
	r = r ? r : sched_add(p, e);
	r = r ? r : prof_add_optional(p, "sched:sched_stat_runtime", e);
	return r || !w->cpu ? r : prof_add_optional(p, "sched:sched_migrate_task", e);
}

static int ends(void *arg, uint32_t tid)
{
	struct lat *l = arg;
	struct cpuwaits_task *t = cpuwaits_end_of(&l->delays, tid);
	const char *comm = t ? feed_comm(&l->prof->feed, tid) : "";
	uint32_t name = t ? names_add(&l->names, comm, strlen(comm)) : 0;

	if (t)
		t->name = name + 1;
	return name == NAMES_NONE ? -ENOMEM : 0;
}

static int begin(struct prof *p, struct err *e UNUSED)
{
	struct lat *l = p->own;

	l->prof = p;
	l->delays.one_cpu = l->has_cpu;
	l->has_waking = sched_has_waking(p);
	l->ends = (struct sched_ends){ .ends = ends, .arg = l };
	sched_watch_ends(p, &l->ends);
	sched_find_fields(p, &l->fields);
	return 0;
}

static bool is_meant(const struct lat *l, const struct hit *h)
{
	return !l->has_cpu || (h->cpu < CPUS_MAX && cpus_has(&l->cpu, h->cpu));
}

static int take_switch(struct lat *l, const struct hit *h)
{
	uint32_t prev = (uint32_t)hit_field(h, SWITCH_PREV_PID), next = (uint32_t)hit_field(h, SWITCH_NEXT_PID);
	/* 256 (TASK_REPORT_MAX, Linux 4.14): it was preempted. */
	bool runnable = !(hit_field(h, SWITCH_PREV_STATE) & 0xff);
	size_t n = l->delays.v.n;
	int r;

	if (!is_meant(l, h))
		return 0;
	if (h->cpu < CPUS_TRACKED) {
		l->bugs += l->on[h->cpu] && l->on[h->cpu] != prev + 1;
		l->on[h->cpu] = next + 1;
	}
	l->switches++;
	r = cpuwaits_out(&l->delays, prev, h->time, runnable);
	r = r ? r : cpuwaits_in(&l->delays, next, h->time);
	if (l->delays.v.n != n) {
		sched_learn(l->prof, h, SWITCH_PREV_PID, SWITCH_PREV_COMM);
		sched_learn(l->prof, h, SWITCH_NEXT_PID, SWITCH_NEXT_COMM);
	}
	return r;
}

static int take_wakeup(struct lat *l, const struct hit *h)
{
	size_t n = l->delays.v.n;
	int r = cpuwaits_woken(&l->delays, (uint32_t)hit_field(h, WAKEUP_PID), h->time);

	if (l->delays.v.n != n)
		sched_learn(l->prof, h, WAKEUP_PID, WAKEUP_COMM);
	return r;
}

static int take_other(struct lat *l, const struct hit *h)
{
	const struct sched_fields *f = &l->fields;

	return h->event == f->move ? cpuwaits_moved(&l->delays, (uint32_t)sched_value(h, f->move_pid), h->time) : 0;
}

static int take_runtime(struct lat *l, const struct hit *h)
{
	const struct sched_fields *f = &l->fields;

	return is_meant(l, h) ? cpuwaits_ran(&l->delays, (uint32_t)sched_value(h, f->runtime_pid), h->time,
					     sched_value(h, f->runtime_ns)) : 0;
}

static __attribute__((noinline)) int take_kind(struct lat *l, const struct hit *h)
{
	switch (hit_kind(h)) {
	case KIND_SCHED_SWITCH:
		return take_switch(l, h);
	case KIND_SCHED_WAKEUP:
		return l->has_waking ? 0 : take_wakeup(l, h);
	case KIND_SCHED_WAKING:
	case KIND_SCHED_WAKEUP_NEW:
		return take_wakeup(l, h);
	default:
		return take_other(l, h);
	}
}

/* Most events are sched_stat_runtime, so these take the shortest way. */
static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct lat *l = p->own;

	if (l->ends.failed)
		return -ENOMEM;
	return h->event && h->event == l->fields.runtime ? take_runtime(l, h) : take_kind(l, h);
}

static int lost(struct prof *p, uint32_t cpu)
{
	struct lat *l = p->own;

	for (uint32_t i = 0; i < CPUS_TRACKED; i++)
		if (cpu == UINT32_MAX || i == cpu)
			l->on[i] = 0;
	cpuwaits_lose(&l->delays);
	return 0;
}

/* --- rows --- */

struct rows {
	struct row *v;
	size_t n;
	const struct lat *of;
};

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? 1 : a > b ? -1 : 0;
}

static uint64_t value(const struct row *r, enum key key)
{
	switch (key) {
	case KEY_AVG:
		return r->total / r->n;
	case KEY_MAX:
		return r->max;
	case KEY_SWITCH:
		return r->n;
	case KEY_RUNTIME:
		return r->runtime;
	default:
		return r->tid;
	}
}

/* For sorting, largest first. qsort() passes no context, so the values of the keys are stored with each row. */
struct sorted {
	const struct row *row;
	uint64_t value[VIEW_KEYS];
	bool by_pid;
};

static int by_keys(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	int r = 0;

	for (unsigned i = 0; !r && i < VIEW_KEYS; i++)
		r = compare(x->value[i], y->value[i]);
	/* Among equals perf's tree has names in descending order. */
	if (!r && !x->by_pid)
		r = strcmp(y->row->comm, x->row->comm);
	r = r ? r : compare(x->row->tid, y->row->tid);
	return r ? r : x->row < y->row ? -1 : x->row > y->row;
}

static int by_tid(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return compare(x->tid, y->tid);
}

static struct row *row_of(struct lat *l, size_t *n)
{
	struct row *v = calloc(l->delays.v.n + 1, sizeof(*v));

	*n = 0;
	for (size_t i = 0; v && i < l->delays.v.n; i++) {
		const struct cpuwaits_task *t = &l->delays.v.v[i];

		v[(*n)++] = (struct row){
			.comm = t->name ? names_str(&l->names, t->name - 1) : feed_comm(&l->prof->feed, t->tid),
			.tid = t->tid, .tasks = 1, .n = t->n, .total = t->total, .runtime = t->runtime, .max = t->max,
			.max_from = t->max_from, .max_to = t->max_to,
		};
	}
	if (v)
		qsort(v, *n, sizeof(*v), by_tid);
	return v;
}

static void join(struct row *to, const struct row *r)
{
	to->tasks++;
	to->n += r->n;
	to->total += r->total;
	to->runtime += r->runtime;
	if (r->max <= to->max)
		return;
	to->max = r->max;
	to->max_from = r->max_from;
	to->max_to = r->max_to;
}

/* Merge the rows of tasks with the same name. 0 or -ENOMEM. */
static int merge(struct row *v, size_t *n)
{
	struct names comms = { 0 };
	size_t kept = 0;
	int r = 0;

	for (size_t i = 0; !r && i < *n; i++) {
		uint32_t at = names_add(&comms, v[i].comm, strlen(v[i].comm));

		if (at == NAMES_NONE)
			r = -ENOMEM;
		else if (at < kept)
			join(&v[at], &v[i]);
		else
			v[kept++] = v[i];
	}
	*n = kept;
	names_deinit(&comms);
	return r;
}

/* The rows to print, sorted: tasks with delays, but not the idle task. NULL: no memory. */
static struct sorted *sort(const struct lat *l, const struct row *v, size_t *n, bool by_pid)
{
	struct sorted *s = calloc(*n + 1, sizeof(*s));
	size_t kept = 0;

	for (size_t i = 0; s && i < *n; i++) {
		if (!v[i].n || !strcmp(v[i].comm, "swapper"))
			continue;
		s[kept] = (struct sorted){ .row = &v[i], .by_pid = by_pid };
		for (unsigned k = 0; k < l->keys.n; k++)
			s[kept].value[k] = value(&v[i], (enum key)l->keys.v[k]);
		kept++;
	}
	if (s)
		qsort(s, kept, sizeof(*s), by_keys);
	*n = kept;
	return s;
}

/* --- text --- */

static const char rule[] =
	" ------------------------------------------------------------------------------------------------------"
	"-------------------------------------\n";

static void put_rule(struct out *o, size_t n)
{
	out_bytes(o, rule, n);
	out_char(o, '\n');
}

static double ms(uint64_t ns)
{
	return (double)ns / 1e6;
}

static void put_row(struct out *o, const struct row *r)
{
	char name[64];

	snprintf(name, sizeof(name), r->tasks > 1 ? "  %s:(%u) " : "  %s:%u ", r->comm,
		 r->tasks > 1 ? r->tasks : r->tid);
	out_left(o, name, 24);
	out_char(o, '|');
	out_fixed(o, ms(r->runtime), 11, 3);
	out_printf(o, " ms |%9llu | avg:", (unsigned long long)r->n);
	out_fixed(o, ms(r->total / r->n), 8, 3);
	out_str(o, " ms | max:");
	out_fixed(o, ms(r->max), 8, 3);
	out_str(o, " ms | max start: ");
	view_time(o, r->max_from, 12);
	out_str(o, " s | max end: ");
	view_time(o, r->max_to, 12);
	out_str(o, " s\n");
}

static void put_info(struct out *o, uint64_t part, uint64_t of, const char *what)
{
	if (!part || !of)
		return;
	out_str(o, "  INFO: ");
	out_fixed(o, 100 * (double)part / (double)of, 0, 3);
	out_printf(o, "%% %s (%llu out of %llu)\n", what, (unsigned long long)part, (unsigned long long)of);
}

static void put_text(struct lat *l, const struct sorted *v, size_t n, struct out *o)
{
	uint64_t runtime = 0, count = 0;

	out_char(o, '\n');
	out_str(o, rule);
	out_str(o, "  Task                  |   Runtime ms  |  Count   | Avg delay ms    | Max delay ms    | "
		   "Max delay start           | Max delay end          |\n");
	out_str(o, rule);
	for (size_t i = 0; i < n; i++) {
		put_row(o, v[i].row);
		runtime += v[i].row->runtime;
		count += v[i].row->n;
	}
	put_rule(o, 114);
	out_str(o, "  TOTAL:                |");
	out_fixed(o, ms(runtime), 11, 3);
	out_printf(o, " ms |%9llu |\n", (unsigned long long)count);
	put_rule(o, 52);
	put_info(o, l->delays.unordered, l->delays.wakeups, "unordered timestamps");
	put_info(o, l->prof->feed.stats.lost, l->prof->feed.stats.lost + l->prof->feed.session.stats.samples,
		 "lost events");
	put_info(o, l->bugs, l->switches, "context switch bugs");
	out_char(o, '\n');
}

static int put_table(struct lat *l, const struct sorted *v, size_t n, struct out *o)
{
	static const struct table_col cols[] = {
		{ "comm", NULL, TABLE_LEFT, 0 }, { "tid", NULL, TABLE_RIGHT, 0 }, { "tasks", NULL, TABLE_RIGHT, 0 },
		{ "runtime_ms", NULL, TABLE_RIGHT, 0 }, { "count", NULL, TABLE_RIGHT, 0 },
		{ "avg_delay_ms", NULL, TABLE_RIGHT, 0 }, { "max_delay_ms", NULL, TABLE_RIGHT, 0 },
		{ "max_delay_start", NULL, TABLE_RIGHT, 0 }, { "max_delay_end", NULL, TABLE_RIGHT, 0 },
	};
	struct table_want form = prof_table(l->prof);
	struct table *t = table_new(cols, ARRAY_SIZE(cols));
	int r;

	for (size_t i = 0; t && i < n; i++) {
		const struct row *row = v[i].row;

		table_str(t, row->comm);
		if (row->tasks > 1)
			table_none(t);
		else
			table_u64(t, row->tid);
		table_u64(t, row->tasks);
		table_fixed(t, ms(row->runtime), 6);
		table_u64(t, row->n);
		table_fixed(t, ms(row->total / row->n), 6);
		table_fixed(t, ms(row->max), 6);
		table_fixed(t, (double)row->max_from / 1e9, 9);
		table_fixed(t, (double)row->max_to / 1e9, 9);
	}
	r = t ? table_print(t, &form, o) : -ENOMEM;
	table_free(t);
	return r;
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	const struct want *w = p->want;
	struct lat *l = p->own;
	struct sorted *s;
	size_t n;
	struct row *v = row_of(l, &n);
	int r = !v ? -ENOMEM : w->by_pid ? 0 : merge(v, &n);

	s = r ? NULL : sort(l, v, &n, w->by_pid);
	if (!s)
		r = -ENOMEM;
	else if (prof_table(p).form != TABLE_TEXT)
		r = put_table(l, s, n, o);
	else
		prof_interval(p, o), put_text(l, s, n, o);
	free(s);
	free(v);
	if (last) {
		view_note(p, l->delays.discarded, "delays are left out: events are missing within them");
		view_note(p, l->delays.dropped, "events are left out: too many tasks");
	}
	r = r ? r : cpuwaits_forget(&l->delays);
	return r ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct lat *l = p->own;

	cpuwaits_deinit(&l->delays);
	names_deinit(&l->names);
}

const struct prof_kind sched_latency = {
	.cmd = {
		.name = "latency", .family = "sched", .brief = "Show the run time and scheduling delay of each task",
		.synopsis = "[-s <keys>] [-p] [-i <file>] | -i <ms> | -a | [--] command",
		.details = PACKED(
			"A delay begins when a task is woken (sched_waking if recorded, else sched_wakeup) or "
			"preempted, and ends when it runs. Runtime is from sched_stat_runtime. Without -i, -a and a "
			"command perf.data is read, as perf does; with them all tasks are traced live. With -C only "
			"switches of that CPU count, and wakeups on all CPUs. Context switch bugs are switches away "
			"from a task that was not running on that CPU: events are missing."),
		.examples = PACKED(
			"sonde sched record -- make && sonde sched latency\tas with perf\n"
			"sonde sched latency -p -s max\teach thread, longest delay first\n"
			"sonde sched latency -i 1000\tlive, every second\n"
			"sonde sched latency -- make\tall tasks while a command runs; live\n"
			"sonde sched latency -i perf.data -j\tas JSON"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct lat), .first = view_first, .prepare = prepare, .begin = begin, .hit = hit, .lost = lost,
	.show = show, .close = close, .everywhere = true, .kernel_only = true,
};
