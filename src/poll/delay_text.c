/* delay_text.c - print a sample as Open vSwitch's kernel_delay.py does: for each thread a block of each kind. */
#include "poll/delay.h"

#include "arch/arch.h"
#include "engine/line.h"
#include "show/text.h"
#include "tracefs/kind.h"

#define NS_PER_S UINT64_C(1000000000)

enum { INDENT = 28, LINES_MAX = 16 << 20 };

/* A row with the name of its thread, the first sort key. */
struct shown {
	const struct delay_row *row;
	char comm[32];
};

static const struct block {
	const char *title, *key;         /* key: the kind in CSV and JSON */
	const char *number, *count;      /* column heads; number NULL: no such column */
	bool has_name, has_min;
	const char *sum;                 /* label of the row of totals; NULL: no such row */
} blocks[DELAY_KINDS] = {
	[DELAY_SYSCALL] = { "SYSCALL", "syscall", "NUMBER", "COUNT", true, false, "TOTAL( - poll):" },
	[DELAY_RUN] = { "THREAD RUN", "run", NULL, "SCHED_CNT", false, true, NULL },
	[DELAY_READY] = { "THREAD READY", "ready", NULL, "SCHED_CNT", false, false, NULL },
	[DELAY_STOPPED] = { "THREAD STOPPED", "stopped", NULL, "STOP_CNT", false, false, NULL },
	[DELAY_IRQ] = { "HARD IRQ", "irq", NULL, "COUNT", true, false, "TOTAL:" },
	[DELAY_SOFTIRQ] = { "SOFT IRQ", "softirq", "VECT_NR", "COUNT", true, false, "TOTAL:" },
};

/* --- names --- */

static const char *syscall_name(const struct delay *d, uint64_t nr)
{
	return arch_syscall_name(d->prof->feed.session.arch, nr);
}

/* Newer architectures (arm64) have no poll, only ppoll. */
static bool is_poll(const struct delay *d, uint64_t nr)
{
	const char *name = syscall_name(d, nr);

	return name && (!strcmp(name, "poll") || !strcmp(name, "ppoll"));
}

static const char *softirq_name(uint64_t vec, char buf[32])
{
	const char *name = tkind_softirq(vec);
	size_t n = name ? MIN(strlen(name), (size_t)31) : 0;

	for (size_t i = 0; i < n; i++)
		buf[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] | 32) : name[i];
	buf[n] = 0;
	return name ? buf : NULL;
}

/* Name of the call or interrupt; NULL: it has none. */
static const char *row_name(const struct delay *d, const struct delay_row *r, char buf[32])
{
	if (r->kind == DELAY_SYSCALL)
		return syscall_name(d, r->id);
	if (r->kind == DELAY_IRQ)
		return names_str(&d->who, (uint32_t)r->id);
	return r->kind == DELAY_SOFTIRQ ? softirq_name(r->id, buf) : NULL;
}

static void put_comm(struct out *o, const char *comm)
{
	enum { WIDTH = 16 };
	size_t n = strlen(comm);

	text_put(o, sv_from(comm), WIDTH, TEXT_PLAIN);
	out_fill(o, ' ', WIDTH - MIN(n, (size_t)WIDTH));
}

/* --- order --- */

static int by_place(const void *a, const void *b)
{
	const struct shown *x = a, *y = b;
	int c = strcmp(x->comm, y->comm);

	if (c || x->row->tid != y->row->tid)
		return c ? c : x->row->tid < y->row->tid ? -1 : 1;
	if (x->row->kind != y->row->kind)
		return x->row->kind < y->row->kind ? -1 : 1;
	if (delay_total(x->row) != delay_total(y->row))
		return delay_total(x->row) < delay_total(y->row) ? 1 : -1;
	return (x->row->id > y->row->id) - (x->row->id < y->row->id);
}

/* All rows, sorted; malloc'ed; NULL: no memory. */
static struct shown *in_order(struct delay *d)
{
	size_t n = d->delays.rows.n;
	struct shown *v = calloc(n + 1, sizeof(*v));

	for (size_t i = 0; v && i < n; i++) {
		v[i].row = &d->delays.rows.v[i];
		snprintf(v[i].comm, sizeof(v[i].comm), "%s", feed_comm(&d->prof->feed, v[i].row->tid));
	}
	if (v && n)
		qsort(v, n, sizeof(*v), by_place);
	return v;
}

/* --- rows of text --- */

static struct table *new_table(const struct block *b, struct table_col cols[10])
{
	static const struct table_col numbers[] = {
		{ "MAX ns", NULL, TABLE_RIGHT, 16 }, { "p50 ns", NULL, TABLE_RIGHT, 0 },
		{ "p95 ns", NULL, TABLE_RIGHT, 0 }, { "p99 ns", NULL, TABLE_RIGHT, 0 }, { "CUT", NULL, TABLE_RIGHT, 0 },
	};
	size_t n = 0;

