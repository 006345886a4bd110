/*
 * report.c - sonde lock report: one row per lock or thread; sonde lock info: lists of both. From the lockdep events
 * (lock_acquire ...: each step, CONFIG_LOCKDEP), or from contention_begin and contention_end (waits only).
 */
#include "lock/lock.h"

#include "analyse/lockseq.h"
#include "base/sort.h"
#include "prof/rows.h"
#include "prof/tasks.h"

enum { NAME_WIDTH = 20, NAME_CUT = 16 };

struct want {
	struct view_want view;
	struct lock_show_want show;
	bool threads, combine, map;
};

#define OPTS_FROM(type) \
	OPT_HEAD("Input"), \
	OPT_STR('i', "input", type, view.prof.from.input, "<file>", "recording to read (default perf.data)"), \
	OPT_STR(0, "vmlinux", type, view.prof.session.vmlinux, "<file>", "vmlinux of the recorded kernel"), \
	OPT_STR(0, "kallsyms", type, view.prof.session.kallsyms, "<file>", \
		"copy of the recorded machine's /proc/kallsyms")
#define OPTS_OUTPUT(type) \
	OPT_HEAD("Output"), \
	OPT_COUNT('v', "verbose", type, view.verbose, "print inconsistent lock sequences, too"), \
	OPT_FLAG('j', "json", type, view.prof.form.json, "print rows as JSON, times in ns"), \
	OPT_STR('x', "field-separator", type, view.prof.form.sep, "<sep>", "print rows as CSV with this separator"), \
	OPT_STR(0, "output", type, view.prof.form.output, "<file>", "write here, not to standard output"), \
	OPT_FLAG('q', "quiet", type, view.prof.form.quiet, "print results only"), \
	OPT_IGNORED('f', "force", FLAG, type, view.ignored), \
	OPT_REFUSED('D', "dump-raw-trace", OPT_NO_VALUE, "", "records are not dumped here", "sonde script -D")

static const struct opt report_opts[] = {
	OPT_HEAD("Rows"),
	OPT_FLAG('t', "threads", struct want, threads, "one row per thread, not per lock"),
	OPT_FLAG('c', "combine-locks", struct want, combine, "merge locks of the same name into one row"),
	OPT_STR('k', "key", struct want, show.key, "<key>",
		"sort by acquired (default), contended, avg_wait, wait_total, wait_max or wait_min"),
	OPT_STR('F', "field", struct want, show.fields, "<keys>", "columns to print (default all)"),
	OPT_U64('E', "entries", struct want, show.entries, "<n>", "print only the first <n> rows"),
	OPTS_FROM(struct want),
	OPTS_OUTPUT(struct want),
	OPT_END,
};

static const struct opt info_opts[] = {
	OPT_HEAD("What is shown"),
	OPT_FLAG('t', "threads", struct want, threads, "threads: TIDs and names"),
	OPT_FLAG('m', "map", struct want, map, "locks: addresses and names (default)"),
	OPTS_FROM(struct want),
	OPTS_OUTPUT(struct want),
	OPT_END,
};

static void defaults(void *want)
{
	struct want *w = want;

	w->show = (struct lock_show_want){
		.key = "acquired", .fields = "acquired,contended,avg_wait,wait_total,wait_max,wait_min",
	};
}

struct report {
	struct prof *prof;
	const struct want *want;
	const struct view_tap *taps;
	struct lock_show show;
	struct lockseq steps;
	struct contention waits;         /* its rows have the same indices as those of steps */
	bool by_steps;                   /* the recording has lockdep events */
	struct map tasks;                /* tids that were seen */
	struct names ids, texts;
	VEC(struct lock_row) rows;
	uint64_t dropped;
};

/* --- events --- */

enum kind { BEGIN = LOCKSEQ_STEPS, END, KINDS };
enum { LOCK_ADDR, FLAGS, NAME };

static const struct view_kind kinds[KINDS] = {
	[LOCKSEQ_ACQUIRE] = { "lock:lock_acquire", { "lockdep_addr", "flags", "name" } },
	[LOCKSEQ_ACQUIRED] = { "lock:lock_acquired", { "lockdep_addr", "flags", "name" } },
	[LOCKSEQ_CONTENDED] = { "lock:lock_contended", { "lockdep_addr", "flags", "name" } },
	[LOCKSEQ_RELEASE] = { "lock:lock_release", { "lockdep_addr", "flags", "name" } },
	[BEGIN] = { "lock:contention_begin", { "lock_addr", "flags" } },
	[END] = { "lock:contention_end", { "lock_addr" } },
};

