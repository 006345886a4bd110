/* calls.c - a stack of open calls for each key, and one tree of all paths. */
#include "prof/calls.h"

#include "base/fmt.h"

struct call {
	struct span span;                    /* must be first */
	const struct tap *tap;
	uint32_t tid, pid, function, node;
	uint32_t depth;                      /* of the node */
	uint64_t seq, below;                 /* below: ns in calls that it made */
};

static void dropped(void *arg, const struct span *sp UNUSED, enum spans_limit why UNUSED)
{
	struct calls *c = arg;

	c->stats.dropped++;
	c->n_open--;
}

int calls_init(struct calls *c)
{
	const struct spans_limits limits = { .deep = CALLS_DEEP, .owners = STAGES_KEYS, .dropped = dropped, .arg = c };

	*c = (struct calls){ .is_open = true };
	spans_init(&c->open, sizeof(struct call), &limits);
	return calltree_init(&c->tree);
}

void calls_deinit(struct calls *c)
{
	if (!c->is_open)
		return;
	calls_clear(c);
	vec_free(&c->times);
	calltree_deinit(&c->tree);
	spans_deinit(&c->open);
	c->is_open = false;
}

void calls_clear(struct calls *c)
{
	for (size_t i = 0; i < c->times.n; i++)
		spread_clear(&c->times.v[i]);
	for (size_t i = 0; i < c->tree.nodes.n; i++)
		c->tree.nodes.v[i].self = c->tree.nodes.v[i].samples = 0;
}

static struct call *newest(const struct calls *c, uint64_t key)
{
	return (struct call *)spans_newest(&c->open, key);
}

static void close_call(struct calls *c, struct call *call)
{
	spans_close(&c->open, &call->span);
	c->n_open--;
}

/* The node of a call below its caller's; at the limits the caller's own node. */
static uint32_t node_of(struct calls *c, uint32_t caller, uint32_t depth, uint32_t function)
{
	bool is_full = depth > CALLS_DEEP || c->tree.nodes.n >= CALLS_PATHS;
	uint32_t node = is_full ? calltree_find(&c->tree, caller, function)
				: calltree_child(&c->tree, caller, function);

	while (node != CALLTREE_NONE && c->times.n <= node)
		if (!vec_add(&c->times))
			return CALLTREE_NONE;
	return node == CALLTREE_NONE && is_full && caller ? caller : node;
}

int calls_enter(struct calls *c, const struct calls_event *ev)
{
	const struct hit *h = ev->hit;
	struct call *caller = newest(c, ev->key), *call;
	uint32_t node, depth;

	/* After lost events it is unknown whether these callers have returned. */
	while (caller && !spans_whole(&c->open, &caller->span, h->cpu)) {
		close_call(c, caller);
		c->stats.discarded++;
		caller = newest(c, ev->key);
	}
	depth = caller ? caller->depth + 1 : 1;
	node = node_of(c, caller ? caller->node : 0, depth, ev->function);
	if (node == CALLTREE_NONE)
		return -ENOMEM;
	call = spans_open(&c->open, &(struct span){ .owner = ev->key, .ts = h->time, .cpu = h->cpu });
	if (!call)
		return -ENOMEM;
	call->tap = h->tap;
	call->tid = h->tid;
	call->pid = h->pid;
	call->function = ev->function;
	call->node = node;
	call->depth = MIN(depth, CALLS_DEEP + 1u);
	call->seq = ev->seq;
	c->n_open++;
	return 0;
}

/* The call that returns. Calls that it made and that did not return before are discarded. NULL: none. */
static struct call *find(struct calls *c, const struct calls_event *ev)
{
	struct span *sp = spans_newest(&c->open, ev->key);
	struct call *call;

	while (sp && ((struct call *)sp)->function != ev->function)
		sp = spans_older(&c->open, sp);
	if (!sp)
		return NULL;
	while ((call = newest(c, ev->key)) != (struct call *)sp) {
		close_call(c, call);
		c->stats.replaced++;
	}
	return call;
}