	if (b->has_name)
		cols[n++] = (struct table_col){ "NAME", NULL, TABLE_LEFT, 20 };
	if (b->number)
		cols[n++] = (struct table_col){ b->number, NULL, TABLE_RIGHT, 6 };
	cols[n++] = (struct table_col){ b->count, NULL, TABLE_RIGHT, 10 };
	cols[n++] = (struct table_col){ "TOTAL ns", NULL, TABLE_RIGHT, 16 };
	if (b->has_min)
		cols[n++] = (struct table_col){ "MIN ns", NULL, TABLE_RIGHT, 16 };
	memcpy(cols + n, numbers, sizeof(numbers));
	return table_new(cols, n + ARRAY_SIZE(numbers));
}

/* A value over the pieces that began and ended within the sample; how long the others were is not known. */
static void put_whole(struct table *t, const struct delay_row *r, uint64_t v)
{
	if (r->whole.n)
		table_grouped(t, v);
	else
		table_none(t);
}

static void put_percentiles(struct table *t, const struct delay_row *r)
{
	put_whole(t, r, spread_at(&r->whole, 500));
	put_whole(t, r, spread_at(&r->whole, 950));
	put_whole(t, r, spread_at(&r->whole, 990));
}

static void put_row(const struct delay *d, struct table *t, const struct block *b, const struct delay_row *r)
{
	char buf[32];

	if (b->has_name)
		table_str(t, row_name(d, r, buf));
	if (b->number)
		table_u64(t, r->id);
	table_u64(t, delay_count(r));
	table_grouped(t, (uint64_t)delay_total(r));
	if (b->has_min)
		put_whole(t, r, r->whole.min);
	table_grouped(t, delay_max(r));
	put_percentiles(t, r);
	table_u64(t, r->cut);
}

static void put_sum(struct table *t, const struct block *b, uint64_t n, double ns)
{
	if (!n || !b->sum)
		return;
	table_str(t, b->sum);
	if (b->number)
		table_none(t);
	table_u64(t, n);
	table_grouped(t, (uint64_t)ns);
	for (unsigned i = 0; i < 5; i++)
		table_none(t);
}

/* Indent the lines of a table, so that they begin behind the thread's name. */
static void put_indented(struct out *o, struct mem_out *m)
{
	struct sv rest = sv_from(mem_out_str(m)), line;

	while (sv_cut(&rest, '\n', &line)) {
		if (!line.n)
			continue;
		out_fill(o, ' ', INDENT);
		out_sv(o, line);
		out_char(o, '\n');
	}
}

/* A block: n rows of one kind of one thread. */
static int put_block(struct delay *d, const struct block *b, const struct shown *v, size_t n, struct out *o)
{
	static const struct table_want form = { .form = TABLE_TEXT };
	struct table_col cols[10];
	struct table *t = new_table(b, cols);
	struct mem_out m;
	uint64_t count = 0;
	double ns = 0;
	int r;

	if (!t)
		return -ENOMEM;
	mem_out_init(&m);
	for (size_t i = 0; i < n; i++) {
		put_row(d, t, b, v[i].row);
		if (v[i].row->kind == DELAY_SYSCALL && is_poll(d, v[i].row->id))
			continue;
		count += delay_count(v[i].row);
		ns += delay_total(v[i].row);
	}
	put_sum(t, b, count, ns);
	r = table_print(t, &form, &m.out);
	table_free(t);
	put_indented(o, &m);
	mem_out_deinit(&m);
	return r;
}

static size_t run_of(const struct shown *v, size_t n, bool by_kind)
{
	size_t i = 1;

	while (i < n && v[i].row->tid == v->row->tid && (!by_kind || v[i].row->kind == v->row->kind))
		i++;
	return i;
}

/* The head line of the block of system calls names the thread, so it is printed even without calls. */
static int put_thread(struct delay *d, const struct shown *v, size_t n, struct out *o)
{
	size_t i = 0, k;
	int r = 0;

	out_printf(o, "%10u ", v->row->tid);
	put_comm(o, v->comm);
	out_str(o, " [SYSCALL STATISTICS]\n");
	for (; !r && i < n; i += k) {
		const struct block *b = &blocks[v[i].row->kind];

		k = run_of(v + i, n - i, true);
		if (v[i].row->kind != DELAY_SYSCALL) {
			out_char(o, '\n');
			out_fill(o, ' ', INDENT);
			out_printf(o, "[%s STATISTICS]\n", b->title);
		}
		r = put_block(d, b, v + i, k, o);
	}
	return r;
}

static void put_stamp(const struct delay *d, const char *what, uint64_t time, struct out *o)
{
	out_printf(o, "# %s @", what);
	line_date(&d->prof->feed, time, o);
	out_printf(o, "%llu.%09llu\n", (unsigned long long)(time / NS_PER_S), (unsigned long long)(time % NS_PER_S));
}

static void put_rule(struct out *o)
{
	out_str(o, "TID        THREAD           <RESOURCE SPECIFIC>\n");
	out_fill(o, '-', 10);
	out_char(o, ' ');
	out_fill(o, '-', 16);
	out_char(o, ' ');
	out_fill(o, '-', 76);
	out_char(o, '\n');
}