static int prepare(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct report *r = p->own;
	int err = 0;

	r->want = w;
	r->show.prof = p;
	r->show.by = w->threads && p->kind == &lock_report ? LOCK_BY_TASK : LOCK_BY_LOCK;
	if (p->argc)
		return err_set(e, EINVAL, "%s is of a recording: no command", p->kind->cmd.name);
	if (w->show.key)
		err = lock_show_read(&r->show, &w->show, LOCK_ACQUIRED, e);
	for (int i = 0; !err && i < KINDS; i++)
		err = prof_add_optional(p, kinds[i].label, e);
	return err;
}

static int begin(struct prof *p, struct err *e)
{
	struct report *r = p->own;

	r->prof = p;
	lockseq_init(&r->steps);
	contention_init(&r->waits);
	if (!p->feed.taps.n) {
		err_set(e, ENOENT, "%s has no events of locks", p->feed.session.path);
		return feed_hint(&p->feed, "sonde lock record records them", e);
	}
	r->taps = view_taps(p, kinds, KINDS);
	for (size_t i = 0; r->taps && i < p->feed.taps.n; i++)
		r->by_steps |= r->taps[i].kind < LOCKSEQ_STEPS;
	return r->taps ? 0 : err_nomem(e);
}

static int add_row(struct report *r, const struct view_tap *t, const struct hit *h, uint64_t lock)
{
	struct lock_row *row = vec_add(&r->rows);
	char text[LOCK_NAME];
	uint32_t id;

	if (!row || lockseq_add_row(&r->steps) || contention_add_row(&r->waits))
		return -ENOMEM;
	row->at = r->show.by == LOCK_BY_TASK ? h->tid : lock;
	if (t->field[NAME])
		str_copy(text, sizeof(text), tfmt_str(t->field[NAME], h->raw.p, h->raw.n));
	else
		lock_variable(r->prof, lock, text);
	id = names_add(&r->texts, text, strlen(text));
	row->name = id == NAMES_NONE ? 0 : id + 1;
	return id == NAMES_NONE ? -ENOMEM : 0;
}

static uint32_t find_row(struct report *r, const struct view_tap *t, const struct hit *h, uint64_t lock)
{
	uint64_t key = r->show.by == LOCK_BY_TASK ? h->tid : lock;
	uint32_t at = prof_row(&r->ids, &key, sizeof(key));

	if (at < PROF_ROWS && at == r->rows.n && add_row(r, t, h, lock))
		return NAMES_NONE;
	return at;
}

static int see_task(struct report *r, uint32_t tid)
{
	return r->tasks.n >= PROF_ROWS || map_add(&r->tasks, tid, NULL) ? 0 : -ENOMEM;
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct report *r = p->own;
	const struct view_tap *t = &r->taps[h->tap->index];
	struct contention_event ev = {
		.lock = view_value(t, h, LOCK_ADDR), .time = h->time, .tid = h->tid, .cpu = h->cpu,
	};
	uint32_t row;

	if (t->kind == KINDS)
		return 0;
	if (t->kind == END) {
		contention_end(&r->waits, &ev);
		return 0;
	}
	row = find_row(r, t, h, ev.lock);
	if (row == NAMES_NONE || see_task(r, h->tid))
		return -ENOMEM;
	if (row == PROF_ROWS) {
		r->dropped++;
		return 0;
	}
	if (t->kind == BEGIN)
		return contention_begin(&r->waits, &ev, row);
	return lockseq_step(&r->steps, (enum lockseq_step)t->kind, &ev,
			    t->kind == LOCKSEQ_ACQUIRE ? (uint32_t)view_value(t, h, FLAGS) : 0, row);
}

static int lost(struct prof *p, uint32_t cpu)
{
	struct report *r = p->own;

	return contention_lose(&r->waits, cpu);
}

/* --- rows --- */

static void fill_rows(struct report *r)
{
	for (size_t i = 0; i < r->rows.n; i++) {
		const struct lockseq_row *step = &r->steps.rows.v[i];
		const struct contention_row *w = r->by_steps ? &step->wait : &r->waits.rows.v[i];
		struct lock_row *to = &r->rows.v[i];

		to->acquired = r->by_steps ? step->acquired : w->ended;
		to->contended = w->begun;
		to->total = w->total;
		to->min = w->min;
		to->max = w->max;
		to->avg = r->by_steps ? (w->begun ? w->total / w->begun : 0) : contention_avg(w);
	}
}

static void join(struct lock_row *to, const struct lock_row *from)
{
	to->acquired += from->acquired;
	to->contended += from->contended;
	to->total += from->total;
	to->min = MIN(to->min, from->min);
	to->max = MAX(to->max, from->max);
	to->avg = to->contended ? to->total / to->contended : 0;
}

