/* prof_syscalls.c - sonde prof syscalls: duration of system calls, and number of errors. */
#include "arch/arch.h"
#include "prof/own.h"

struct want {
	struct prof_want prof;
	struct latency_want latency;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_SUB(latency_opts, struct want, latency),
	OPT_SUB(prof_chain_opts, struct want, prof),
	OPT_END,
};

static const char *const events[] = { "raw_syscalls:sys_enter", "raw_syscalls:sys_exit", NULL };

struct syscalls {
	struct latency latency;
	struct prof *prof;
};

static int prepare(struct prof *p, struct err *e)
{
	return own_events(p, events, e);
}

/* Values in -4095..-1 are an errno. */
static bool is_error(uint64_t ret)
{
	return ret > UINT64_MAX - 4095;
}

static uint64_t number_of(void *arg UNUSED, const struct stages_pair *p)
{
	return p->extra_from;
}

static int count_error(void *arg UNUSED, const struct stages_pair *p, struct latency_row *r)
{
	r->extra += is_error(p->extra_to);
	return 0;
}

static void put_names(void *arg, struct table *t, const struct latency_row *r)
{
	struct syscalls *s = arg;
	const struct want *w = s->prof->want;
	const char *name = arch_syscall_name(s->prof->feed.session.arch, r->group);
	char text[64];

	if (w->latency.per_instance)
		own_put_thread(s->prof, t, r->key);
	if (name)
		snprintf(text, sizeof(text), "%s(%llu)", name, (unsigned long long)r->group);
	else
		snprintf(text, sizeof(text), "%lld", (long long)r->group);
	table_str(t, text);
}

static void put_errors(void *arg UNUSED, struct table *t, const struct latency_row *r)
{
	table_u64(t, r->extra);
}

static int begin(struct prof *p, struct err *e)
{
	static const struct table_col err = { "err", NULL, TABLE_RIGHT, 0 };
	const struct want *w = p->want;
	struct syscalls *s = p->own;
	struct latency_shape *shape = &s->latency.shape;

	s->prof = p;
	s->latency.arg = s;
	s->latency.pair = count_error;
	*shape = (struct latency_shape){
		.more = &err, .by_total = true, .group = number_of, .put_names = put_names, .put_more = put_errors,
	};
	if (w->latency.per_instance)
		own_thread_columns(shape);
	shape->names[shape->n_names++] = (struct table_col){ "syscalls", NULL, TABLE_LEFT, 0 };
	return latency_open(&s->latency, p, &w->latency, 2, e);
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct syscalls *s = p->own;
	struct stages_event ev = { .hit = h, .key = h->tid };

	switch (own_event(h->tap, events)) {
	case 0:
		ev.role = STAGES_BEGINS;
		ev.extra = own_field(h, SYS_ENTER_ID, UINT64_MAX);
		break;
	case 1:
		ev.stage = 1;
		ev.role = STAGES_ENDS;
		ev.extra = own_field(h, SYS_EXIT_RET, 0);
		break;
	}
	return latency_event(&s->latency, &ev);
}

static int lost(struct prof *p, uint32_t cpu)
{
	struct syscalls *s = p->own;

	return latency_lost(&s->latency, cpu);
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct syscalls *s = p->own;

	return latency_show(&s->latency, last, o, e);
}

static void close(struct prof *p)
{
	struct syscalls *s = p->own;

	if (s->latency.prof)
		latency_close(&s->latency);
}

DEFINE_PROF(syscalls) = {
	.cmd = {
		.name = "syscalls", .family = "prof", .brief = "Show latencies and errors of system calls",
		.synopsis = "[-e <events>] [options] [-- command [arguments]]",
		.details = PACKED(
			"One row per system call, sorted by total time; err counts calls that returned an error. "
			"--perins: rows per thread. It traces raw_syscalls:sys_enter and sys_exit without -e; -e may "
			"filter them or add events with untraced. System call numbers are those of 64-bit programs."),
		.examples = PACKED(
			"sonde prof syscalls -- ls -R /etc\ta command\n"
			"sonde prof syscalls -p 1 --perins -i 1000\tthreads of a process, every second\n"
			"sonde prof syscalls --than 10ms -C 0\tand print each call longer than 10 ms\n"
			"sonde prof syscalls -e sched:sched_switch//untraced/ --than 10ms --detail=samecpu\twith the "
				"events in between\n"
			"sonde prof syscalls -e raw_syscalls:sys_enter/id==63/ -e raw_syscalls:sys_exit/id==63/\tone "
				"system call\n"
			"sonde prof syscalls -i perf.data\ta recording"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct syscalls), .prepare = prepare, .begin = begin, .hit = hit, .lost = lost, .show = show,
	.close = close,
};