static void put_events(struct delay *d, struct out *o)
{
	const char *lines = mem_out_str(&d->lines);

	if (!*lines && !d->no_room)
		return;
	out_printf(o, "\n\n# SYSCALL EVENTS:\n  %19s %19s %10s %-16s %10s  %s\n", "ENTRY (ns)", "EXIT (ns)", "TID",
		   "COMM", "DELTA (us)", "SYSCALL");
	out_sv(o, sv_from(lines));
	prof_count(d->prof, o, d->no_room, "more have no room");
}

static int put_text(struct delay *d, const struct shown *v, struct out *o)
{
	size_t n = d->delays.rows.n, k;
	int r = 0;

	put_stamp(d, "Start sampling", d->from, o);
	put_stamp(d, "Stop sampling", d->to, o);
	put_rule(o);
	for (size_t i = 0; !r && i < n; i += k) {
		out_str(o, i ? "\n" : "");
		k = run_of(v + i, n - i, false);
		r = put_thread(d, v + i, k, o);
	}
	put_events(d, o);
	return r;
}

/* --- machine-readable rows --- */

static void put_number(struct table *t, bool has, uint64_t v)
{
	if (has)
		table_u64(t, v);
	else
		table_none(t);
}

static void put_all(const struct delay *d, struct table *t, const struct shown *s)
{
	const struct delay_row *r = s->row;
	const struct block *b = &blocks[r->kind];
	bool whole = r->whole.n;
	char buf[32];

	table_u64(t, d->shown + 1);
	table_u64(t, r->tid);
	table_str(t, s->comm);
	table_str(t, b->key);
	table_str(t, row_name(d, r, buf));
	put_number(t, b->number, r->id);
	table_u64(t, delay_count(r));
	table_u64(t, r->cut);
	table_u64(t, (uint64_t)delay_total(r));
	put_number(t, whole, r->whole.min);
	put_number(t, whole, spread_at(&r->whole, 500));
	put_number(t, whole, spread_at(&r->whole, 950));
	put_number(t, whole, spread_at(&r->whole, 990));
	table_u64(t, delay_max(r));
}

static int put_rows(struct delay *d, const struct shown *v, struct out *o)
{
	static const struct table_col cols[] = {
		{ "sample", NULL, TABLE_RIGHT, 0 }, { "tid", NULL, TABLE_RIGHT, 0 }, { "thread", NULL, TABLE_LEFT, 0 },
		{ "block", NULL, TABLE_LEFT, 0 }, { "name", NULL, TABLE_LEFT, 0 }, { "number", NULL, TABLE_RIGHT, 0 },
		{ "count", NULL, TABLE_RIGHT, 0 }, { "cut", NULL, TABLE_RIGHT, 0 },
		{ "total_ns", NULL, TABLE_RIGHT, 0 }, { "min_ns", NULL, TABLE_RIGHT, 0 },
		{ "p50_ns", NULL, TABLE_RIGHT, 0 }, { "p95_ns", NULL, TABLE_RIGHT, 0 },
		{ "p99_ns", NULL, TABLE_RIGHT, 0 }, { "max_ns", NULL, TABLE_RIGHT, 0 },
	};
	struct table_want form = prof_table(d->prof);
	struct table *t = table_new(cols, ARRAY_SIZE(cols));
	int r;

	if (!t)
		return -ENOMEM;
	form.head = d->shown ? TABLE_NO_HEAD : TABLE_HEAD;
	for (size_t i = 0; i < d->delays.rows.n; i++)
		put_all(d, t, &v[i]);
	r = table_print(t, &form, o);
	table_free(t);
	return r;
}

int delay_put(struct delay *d, struct out *o)
{
	struct shown *v = in_order(d);
	int r = !v ? -ENOMEM : prof_table(d->prof).form == TABLE_TEXT ? put_text(d, v, o) : put_rows(d, v, o);

	free(v);
	out_flush(o);
	return r;
}

/* --- events --- */

int delay_note_event(struct delay *d, const struct delay_piece *p)
{
	const struct delay_want *w = d->prof->want;
	const char *name = syscall_name(d, p->id), *comm = feed_comm(&d->prof->feed, p->tid);
	struct out *o = &d->lines.out;
	uint32_t stack;

	if ((w->events.least && p->to - p->from <= w->events.least) || (w->events.no_poll && is_poll(d, p->id)))
		return 0;
	if (d->lines.n > LINES_MAX) {
		d->no_room++;
		return 0;
	}
	stack = callers_of(&d->callers, d->hit);
	out_printf(o, "  %19llu %19llu %10u ", (unsigned long long)p->from, (unsigned long long)p->to, p->tid);
	put_comm(o, comm);
	out_printf(o, " %10llu  ", (unsigned long long)((p->to - p->from) / 1000));
	if (name)
		out_str(o, name);
	else
		out_u64(o, p->id);
	out_str(o, p->is_cut ? " (since the sample began)\n" : "\n");
	if (stack && stack != CALLTREE_NONE)
		callers_put(&d->callers, stack, o);
	return stack == CALLTREE_NONE ? -ENOMEM : 0;
}
