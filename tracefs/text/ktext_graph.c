/*
 * ktext_graph.c - the text of the function_graph tracer: calls indented by depth, a call without nested calls in one
 * line, other events as comments.
 */
#include "tracefs/text/ktext_impl.h"

enum { INDENT = 2, DEPTH_MAX = 1024 };

/* How the column of the duration is filled; it also takes the arrows of interrupts. */
enum fill { FILL_FULL, FILL_START, FILL_END };

struct call {
	uint64_t func, retaddr;
	int32_t depth;
	bool has_retaddr;
};

struct ret {
	uint64_t func, duration, overrun, retval;
	int32_t depth;
};

/* The graph state of the CPU; NULL: there is none, another tracer prints. */
static struct ktext_cpu *state_of(const struct ktext_line *l)
{
	return l->k->graph && l->cpu < l->k->want.cpus ? &l->k->cpus[l->cpu] : NULL;
}

static void out_cpu(const struct ktext_line *l)
{
	unsigned width = 1;

	for (uint32_t n = l->k->want.cpus - 1; n >= 10; n /= 10)
		width++;
	out_char(l->o, ' ');
	out_u64w(l->o, l->cpu, width);
	out_str(l->o, ") ");
}

/* "comm-pid" centred in 14 columns. */
static void out_proc(const struct ktext_line *l, int32_t pid)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "%.7s-%d", ktext_comm(l->k, pid), pid), spaces = MAX(14 - n, 0);

	out_fill(l->o, ' ', (size_t)spaces / 2);
	out_str(l->o, text);
	out_fill(l->o, ' ', (size_t)(spaces - spaces / 2));
}

/* The columns before the duration: time, CPU, thread, flags. */
static void columns(const struct ktext_line *l)
{
	if (!ktext_has(l->k, KTEXT(CONTEXT)))
		return;
	if (ktext_has(l->k, KTEXT(GRAPH_ABSTIME))) {
		out_u64w(l->o, l->ts / 1000000000, 5);
		out_char(l->o, '.');
		out_zero(l->o, l->ts % 1000000000 / 1000, 6);
		out_str(l->o, " |  ");
	}
	if (ktext_has(l->k, KTEXT(GRAPH_CPU)))
		out_cpu(l);
	if (ktext_has(l->k, KTEXT(GRAPH_PROC))) {
		out_proc(l, l->pid);
		out_str(l->o, " | ");
	}
	if (ktext_has(l->k, KTEXT(LATENCY))) {
		out_char(l->o, ' ');
		ktext_flags(l);
		out_str(l->o, " | ");
	}
}

static bool has_duration(const struct ktext_line *l)
{
	return ktext_has(l->k, KTEXT(GRAPH_DURATION)) && ktext_has(l->k, KTEXT(CONTEXT));
}

static void fill(const struct ktext_line *l, enum fill how)
{
	static const char *const text[] = { "              |  ", "  ", " |" };

	if (has_duration(l))
		out_str(l->o, text[how]);
}

/* Microseconds with as many decimals as fit in seven digits. */
static void duration(const struct ktext_line *l, uint64_t ns)
{
	uint64_t start = l->o->total, n;

	if (!has_duration(l))
		return;
	out_char(l->o, ktext_has(l->k, KTEXT(GRAPH_OVERHEAD)) ? ktext_mark(ns) : ' ');
	out_char(l->o, ' ');
	out_u64(l->o, ns / 1000);
	n = l->o->total - start - 2;
	if (n < 7) {
		unsigned places = MIN(3u, 7 - (unsigned)n);

		out_char(l->o, '.');
		out_zero(l->o, places == 3 ? ns % 1000 : places == 2 ? ns % 1000 / 10 : ns % 1000 / 100, places);
		n += places + 1;
	}
	out_str(l->o, " us ");
	out_fill(l->o, ' ', n < 8 ? 8 - n : 0);
	out_str(l->o, "|  ");
}

static bool in_irq_text(const struct ktext_line *l, uint64_t addr)
{
	return addr >= l->k->want.irq_start && addr < l->k->want.irq_end;
}

static void arrow(const struct ktext_line *l, uint64_t func, const char *text)
{
	if (!in_irq_text(l, func))
		return;
	columns(l);
	fill(l, FILL_START);
	out_str(l->o, text);
	fill(l, FILL_END);
	out_char(l->o, '\n');
}

