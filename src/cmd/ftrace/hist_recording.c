/*
 * hist_recording.c - counts the events of a recording by task and call chain, as trace-cmd hist does.
 *
 * A call chain is an event with the stack trace recorded after it, or calls of a function tracer that fit into each
 * other; innermost first. The call tree has the pids below its root, below these events and functions, then their
 * callers.
 */
#include "analyse/calltree.h"
#include "base/sort.h"
#include "cmd/ftrace/hist_live.h"
#include "cmd/ftrace/treport.h"
#include "show/tree.h"

enum { DEPTH = 128, RINGS_MAX = 1 << 16 };

struct calls {
	uint32_t v[DEPTH];   /* frames, outermost first */
	unsigned n;
};

struct pending {
	bool is;
	uint32_t pid, frame;
};

struct counts {
	struct treport_file f;
	const struct hist_live_want *w;
	struct map event_frame;              /* event id -> frame + 1 */
	VEC(struct calls *) tasks;
	struct map task_of;                  /* pid -> index + 1 */
	VEC(struct pending) rings;
	struct names frames;                 /* "*event*", "function" */
	struct map frame_of;                 /* address -> frame + 1 */
	struct calltree tree;
	uint64_t total;
	int error;
};

/* --- frames --- */

/* The frame of an event, "*event*": no function has such a name. */
static uint32_t event_frame(struct counts *x, const struct tevent *ev)
{
	uint64_t *at = map_add(&x->event_frame, ev->fmt.id, NULL);
	char name[160];

	if (!at)
		return NAMES_NONE;
	if (!*at) {
		snprintf(name, sizeof(name), "*%s*", ev->fmt.name);
		*at = (uint64_t)names_add(&x->frames, name, strlen(name)) + 1;
	}
	return (uint32_t)*at - 1;
}

static uint32_t frame_of(struct counts *x, uint64_t addr)
{
	uint64_t *at = map_add(&x->frame_of, addr, NULL);
	struct kallsyms *k = treport_syms(&x->f);
	const struct sym *s = kallsyms_find(k, addr);
	char hex[32];
	const char *name = hex;

	if (!at)
		return NAMES_NONE;
	if (*at)
		return (uint32_t)*at - 1;
	if (s)
		name = kallsyms_name(k, s);
	else
		snprintf(hex, sizeof(hex), "0x%llx", (unsigned long long)addr);
	*at = (uint64_t)names_add(&x->frames, name, strlen(name)) + 1;
	return (uint32_t)*at - 1;
}

static struct calls *task_of(struct counts *x, uint32_t pid)
{
	uint64_t *at = map_add(&x->task_of, pid, NULL);
	struct calls *c;

	if (!at)
		return NULL;
	if (!*at) {
		struct calls **slot = vec_add(&x->tasks);

		c = slot ? calloc(1, sizeof(*c)) : NULL;
		if (!c)
			return NULL;
		*slot = c;
		*at = x->tasks.n;
	}
	return x->tasks.v[*at - 1];
}

/* --- counting --- */

/* Count the chain c, whose last frame is the innermost; top: one more frame, inside of that one, or NAMES_NONE. */
static void count(struct counts *x, uint32_t pid, const struct calls *c, uint32_t top)
{
	uint32_t node = calltree_child(&x->tree, 0, x->w->compact ? 0 : pid);
	unsigned n = MIN(c->n, DEPTH);

	if (top != NAMES_NONE && node != CALLTREE_NONE)
		node = calltree_child(&x->tree, node, top);
	else if (!n)
		return;
	while (n-- && node != CALLTREE_NONE)
		node = calltree_child(&x->tree, node, c->v[n]);
	if (node == CALLTREE_NONE) {
		x->error = -ENOMEM;
		return;
	}
	calltree_add(&x->tree, node, 1, 1);
	x->total++;
}

static void push(struct calls *c, uint32_t frame)
{
	if (c->n < DEPTH)
		c->v[c->n] = frame;
	c->n++;
}

/* A call extends the chain if its caller is the last frame. If not, count the chain, and cut it back to that caller. */
static void function(struct counts *x, uint32_t pid, struct calls *c, uint32_t func, uint32_t parent)
{
	if (c->n && c->v[MIN(c->n, DEPTH) - 1] != parent) {
		count(x, pid, c, NAMES_NONE);
		c->n = MIN(c->n, DEPTH);
		while (c->n && c->v[c->n - 1] != parent)
			c->n--;
	}
	if (!c->n)
		push(c, parent);
	push(c, func);
}

