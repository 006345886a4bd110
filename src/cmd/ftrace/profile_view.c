/* profile_view.c - rows and stacks to text. */
#include "cmd/ftrace/profile_view.h"

#include "base/sort.h"
#include "show/text.h"

enum { LEVELS_MAX = 60, INDENT = 5 };

int profile_view_init(struct profile_view *v, const struct profile_view_want *w, const struct profile_view_source *from,
		      struct err *e)
{
	struct taskprof_want want = {
		.events = from->events,
		.symbol = from->symbol,
		.arg = from->arg,
		.hooks = v->hooks,
		.n_hooks = w->hooks ? w->hooks->n : 0,
		.irqs = w->global ? TASKPROF_IRQS_CPU : TASKPROF_IRQS_TASK,
	};
	int r = 0;

	v->want = *w;
	for (size_t i = 0; i < want.n_hooks && !r; i++) {
		r = taskprof_pair_parse(&v->hooks[i], w->hooks->v[i], e);
		r = r ? r : taskprof_pair_check(&v->hooks[i], from->events, e);
	}
	return r ? r : taskprof_init(&v->prof, &want, e);
}

void profile_view_deinit(struct profile_view *v)
{
	taskprof_deinit(&v->prof);
}

/* --- stacks -------------------------------------------------------------------------------------------------- */

/* Sums of a node and all nodes below it. */
struct below {
	uint64_t count;
	struct taskprof_time time;
};

struct tree {
	const struct taskprof *prof;
	struct ct_sum *sum;
	struct below *below;
	struct out *o;
	bool bar[LEVELS_MAX + 2];
};

static void below_add(struct below *to, const struct below *b)
{
	if (!b->count)
		return;
	if (!to->count || b->time.max > to->time.max) {
		to->time.max = b->time.max;
		to->time.max_ts = b->time.max_ts;
	}
	if (!to->count || b->time.min < to->time.min) {
		to->time.min = b->time.min;
		to->time.min_ts = b->time.min_ts;
	}
	to->count += b->count;
}

static int tree_init(struct tree *t, const struct taskprof *prof, struct out *o)
{
	const struct calltree *c = &prof->stacks;

	*t = (struct tree){ .prof = prof, .o = o, .sum = calltree_sum(c),
			    .below = calloc(c->nodes.n, sizeof(*t->below)) };
	if (!t->sum || !t->below)
		return -ENOMEM;
	/* A child's index is above its parent's, so each node is complete before it is added to its parent. */
	for (size_t i = c->nodes.n; i-- > 1; ) {
		struct below own = { .count = c->nodes.v[i].samples };

		if (own.count)
			own.time = prof->times.v[i];
		below_add(&t->below[i], &own);
		below_add(&t->below[c->nodes.v[i].parent], &t->below[i]);
	}
	return 0;
}

static void tree_deinit(struct tree *t)
{
	free(t->sum);
	free(t->below);
}

static int heavier(const void *arg, uint32_t a, uint32_t b)
{
	const struct tree *t = arg;

	if (t->sum[a].total != t->sum[b].total)
		return t->sum[a].total > t->sum[b].total ? -1 : 1;
	return t->below[a].count > t->below[b].count ? -1 : t->below[a].count < t->below[b].count;
}

/* Children with a count, heaviest first; malloc'ed, *n of them. */
static uint32_t *children(const struct tree *t, uint32_t node, size_t *n)
{
	uint32_t *v, *spare;
	size_t room = 1;

	*n = 0;
	for (uint32_t i = t->sum[node].first; i; i = t->sum[i].next)
		room++;
	v = malloc(room * sizeof(*v));
	spare = malloc(room * sizeof(*v));
	for (uint32_t i = t->sum[node].first; v && spare && i; i = t->sum[i].next)
		if (t->below[i].count)
			v[(*n)++] = i;
	if (v && spare)
		sort_u32(v, spare, *n, heavier, t);
	free(spare);
	return v;
}

static void put_ts(struct out *o, uint64_t ts)
{
	uint64_t us = ts / 1000 + (ts % 1000 >= 500);

	out_str(o, "(ts:");
	out_u64(o, us / 1000000);
	out_char(o, '.');
	out_zero(o, us % 1000000, 6);
	out_char(o, ')');
}

