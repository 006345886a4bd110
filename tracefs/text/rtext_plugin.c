/*
 * rtext_plugin.c - events that plugins of trace-cmd print differently from the print fmt: functions, their graph and
 * stacks; then those of subsystems.
 */
#include "tracefs/text/rtext_impl.h"

#include "tracefs/print/bprint.h"

/* Value of field i of the event's kind: false and 0 when the event has none. */
static bool field_value(const struct rtext_rec *r, unsigned i, uint64_t *v)
{
	const struct tfield *f = r->ev->ev->field[i];

	*v = 0;
	return f && tfmt_u64(f, r->rec->raw, r->rec->n, v);
}

/* --- functions, their graph, stacks ---------------------------------------------------------------------------- */

enum { INDENT = 3, GRAPH_INDENT = 2, DEPTH_MAX = 1000 };

/* with: the rtext_flag that adds the offset, 0: never. */
static void put_symbol(const struct rtext_rec *r, uint64_t addr, const char *unknown, unsigned with, struct out *o)
{
	uint64_t offset;
	size_t n;
	const char *name = rtext_name(r, addr, &offset, &n);

	if (!name) {
		out_str(o, unknown);
		out_hex(o, addr);
		return;
	}
	out_bytes(o, name, n);
	if (r->t->flags & with)
		out_printf(o, "+0x%x ", (unsigned)offset);
}

static struct rtext_calls *calls_of(struct rtext *t, uint32_t cpu)
{
	if (cpu >= CPUS_MAX)
		return NULL;
	while (t->calls.n <= cpu)
		if (!vec_add(&t->calls))
			return NULL;
	if (!t->calls.v[cpu])
		t->calls.v[cpu] = arena_alloc(&t->arena, sizeof(**t->calls.v));
	return t->calls.v[cpu];
}

static bool same(const char *a, const char *b)
{
	return a == b || (*a == *b && !strcmp(a, b));
}

/* Nesting depth of a call of func by parent. Functions that have returned are not removed, as in trace-cmd. */
static uint32_t level(struct rtext *t, uint32_t cpu, const char *parent, const char *func)
{
	struct rtext_calls *c = calls_of(t, cpu);
	uint32_t i = 0;

	if (!c)
		return 0;
	while (i < c->n && !same(parent, c->func[i]))
		i++;
	if (i == c->n) {
		i = 0;
		c->func[0] = parent;
		c->n = MAX(c->n, 1u);
	}
	if (func && i + 1 < ARRAY_SIZE(c->func)) {
		c->func[i + 1] = func;
		c->n = MAX(c->n, i + 2);
	}
	return i;
}

/* The function's name is looked up only here, and kept in past->func. */
static void follow_function(struct rtext *t, const struct rtext_rec *r, struct rtext_past *past)
{
	uint64_t ip, parent_ip;
	const char *parent;

	if (t->flags & RTEXT_NO_INDENT || !field_value(r, FUNCTION_IP, &ip) ||
	    !field_value(r, FUNCTION_PARENT_IP, &parent_ip))
		return;
	past->func.s = rtext_name(r, ip, NULL, &past->func.n);
	parent = rtext_name(r, parent_ip, NULL, NULL);
	if (parent)
		past->level = level(t, r->rec->cpu, parent, past->func.s);
}

static bool put_function(const struct rtext_rec *r, struct out *o)
{
	uint64_t ip, parent_ip;

	if (!field_value(r, FUNCTION_IP, &ip) || !field_value(r, FUNCTION_PARENT_IP, &parent_ip))
		return false;
	out_fill(o, ' ', r->past->level * INDENT);
	if (r->past->func.s && !(r->t->flags & RTEXT_OFFSET))
		out_sv(o, r->past->func);
	else
		put_symbol(r, ip, "0x", RTEXT_OFFSET, o);
	if (r->t->flags & RTEXT_PARENT) {
		out_str(o, " <-- ");
		put_symbol(r, parent_ip, "0x", RTEXT_OFFSET, o);
	}
	return true;
}

static bool repeats_of(const struct rtext_rec *r, uint64_t *count, uint64_t *ago)
{
	uint64_t top, bottom;

	if (!field_value(r, FUNCTION_COUNT, count) || !field_value(r, FUNCTION_TOP_DELTA_TS, &top) ||
	    !field_value(r, FUNCTION_BOTTOM_DELTA_TS, &bottom))
		return false;
	*ago = top << 32 | bottom;
	return true;
}

