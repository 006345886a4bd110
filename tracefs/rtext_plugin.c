/* rtext_plugin.c - events that trace-cmd's plugins print in another way than their print fmt says. */
#include "tracefs/rtext_impl.h"

#include "tracefs/bprint.h"

bool rtext_field(const struct rtext_rec *r, unsigned i, uint64_t *v)
{
	*v = 0;
	return r->ev->f[i] && tfmt_u64(r->ev->f[i], r->rec->raw, r->rec->n, v);
}

static void put_comm(const struct rtext_rec *r, unsigned comm, uint64_t pid, struct out *o)
{
	if (r->ev->f[comm]) {
		struct sv s = tfmt_str(r->ev->f[comm], r->rec->raw, r->rec->n);

		out_sv(o, s);
		out_char(o, ':');
		rtext_learn(r->t, (uint32_t)pid, s);
	}
	out_i64(o, (int64_t)pid);
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

	if (!rtext_field(r, 0, &prev) || !rtext_field(r, 1, &next))
		return false;
	put_comm(r, 2, prev, o);
	put_bracket(r, 4, o);
	out_char(o, ' ');
	if (rtext_field(r, 6, &state))
		put_state(state, o);
	out_str(o, " ==> ");
	put_comm(r, 3, next, o);
	put_bracket(r, 5, o);
	return true;
}

static bool sched_wakeup(const struct rtext_rec *r, struct out *o)
{
	uint64_t v;

	if (!rtext_field(r, 0, &v))
		return false;
	put_comm(r, 1, v, o);
	put_bracket(r, 2, o);
	if (rtext_field(r, 3, &v)) {
		out_str(o, " success=");
		out_u64(o, v);
	}
	if (rtext_field(r, 4, &v)) {
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
	bool start = r->ev->f[4];
	uint64_t v, offset;
	const char *name;

	if (!rtext_field(r, 0, &v) && !rtext_field(r, 1, &v))
		return false;
	out_str(o, "hrtimer=0x");
	out_hex(o, v);
	if (!start)
		put_number(r, " now=", 3, o);
	if (rtext_field(r, 2, &v)) {
		out_str(o, " function=");
		name = rtext_symbol(r->t, v, &offset);
		if (name)
			out_str(o, name);
		out_str(o, name ? "/0x" : "0x");
		out_hex(o, name ? offset : v);
	}
	if (start) {
		put_number(r, " expires=", 4, o);
		put_number(r, " softexpires=", 5, o);
	}
	return true;
}

/* Only the function in front, the rest is the print fmt's. */
static bool call_site(const struct rtext_rec *r, struct out *o)
{
	uint64_t v, offset;
	const char *name = rtext_field(r, 0, &v) ? rtext_symbol(r->t, v, &offset) : NULL;

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
		{ 'v', 2, "val", false }, { 'V', 2, "val", true }, { 't', 3, "utime", true }, { 'n', 3, "val2", false },
		{ '2', 4, "uaddr2", true }, { '3', 5, "val3", true },
	};
	uint64_t v[6], op;

	for (unsigned i = 0; i < ARRAY_SIZE(v); i++)
		if (!rtext_field(r, i, &v[i]))
			return false;
	op = v[1] & ~(uint64_t)(FUTEX_PRIVATE | FUTEX_REALTIME);
	if (op >= ARRAY_SIZE(futex_ops))
		return false;
	out_printf(o, "op=FUTEX_%s%s%s uaddr=0x%08llx", futex_ops[op].name,
		   v[1] & FUTEX_PRIVATE ? "|FUTEX_PRIVATE_FLAG" : "",
		   v[1] & FUTEX_REALTIME ? "|FUTEX_CLOCK_REALTIME" : "", (unsigned long long)v[0]);
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
	const struct tfmt *f = &r->ev->ev->fmt;
	struct teval ev = {
		.raw = r->rec->raw, .n = r->rec->n, .long_size = f->long_size, .swap = f->swap, .names = &r->t->cached,
	};
	const char *fmt, *func;
	uint64_t ip, at;

	if (!rtext_field(r, 0, &ip) || !rtext_field(r, 1, &at) || !r->ev->f[2] || !names || !names->string)
		return false;
	fmt = names->string(names->arg, at);
	if (!fmt)
		return false;
	func = rtext_symbol(r->t, ip, NULL);
	if (func)
		out_str(o, func);
	else
		out_printf(o, "0x%llx", (unsigned long long)ip);
	out_str(o, ": ");
	tbprint(&ev, fmt, tfmt_bytes(r->ev->f[2], r->rec->raw, r->rec->n), o);
	return true;
}

/* Fields: joined by spaces, in the order in which the functions use them; each may be missing. */
static const struct {
	const char *system, *event, *fields;
	rtext_plugin_fn *fn;
} plugins[] = {
	{"ftrace", "function", "ip parent_ip", rtext_function},
	{"ftrace", "funcgraph_entry", "func depth", rtext_entry},
	{"ftrace", "funcgraph_exit", "func depth calltime rettime", rtext_exit},
	{"ftrace", "kernel_stack", "caller", rtext_stack},
	{"ftrace", "func_repeats", "ip parent_ip count top_delta_ts bottom_delta_ts", rtext_repeats},
	{"ftrace", "raw_data", "id buf", rtext_raw_data},
	{"ftrace", "bprint", "ip fmt buf", bprint},
	{"sched", "sched_switch", "prev_pid next_pid prev_comm next_comm prev_prio next_prio prev_state", sched_switch},
	{"sched", "sched_wakeup", "pid comm prio success target_cpu", sched_wakeup},
	{"sched", "sched_wakeup_new", "pid comm prio success target_cpu", sched_wakeup},
	{"timer", "hrtimer_expire_entry", "timer hrtimer function now", hrtimer},
	{"timer", "hrtimer_start", "timer hrtimer function now expires softexpires", hrtimer},
	{"kmem", "kfree", "call_site", call_site},
	{"kmem", "kmalloc", "call_site", call_site},
	{"kmem", "kmalloc_node", "call_site", call_site},
	{"kmem", "kmem_cache_alloc", "call_site", call_site},
	{"kmem", "kmem_cache_alloc_node", "call_site", call_site},
	{"kmem", "kmem_cache_free", "call_site", call_site},
	{"syscalls", "sys_enter_futex", "uaddr op val utime uaddr2 val3", futex},
};

void rtext_plugin(struct rtext_event *x)
{
	const struct tfmt *f = &x->ev->fmt;

	for (size_t i = 0; i < ARRAY_SIZE(plugins); i++) {
		struct sv rest, name;

		if (strcmp(f->system, plugins[i].system) || strcmp(f->name, plugins[i].event))
			continue;
		x->plugin = plugins[i].fn;
		rest = sv_from(plugins[i].fields);
		for (unsigned n = 0; n < RTEXT_FIELDS && sv_cut(&rest, ' ', &name); n++)
			for (uint32_t k = 0; k < f->n_fields && !x->f[n]; k++)
				if (sv_eq(name, f->fields[k].name))
					x->f[n] = &f->fields[k];
	}
}
