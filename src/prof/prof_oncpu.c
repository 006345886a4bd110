/* prof_oncpu.c - sonde prof oncpu: how long threads run on each CPU, and on which CPUs a thread runs. */
#include "base/sort.h"
#include "prof/rows.h"
#include "prof/tasks.h"

enum { CPU_MAX = 8192 };

struct want {
	struct prof_want prof;
	const char *prio;
	bool only_comm, detail;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Threads"),
	OPT_FLAG(0, "only-comm", struct want, only_comm, "merge threads of the same name"),
	OPT_FLAG(0, "detail", struct want, detail, "print number and maximum length of time slices, too"),
	OPT_STR(0, "prio", struct want, prio, "<list>",
		"only threads of these kernel priorities: 0-98 real time (0 is highest), 100-139 others"),
	OPT_REFUSED(0, "filter", 0, "", "times are from one switch to the next: of those that are left out none "
		"would be known",
		"choose threads with -p, -t or --prio"),
	OPT_END,
};

/* The task running on a CPU. */
struct running {
	uint64_t since;                  /* ns; 0: unknown, since events were lost */
	uint32_t tid, prio;
	uint32_t comm;                   /* in names */
	bool known;                      /* a switch or a loss was seen */
};

struct row {
	uint32_t cpu, tid, comm;         /* tid: 0 with --only-comm */
	uint64_t ns, runs, max;
};

struct oncpu {
	struct prof *prof;
	struct prof_tasks tasks;
	struct cpus prios;
	VEC(struct running) cpus;
	VEC(struct row) rows;
	struct names ids, comms;         /* ids: (cpu, tid, comm) of each row */
	uint64_t first;                  /* time of the first event, ns */
	uint64_t discarded, dropped, no_cpu;
};

static int prepare(struct prof *p, struct err *e)
{
	int r = prof_tasks_check(p, e);

	r = r ? r : prof_add(p, "sched:sched_switch", e);
	return r ? r : prof_tasks_add(p, e);
}

static int begin(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct oncpu *c = p->own;
	int r = w->prio ? cpus_parse(&c->prios, sv_from(w->prio), e) : 0;

	c->prof = p;
	if (r)
		return err_set(e, EINVAL, "--prio %s: it is no list of priorities, as 0-98,120", w->prio);
	return prof_tasks_open(&c->tasks, p, e);
}

/* --- times --------------------------------------------------------------------------------------------------- */

/* NULL: no memory, or too many rows. */
static struct row *row_of(struct oncpu *c, uint32_t cpu, uint32_t tid, uint32_t comm, bool *is_full)
{
	uint32_t id[3] = { cpu, tid, tid ? 0 : comm }, at;
	struct row *r;

	at = prof_row(&c->ids, id, sizeof(id));
	*is_full = at == PROF_ROWS;
	if (*is_full || at == NAMES_NONE)
		return NULL;
	if (at < c->rows.n)
		return &c->rows.v[at];
	r = vec_add(&c->rows);
	if (r)
		*r = (struct row){ .cpu = cpu, .tid = tid };
	return r;
}

static int add(struct oncpu *c, uint32_t cpu, const struct running *was, uint64_t ns)
{
	const struct want *w = c->prof->want;
	struct row *r;
	bool is_full;

	if (!was->tid || !prof_tasks_has(&c->tasks, was->tid) || (w->prio && !cpus_has(&c->prios, was->prio)))
		return 0;
	r = row_of(c, cpu, w->only_comm ? 0 : was->tid, was->comm, &is_full);
	c->dropped += is_full;
	if (!r)
		return is_full ? 0 : -ENOMEM;
	r->comm = was->comm;
	r->ns += ns;
	r->runs++;
	r->max = MAX(r->max, ns);
	return 0;
}

static struct running *cpu_of(struct oncpu *c, uint32_t cpu)
{
	while (c->cpus.n <= cpu)
		if (!vec_add(&c->cpus))
			return NULL;
	return &c->cpus.v[cpu];
}

static uint32_t name_of(struct oncpu *c, const struct hit *h, unsigned comm)
{
	struct sv name = h->event->field[comm] ? tfmt_str(h->event->field[comm], h->raw.p, h->raw.n) : SV("");

	return names_add(&c->comms, name.s, name.n);
}

static int take_switch(struct oncpu *c, const struct hit *h, struct running *on)
{
	struct running was = {
		.tid = (uint32_t)hit_field(h, SWITCH_PREV_PID), .prio = (uint32_t)hit_field(h, SWITCH_PREV_PRIO),
		.comm = name_of(c, h, SWITCH_PREV_COMM),
	};
	uint64_t since = on->known ? on->since : c->first;
	int r = 0;

	if (was.comm == NAMES_NONE)
		return -ENOMEM;
	/* A task that was already running at the beginning counts from the first event on. */
	if (since && h->time >= since)
		r = add(c, h->cpu, &was, h->time - since);
	else
		c->discarded += was.tid != 0;
	*on = (struct running){
		.since = h->time, .tid = (uint32_t)hit_field(h, SWITCH_NEXT_PID), .known = true,
		.prio = (uint32_t)hit_field(h, SWITCH_NEXT_PRIO), .comm = name_of(c, h, SWITCH_NEXT_COMM),
	};
	return r ? r : on->comm == NAMES_NONE ? -ENOMEM : 0;
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct oncpu *c = p->own;
	struct running *on;

	c->first = c->first ? c->first : h->time;
	if (prof_tasks_follow(&c->tasks, h))
		return -ENOMEM;
	if (hit_kind(h) != KIND_SCHED_SWITCH)
		return 0;
	if (h->cpu >= CPU_MAX) {
		c->no_cpu++;
		return 0;
	}
	on = cpu_of(c, h->cpu);
	return on ? take_switch(c, h, on) : -ENOMEM;
}

