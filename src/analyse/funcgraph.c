/*
 * funcgraph.c - a stack of open calls for each task.
 *
 * Depths need not be without holes: several users of the tracer share a task's stack, and filters leave functions out.
 * Interrupts run on the stack of the task that they interrupt. Functions that never return (do_exit), and those whose
 * return was lost, are cleared away by the next record of the same or a lesser depth.
 */
#include "analyse/funcgraph.h"

struct frame {
	uint64_t func, ts, children;
	uint32_t depth, gap;
};

struct funcgraph_task {
	uint64_t key, seen;      /* seen: time of its last record */
	VEC(struct frame) open;
};

/* One record, taken apart. */
struct rec {
	bool is_return, timed;
	uint64_t func, ts, calltime, rettime;
	uint32_t depth, pid, cpu;
};

static bool knows(const struct tevents *t, enum tkind kind)
{
	const struct tevent *ev = tevents_by_kind(t, kind);

	return ev && ev->field[GRAPH_FUNC] && ev->field[GRAPH_DEPTH] && ev->common[COMMON_PID];
}

int funcgraph_init(struct funcgraph *g, const struct funcgraph_want *w, struct err *e)
{
	*g = (struct funcgraph){ .want = *w };
	if (!knows(w->events, KIND_GRAPH_ENTRY) || !knows(w->events, KIND_GRAPH_EXIT))
		return err_set(e, ENOENT, "this kernel has no function_graph tracer");
	return 0;
}

void funcgraph_deinit(struct funcgraph *g)
{
	for (size_t i = 0; i < g->tasks.n; i++)
		vec_free(&g->tasks.v[i].open);
	vec_free(&g->tasks);
	map_deinit(&g->by_pid);
}

static void count_open(struct funcgraph *g, const struct frame *f)
{
	if (f->gap == g->gap)
		g->stats.unfinished++;
	else
		g->stats.discarded++;
}

static void close_all(struct funcgraph *g, struct funcgraph_task *t)
{
	for (size_t i = 0; i < t->open.n; i++)
		count_open(g, &t->open.v[i]);
	t->open.n = 0;
}

void funcgraph_end(struct funcgraph *g)
{
	for (size_t i = 0; i < g->tasks.n; i++)
		close_all(g, &g->tasks.v[i]);
}

/* Keep the tasks seen since, and of those only the ones that are inside of something unless all are wanted. */
static int keep_since(struct funcgraph *g, uint64_t since)
{
	size_t n = 0;

	map_deinit(&g->by_pid);
	for (size_t i = 0; i < g->tasks.n; i++) {
		struct funcgraph_task t = g->tasks.v[i];

		if (!t.open.n || t.seen < since) {
			close_all(g, &t);
			vec_free(&t.open);
			continue;
		}

		uint64_t *at = map_add(&g->by_pid, t.key, NULL);

		if (!at)
			return -ENOMEM;
		g->tasks.v[n] = t;
		*at = n++;
	}
	g->tasks.n = n;
	return 0;
}

/* Tasks that ended inside of a function stay in the table: too many of them, and the oldest go. */
static int make_room(struct funcgraph *g, uint64_t now)
{
	uint64_t age = UINT64_MAX;

	for (size_t i = 0; i < g->tasks.n; i++)
		age = MIN(age, g->tasks.v[i].seen);
	age = now > age ? now - age : 0;

	int r = keep_since(g, 0);

	while (!r && g->tasks.n > FUNCGRAPH_TASKS / 2) {
		age /= 2;
		r = keep_since(g, age ? now - age : UINT64_MAX);
	}
	return r;
}

static uint64_t key_of(uint32_t pid, uint32_t cpu)
{
	return pid ? pid : UINT64_C(1) << 32 | cpu;
}

size_t funcgraph_open(const struct funcgraph *g, uint32_t pid, uint32_t cpu, uint64_t *func, size_t max)
{
	const uint64_t *at = map_get(&g->by_pid, key_of(pid, cpu));
	size_t n = 0;

	for (size_t i = at ? g->tasks.v[*at].open.n : 0; i > 0 && n < max; i--)
		func[n++] = g->tasks.v[*at].open.v[i - 1].func;
	return n;
}

static struct funcgraph_task *task_of(struct funcgraph *g, const struct rec *r)
{
	uint64_t key = key_of(r->pid, r->cpu);
	uint64_t *at = map_get(&g->by_pid, key);