static void graph(struct counts *x, uint32_t pid, struct calls *c, const struct tevent *ev,
		  const struct tstream_rec *rec)
{
	uint64_t depth = tfmt_value(ev->field[GRAPH_DEPTH], rec->raw, rec->n);

	if (depth != c->n) {
		count(x, pid, c, NAMES_NONE);
		c->n = (unsigned)MIN(depth, c->n);
	}
	if (ev->kind == KIND_GRAPH_ENTRY)
		push(c, frame_of(x, tfmt_value(ev->field[GRAPH_FUNC], rec->raw, rec->n)));
}

static void stack(struct counts *x, uint32_t pid, uint32_t top, const struct tfield *callers,
		  const struct tstream_rec *rec)
{
	struct traw b = tfmt_bytes(callers, rec->raw, rec->n);
	uint32_t size = callers->long_size;
	struct calls c = { .n = 0 };
	size_t n = MIN(size ? b.n / size : 0, DEPTH);
	uint64_t end = size == 4 ? UINT32_MAX : UINT64_MAX;

	for (size_t i = 0; i < n; i++)
		if (traw_load(b.p + i * size, size, callers->swap) == end)
			n = i;
	while (n--)
		push(&c, frame_of(x, traw_load(b.p + n * size, size, callers->swap)));
	count(x, pid, &c, top);
}

/* No stack trace has followed this ring's pending event: count it with its task's open calls. */
static void settle(struct counts *x, struct pending *p)
{
	struct calls *c = p->is ? task_of(x, p->pid) : NULL;

	if (c)
		count(x, p->pid, c, p->frame);
	p->is = false;
}

/* A stack trace that follows an event or a call. */
static void take_stack(struct counts *x, uint32_t pid, struct calls *c, const struct tevent *ev,
		       const struct tstream_rec *rec)
{
	struct pending *p = &x->rings.v[rec->ring];

	if (p->is && p->pid == pid) {
		stack(x, p->pid, p->frame, ev->field[STACK_CALLER], rec);
	} else if (!p->is && c->n) {
		stack(x, pid, c->v[MIN(c->n, DEPTH) - 1], ev->field[STACK_CALLER], rec);
		c->n = 0;
	}
	p->is = false;
}

/* A call recorded by one of the function tracers; false: it is none, or lacks a field. */
static bool take_call(struct counts *x, uint32_t pid, struct calls *c, const struct tevent *ev,
		      const struct tstream_rec *rec)
{
	switch (ev->kind) {
	case KIND_FUNCTION:
		if (!ev->field[FUNCTION_IP] || !ev->field[FUNCTION_PARENT_IP])
			return false;
		function(x, pid, c, frame_of(x, tfmt_value(ev->field[FUNCTION_IP], rec->raw, rec->n)),
			 frame_of(x, tfmt_value(ev->field[FUNCTION_PARENT_IP], rec->raw, rec->n)));
		return true;
	case KIND_GRAPH_ENTRY:
	case KIND_GRAPH_EXIT:
		if (!ev->field[GRAPH_FUNC] || !ev->field[GRAPH_DEPTH])
			return false;
		graph(x, pid, c, ev, rec);
		return true;
	default:
		return false;
	}
}

static void record(struct counts *x, const struct tstream_rec *rec)
{
	const struct tevent *ev = tevents_of(&x->f.events, rec->raw, rec->n);
	struct calls *c;
	uint32_t pid;

	while (x->rings.n <= rec->ring && rec->ring < RINGS_MAX)
		if (!vec_add(&x->rings))
			break;
	if (!ev || rec->ring >= x->rings.n || !ev->common[COMMON_PID])
		return;
	pid = (uint32_t)tfmt_value(ev->common[COMMON_PID], rec->raw, rec->n);
	c = task_of(x, pid);
	if (!c) {
		x->error = -ENOMEM;
		return;
	}
	if (rec->lost) {
		settle(x, &x->rings.v[rec->ring]);
		count(x, pid, c, NAMES_NONE);
		c->n = 0;
	}
	if (ev->kind == KIND_KERNEL_STACK && ev->field[STACK_CALLER]) {
		take_stack(x, pid, c, ev, rec);
		return;
	}
	settle(x, &x->rings.v[rec->ring]);
	if (!take_call(x, pid, c, ev, rec))
		x->rings.v[rec->ring] = (struct pending){ true, pid, event_frame(x, ev) };
}

static int read_all(struct counts *x, struct err *e)
{
	struct tdat_reader *r = tdat_reader_new(&x->f.file.dat, -1, e);
	struct tstream_rec rec;
	int got = r ? 1 : -e->code;

	while (r && !x->error && (got = tdat_reader_next(r, &rec, e)) > 0)
		record(x, &rec);
	for (size_t i = 0; i < x->rings.n; i++)
		settle(x, &x->rings.v[i]);
	for (size_t i = 0; i < x->task_of.cap; i++)
		if (x->task_of.used[i])
			count(x, (uint32_t)x->task_of.slot[i].key, x->tasks.v[x->task_of.slot[i].val - 1], NAMES_NONE);
	if (r && tdat_reader_stats(r)->lost)
		cmd_note(x->f.c, "%llu events were lost while it was recorded",
			 (unsigned long long)tdat_reader_stats(r)->lost);
	if (r)
		input_bad_pages(x->f.c, x->f.input->path, tdat_reader_stats(r)->bad_pages);
	tdat_reader_free(r);
	return x->error ? err_nomem(e) : MIN(got, 0);
}

