/*
 * prof_sched_migrate.c - sonde prof sched-migrate: migrations of tasks between CPUs, and the caches that these share.
 */
#include "base/sort.h"
#include "engine/line.h"
#include "machine/caches.h"
#include "prof/rows.h"
#include "prof/stacks.h"
#include "prof/tasks.h"

struct want {
	struct prof_want prof;
	const char *filter;
	bool detail;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Migrations"),
	OPT_STR(0, "filter", struct want, filter, "<filter>", "filter for sched_migrate_task: 'prio<100'"),
	OPT_FLAG(0, "detail", struct want, detail,
		 "print each migration out of the last level cache; all if caches are unknown"),
	OPT_SUB(prof_chain_opts, struct want, prof),
	OPT_END,
};


struct row {
	uint32_t tid, from, to, comm;
	uint64_t n;
};

struct migrate {
	struct prof *prof;
	struct prof_tasks tasks;
	struct prof_stacks stacks;
	struct caches caches;            /* only live: recordings lack them */
	const struct tevent *event;      /* to which the fields belong */
	VEC(struct row) rows;
	struct names ids, comms;         /* ids: (tid, from, to) of each row */
	uint64_t total, same_last, same_l2, dropped;
	struct out *out;
};

static int prepare(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct mem_out m;
	int r = prof_tasks_check(p, e);

	if (r)
		return r;
	mem_out_init(&m);
	out_str(&m.out, "sched:sched_migrate_task");
	if (w->filter)
		out_printf(&m.out, "/%s/", w->filter);
	r = prof_add(p, mem_out_str(&m), e);
	mem_out_deinit(&m);
	return r ? r : prof_tasks_add(p, e);
}

static int find_fields(struct migrate *m, struct err *e)
{
	static const char *const names[] = { "pid", "comm", "orig_cpu", "dest_cpu" };

	m->event = m->prof->feed.taps.v[0].event;
	for (unsigned i = 0; i < ARRAY_SIZE(names); i++)
		if (!m->event || m->event->kind != KIND_SCHED_MIGRATE || !m->event->field[i])
			return err_set(e, ENOENT, "sched:sched_migrate_task has no field '%s' here", names[i]);
	return 0;
}

static int begin(struct prof *p, struct err *e)
{
	struct migrate *m = p->own;
	int r;

	m->prof = p;
	m->out = p->feed.expr.out;
	r = find_fields(m, e);
	r = r ? r : prof_tasks_open(&m->tasks, p, e);
	r = r ? r : prof_stacks_open(&m->stacks, p, e);
	if (!r && feed_is_live(&p->feed) && caches_read(&m->caches, p->sys))
		r = err_nomem(e);
	return r;
}

/* --- events -------------------------------------------------------------------------------------------------- */

static uint32_t number(const struct migrate *m, const struct hit *h, enum tkind_migrate f)
{
	return (uint32_t)tfmt_value(m->event->field[f], h->raw.p, h->raw.n);
}

static int count(struct migrate *m, const struct hit *h)
{
	uint32_t id[3] = { number(m, h, MIGRATE_PID), number(m, h, MIGRATE_ORIG_CPU), number(m, h, MIGRATE_DEST_CPU) };
	uint32_t at;
	struct sv comm = tfmt_str(m->event->field[MIGRATE_COMM], h->raw.p, h->raw.n);
	struct row *r;

	m->total++;
	m->same_last += caches_share(&m->caches, id[1], id[2], m->caches.last);
	m->same_l2 += caches_share(&m->caches, id[1], id[2], 2);
	at = prof_row(&m->ids, id, sizeof(id));
	m->dropped += at == PROF_ROWS;
	if (at == PROF_ROWS)
		return 0;
	r = at == NAMES_NONE ? NULL : at < m->rows.n ? &m->rows.v[at] : vec_add(&m->rows);
	if (!r)
		return -ENOMEM;
	r->tid = id[0];
	r->from = id[1];
	r->to = id[2];
	r->n++;
	r->comm = names_add(&m->comms, comm.s, comm.n);
	return r->comm == NAMES_NONE ? -ENOMEM : 0;
}