int calls_leave(struct calls *c, const struct calls_event *ev, struct stages_pair *p)
{
	const struct hit *h = ev->hit;
	struct call *call = find(c, ev), *caller;
	bool whole;
	uint64_t ns;

	if (!call) {
		c->stats.unstarted++;
		return 0;
	}
	whole = spans_whole(&c->open, &call->span, h->cpu) && h->time >= call->span.ts;
	*p = (struct stages_pair){
		.first = call->tap, .second = h->tap, .key = ev->key, .from = call->span.ts, .to = h->time,
		.cpu_from = call->span.cpu, .cpu_to = h->cpu, .tid_from = call->tid, .tid_to = h->tid,
		.pid_from = call->pid, .pid_to = h->pid, .seq_from = call->seq, .seq_to = ev->seq,
	};
	close_call(c, call);
	if (!whole) {
		c->stats.discarded++;
		return 0;
	}
	ns = p->to - p->from;
	calltree_add(&c->tree, call->node, ns - MIN(ns, call->below), 1);
	caller = newest(c, ev->key);
	if (caller)
		caller->below += ns;
	c->stats.pairs++;
	return spread_add(&c->times.v[call->node], ns) ? -ENOMEM : 1;
}

int calls_lose(struct calls *c, uint32_t cpu)
{
	return spans_lose(&c->open, cpu);
}

/* --- rows --- */

struct walk {
	const struct calls *c;
	const struct calls_show *how;
	struct table *t;
	const struct ct_sum *sums;
	const bool *any;                     /* by node: a call of it, or below it, has returned */
	uint32_t path[CALLS_DEEP];
};

/* "a", "  |-b", "  | |-c"; flat: "a;b;c". */
static void put_name(struct walk *w, size_t depth)
{
	const struct ct_node *nodes = w->c->tree.nodes.v;
	struct mem_out m;

	mem_out_init(&m);
	for (size_t i = 0; w->how->flat && i < depth; i++)
		out_printf(&m.out, "%s;", w->how->name(w->how->arg, nodes[w->path[i]].key));
	for (size_t i = 1; !w->how->flat && i < depth; i++)
		out_str(&m.out, "  | ");
	if (!w->how->flat && depth)
		out_str(&m.out, "  |-");
	out_str(&m.out, w->how->name(w->how->arg, nodes[w->path[depth]].key));
	table_str(w->t, mem_out_str(&m));
	mem_out_deinit(&m);
}

/* "R": one of its callers is the same function. */
static bool is_recursive(const struct walk *w, size_t depth)
{
	const struct ct_node *nodes = w->c->tree.nodes.v;

	for (size_t i = 0; i < depth; i++)
		if (nodes[w->path[i]].key == nodes[w->path[depth]].key)
			return true;
	return false;
}

static void put_row(struct walk *w, size_t depth)
{
	const struct spread *s = &w->c->times.v[w->path[depth]];
	const double us = 1000;

	put_name(w, depth);
	table_str(w->t, is_recursive(w, depth) ? "R" : "");
	table_u64(w->t, s->n);
	if (!w->how->times)
		return;
	table_fixed(w->t, s->total / us, 3);
	table_fixed(w->t, (double)w->c->tree.nodes.v[w->path[depth]].self / us, 3);
	table_fixed(w->t, (double)s->min / us, 3);
	table_fixed(w->t, (double)spread_at(s, 500) / us, 3);
	table_fixed(w->t, (double)spread_at(s, 950) / us, 3);
	table_fixed(w->t, (double)spread_at(s, 990) / us, 3);
	table_fixed(w->t, (double)s->max / us, 3);
}

static void put_below(struct walk *w, uint32_t node, size_t depth)
{
	for (uint32_t i = w->sums[node].first; i && depth < CALLS_DEEP; i = w->sums[i].next) {
		if (!w->any[i])
			continue;
		w->path[depth] = i;
		put_row(w, depth);
		put_below(w, i, depth + 1);
	}
}

/* Mark nodes with returned calls: open calls have no numbers. A child's index is higher than its parent's. */
static bool *find_returned(const struct calltree *t)
{
	const struct ct_node *v = t->nodes.v;
	bool *any = calloc(t->nodes.n + 1, sizeof(*any));

	for (size_t i = t->nodes.n; any && i-- > 1; ) {
		any[i] |= v[i].samples > 0;
		any[v[i].parent] |= any[i];
	}
	return any;
}

int calls_put(const struct calls *c, const struct calls_show *how, struct table *t)
{
	struct ct_sum *sums = calltree_sum(&c->tree);
	bool *any = find_returned(&c->tree);
	struct walk w = { .c = c, .how = how, .t = t, .sums = sums, .any = any };

	if (sums && any)
		put_below(&w, 0, 0);
	free(any);
	free(sums);
	return sums && any ? 0 : -ENOMEM;
}