static void put_time(struct out *o, const char *name, uint64_t ns, uint64_t ts)
{
	out_str(o, name);
	out_u64(o, ns);
	put_ts(o, ts);
}

static void put_margin(const struct tree *t, unsigned level)
{
	for (unsigned i = 0; i <= level; i++) {
		out_fill(t->o, ' ', INDENT - 1);
		out_char(t->o, t->bar[i] ? '|' : ' ');
		out_char(t->o, ' ');
	}
}

static void put_frame(const struct tree *t, uint32_t node)
{
	text_put(t->o, sv_from(names_str(&t->prof->frames, t->prof->stacks.nodes.v[node].key)), TEXT_ALL, TEXT_PLAIN);
	out_char(t->o, '\n');
}

static void put_weight(const struct tree *t, uint32_t node, uint64_t total, uint64_t count)
{
	const struct below *b = &t->below[node];
	uint64_t part = total ? t->sum[node].total : b->count, whole = total ? total : count;

	out_str(t->o, "  ");
	out_u64(t->o, whole ? (uint64_t)(((unsigned __int128)part * 100 + whole / 2) / whole) : 0);
	out_str(t->o, "% (");
	out_u64(t->o, b->count);
	out_char(t->o, ')');
	if (t->sum[node].total) {
		out_str(t->o, " time:");
		out_u64(t->o, t->sum[node].total);
		put_time(t->o, " max:", b->time.max, b->time.max_ts);
		put_time(t->o, " min:", b->time.min, b->time.min_ts);
		out_str(t->o, " avg:");
		out_u64(t->o, t->sum[node].total / b->count);
	}
	out_char(t->o, '\n');
}

static int put_children(struct tree *t, uint32_t node, unsigned level)
{
	size_t n;
	uint32_t *kids = children(t, node, &n);
	uint64_t total = 0, count = 0;
	int r = kids ? 0 : -ENOMEM;

	for (size_t i = 0; i < n; i++) {
		total += t->sum[kids[i]].total;
		count += t->below[kids[i]].count;
	}
	for (size_t i = 0; i < n && !r; i++) {
		uint32_t at = kids[i], only;

		t->bar[level + 1] = true;
		put_margin(t, level + 1);
		out_char(t->o, '\n');
		put_margin(t, level);
		out_fill(t->o, ' ', INDENT - 1);
		out_str(t->o, "+ ");
		put_frame(t, at);
		t->bar[level + 1] = i + 1 < n;
		put_margin(t, level + 1);
		put_weight(t, at, total, count);
		/* A single caller that accounts for the whole count is no branch. */
		while ((only = t->sum[at].first) && !t->sum[only].next && t->below[only].count == t->below[at].count) {
			at = only;
			put_margin(t, level + 1);
			out_str(t->o, "   ");
			put_frame(t, at);
		}
		if (level + 1 < LEVELS_MAX)
			r = put_children(t, at, level + 1);
	}
	t->bar[level + 1] = false;
	free(kids);
	return r;
}

/* --- rows ---------------------------------------------------------------------------------------------------- */

static int put_row(struct tree *t, const struct taskprof_row *row)
{
	struct out *o = t->o;

	out_str(o, "  Event: ");
	taskprof_label(t->prof, row, o);
	out_str(o, " (");
	out_u64(o, row->count);
	out_char(o, ')');
	if (row->what != TASKPROF_FUNCTION && row->what != TASKPROF_EVENT) {
		out_str(o, " Total: ");
		out_u64(o, row->total);
		out_str(o, " Avg: ");
		out_u64(o, row->total / row->count);
		put_time(o, " Max: ", row->time.max, row->time.max_ts);
		put_time(o, " Min:", row->time.min, row->time.min_ts);
	}
	out_char(o, '\n');
	return row->node ? put_children(t, row->node, 0) : 0;
}