/* Merge the rows of locks with the same name. 0 or -ENOMEM. */
static int combine(struct report *r)
{
	struct map of = { 0 };
	size_t n = 0;
	int err = 0;

	for (size_t i = 0; !err && i < r->rows.n; i++) {
		bool is_new = false;
		uint64_t *at = map_add(&of, r->rows.v[i].name, &is_new);

		if (!at)
			err = -ENOMEM;
		else if (!is_new)
			join(&r->rows.v[*at], &r->rows.v[i]);
		else {
			r->rows.v[n] = r->rows.v[i];
			*at = n++;
		}
	}
	r->rows.n = n;
	map_deinit(&of);
	return err;
}

static const char *name_of(struct report *r, const struct lock_row *row)
{
	return r->show.by == LOCK_BY_TASK ? feed_comm(&r->prof->feed, (uint32_t)row->at) :
	       row->name ? names_str(&r->texts, row->name - 1) : "";
}

static void put_name(const char *name, struct out *o)
{
	char cut[NAME_WIDTH];

	str_copy(cut, sizeof(cut), sv_from(name));
	if (strlen(name) >= NAME_WIDTH)
		memcpy(cut + NAME_CUT, "...", 4);
	out_right(o, cut, NAME_WIDTH);
	out_char(o, ' ');
}

static void put_text(struct report *r, const uint32_t *order, struct out *o)
{
	uint64_t left = r->show.entries;

	if (!r->want->view.prof.form.quiet) {
		put_name("Name", o);
		lock_put_heads(&r->show, o);
		out_str(o, "\n\n");
	}
	for (size_t i = 0; i < r->rows.n && left; i++) {
		const struct lock_row *row = &r->rows.v[order[i]];

		if (!row->acquired)
			continue;
		put_name(name_of(r, row), o);
		lock_put_fields(&r->show, row, o);
		out_char(o, '\n');
		left--;
	}
}

static int put_table(struct report *r, const uint32_t *order, struct out *o)
{
	struct table_col cols[LOCK_KEYS + 2] = { { "name", NULL, TABLE_LEFT, 0 } };
	struct table_want form = prof_table(r->prof);
	unsigned n = 1 + lock_columns(&r->show, cols + 1);
	uint64_t left = r->show.entries;
	struct table *t;
	char text[32];
	int err;

	cols[n++] = (struct table_col){ r->show.by == LOCK_BY_TASK ? "tid" : "address", NULL, TABLE_RIGHT, 0 };
	t = table_new(cols, n);
	for (size_t i = 0; t && i < r->rows.n && left; i++) {
		const struct lock_row *row = &r->rows.v[order[i]];

		if (!row->acquired)
			continue;
		table_str(t, name_of(r, row));
		lock_cells(&r->show, row, t);
		snprintf(text, sizeof(text), "0x%llx", (unsigned long long)row->at);
		if (r->show.by == LOCK_BY_TASK)
			table_u64(t, row->at);
		else
			table_str(t, text);
		left--;
	}
	err = t ? table_print(t, &form, o) : -ENOMEM;
	table_free(t);
	return err;
}

static void tell(const struct report *r)
{
	static const char *const steps[LOCKSEQ_STEPS] = { "acquire", "acquired", "contended", "release" };
	const struct prof *p = r->prof;
	char text[120];

	for (size_t i = 0; i < LOCKSEQ_STEPS; i++) {
		snprintf(text, sizeof(text), "rows have a step that does not follow the one before it: %s", steps[i]);
		view_note(p, r->steps.broken[i], text);
	}
	view_note(p, r->waits.discarded, "waits are left out: events are missing within them");
	view_note(p, r->waits.dropped + r->steps.dropped, "locks are left out: a task has too many at a time");
	view_note(p, r->dropped, "events are in no row: there are too many");
	if (r->want->view.verbose)
		view_note(p, r->waits.strays, "ends have no beginning");
}

static int show_report(struct prof *p, bool last UNUSED, struct out *o, struct err *e)
{
	struct report *r = p->own;
	uint32_t *order;
	int err = 0;

	fill_rows(r);
	if (r->want->combine && r->show.by == LOCK_BY_LOCK)
		err = combine(r);
	order = err ? NULL : lock_sorted(&r->show, r->rows.v, r->rows.n);
	if (!order)
		return err_nomem(e);
	if (prof_table(p).form != TABLE_TEXT)
		err = put_table(r, order, o);
	else
		put_text(r, order, o);
	free(order);
	tell(r);
	return err ? err_nomem(e) : 0;
}