	if (!at) {
		if (g->tasks.n >= FUNCGRAPH_TASKS && make_room(g, r->ts))
			return NULL;
		at = vec_reserve(&g->tasks, 1) ? NULL : map_add(&g->by_pid, key, NULL);
		if (!at)
			return NULL;
		*at = g->tasks.n;
		g->tasks.v[g->tasks.n++] = (struct funcgraph_task){ .key = key };
	}
	return &g->tasks.v[*at];
}

static void drop_from(struct funcgraph *g, struct funcgraph_task *t, uint32_t depth)
{
	while (t->open.n && t->open.v[t->open.n - 1].depth >= depth)
		count_open(g, &t->open.v[--t->open.n]);
}

static int enter(struct funcgraph *g, struct funcgraph_task *t, const struct rec *r)
{
	drop_from(g, t, r->depth);
	if (t->open.n >= FUNCGRAPH_DEPTH)
		close_all(g, t);

	struct frame *f = vec_add(&t->open);

	if (!f)
		return -ENOMEM;
	*f = (struct frame){ .func = r->func, .ts = r->ts, .depth = r->depth, .gap = g->gap };
	return 0;
}

static int give(struct funcgraph *g, struct funcgraph_task *t, struct funcgraph_call *c)
{
	if (t->open.n)
		t->open.v[t->open.n - 1].children += c->total;
	g->stats.calls++;
	return g->want.call ? g->want.call(g->want.arg, c) : 0;
}

/* f: its entry, or NULL. */
static int finish(struct funcgraph *g, struct funcgraph_task *t, const struct rec *r, const struct frame *f)
{
	bool timed = r->timed && r->rettime >= r->calltime;
	bool whole = f && f->gap == g->gap;
	struct funcgraph_call c = { .func = r->func, .pid = r->pid, .cpu = r->cpu, .depth = r->depth };

	if (timed && !g->first)
		g->first = r->rettime;
	if (!timed && !whole) {
		g->stats.discarded += f != NULL;
		return 0;
	}
	if (!f && g->want.fresh && r->calltime < g->first)
		return 0;
	c.start = timed ? r->calltime : f->ts;
	c.total = timed ? r->rettime - r->calltime : r->ts - MIN(f->ts, r->ts);
	c.self_known = whole;
	c.self = whole && c.total > f->children ? c.total - f->children : 0;
	g->stats.spanned += f && !whole;
	return give(g, t, &c);
}

static int leave(struct funcgraph *g, struct funcgraph_task *t, const struct rec *r)
{
	struct frame f;

	if (r->depth < UINT32_MAX)
		drop_from(g, t, r->depth + 1);
	if (t->open.n) {
		f = t->open.v[t->open.n - 1];
		if (f.depth == r->depth && f.func == r->func) {
			t->open.n--;
			return finish(g, t, r, &f);
		}
		drop_from(g, t, r->depth);
	}
	g->stats.headless++;
	return finish(g, t, r, NULL);
}

static bool is_graph(const struct tevent *ev)
{
	return ev && (ev->kind == KIND_GRAPH_ENTRY || ev->kind == KIND_GRAPH_RETADDR_ENTRY ||
		      ev->kind == KIND_GRAPH_EXIT);
}

static bool number(const struct tfield *f, const struct tstream_rec *rec, uint64_t *v)
{
	return f && tfmt_u64(f, rec->raw, rec->n, v);
}

static bool take_apart(const struct funcgraph *g, const struct tstream_rec *rec, struct rec *r)
{
	const struct tevent *ev = tevents_of(g->want.events, rec->raw, rec->n);
	uint64_t depth, pid;

	if (!is_graph(ev) || !number(ev->field[GRAPH_FUNC], rec, &r->func) ||
	    !number(ev->field[GRAPH_DEPTH], rec, &depth) || !number(ev->common[COMMON_PID], rec, &pid))
		return false;
	r->is_return = ev->kind == KIND_GRAPH_EXIT;
	r->depth = (uint32_t)depth;
	r->pid = (uint32_t)pid;
	r->timed = ev->field[GRAPH_CALLTIME] && ev->field[GRAPH_RETTIME];
	return !r->timed || (number(ev->field[GRAPH_CALLTIME], rec, &r->calltime) &&
			     number(ev->field[GRAPH_RETTIME], rec, &r->rettime));
}

int funcgraph_add(struct funcgraph *g, const struct tstream_rec *rec)
{
	struct rec r = { .ts = rec->ts, .cpu = rec->cpu };

	g->gap += rec->lost != 0;
	if (!take_apart(g, rec, &r))
		return 0;

	struct funcgraph_task *t = task_of(g, &r);

	if (!t)
		return -ENOMEM;
	t->seen = r.ts;
	return r.is_return ? leave(g, t, &r) : enter(g, t, &r);
}