static int lost(struct prof *p, uint32_t cpu)
{
	struct oncpu *c = p->own;
	bool all = cpu >= CPU_MAX;

	if (!all && !cpu_of(c, cpu))
		return -ENOMEM;
	for (size_t i = 0; i < c->cpus.n; i++)
		if (all || i == cpu)
			c->cpus.v[i] = (struct running){ .known = true };
	c->first = all ? 0 : c->first;
	return 0;
}

/* The thread may have been renamed since it was switched in. */
static int rename_running(struct oncpu *c, struct running *on)
{
	const char *name = feed_comm(&c->prof->feed, on->tid);

	if (name[0] != ':')
		on->comm = names_add(&c->comms, name, strlen(name));
	return on->comm == NAMES_NONE ? -ENOMEM : 0;
}

/* Split running tasks at the end of an interval. */
static int cut(struct oncpu *c)
{
	uint64_t now = c->prof->to;
	int r = 0;

	for (uint32_t i = 0; !r && i < c->cpus.n; i++) {
		struct running *on = &c->cpus.v[i];

		if (!on->tid || !on->since || now <= on->since)
			continue;
		r = rename_running(c, on);
		r = r ? r : add(c, i, on, now - on->since);
		on->since = now;
	}
	return r;
}

/* --- rows ---------------------------------------------------------------------------------------------------- */

/* Rows of one CPU or thread are adjacent, the longest first. */
static int compare(const void *arg, uint32_t a, uint32_t b)
{
	const struct oncpu *c = arg;
	const struct row *x = &c->rows.v[a], *y = &c->rows.v[b];
	bool threads = !c->tasks.all;
	uint32_t of_x = threads ? x->tid : x->cpu, of_y = threads ? y->tid : y->cpu;

	if (of_x != of_y)
		return of_x < of_y ? -1 : 1;
	if (threads && !x->tid && x->comm != y->comm)
		return strcmp(names_str(&c->comms, x->comm), names_str(&c->comms, y->comm));
	if (x->ns != y->ns && !threads)
		return x->ns > y->ns ? -1 : 1;
	return threads ? (x->cpu < y->cpu ? -1 : x->cpu > y->cpu) : x->tid < y->tid ? -1 : x->tid > y->tid;
}

static bool is_together(const struct oncpu *c, const struct row *x, const struct row *y)
{
	return c->tasks.all ? x->cpu == y->cpu : x->tid == y->tid && (x->tid || x->comm == y->comm);
}

static double ms(uint64_t ns)
{
	return (double)ns / 1e6;
}

/* "java:2347(12.3ms/4/5.0ms)", of a thread "3(12ms)". */
static void put_piece(const struct oncpu *c, const struct row *r, struct out *o)
{
	const struct want *w = c->prof->want;

	if (!c->tasks.all)
		out_printf(o, "%u", r->cpu);
	else
		out_str(o, names_str(&c->comms, r->comm));
	if (c->tasks.all && r->tid)
		out_printf(o, ":%u", r->tid);
	out_printf(o, "(%.*fms", c->tasks.all || w->detail ? 1 : 0, ms(r->ns));
	if (w->detail)
		out_printf(o, "/%llu/%.1fms", (unsigned long long)r->runs, ms(r->max));
	out_str(o, ") ");
}

static void put_line(const struct oncpu *c, const uint32_t *order, size_t n, struct table *t)
{
	const struct want *w = c->prof->want;
	const struct row *first = &c->rows.v[order[0]];
	struct mem_out m;
	char text[64];
	uint64_t ns = 0, runs = 0;

	mem_out_init(&m);
	for (size_t i = 0; i < n; i++) {
		ns += c->rows.v[order[i]].ns;
		runs += c->rows.v[order[i]].runs;
		put_piece(c, &c->rows.v[order[i]], &m.out);
	}
	if (c->tasks.all) {
		snprintf(text, sizeof(text), "%03u", first->cpu);
		table_str(t, text);
	} else {
		table_u64(t, first->tid);
		table_str(t, names_str(&c->comms, first->comm));
	}
	if (w->detail)
		snprintf(text, sizeof(text), "%llums/%llu", (unsigned long long)(ns / 1000000),
			 (unsigned long long)runs);
	else
		snprintf(text, sizeof(text), "%llu", (unsigned long long)(ns / 1000000));
	table_str(t, text);
	table_str(t, mem_out_str(&m));
	mem_out_deinit(&m);
}