/* --- info --- */

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int put_tasks(struct report *r, struct table *t, struct out *o)
{
	uint64_t *v = malloc((r->tasks.n + 1) * sizeof(*v));
	size_t n = 0;

	for (size_t i = 0; v && i < r->tasks.cap; i++)
		if (r->tasks.used[i])
			v[n++] = r->tasks.slot[i].key;
	if (!v)
		return -ENOMEM;
	qsort(v, n, sizeof(*v), by_number);
	if (!t)
		out_str(o, " Thread ID: comm\n");
	for (size_t i = 0; i < n; i++) {
		const char *comm = feed_comm(&r->prof->feed, (uint32_t)v[i]);

		if (t) {
			table_u64(t, v[i]);
			table_str(t, comm);
		} else {
			out_printf(o, "%10u: %s\n", (unsigned)v[i], comm);
		}
	}
	free(v);
	return 0;
}

/* Order by name, then by address. */
static int by_name(const void *arg, uint32_t a, uint32_t b)
{
	const struct report *r = arg;
	const struct lock_row *x = &r->rows.v[a], *y = &r->rows.v[b];
	int n = strcmp(names_str(&r->texts, x->name - 1), names_str(&r->texts, y->name - 1));

	return n ? n : x->at < y->at ? -1 : x->at > y->at;
}

static int put_map(struct report *r, struct table *t, struct out *o)
{
	uint32_t *order = malloc((2 * r->rows.n + 1) * sizeof(*order));
	char addr[32];

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < r->rows.n; i++)
		order[i] = (uint32_t)i;
	sort_u32(order, order + r->rows.n, r->rows.n, by_name, r);
	if (!t)
		out_str(o, "Address of instance: name of class\n");
	for (size_t i = 0; i < r->rows.n; i++) {
		const struct lock_row *row = &r->rows.v[order[i]];

		snprintf(addr, sizeof(addr), "0x%llx", (unsigned long long)row->at);
		if (t) {
			table_str(t, addr);
			table_str(t, name_of(r, row));
		} else {
			out_printf(o, " %s: %s\n", addr, name_of(r, row));
		}
	}
	free(order);
	return 0;
}

static int show_info(struct prof *p, bool last UNUSED, struct out *o, struct err *e)
{
	static const struct table_col task_cols[] = {
		{ "tid", NULL, TABLE_RIGHT, 0 }, { "comm", NULL, TABLE_LEFT, 0 },
	};
	static const struct table_col map_cols[] = {
		{ "address", NULL, TABLE_RIGHT, 0 }, { "name", NULL, TABLE_LEFT, 0 },
	};
	struct report *r = p->own;
	struct table_want form = prof_table(p);
	bool tasks = r->want->threads;
	struct table *t = form.form == TABLE_TEXT ? NULL : table_new(tasks ? task_cols : map_cols, 2);
	int err = form.form == TABLE_TEXT || t ? 0 : -ENOMEM;

	if (!err)
		err = tasks ? put_tasks(r, t, o) : put_map(r, t, o);
	if (!err && t)
		err = table_print(t, &form, o);
	table_free(t);
	return err ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct report *r = p->own;

	lockseq_deinit(&r->steps);
	contention_deinit(&r->waits);
	map_deinit(&r->tasks);
	names_deinit(&r->ids);
	names_deinit(&r->texts);
	vec_free(&r->rows);
}

const struct prof_kind lock_report = {
	.cmd = {
		.name = "report", .family = "lock",
		.brief = "Show each lock: how often it was acquired and contended",
		.synopsis = "[options] [-i <file>]",
		.details = PACKED(
			"Reads a recording of sonde lock record or perf lock record. With the events of CONFIG_LOCKDEP "
			"and CONFIG_LOCK_STAT all locks are listed; without them only contended locks, and acquired "
			"counts the waits that ended. Locks are named by their variable or lock class; most are "
			"members of structs and have no name."),
		.examples = PACKED(
			"sonde lock record -- make && sonde lock report\tas with perf\n"
			"sonde lock report -t -k wait_total -E 10\tthe ten threads with the longest total wait\n"
			"sonde lock report -c -F contended,wait_max -i perf.data -j\tmerged by name, as JSON"),
		.opts = report_opts, .want_size = sizeof(struct want), .defaults = defaults,
	},
	.own = sizeof(struct report), .first = view_first, .prepare = prepare, .begin = begin, .hit = hit, .lost = lost,
	.show = show_report, .close = close, .kernel_only = true,
};

const struct prof_kind lock_info = {
	.cmd = {
		.name = "info", .family = "lock", .brief = "List the threads and locks of a recording",
		.synopsis = "[-t | -m] [-i <file>]",
		.examples = PACKED(
			    "sonde lock info -t\tthreads that acquired locks or waited for one\n"
			    "sonde lock info -m -i perf.data\taddresses and names of locks"),
		.opts = info_opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct report), .first = view_first, .prepare = prepare, .begin = begin, .hit = hit, .lost = lost,
	.show = show_info, .close = close, .kernel_only = true,
};