/* Mark that another thread runs on the CPU than in the previous line. */
static void switched(const struct ktext_line *l)
{
	static const char rule[] = " ------------------------------------------\n";
	struct ktext_cpu *s = state_of(l);
	int32_t last;

	if (!s || (s->has_pid && s->last_pid == l->pid))
		return;
	last = s->last_pid;
	s->last_pid = l->pid;
	if (!s->has_pid) {
		s->has_pid = true;
		return;
	}
	out_str(l->o, rule);
	out_cpu(l);
	out_proc(l, last);
	out_str(l->o, " => ");
	out_proc(l, l->pid);
	out_char(l->o, '\n');
	out_str(l->o, rule);
	out_char(l->o, '\n');
}

static void indent(const struct ktext_line *l, int32_t depth)
{
	if (depth > 0)
		out_fill(l->o, ' ', (size_t)MIN(depth, DEPTH_MAX) * INDENT);
}

/* Without funcgraph-irqs calls in interrupts are not printed: true while inside of one. */
static bool hidden_call(const struct ktext_line *l, const struct call *c)
{
	struct ktext_cpu *s = state_of(l);

	if (!s || ktext_has(l->k, KTEXT(GRAPH_IRQS)))
		return false;
	if (s->depth_irq >= 0)
		return true;
	if (!in_irq_text(l, c->func))
		return false;
	s->depth_irq = c->depth;
	return true;
}

static bool hidden_return(const struct ktext_line *l, int32_t depth)
{
	struct ktext_cpu *s = state_of(l);

	if (!s || ktext_has(l->k, KTEXT(GRAPH_IRQS)) || s->depth_irq == -1)
		return false;
	if (s->depth_irq >= depth)
		s->depth_irq = -1;
	return true;
}

static struct ret ret_of(const struct ktext_line *l)
{
	return (struct ret){
		.func = ktext_field(l, GRAPH_FUNC),
		.depth = (int32_t)ktext_field(l, GRAPH_DEPTH),
		.overrun = ktext_field(l, GRAPH_OVERRUN),
		.duration = ktext_field(l, GRAPH_RETTIME) - ktext_field(l, GRAPH_CALLTIME),
		.retval = ktext_field(l, GRAPH_RETVAL),
	};
}

/* If the next record on the ring is the return of this call, take it. */
static bool leaf(struct ktext_line *l, const struct call *c, struct ret *r)
{
	const struct ktext_want *w = &l->k->want;
	struct tstream_rec rec;
	struct ktext_line next;

	if (!w->peek || !w->skip || !w->peek(w->arg, &rec) || rec.lost)
		return false;
	if (!ktext_read(l->k, &rec, &next) || next.ev->kind != KIND_GRAPH_EXIT || next.pid != l->pid)
		return false;
	*r = ret_of(&next);
	if (r->func != c->func)
		return false;
	w->skip(w->arg);
	return true;
}

/* The negative errno in a return value (also when only the low half of a pointer was recorded), else 0. */
static int64_t error_value(uint64_t v)
{
	int64_t s = v >> 31 == 1 ? (int32_t)(uint32_t)v : (int64_t)v;

	return s < 0 && s >= -4095 ? s : 0;
}

static void retval(const struct ktext_line *l, uint64_t v)
{
	int64_t code = ktext_has(l->k, KTEXT(GRAPH_RETVAL_HEX)) ? 0 : error_value(v);

	/* "ret=0x1" since 6.13, "= 0x1" before */
	out_str(l->o, l->k->version < KTEXT_KERNEL(6, 13) ? " = " : " ret=");
	if (code) {
		out_i64(l->o, code);
	} else {
		out_str(l->o, "0x");
		out_hex(l->o, v);
	}
}

static void retaddr(const struct ktext_line *l, const struct call *c)
{
	out_str(l->o, " <-");
	ktext_ip(l, c->retaddr, l->k->want.options | KTEXT(SYM_OFFSET));
}

