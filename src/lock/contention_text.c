/* contention_text.c - the rows of `lock contention` as text, CSV and JSON. */
#include "lock/contended.h"

/* The rows of one table. With -ov a second table, of the owners' stacks, follows that of the owners, as in perf. */
struct table_rows {
	const struct lock_row *v;
	size_t n;
	const uint32_t *order;
	bool is_second;
};

/* --- text --- */

static bool is_by_task(const struct contended *c)
{
	return c->show.by == LOCK_BY_TASK || c->show.by == LOCK_BY_OWNER;
}

/* -1, as in perf: the owner is not known. */
static int task_of(const struct contended *c, const struct lock_row *r)
{
	return c->show.by == LOCK_BY_OWNER && r->at >= OWNERS_READERS ? -1 : (int)r->at;
}

static const char *name_of(struct contended *c, const struct lock_row *r)
{
	if (is_by_task(c) && task_of(c, r) < 0)
		return contended_nobody((uint32_t)r->at);
	if (is_by_task(c))
		return feed_comm(&c->prof->feed, (uint32_t)r->at);
	return r->name ? names_str(&c->texts, r->name - 1) : "";
}

/* Get the addresses of a row's stack up to the first user frame, which is stored as 0. Returns their number. */
static size_t stack_of(const struct contended *c, const struct lock_row *r, uint64_t ips[LOCK_STACK_MAX])
{
	const struct names *stacks = c->owner_stacks ? &c->owners.stacks : &c->stacks;
	size_t n = 0;

	if (!r->stack)
		return 0;
	n = stacks->list.v[r->stack - 1].len / sizeof(*ips);
	memcpy(ips, stacks->list.v[r->stack - 1].s, n * sizeof(*ips));
	for (size_t i = 0; i < n; i++)
		if (!ips[i])
			return i;
	return n;
}

static void put_frame(struct contended *c, uint64_t ip, struct out *o)
{
	struct chain_frame f = { .ip = ip, .cpumode = PERF_MISC_KERNEL };
	const struct sym_loc *l = contended_place(c, UINT32_MAX, &f);

	out_printf(o, "0x%llx", (unsigned long long)ip);
	if (l && l->sym)
		out_printf(o, "  %s", l->sym);
	if (l && l->sym && l->addr != l->start)
		out_printf(o, "+0x%llx", (unsigned long long)(l->addr - l->start));
}

static void put_stack(struct contended *c, const struct lock_row *r, struct out *o)
{
	uint64_t ips[LOCK_STACK_MAX];
	size_t n = stack_of(c, r, ips);

	for (size_t i = 0; i < n; i++) {
		out_str(o, "\t\t\t");
		put_frame(c, ips[i], o);
		out_char(o, '\n');
	}
}

static void put_row(struct contended *c, const struct lock_row *r, struct out *o)
{
	lock_put_fields(&c->show, r, o);
	switch (c->show.by) {
	case LOCK_BY_CALLER:
		out_printf(o, "  %10s   %s\n", lock_way(r->flags), name_of(c, r));
		put_stack(c, r, o);
		break;
	case LOCK_BY_TASK:
	case LOCK_BY_OWNER:
		out_printf(o, "  %10d   %s\n", task_of(c, r), name_of(c, r));
		break;
	default:
		out_str(o, "  ");
		out_zero_hex(o, r->at, 16);
		out_printf(o, "   %s (%s)\n", name_of(c, r), lock_type(r->flags));
	}
}

static void put_text(struct contended *c, const struct table_rows *t, struct out *o)
{
	static const char *const heads[] = {
		[LOCK_BY_CALLER] = "        type   caller\n\n", [LOCK_BY_TASK] = "         pid   comm\n\n",
		[LOCK_BY_LOCK] = "           address   symbol\n\n", [LOCK_BY_OWNER] = "         pid   owner\n\n",
	};
	uint64_t left = c->show.entries;

	if (t->is_second)
		out_str(o, "\n=== owner stack trace ===\n\n");
	else if (!c->want->view.prof.form.quiet) {
		lock_put_heads(&c->show, o);
		out_str(o, heads[c->show.by]);
	}
	for (size_t i = 0; i < t->n && left; i++)
		if (t->v[t->order[i]].total) {
			put_row(c, &t->v[t->order[i]], o);
			left--;
		}
}

/* --- perf's CSV --- */

static void put_csv_head(struct contended *c, const char *sep, struct out *o)
{
	static const char *const names[][3] = {
		[LOCK_BY_CALLER] = { "type", "caller", NULL }, [LOCK_BY_TASK] = { "pid", "comm", NULL },
		[LOCK_BY_LOCK] = { "address", "symbol", "type" }, [LOCK_BY_OWNER] = { "pid", "owner", NULL },
	};

	out_str(o, "# output: ");
	for (unsigned i = 0; i < c->show.n_fields; i++)
		out_printf(o, "%s%s ", lock_key_head(c->show.field[i]), sep);
	out_printf(o, "%s%s %s", names[c->show.by][0], sep, names[c->show.by][1]);
	if (names[c->show.by][2])
		out_printf(o, "%s %s", sep, names[c->show.by][2]);
	out_printf(o, "%s%s\n", c->show.stacks ? sep : "", c->show.stacks ? " stacktrace" : "");
}