static struct table *new_lines(const struct oncpu *c, struct table_col *cols)
{
	const struct want *w = c->prof->want;
	size_t n = 0;

	if (c->tasks.all) {
		cols[n++] = (struct table_col){ "CPU", NULL, TABLE_LEFT, 0 };
	} else {
		cols[n++] = (struct table_col){ "THREAD", NULL, TABLE_LEFT, 0 };
		cols[n++] = (struct table_col){ "COMM", NULL, TABLE_LEFT, 0 };
	}
	cols[n++] = (struct table_col){ w->detail ? "SUM(ms/sws)" : "SUM(ms)", NULL, TABLE_LEFT, 0 };
	cols[n++] = (struct table_col){ !c->tasks.all ? (w->detail ? "CPUS(ms/sws/max_ms)" : "CPUS(ms)") :
					w->only_comm ? (w->detail ? "COMM(ms/sws/max_ms)" : "COMM(ms)") :
					w->detail ? "COMM:TID(ms/sws/max_ms)" : "COMM:TID(ms)", NULL, TABLE_LEFT, 0 };
	return table_new(cols, n);
}

static struct table *lines(const struct oncpu *c, const uint32_t *order, struct table_col *cols)
{
	struct table *t = new_lines(c, cols);

	for (size_t i = 0, n; t && i < c->rows.n; i += n) {
		n = 1;
		while (i + n < c->rows.n && is_together(c, &c->rows.v[order[i]], &c->rows.v[order[i + n]]))
			n++;
		put_line(c, order + i, n, t);
	}
	return t;
}

/* For scripts: a row for each CPU and thread. */
static struct table *pairs(const struct oncpu *c, const uint32_t *order)
{
	static const struct table_col cols[] = {
		{ "cpu", NULL, TABLE_RIGHT, 0 }, { "tid", NULL, TABLE_RIGHT, 0 }, { "comm", NULL, TABLE_LEFT, 0 },
		{ "ms", NULL, TABLE_RIGHT, 0 }, { "runs", NULL, TABLE_RIGHT, 0 }, { "max_ms", NULL, TABLE_RIGHT, 0 },
	};
	struct table *t = table_new(cols, ARRAY_SIZE(cols));

	for (size_t i = 0; t && i < c->rows.n; i++) {
		const struct row *r = &c->rows.v[order[i]];

		table_u64(t, r->cpu);
		if (r->tid)
			table_u64(t, r->tid);
		else
			table_none(t);
		table_str(t, names_str(&c->comms, r->comm));
		table_fixed(t, ms(r->ns), 3);
		table_u64(t, r->runs);
		table_fixed(t, ms(r->max), 3);
	}
	return t;
}

static int print(struct oncpu *c, struct out *o)
{
	struct table_want form = prof_table(c->prof);
	uint32_t *order = malloc((2 * c->rows.n + 1) * sizeof(*order));
	struct table_col cols[4];
	struct table *t;
	int r;

	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0; i < c->rows.n; i++)
		order[i] = i;
	sort_u32(order, order + c->rows.n, c->rows.n, compare, c);
	t = form.form == TABLE_TEXT ? lines(c, order, cols) : pairs(c, order);
	prof_interval(c->prof, o);
	r = t ? table_print(t, &form, o) : -ENOMEM;
	table_free(t);
	free(order);
	return r;
}

static void forget(struct oncpu *c)
{
	vec_free(&c->rows);
	names_deinit(&c->ids);
	c->ids = (struct names){ 0 };
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct oncpu *c = p->own;
	int r = cut(c);

	r = r ? r : print(c, o);
	forget(c);
	if (last) {
		prof_count(p, o, c->discarded, "times on a CPU are left out: events were lost within them");
		prof_count(p, o, c->dropped + c->tasks.dropped, "times are left out: too many threads");
		prof_count(p, o, c->no_cpu, "events do not tell their CPU");
	}
	return r ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct oncpu *c = p->own;

	forget(c);
	names_deinit(&c->comms);
	vec_free(&c->cpus);
	prof_tasks_close(&c->tasks);
}

DEFINE_PROF(oncpu) = {
	.cmd = {
		.name = "oncpu", .family = "prof", .brief = "Show which threads run on which CPUs, and how long",
		.synopsis = "[-p PIDS] [-C CPUS] [options] [-- command [arguments]]",
		.details = PACKED(
			"One line per CPU with the threads that ran there; with -p or -t one line per thread with its "
			"CPUs. Context switches of all CPUs are traced then, too, which needs the permission. -j and "
			"-x print one row per CPU and thread."),
		.examples = PACKED(
			"sonde prof oncpu -i 1000\tevery second\n"
			"sonde prof oncpu -p 2347\tCPUs of the threads of a process\n"
			"sonde prof oncpu -C 0-3 --only-comm --detail\ttasks on some CPUs, by name\n"
			"sonde prof oncpu --prio 0-98\tonly real-time threads\n"
			"sonde prof oncpu -i perf.data\ta recording with sched:sched_switch"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct oncpu), .prepare = prepare, .begin = begin, .hit = hit, .lost = lost, .show = show,
	.close = close, .everywhere = true,
};