static void follow_repeats(struct rtext *t, const struct rtext_rec *r, struct rtext_past *past)
{
	uint64_t count, ago;

	if (repeats_of(r, &count, &ago))
		follow_function(t, r, past);
}

static bool put_repeats(const struct rtext_rec *r, struct out *o)
{
	uint64_t count, ago;

	if (!repeats_of(r, &count, &ago) || !put_function(r, o))
		return false;
	out_printf(o, " (count: %llu  last_ts: ", (unsigned long long)count);
	rtext_put_time(r->t, r->pen, r->rec->ts - ago, o);
	out_char(o, ')');
	return true;
}

static void put_indent(uint64_t depth, struct out *o)
{
	out_fill(o, ' ', MIN(depth, (uint64_t)DEPTH_MAX) * GRAPH_INDENT);
}

static void put_duration(uint64_t ns, struct out *o)
{
	uint64_t start, us = ns / 1000, len;

	out_str(o, ns > 1000000000 ? "$ " : ns > 1000000 ? "# " : ns > 100000 ? "! " : ns > 10000 ? "+ " : "  ");
	start = o->total;
	out_u64(o, us);
	if (o->total - start < 7) {
		out_char(o, '.');
		out_zero(o, ns % 1000, 3);
	}
	len = o->total - start;
	out_str(o, " us ");
	out_fill(o, ' ', len < 7 ? 7 - len : 0);
	out_str(o, "|  ");
}

static bool put_times(const struct rtext_rec *r, struct out *o)
{
	uint64_t call, ret;

	if (!field_value(r, GRAPH_CALLTIME, &call) || !field_value(r, GRAPH_RETTIME, &ret))
		return false;
	put_duration(ret - call, o);
	return true;
}

/* The raw values: the sign of depth does not matter. */
static bool func_of(const struct rtext_rec *r, uint64_t *func, uint64_t *depth)
{
	return field_value(r, GRAPH_FUNC, func) && field_value(r, GRAPH_DEPTH, depth);
}

bool rtext_wants_next(const struct rtext *t, const struct rtext_event *x)
{
	return x && x->ev->kind == KIND_GRAPH_ENTRY && !x->flags && !(t->flags & (RTEXT_RAW | RTEXT_NO_PLUGINS));
}

bool rtext_is_leaf(const struct rtext_event *x, const struct tstream_rec *rec, const struct rtext_event *next_x,
		   const struct tstream_rec *next)
{
	struct rtext_rec a = { .ev = x, .rec = rec }, b = { .ev = next_x, .rec = next };
	uint64_t func, end, depth;

	return next_x && next_x->ev->kind == KIND_GRAPH_EXIT && !next->lost && func_of(&a, &func, &depth) &&
	       func_of(&b, &end, &depth) && func == end && rtext_common(&a, COMMON_PID) == rtext_common(&b, COMMON_PID);
}

const struct rtext_leaf *rtext_ahead(struct rtext *t, struct tstream *s, const struct rtext_event *x,
				     struct tstream_rec *rec, struct rtext_ahead *a)
{
	if (rec->n > sizeof(a->copy) || !rtext_wants_next(t, x))
		return NULL;
	memcpy(a->copy, rec->raw, rec->n);
	rec->raw = a->copy;
	if (tstream_peek(s, &a->next, NULL) <= 0)
		return NULL;
	a->leaf = (struct rtext_leaf){ rtext_event(t, &a->next), &a->next };
	if (!rtext_is_leaf(x, rec, a->leaf.x, &a->next))
		return NULL;
	tstream_skip(s);
	return &a->leaf;
}

static void put_depth(const struct rtext_rec *r, uint64_t depth, struct out *o)
{
	if (r->t->flags & RTEXT_DEPTH)
		out_printf(o, " (%lld)", (long long)depth);
}

static bool put_entry(const struct rtext_rec *r, struct out *o)
{
	uint64_t func, depth;

	if (!func_of(r, &func, &depth))
		return false;
	if (r->leaf) {
		struct rtext_rec end = { .ev = r->leaf->x, .rec = r->leaf->rec };

		if (!put_times(&end, o))
			return false;
	} else {
		out_str(o, "             |  ");
	}
	put_indent(depth, o);
	put_symbol(r, func, "", 0, o);
	out_str(o, r->leaf ? "();" : "() {");
	put_depth(r, depth, o);
	return true;
}