static int tell(struct migrate *m, const struct hit *h)
{
	const struct want *w = m->prof->want;
	uint32_t from = number(m, h, MIGRATE_ORIG_CPU), to = number(m, h, MIGRATE_DEST_CPU);
	bool stays = caches_share(&m->caches, from, to, m->caches.last);
	uint32_t stack = callers_of(&m->stacks.callers, h);

	if (stack == CALLTREE_NONE)
		return -ENOMEM;
	if (m->stacks.flame)
		return prof_stacks_draw(&m->stacks, m->prof, stack, number(m, h, MIGRATE_PID), 1);
	if (!w->detail || stays)
		return 0;
	line_put(&m->prof->feed, h, m->out);
	out_char(m->out, '\n');
	if (stack)
		callers_put(&m->stacks.callers, stack, m->out);
	return 0;
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct migrate *m = p->own;
	int r;

	if (prof_tasks_follow(&m->tasks, h))
		return -ENOMEM;
	if (h->event != m->event || !prof_tasks_has(&m->tasks, number(m, h, MIGRATE_PID)))
		return 0;
	r = count(m, h);
	return r ? r : tell(m, h);
}

/* --- rows ---------------------------------------------------------------------------------------------------- */

/* All rows of a task, or of a pair of CPUs, are adjacent. */
static int by_task(const void *arg, uint32_t a, uint32_t b)
{
	const struct migrate *m = arg;
	const struct row *x = &m->rows.v[a], *y = &m->rows.v[b];

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

static int by_cpus(const void *arg, uint32_t a, uint32_t b)
{
	const struct migrate *m = arg;
	const struct row *x = &m->rows.v[a], *y = &m->rows.v[b];

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to != y->to ? (x->to < y->to ? -1 : 1) : x->tid < y->tid ? -1 : x->tid > y->tid;
}

/* The smallest shared cache, "L2"; "": none, or unknown. */
static const char *shared(const struct migrate *m, const struct row *r)
{
	static const char *const names[] = { "", "L1", "L2", "L3", "L4" };

	return names[caches_shared(&m->caches, r->from, r->to)];
}

static struct table *pairs(const struct migrate *m, const uint32_t *order)
{
	static const struct table_col cols[] = {
		{ "from", NULL, TABLE_RIGHT, 0 }, { "to", NULL, TABLE_RIGHT, 0 },
		{ "migrations", NULL, TABLE_RIGHT, 0 }, { "shared", NULL, TABLE_LEFT, 0 },
	};
	struct table *t = table_new(cols, ARRAY_SIZE(cols));
	uint64_t n = 0;

	for (size_t i = 0; t && i < m->rows.n; i++) {
		const struct row *r = &m->rows.v[order[i]], *next = i + 1 < m->rows.n ? &m->rows.v[order[i + 1]] : NULL;

		n += r->n;
		if (next && next->from == r->from && next->to == r->to)
			continue;
		table_u64(t, r->from);
		table_u64(t, r->to);
		table_u64(t, n);
		table_str(t, shared(m, r));
		n = 0;
	}
	return t;
}

static struct table *tasks(const struct migrate *m, const uint32_t *order)
{
	static const struct table_col cols[] = {
		{ "thread", NULL, TABLE_RIGHT, 0 }, { "comm", NULL, TABLE_LEFT, 0 }, { "from", NULL, TABLE_RIGHT, 0 },
		{ "to", NULL, TABLE_RIGHT, 0 }, { "migrations", NULL, TABLE_RIGHT, 0 },
		{ "shared", NULL, TABLE_LEFT, 0 },
	};
	struct table *t = table_new(cols, ARRAY_SIZE(cols));

	for (size_t i = 0; t && i < m->rows.n; i++) {
		const struct row *r = &m->rows.v[order[i]];

		table_u64(t, r->tid);
		table_str(t, names_str(&m->comms, r->comm));
		table_u64(t, r->from);
		table_u64(t, r->to);
		table_u64(t, r->n);
		table_str(t, shared(m, r));
	}
	return t;
}

static int print(struct migrate *m, uint32_t *order, sort_order *by,
		 struct table *(*make)(const struct migrate *m, const uint32_t *order), struct out *o)
{
	struct table_want form = prof_table(m->prof);
	struct table *t;
	int r;

	sort_u32(order, order + m->rows.n, m->rows.n, by, m);
	t = make(m, order);
	r = t ? table_print(t, &form, o) : -ENOMEM;
	table_free(t);
	return r;
}

static unsigned percent(uint64_t part, uint64_t all)
{
	return all ? (unsigned)(part * 100 / all) : 0;
}

static void put_total(const struct migrate *m, struct out *o)
{
	out_printf(o, "sched-migrate total %llu", (unsigned long long)m->total);
	if (m->caches.last)
		out_printf(o, ", same LLC %llu hit %u%%, same L2 %llu hit %u%%", (unsigned long long)m->same_last,
			   percent(m->same_last, m->total), (unsigned long long)m->same_l2,
			   percent(m->same_l2, m->total));
	out_char(o, '\n');
	if (!m->caches.last)
		out_str(o, "which CPUs share caches is not known\n");
	prof_count(m->prof, o, m->dropped + m->tasks.dropped, "migrations are left out: too many tasks");
}

static int report(struct migrate *m, struct out *o)
{
	bool text = prof_table(m->prof).form == TABLE_TEXT;
	uint32_t *order = malloc((2 * m->rows.n + 1) * sizeof(*order));
	int r = order ? 0 : -ENOMEM;

	for (uint32_t i = 0; order && i < m->rows.n; i++)
		order[i] = i;
	if (!r && text) {
		prof_interval(m->prof, o);
		put_total(m, o);
		r = print(m, order, by_cpus, pairs, o);
	}
	r = r ? r : print(m, order, by_task, tasks, o);
	free(order);
	return r;
}

static void forget(struct migrate *m)
{
	vec_free(&m->rows);
	names_deinit(&m->ids);
	m->ids = (struct names){ 0 };
	m->total = m->same_last = m->same_l2 = m->dropped = 0;
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct migrate *m = p->own;
	int r = report(m, o);

	forget(m);
	return r ? err_nomem(e) : prof_stacks_show(&m->stacks, p, last, e);
}

static void close(struct prof *p)
{
	struct migrate *m = p->own;

	forget(m);
	names_deinit(&m->comms);
	caches_deinit(&m->caches);
	prof_tasks_close(&m->tasks);
	prof_stacks_close(&m->stacks);
}

DEFINE_PROF(sched_migrate) = {
	.cmd = {
		.name = "sched-migrate", .family = "prof", .brief = "Show task migrations between CPUs",
		.synopsis = "[--detail] [--filter FILTER] [-g] [options] [-- command [arguments]]",
		.details = PACKED(
			"Rows are pairs of CPUs, with the closest shared cache, and tasks. A recording has no cache "
			"topology. With -p or -t events of all CPUs are read, as other tasks may migrate the chosen "
			"ones."),
		.examples = PACKED(
			"sonde prof sched-migrate -i 1000\tevery second\n"
			"sonde prof sched-migrate --detail -g\tmigrations out of the last level cache, with call "
				"chains\n"
			"sonde prof sched-migrate -p 2347 --filter 'dest_cpu==0'\tthreads of a process, to CPU 0\n"
			"sonde prof sched-migrate -i perf.data\ta recording with sched:sched_migrate_task"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct migrate), .prepare = prepare, .begin = begin, .hit = hit, .show = show, .close = close,
	.everywhere = true,
};
