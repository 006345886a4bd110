/*
 * funcgraph.c - a stack of open calls for each task.
 *
 * Depths may have gaps: several users of the tracer share a task's stack of calls, and filters leave out functions.
 * Functions of an interrupt are on the stack of the task that was interrupted. Functions that never return (do_exit),
 * and those whose return was lost, are dropped at the next record of the same or a smaller depth.
 */
#include "analyse/funcgraph.h"

struct frame {
	struct span span;        /* its owner is the task */
	uint64_t func, children;
	uint32_t depth;
};

/* One decoded record. */
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

static void count_open(struct funcgraph *g, const struct span *sp)
{
	if (spans_whole(&g->open, sp, sp->cpu))
		g->stats.unfinished++;
	else
		g->stats.discarded++;
}

/* Limits were exceeded: by tasks that ended inside of a function, or by stacks that only grow. */
static void dropped(void *arg, const struct span *sp, enum spans_limit why UNUSED)
{
	count_open(arg, sp);
}

static void ended(void *arg, const struct span *sp)
{
	count_open(arg, sp);
}

int funcgraph_init(struct funcgraph *g, const struct funcgraph_want *w, struct err *e)
{
	struct spans_limits limits = {
		.deep = FUNCGRAPH_DEPTH, .owners = FUNCGRAPH_TASKS, .dropped = dropped, .arg = g,
	};

	*g = (struct funcgraph){ .want = *w };
	spans_init(&g->open, sizeof(struct frame), &limits);
	if (!knows(w->events, KIND_GRAPH_ENTRY) || !knows(w->events, KIND_GRAPH_EXIT))
		return err_set(e, ENOENT, "this kernel has no function_graph tracer");
	return 0;
}

void funcgraph_deinit(struct funcgraph *g)
{
	spans_deinit(&g->open);
}

void funcgraph_end(struct funcgraph *g)
{
	spans_end(&g->open, ended, g);
}

static uint64_t key_of(uint32_t pid, uint32_t cpu)
{
	return pid ? pid : UINT64_C(1) << 32 | cpu;
}

static struct frame *frame_of(struct span *sp)
{
	return (struct frame *)sp;
}

size_t funcgraph_open(const struct funcgraph *g, uint32_t pid, uint32_t cpu, uint64_t *func, size_t max)
{
	struct span *sp = spans_newest(&g->open, key_of(pid, cpu));
	size_t n = 0;

	for (; sp && n < max; sp = spans_older(&g->open, sp))
		func[n++] = frame_of(sp)->func;
	return n;
}

/* Drop the task's calls at this depth and deeper; returns its innermost remaining call. */
static struct frame *drop_from(struct funcgraph *g, const struct rec *r, uint64_t depth)
{
	struct span *sp;

	while ((sp = spans_newest(&g->open, key_of(r->pid, r->cpu))) != NULL && frame_of(sp)->depth >= depth) {
		spans_close(&g->open, sp);
		count_open(g, sp);
	}
	return frame_of(sp);
}

static int enter(struct funcgraph *g, const struct rec *r)
{
	struct frame *f;

	drop_from(g, r, r->depth);
	f = spans_open(&g->open, &(struct span){ .owner = key_of(r->pid, r->cpu), .ts = r->ts, .cpu = r->cpu });
	if (!f)
		return -ENOMEM;
	f->func = r->func;
	f->depth = r->depth;
	return 0;
}

static int give(struct funcgraph *g, struct funcgraph_call *c)
{
	struct span *caller = spans_newest(&g->open, key_of(c->pid, c->cpu));

	if (caller)
		frame_of(caller)->children += c->total;
	g->stats.calls++;
	return g->want.call ? g->want.call(g->want.arg, c) : 0;
}

/* A call has returned. f: its entry, or NULL. */
static int finish(struct funcgraph *g, const struct rec *r, const struct frame *f)
{
	bool timed = r->timed && r->rettime >= r->calltime;
	bool whole = f && spans_whole(&g->open, &f->span, r->cpu);
	struct funcgraph_call c = { .func = r->func, .pid = r->pid, .cpu = r->cpu, .depth = r->depth };

	if (timed && !g->first)
		g->first = r->rettime;
	if (!timed && !whole) {
		g->stats.discarded += f != NULL;
		return 0;
	}
	if (!f && g->want.fresh && r->calltime < g->first)
		return 0;
	c.start = timed ? r->calltime : f->span.ts;
	c.total = timed ? r->rettime - r->calltime : r->ts - MIN(f->span.ts, r->ts);
	c.self_known = whole;
	c.self = whole && c.total > f->children ? c.total - f->children : 0;
	g->stats.spanned += f && !whole;
	return give(g, &c);
}

static int leave(struct funcgraph *g, const struct rec *r)
{
	struct frame *f = drop_from(g, r, (uint64_t)r->depth + 1);

	if (f && f->depth == r->depth && f->func == r->func) {
		spans_close(&g->open, &f->span);
		return finish(g, r, f);
	}
	drop_from(g, r, r->depth);
	g->stats.headless++;
	return finish(g, r, NULL);
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

	if (spans_follow(&g->open, rec))
		return -ENOMEM;
	if (!take_apart(g, rec, &r))
		return 0;
	return r.is_return ? leave(g, &r) : enter(g, &r);
}
