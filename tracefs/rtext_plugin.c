/* rtext_plugin.c - events that trace-cmd's plugins print in another way than their print fmt says. */
#include "tracefs/rtext_impl.h"

#include "tracefs/bprint.h"

bool rtext_field(const struct rtext_rec *r, unsigned i, uint64_t *v)
{
	const struct tfield *f = r->ev->ev->field[i];

	*v = 0;
	return f && tfmt_u64(f, r->rec->raw, r->rec->n, v);
}

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

	if (!rtext_field(r, field, &v))
		return;
	out_str(o, " [");
	out_i64(o, (int32_t)v);
	out_char(o, ']');
}

/* Bits of prev_state; none: it could have run on. */
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

	if (!rtext_field(r, SWITCH_PREV_PID, &prev) || !rtext_field(r, SWITCH_NEXT_PID, &next))
		return false;
	put_comm(r, SWITCH_PREV_COMM, prev, o);
	put_bracket(r, SWITCH_PREV_PRIO, o);
	out_char(o, ' ');
	if (rtext_field(r, SWITCH_PREV_STATE, &state))
		put_state(state, o);
	out_str(o, " ==> ");
	put_comm(r, SWITCH_NEXT_COMM, next, o);
	put_bracket(r, SWITCH_NEXT_PRIO, o);
	return true;
}

static void follow_switch(struct rtext *t, const struct rtext_rec *r, struct rtext_past *past UNUSED)
{
	uint64_t prev, next;

	if (!rtext_field(r, SWITCH_PREV_PID, &prev) || !rtext_field(r, SWITCH_NEXT_PID, &next))
		return;
	learn(t, r, SWITCH_PREV_COMM, prev);
	learn(t, r, SWITCH_NEXT_COMM, next);
}

static void follow_wakeup(struct rtext *t, const struct rtext_rec *r, struct rtext_past *past UNUSED)
{
	uint64_t pid;

	if (rtext_field(r, WAKEUP_PID, &pid))
		learn(t, r, WAKEUP_COMM, pid);
}

static bool sched_wakeup(const struct rtext_rec *r, struct out *o)
{
	uint64_t v;

	if (!rtext_field(r, WAKEUP_PID, &v))
		return false;
	put_comm(r, WAKEUP_COMM, v, o);
	put_bracket(r, WAKEUP_PRIO, o);
	if (rtext_field(r, WAKEUP_SUCCESS, &v)) {
		out_str(o, " success=");
		out_u64(o, v);
	}
	if (rtext_field(r, WAKEUP_TARGET_CPU, &v)) {
		out_str(o, " CPU:");
		out_zero(o, v, 3);
	}
	return true;
}

static void put_number(const struct rtext_rec *r, const char *label, unsigned field, struct out *o)
{
	uint64_t v;

	out_str(o, label);
	rtext_field(r, field, &v);
	out_u64(o, v);
}

static bool hrtimer(const struct rtext_rec *r, struct out *o)
{
	bool start = r->ev->ev->kind == KIND_HRTIMER_START;
	uint64_t v, offset;
	const char *name;

	if (!rtext_field(r, HRTIMER_HRTIMER, &v))
		return false;
	out_str(o, "hrtimer=0x");
	out_hex(o, v);
	if (!start)
		put_number(r, " now=", HRTIMER_NOW, o);
	if (rtext_field(r, HRTIMER_FUNCTION, &v)) {
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

/* Only the function in front, the rest is the print fmt's. */
static bool call_site(const struct rtext_rec *r, struct out *o)
{
	uint64_t v, offset;
	const char *name = rtext_field(r, ALLOC_CALL_SITE, &v) ? rtext_name(r, v, &offset, NULL) : NULL;

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
 * Operations of futex(2) and which arguments they have. Letters: v V the value in decimal or hex, t a time, n a second
 * value, 2 a second address, 3 a third value.
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
		if (!rtext_field(r, i, &v[i]))
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

/* trace_printk: the record has the address of its format, and the arguments as the kernel packs them. */
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

	if (!rtext_field(r, PRINT_IP, &ip) || !rtext_field(r, PRINT_FMT, &at) || !args || !names || !names->string)
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
	switches = { .write = sched_switch, .follow = follow_switch },
	wakeups = { .write = sched_wakeup, .follow = follow_wakeup },
	hrtimers = { .write = hrtimer, .asks_names = true },
	allocations = { .write = call_site, .asks_names = true },
	futexes = { .write = futex },
	bprints = { .write = bprint, .asks_names = true };

const struct rtext_plugin *rtext_plugin(enum tkind kind)
{
	static const struct rtext_plugin *const plugins[KIND_COUNT] = {
		[KIND_FUNCTION] = &rtext_function,
		[KIND_GRAPH_ENTRY] = &rtext_entry,
		[KIND_GRAPH_EXIT] = &rtext_exit,
		[KIND_KERNEL_STACK] = &rtext_stack,
		[KIND_FUNC_REPEATS] = &rtext_repeats,
		[KIND_RAW_DATA] = &rtext_raw_data,
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