static void print_leaf(const struct ktext_line *l, const struct call *c, const struct ret *r)
{
	bool values = ktext_has(l->k, KTEXT(GRAPH_RETVAL)),
	     addresses = c->has_retaddr && ktext_has(l->k, KTEXT(GRAPH_RETADDR));
	struct ktext_cpu *s = state_of(l);

	if (s) {
		s->depth = c->depth - 1;
		if (c->depth >= 0 && c->depth < KTEXT_GRAPH_DEPTH)
			s->func[c->depth] = 0;
	}
	duration(l, r->duration);
	indent(l, c->depth);
	ktext_func(l, r->func);
	out_str(l->o, "();");
	if (values || addresses)
		out_str(l->o, " /*");
	if (addresses)
		retaddr(l, c);
	if (values)
		retval(l, r->retval);
	if (values || addresses)
		out_str(l->o, " */");
	out_char(l->o, '\n');
	arrow(l, r->func, "<==========");
}

static void print_nested(const struct ktext_line *l, const struct call *c)
{
	struct ktext_cpu *s = state_of(l);

	if (s) {
		s->depth = c->depth;
		if (c->depth >= 0 && c->depth < KTEXT_GRAPH_DEPTH)
			s->func[c->depth] = c->func;
	}
	fill(l, FILL_FULL);
	indent(l, c->depth);
	ktext_func(l, c->func);
	out_str(l->o, "() {");
	if (c->has_retaddr && ktext_has(l->k, KTEXT(GRAPH_RETADDR))) {
		out_str(l->o, " /*");
		retaddr(l, c);
		out_str(l->o, " */");
	}
	out_char(l->o, '\n');
}

static void print_call(struct ktext_line *l)
{
	struct call c = { .func = ktext_field(l, GRAPH_FUNC), .depth = (int32_t)ktext_field(l, GRAPH_DEPTH) };
	struct ret r;

	c.has_retaddr = l->ev->kind == KIND_GRAPH_RETADDR_ENTRY;
	if (c.has_retaddr)
		c.retaddr = ktext_field(l, GRAPH_RETADDR);
	if (hidden_call(l, &c))
		return;
	switched(l);
	arrow(l, c.func, "==========>");
	columns(l);
	/* leaf() may invalidate the bytes of the record */
	if (leaf(l, &c, &r))
		print_leaf(l, &c, &r);
	else
		print_nested(l, &c);
}

/* Is this the return of the call seen at that depth? Forget the call. */
static bool leave(const struct ktext_line *l, const struct ret *r)
{
	struct ktext_cpu *s = state_of(l);
	bool same;

	if (!s)
		return true;
	s->depth = r->depth - 1;
	if (r->depth < 0 || r->depth >= KTEXT_GRAPH_DEPTH)
		return true;
	same = s->func[r->depth] == r->func;
	s->func[r->depth] = 0;
	return same;
}

static void print_return(const struct ktext_line *l)
{
	struct ret r = ret_of(l);
	bool values = ktext_has(l->k, KTEXT(GRAPH_RETVAL)), same;

	if (hidden_return(l, r.depth))
		return;
	same = leave(l, &r);
	switched(l);
	columns(l);
	duration(l, r.duration);
	indent(l, r.depth);
	out_char(l->o, '}');
	if (values || !same || ktext_has(l->k, KTEXT(GRAPH_TAIL))) {
		out_str(l->o, " /* ");
		ktext_func(l, r.func);
		if (values)
			retval(l, r.retval);
		out_str(l->o, " */");
	}
	out_char(l->o, '\n');
	if (ktext_has(l->k, KTEXT(GRAPH_OVERRUN)))
		out_printf(l->o, " (Overruns: %llu)\n", (unsigned long long)r.overrun);
	arrow(l, r.func, "<==========");
}

static void print_comment(const struct ktext_line *l)
{
	const struct ktext_cpu *s = state_of(l);

	switched(l);
	columns(l);
	fill(l, FILL_FULL);
	if (s && s->depth > 0)
		indent(l, s->depth + 1);
	out_str(l->o, "/* ");
	ktext_text(l, KTEXT_MESSAGE);
	out_str(l->o, " */\n");
}

bool ktext_graph(struct ktext_line *l)
{
	switch (l->ev->kind) {
	case KIND_GRAPH_ENTRY:
	case KIND_GRAPH_RETADDR_ENTRY:
		print_call(l);
		return true;
	case KIND_GRAPH_EXIT:
		print_return(l);
		return true;
	case KIND_FUNCTION:
	case KIND_KERNEL_STACK:
		return false;
	default:
		if (l->k->graph)
			print_comment(l);
		return l->k->graph;
	}
}