static bool put_exit(const struct rtext_rec *r, struct out *o)
{
	uint64_t func, depth;
	const char *name;

	if (!func_of(r, &func, &depth) || !put_times(r, o))
		return false;
	put_indent(depth, o);
	out_char(o, '}');
	name = r->t->flags & RTEXT_TAIL ? rtext_name(r, func, NULL, NULL) : NULL;
	if (name)
		out_printf(o, " /* %s */", name);
	put_depth(r, depth, o);
	return true;
}

static bool put_stack(const struct rtext_rec *r, struct out *o)
{
	const struct tfield *f = r->ev->ev->field[STACK_CALLER];
	uint32_t size = f ? f->long_size : 0;
	bool swap = r->t->events->machine.swap;

	if (!f)
		return false;
	out_str(o, "<stack trace >\n");
	for (uint64_t at = f->offset; at + size <= r->rec->n; at += size) {
		uint64_t addr = traw_load(r->rec->raw + at, size, swap);

		if ((uint32_t)addr == UINT32_MAX)
			break;
		out_str(o, "=> ");
		if (rtext_name(r, addr, NULL, NULL)) {
			put_symbol(r, addr, "", RTEXT_OFFSET, o);
			out_str(o, " (");
			out_hex(o, addr);
			out_char(o, ')');
		} else {
			out_hex(o, addr);
		}
		out_char(o, '\n');
	}
	return true;
}

static bool put_raw_data(const struct rtext_rec *r, struct out *o)
{
	const struct tfield *buf = r->ev->ev->field[RAW_DATA_BUF];
	uint64_t id;

	if (!field_value(r, RAW_DATA_ID, &id) || !buf)
		return false;
	out_str(o, "# ");
	out_hex(o, id);
	for (size_t at = buf->offset; at < r->rec->n; at++) {
		out_char(o, ' ');
		out_char(o, "0123456789abcdef"[r->rec->raw[at] >> 4]);
		out_char(o, "0123456789abcdef"[r->rec->raw[at] & 15]);
	}
	return true;
}

/* --- subsystems ------------------------------------------------------------------------------------------------ */

static void put_comm(const struct rtext_rec *r, unsigned comm, uint64_t pid, struct out *o)
{
	const struct tfield *f = r->ev->ev->field[comm];

	if (f) {
		struct sv s = tfmt_str(f, r->rec->raw, r->rec->n);

		out_sv(o, s);
		out_char(o, ':');
	}
	out_i64(o, (int64_t)pid);
}

static void learn(struct rtext *t, const struct rtext_rec *r, unsigned comm, uint64_t pid)
{
	const struct tfield *f = r->ev->ev->field[comm];

	if (f)
		rtext_learn(t, (uint32_t)pid, tfmt_str(f, r->rec->raw, r->rec->n));
}

static void put_bracket(const struct rtext_rec *r, unsigned field, struct out *o)
{
	uint64_t v;

	if (!field_value(r, field, &v))
		return;
	out_str(o, " [");
	out_i64(o, (int32_t)v);
	out_char(o, ']');
}

/* Print the bits of prev_state; none: the task was still runnable. */
static void put_state(uint64_t state, struct out *o)
{
	static const char names[] = "SDTtXZPI";   /* Linux 4.14 and later */
	bool any = false;

	for (unsigned i = 0; i < sizeof(names) - 1; i++) {
		if (!(state >> i & 1))
			continue;
		if (any)
			out_char(o, '|');
		out_char(o, names[i]);
		any = true;
	}
	if (!any)
		out_char(o, 'R');
}

static bool sched_switch(const struct rtext_rec *r, struct out *o)
{
	uint64_t prev, next, state;

	if (!field_value(r, SWITCH_PREV_PID, &prev) || !field_value(r, SWITCH_NEXT_PID, &next))
		return false;
	put_comm(r, SWITCH_PREV_COMM, prev, o);
	put_bracket(r, SWITCH_PREV_PRIO, o);
	out_char(o, ' ');
	if (field_value(r, SWITCH_PREV_STATE, &state))
		put_state(state, o);
	out_str(o, " ==> ");
	put_comm(r, SWITCH_NEXT_COMM, next, o);
	put_bracket(r, SWITCH_NEXT_PRIO, o);
	return true;
}