/* --- showing --- */

struct order {
	const struct ct_sum *sum;
	const uint32_t *node;
};

static int heavier(const void *arg, uint32_t a, uint32_t b)
{
	const struct order *o = arg;
	uint64_t x = o->sum[o->node[a]].total, y = o->sum[o->node[b]].total;

	return (x < y) - (x > y);
}

/* "  %18.25  (0) <idle>                   sched_wakeup #437" */
static void head(struct counts *x, uint32_t node, uint64_t n)
{
	const struct ct_node *ct = &x->tree.nodes.v[node];
	uint32_t pid = x->tree.nodes.v[ct->parent].key;
	const char *comm = pid ? tevents_comm(&x->f.events, pid) : "<idle>", *name = names_str(&x->frames, ct->key);
	struct sv text = sv_from(name);
	struct out *o = x->f.c->out;

	if (name[0] == '*')
		text = (struct sv){ name + 1, text.n - 2 };
	out_printf(o, "  %%%.2f", 100.0 * (double)n / (double)x->total);
	if (x->w->compact)
		out_str(o, " <all pids>");
	else
		out_printf(o, "  (%u) %s", pid, comm ? comm : "<...>");
	out_fill(o, ' ', text.n < 30 ? 31 - text.n : 1);
	out_sv(o, text);
	out_printf(o, " #%llu\n", (unsigned long long)n);
}

static int show(struct counts *x)
{
	size_t n = x->tree.nodes.n, roots = 0;
	struct ct_sum *sum = calltree_sum(&x->tree);
	struct tree_node *v = calloc(n, sizeof(*v));
	uint32_t *node = calloc(n * 3, sizeof(*node)), *order = node ? node + n : NULL;
	struct order by = { sum, node };
	struct tree_want tw = { .style = TREE_FRACTAL, .margin = 9 };

	if (!sum || !v || !node) {
		free(sum);
		free(v);
		free(node);
		return -ENOMEM;
	}
	for (uint32_t i = 1; i < n; i++) {
		const struct ct_node *ct = &x->tree.nodes.v[i];

		v[i] = (struct tree_node){ .weight = sum[i].total, .child = sum[i].first, .next = sum[i].next };
		v[i].label = ct->parent ? names_str(&x->frames, ct->key) : "";
		if (!ct->parent || x->tree.nodes.v[ct->parent].parent)
			continue;
		node[roots] = i;
		order[roots] = (uint32_t)roots;
		roots++;
	}
	v[0] = (struct tree_node){ "", sum[0].total, sum[0].first, 0 };
	tree_sort(v, n, &tw);
	sort_u32(order, order + n, roots, heavier, &by);
	for (size_t i = 0; i < roots && (!x->w->look.rows || i < x->w->look.rows); i++) {
		uint32_t at = node[order[i]];

		if (i)
			out_char(x->f.c->out, '\n');
		head(x, at, sum[at].total);
		v[at].next = 0;
		v[0].child = at;
		v[0].weight = sum[at].total;
		tree_print(v, &tw, x->f.c->out);
	}
	free(sum);
	free(v);
	free(node);
	return 0;
}

static void counts_deinit(struct counts *x)
{
	for (size_t i = 0; i < x->tasks.n; i++)
		free(x->tasks.v[i]);
	vec_free(&x->tasks);
	vec_free(&x->rings);
	map_deinit(&x->event_frame);
	map_deinit(&x->task_of);
	map_deinit(&x->frame_of);
	names_deinit(&x->frames);
	calltree_deinit(&x->tree);
	treport_close(&x->f);
}

int hist_recording(struct ctx *c, const struct hist_live_want *w)
{
	struct counts *x = calloc(1, sizeof(*x));
	const struct treport_want tw = { .n_inputs = 0 };
	const struct treport_input in = { .path = w->input };
	struct err e = { 0 };
	int r;

	if (!x || calltree_init(&x->tree)) {
		free(x);
		err_nomem(&e);
		return cmd_fail(c, &e);
	}
	x->w = w;
	r = treport_open(&x->f, c, &tw, &in, &e);
	r = r ? r : read_all(x, &e);
	if (!r && show(x))
		r = err_nomem(&e);
	counts_deinit(x);
	free(x);
	return r ? cmd_fail(c, &e) : cmd_finish(c, EXIT_DONE);
}