static void put_csv_row(struct contended *c, const struct lock_row *r, const char *sep, struct out *o)
{
	uint64_t ips[LOCK_STACK_MAX];
	size_t n = c->show.stacks ? stack_of(c, r, ips) : 0;

	for (unsigned i = 0; i < c->show.n_fields; i++)
		out_printf(o, "%llu%s ", (unsigned long long)lock_value(r, c->show.field[i]), sep);
	if (c->show.by == LOCK_BY_CALLER)
		out_printf(o, "%s%s %s", lock_way(r->flags), sep, name_of(c, r));
	else if (is_by_task(c))
		out_printf(o, "%d%s %s", task_of(c, r), sep, name_of(c, r));
	else
		out_printf(o, "%llx%s %s%s %s", (unsigned long long)r->at, sep, name_of(c, r), sep,
			   lock_type(r->flags));
	for (size_t i = 0; i < n; i++) {
		out_printf(o, "%s ", i ? ":" : sep);
		put_frame(c, ips[i], o);
	}
	out_char(o, '\n');
}

static void put_csv(struct contended *c, const struct table_rows *t, struct out *o)
{
	const char *sep = c->want->view.prof.form.sep;
	uint64_t left = c->show.entries;

	if (t->is_second)
		out_str(o, "# owner stack trace:\n");
	else
		put_csv_head(c, sep, o);
	for (size_t i = 0; i < t->n && left; i++)
		if (t->v[t->order[i]].total) {
			put_csv_row(c, &t->v[t->order[i]], sep, o);
			left--;
		}
}

/* Add the cell that identifies a row: the tid as a number (none if unknown), or the address as text. */
static void put_at(const struct contended *c, const struct lock_row *r, struct table *t)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)r->at);
	if (!is_by_task(c))
		table_str(t, text);
	else if (task_of(c, r) < 0)
		table_none(t);
	else
		table_u64(t, r->at);
}

/* Add the stack as flame graphs have it: functions joined by semicolons, outermost first; without a stack, the name. */
static void put_folded_stack(struct contended *c, const struct lock_row *r, struct table *t)
{
	uint64_t ips[LOCK_STACK_MAX];
	char text[4096];
	size_t at = 0;

	for (size_t i = stack_of(c, r, ips); i-- && at < sizeof(text); ) {
		struct chain_frame f = { .ip = ips[i], .cpumode = PERF_MISC_KERNEL };
		const struct sym_loc *l = contended_place(c, UINT32_MAX, &f);
		const char *after = i ? ";" : "";

		if (l && l->sym)
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s", l->sym, after);
		else
			at += (size_t)snprintf(text + at, sizeof(text) - at, "0x%llx%s", (unsigned long long)ips[i],
					       after);
	}
	table_str(t, at ? text : r->name ? names_str(&c->texts, r->name - 1) : "");
}

static int put_json(struct contended *c, const struct table_rows *rows, struct out *o)
{
	static const char *const heads[][2] = {
		[LOCK_BY_CALLER] = { "address", "caller" }, [LOCK_BY_TASK] = { "tid", "name" },
		[LOCK_BY_LOCK] = { "address", "name" }, [LOCK_BY_OWNER] = { "tid", "owner" },
	};
	struct table_col cols[LOCK_KEYS + 4];
	unsigned n = lock_columns(&c->show, cols);
	struct table_want form = prof_table(c->prof);
	uint64_t left = c->show.entries;
	struct table *t;
	int r;

	cols[n++] = (struct table_col){ heads[c->show.by][0], NULL, TABLE_RIGHT, 0 };
	cols[n++] = (struct table_col){ heads[c->show.by][1], NULL, TABLE_LEFT, 0 };
	cols[n++] = (struct table_col){ "type", NULL, TABLE_LEFT, 0 };
	if (c->owner_stacks)
		cols[n++] = (struct table_col){ "owner_stack", NULL, TABLE_LEFT, 0 };
	t = table_new(cols, n);
	for (size_t i = 0; t && i < rows->n && left; i++) {
		const struct lock_row *row = &rows->v[rows->order[i]];

		if (!row->total)
			continue;
		lock_cells(&c->show, row, t);
		put_at(c, row, t);
		table_str(t, name_of(c, row));
		table_str(t, lock_way(row->flags));
		if (c->owner_stacks)
			put_folded_stack(c, row, t);
		left--;
	}
	r = t ? table_print(t, &form, o) : -ENOMEM;
	table_free(t);
	return r;
}

static int put_table(struct contended *c, const struct table_rows *of, struct out *o)
{
	enum table_form form = prof_table(c->prof).form;
	struct table_rows t = *of;
	uint32_t *order = lock_sorted(&c->show, t.v, t.n);
	int r = 0;

	if (!order)
		return -ENOMEM;
	t.order = order;
	if (form == TABLE_JSON)
		r = put_json(c, &t, o);
	else if (form == TABLE_CSV)
		put_csv(c, &t, o);
	else
		put_text(c, &t, o);
	free(order);
	return r;
}

static int put_folded(struct contended *c, enum lock_fold by, struct out *o)
{
	struct table_rows t = { .is_second = by == LOCK_FOLD_STACK };
	struct lock_row *v = lock_folded(c->rows.v, c->rows.n, by, &t.n);
	int r = -ENOMEM;

	t.v = v;
	if (v)
		r = put_table(c, &t, o);
	free(v);
	return r;
}

/* The second table is printed like that of call sites with their stacks. */
static int put_owners_and_stacks(struct contended *c, struct out *o)
{
	const struct lock_show show = c->show;
	int r = put_folded(c, LOCK_FOLD_OWNER, o);

	c->show.by = LOCK_BY_CALLER;
	c->show.stacks = true;
	r = r ? r : put_folded(c, LOCK_FOLD_STACK, o);
	c->show = show;
	return r;
}

int contended_put(struct contended *c, struct out *o)
{
	if (c->owner_stacks && prof_table(c->prof).form != TABLE_JSON)
		return put_owners_and_stacks(c, o);
	return put_table(c, &(struct table_rows){ .v = c->rows.v, .n = c->rows.n }, o);
}