static void follow_switch(struct rtext *t, const struct rtext_rec *r, struct rtext_past *past UNUSED)
{
	uint64_t prev, next;

	if (!field_value(r, SWITCH_PREV_PID, &prev) || !field_value(r, SWITCH_NEXT_PID, &next))
		return;
	learn(t, r, SWITCH_PREV_COMM, prev);
	learn(t, r, SWITCH_NEXT_COMM, next);
}

static void follow_wakeup(struct rtext *t, const struct rtext_rec *r, struct rtext_past *past UNUSED)
{
	uint64_t pid;

	if (field_value(r, WAKEUP_PID, &pid))
		learn(t, r, WAKEUP_COMM, pid);
}

static bool sched_wakeup(const struct rtext_rec *r, struct out *o)
{
	uint64_t v;

	if (!field_value(r, WAKEUP_PID, &v))
		return false;
	put_comm(r, WAKEUP_COMM, v, o);
	put_bracket(r, WAKEUP_PRIO, o);
	if (field_value(r, WAKEUP_SUCCESS, &v)) {
		out_str(o, " success=");
		out_u64(o, v);
	}
	if (field_value(r, WAKEUP_TARGET_CPU, &v)) {
		out_str(o, " CPU:");
		out_zero(o, v, 3);
	}
	return true;
}

static void put_number(const struct rtext_rec *r, const char *label, unsigned field, struct out *o)
{
	uint64_t v;

	out_str(o, label);
	field_value(r, field, &v);
	out_u64(o, v);
}

static bool hrtimer(const struct rtext_rec *r, struct out *o)
{
	bool start = r->ev->ev->kind == KIND_HRTIMER_START;
	uint64_t v, offset;
	const char *name;

	if (!field_value(r, HRTIMER_HRTIMER, &v))
		return false;
	out_str(o, "hrtimer=0x");
	out_hex(o, v);
	if (!start)
		put_number(r, " now=", HRTIMER_NOW, o);
	if (field_value(r, HRTIMER_FUNCTION, &v)) {
		out_str(o, " function=");
		name = rtext_name(r, v, &offset, NULL);
		if (name)
			out_str(o, name);
		out_str(o, name ? "/0x" : "0x");
		out_hex(o, name ? offset : v);
	}
	if (start) {
		put_number(r, " expires=", HRTIMER_EXPIRES, o);
		put_number(r, " softexpires=", HRTIMER_SOFTEXPIRES, o);
	}
	return true;
}

/* Print the calling function in front; the print fmt does the rest. */
static bool call_site(const struct rtext_rec *r, struct out *o)
{
	uint64_t v, offset;
	const char *name = field_value(r, ALLOC_CALL_SITE, &v) ? rtext_name(r, v, &offset, NULL) : NULL;

	if (name) {
		out_char(o, '(');
		out_str(o, name);
		out_str(o, "+0x");
		out_hex(o, (uint32_t)offset);
		out_str(o, ") ");
	}
	return false;
}

/*
 * Operations of futex(2) and their arguments: v, V the value in decimal or hex, t a time, n a second value, 2 a second
 * address, 3 a third value.
 */
static const struct { const char *name, *args; } futex_ops[] = {
	{ "WAIT", "Vt" }, { "WAKE", "v" }, { "FD", "v" }, { "REQUEUE", "vn2" }, { "CMP_REQUEUE", "vn23" },
	{ "WAKE_OP", "vn23" }, { "LOCK_PI", "t" }, { "UNLOCK_PI", "" }, { "TRYLOCK_PI", "" }, { "WAIT_BITSET", "Vt3" },
	{ "WAKE_BITSET", "v3" }, { "WAIT_REQUEUE_PI", "Vt23" }, { "CMP_REQUEUE_PI", "vn23" },
};

enum { FUTEX_PRIVATE = 128, FUTEX_REALTIME = 256 };

