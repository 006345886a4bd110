/* rtext_func.c - functions, their graph, and stacks, as trace-cmd's plugins show them. */
#include "tracefs/rtext_impl.h"

enum { INDENT = 3, GRAPH_INDENT = 2, DEPTH_MAX = 1000 };

/* with: the flag that asks for the offset, 0: none does. */
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

/* How deep is a call of func by parent? What was called before is not taken out: as trace-cmd has it. */
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

static void follow_function(struct rtext *t, const struct rtext_rec *r, struct rtext_past *past)
{
	uint64_t ip, parent_ip;
	const char *parent;

	if (t->flags & RTEXT_NO_INDENT || !rtext_field(r, FUNCTION_IP, &ip) ||
	    !rtext_field(r, FUNCTION_PARENT_IP, &parent_ip))
		return;
	parent = rtext_name(r, parent_ip, NULL, NULL);
	if (parent)
		past->level = level(t, r->rec->cpu, parent, rtext_name(r, ip, NULL, NULL));
}

static bool put_function(const struct rtext_rec *r, struct out *o)
{
	uint64_t ip, parent_ip;

	if (!rtext_field(r, FUNCTION_IP, &ip) || !rtext_field(r, FUNCTION_PARENT_IP, &parent_ip))
		return false;
	out_fill(o, ' ', r->past->level * INDENT);
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

	if (!rtext_field(r, FUNCTION_COUNT, count) || !rtext_field(r, FUNCTION_TOP_DELTA_TS, &top) ||
	    !rtext_field(r, FUNCTION_BOTTOM_DELTA_TS, &bottom))
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

	if (!rtext_field(r, GRAPH_CALLTIME, &call) || !rtext_field(r, GRAPH_RETTIME, &ret))
		return false;
	put_duration(ret - call, o);
	return true;
}

/* Values as they are in the record: the sign of depth does not matter. */
static bool func_of(const struct rtext_rec *r, uint64_t *func, uint64_t *depth)
{
	return rtext_field(r, GRAPH_FUNC, func) && rtext_field(r, GRAPH_DEPTH, depth);
}

bool rtext_wants_next(const struct rtext *t, const struct rtext_event *x)
{
	return x && x->plugin == &rtext_entry && !x->flags && !(t->flags & (RTEXT_RAW | RTEXT_NO_PLUGINS));
}

bool rtext_is_leaf(const struct rtext_event *x, const struct tstream_rec *rec, const struct rtext_event *next_x,
		   const struct tstream_rec *next)
{
	struct rtext_rec a = { .ev = x, .rec = rec }, b = { .ev = next_x, .rec = next };
	uint64_t func, end, depth;

	return next_x && next_x->plugin == &rtext_exit && !next->lost && func_of(&a, &func, &depth) &&
	       func_of(&b, &end, &depth) && func == end && rtext_common(&a, COMMON_PID) == rtext_common(&b, COMMON_PID);
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

	if (!rtext_field(r, RAW_DATA_ID, &id) || !buf)
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

const struct rtext_plugin rtext_function = { .write = put_function, .follow = follow_function, .asks_names = true };
const struct rtext_plugin rtext_repeats = { .write = put_repeats, .follow = follow_repeats, .asks_names = true };
const struct rtext_plugin rtext_entry = { .write = put_entry, .asks_names = true };
const struct rtext_plugin rtext_exit = { .write = put_exit, .asks_names = true };
const struct rtext_plugin rtext_stack = { .write = put_stack, .asks_names = true };
const struct rtext_plugin rtext_raw_data = { .write = put_raw_data };