static void put_task(const struct profile_view *v, const struct taskprof_task *k, struct out *o)
{
	const char *comm = *k->comm ? k->comm : "<...>";

	switch (k->owner) {
	case TASKPROF_IDLE:
		out_printf(o, "\ntask: swapper/%u-0\n", k->pid);
		return;
	case TASKPROF_CPU:
		out_printf(o, "\nGlobal CPU[%u] Events\n", k->pid);
		return;
	case TASKPROF_MACHINE:
		out_str(o, "\nGlobal Events\n");
		return;
	case TASKPROF_TASK:
		break;
	}
	out_str(o, v->want.by_comm ? "\ngroup: " : "\ntask: ");
	text_put(o, sv_from(comm), TEXT_ALL, TEXT_PLAIN);
	if (!v->want.by_comm)
		out_printf(o, "-%u", k->pid);
	out_char(o, '\n');
}

/* Does one of the listed globs match the text? An empty list matches everything. */
static bool listed(const struct opt_list *l, const char *text)
{
	for (size_t i = 0; l && i < l->n; i++) {
		struct sv rest = sv_from(l->v[i]), word;
		char pattern[64];

		while (sv_cut(&rest, ',', &word)) {
			str_copy(pattern, sizeof(pattern), word);
			if (str_glob(pattern, sv_from(text)))
				return true;
		}
	}
	return !l || !l->n;
}

static bool chosen(const struct profile_view *v, const struct taskprof_task *k)
{
	char text[40];

	if (k->owner == TASKPROF_CPU || k->owner == TASKPROF_MACHINE)
		return true;
	snprintf(text, sizeof(text), "%u", k->owner == TASKPROF_IDLE ? 0 : k->pid);
	if (!listed(v->want.pids, text))
		return false;
	snprintf(text, sizeof(text), "swapper/%u", k->pid);
	return listed(v->want.comms, k->owner == TASKPROF_IDLE ? text : *k->comm ? k->comm : "<...>");
}

static int put_rows(const struct profile_view *v, struct tree *t, uint32_t task)
{
	size_t n;
	uint32_t *rows = taskprof_rows(t->prof, task, &n);
	int r = rows ? 0 : -ENOMEM;

	if (n)
		put_task(v, &t->prof->tasks.v[task], t->o);
	for (size_t i = 0; i < n && !r; i++)
		r = put_row(t, &t->prof->rows.v[rows[i]]);
	free(rows);
	return r;
}

/* Events of the machine and of CPUs come first, then tasks by pid. */
static int by_number(const void *arg, uint32_t a, uint32_t b)
{
	const struct taskprof_task *v = arg;
	uint64_t ka = v[a].key, kb = v[b].key;

	/* The key's upper half is the owner: TASKPROF_MACHINE is the highest, tasks are the lowest. */
	if (ka >> 32 != kb >> 32)
		return ka >> 32 > kb >> 32 ? -1 : 1;
	return ka < kb ? -1 : ka > kb;
}

static int put_all(struct profile_view *v, struct out *o)
{
	struct taskprof *p = &v->prof;
	uint32_t *order = malloc((p->tasks.n + 1) * sizeof(*order)), *spare = malloc((p->tasks.n + 1) * sizeof(*order));
	struct tree t;
	int r = tree_init(&t, p, o);

	if (!order || !spare)
		r = -ENOMEM;
	for (uint32_t i = 0; i < p->tasks.n && !r; i++)
		order[i] = i;
	if (!r)
		sort_u32(order, spare, p->tasks.n, by_number, p->tasks.v);
	for (size_t i = 0; i < p->tasks.n && !r; i++)
		if (chosen(v, &p->tasks.v[order[i]]))
			r = put_rows(v, &t, order[i]);
	tree_deinit(&t);
	free(order);
	free(spare);
	return r;
}

int profile_view_print(struct profile_view *v, struct ctx *c, struct out *o, struct err *e)
{
	char number[32];
	int r = taskprof_end(&v->prof);

	if (!r && v->want.by_comm)
		r = taskprof_by_comm(&v->prof);
	if (!r)
		r = put_all(v, o);
	if (v->prof.discarded)
		cmd_note(c, "%s spans of time were left out: events were lost within them",
			 fmt_grouped(number, sizeof(number), v->prof.discarded));
	return r ? err_nomem(e) : 0;
}