static bool futex(const struct rtext_rec *r, struct out *o)
{
	static const struct { char letter; uint8_t field; char label[8]; bool hex; } args[] = {
		{ 'v', FUTEX_VAL, "val", false }, { 'V', FUTEX_VAL, "val", true }, { 't', FUTEX_UTIME, "utime", true },
		{ 'n', FUTEX_UTIME, "val2", false }, { '2', FUTEX_UADDR2, "uaddr2", true },
		{ '3', FUTEX_VAL3, "val3", true },
	};
	uint64_t v[FUTEX_VAL3 + 1], op;

	for (unsigned i = 0; i < ARRAY_SIZE(v); i++)
		if (!field_value(r, i, &v[i]))
			return false;
	op = v[FUTEX_OP] & ~(uint64_t)(FUTEX_PRIVATE | FUTEX_REALTIME);
	if (op >= ARRAY_SIZE(futex_ops))
		return false;
	out_printf(o, "op=FUTEX_%s%s%s uaddr=0x%08llx", futex_ops[op].name,
		   v[FUTEX_OP] & FUTEX_PRIVATE ? "|FUTEX_PRIVATE_FLAG" : "",
		   v[FUTEX_OP] & FUTEX_REALTIME ? "|FUTEX_CLOCK_REALTIME" : "", (unsigned long long)v[FUTEX_UADDR]);
	for (unsigned i = 0; i < ARRAY_SIZE(args); i++)
		if (strchr(futex_ops[op].args, args[i].letter))
			out_printf(o, args[i].hex ? " %s=0x%08llx" : " %s=%llu", args[i].label,
				   (unsigned long long)v[args[i].field]);
	return true;
}

/* trace_printk: the record has the address of its format, and the arguments packed by the kernel. */
static bool bprint(const struct rtext_rec *r, struct out *o)
{
	const struct tprint_names *names = r->t->names;
	const struct tfield *args = r->ev->ev->field[PRINT_BUF];
	const struct tfmt *f = &r->ev->ev->fmt;
	struct tprint_names cached = rtext_names(r);
	struct teval ev = {
		.raw = r->rec->raw, .n = r->rec->n, .long_size = f->long_size, .swap = f->swap, .names = &cached,
	};
	const char *fmt, *func;
	uint64_t ip, at;

	if (!field_value(r, PRINT_IP, &ip) || !field_value(r, PRINT_FMT, &at) || !args || !names || !names->string)
		return false;
	fmt = names->string(names->arg, at);
	if (!fmt)
		return false;
	func = rtext_name(r, ip, NULL, NULL);
	if (func)
		out_str(o, func);
	else
		out_printf(o, "0x%llx", (unsigned long long)ip);
	out_str(o, ": ");
	tbprint(&ev, fmt, tfmt_bytes(args, r->rec->raw, r->rec->n), o);
	return true;
}

static const struct rtext_plugin
	entries = { .write = put_entry, .asks_names = true },
	exits = { .write = put_exit, .asks_names = true },
	functions = { .write = put_function, .follow = follow_function, .asks_names = true },
	repeats = { .write = put_repeats, .follow = follow_repeats, .asks_names = true },
	stacks = { .write = put_stack, .asks_names = true },
	raw_data = { .write = put_raw_data },
	switches = { .write = sched_switch, .follow = follow_switch },
	wakeups = { .write = sched_wakeup, .follow = follow_wakeup },
	hrtimers = { .write = hrtimer, .asks_names = true },
	allocations = { .write = call_site, .asks_names = true },
	futexes = { .write = futex },
	bprints = { .write = bprint, .asks_names = true };

const struct rtext_plugin *rtext_plugin(enum tkind kind)
{
	static const struct rtext_plugin *const plugins[KIND_COUNT] = {
		[KIND_FUNCTION] = &functions,
		[KIND_GRAPH_ENTRY] = &entries,
		[KIND_GRAPH_EXIT] = &exits,
		[KIND_KERNEL_STACK] = &stacks,
		[KIND_FUNC_REPEATS] = &repeats,
		[KIND_RAW_DATA] = &raw_data,
		[KIND_BPRINT] = &bprints,
		[KIND_SCHED_SWITCH] = &switches,
		[KIND_SCHED_WAKEUP] = &wakeups,
		[KIND_SCHED_WAKEUP_NEW] = &wakeups,
		[KIND_HRTIMER_EXPIRE_ENTRY] = &hrtimers,
		[KIND_HRTIMER_START] = &hrtimers,
		[KIND_KFREE] = &allocations,
		[KIND_KMALLOC] = &allocations,
		[KIND_KMALLOC_NODE] = &allocations,
		[KIND_KMEM_CACHE_ALLOC] = &allocations,
		[KIND_KMEM_CACHE_ALLOC_NODE] = &allocations,
		[KIND_KMEM_CACHE_FREE] = &allocations,
		[KIND_SYSCALL_FUTEX] = &futexes,
	};

	return plugins[kind];
}
