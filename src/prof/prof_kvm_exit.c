/* prof_kvm_exit.c - sonde prof kvm-exit: time from guest exit to entry, by reason. */
#include "arch/arch.h"
#include "prof/guest_exit.h"

struct want {
	struct prof_want prof;
	struct latency_want latency;
	const char *filter;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Guests"),
	OPT_STR(0, "filter", struct want, filter, "<filter>", "filter for kvm_exit: exit_reason==48, esr_ec==0x24"),
	OPT_SUB(latency_opts, struct want, latency),
	OPT_SUB(prof_chain_opts, struct want, prof),
	OPT_END,
};

enum { EXIT, ENTRY };
static const char *const events[] = { "kvm:kvm_exit", "kvm:kvm_entry", NULL };

/* Data of an exit: the reason with its extension, and whether the guest's kernel ran. */
#define OF_KERNEL	(UINT64_C(1) << 63)

struct kvm_exit {
	struct latency latency;
	struct prof *prof;
	const struct texpr **isa;
};

static int prepare(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	int r = own_events(p, events, e);

	for (size_t i = 0; !r && w->filter && i < p->specs.v.n; i++)
		if (!p->specs.v.v[i].untraced && !strcmp(p->specs.v.v[i].event, events[EXIT]))
			r = own_filter(p, &p->specs.v.v[i], w->filter, e);
	return r;
}

/* Kernels are in the upper half of the address space on all architectures. */
static uint64_t what_of(struct kvm_exit *k, const struct hit *h)
{
	const struct texpr *x = k->isa[h->tap->index];
	uint64_t isa = x ? expr_number(&k->prof->feed.expr, x, h, ARCH_EXITS_VMX) & 3 : ARCH_EXITS_VMX;

	return (own_field(h, KVM_VCPU_PC, 0) & OF_KERNEL) | guest_exit_of(h, isa);
}

static uint64_t reason_of(void *arg UNUSED, const struct stages_pair *p)
{
	return p->extra_from & ~OF_KERNEL;
}

static int add_kernel_time(void *arg UNUSED, const struct stages_pair *p, struct latency_row *r)
{
	if (p->extra_from & OF_KERNEL)
		r->extra += p->to - p->from;
	return 0;
}

static bool is_no_halt(void *arg UNUSED, const struct stages_pair *p)
{
	return !guest_exit_is_halt(reason_of(NULL, p));
}

static void put_names(void *arg, struct table *t, const struct latency_row *r)
{
	struct kvm_exit *k = arg;
	const struct want *w = k->prof->want;
	char number[GUEST_EXIT_NAME];

	if (w->latency.per_instance)
		own_put_thread(k->prof, t, r->key);
	table_str(t, guest_exit_name(r->group, number));
}

static void put_kernel_time(void *arg UNUSED, struct table *t, const struct latency_row *r)
{
	table_fixed(t, r->spread.total > 0 ? (double)r->extra * 100 / r->spread.total : 0, 2);
}

static const char *isa_text(const struct spec *s UNUSED)
{
	return "isa";
}

/* Kernels before 5.0 lack the field isa, and so does ARM. */
static int compile_isa(struct kvm_exit *k, struct prof *p, struct err *e)
{
	size_t n = p->feed.taps.n;
	int r = 0;

	k->isa = arena_alloc(&p->feed.arena, (n + 1) * sizeof(const struct texpr *));
	if (!k->isa)
		return err_nomem(e);
	for (size_t i = 0; !r && i < n; i++) {
		const struct tap *t = &p->feed.taps.v[i];
		bool has = t->event && tfmt_field(&t->event->fmt, "isa");

		r = feed_compile(&p->feed, &k->isa[i], t, has ? isa_text(t->spec) : NULL, e);
	}
	return r;
}

static int begin(struct prof *p, struct err *e)
{
	static const struct table_col gsys = { "%gsys", "gsys_percent", TABLE_RIGHT, 0 };
	const struct want *w = p->want;
	struct kvm_exit *k = p->own;
	struct latency_shape *s = &k->latency.shape;
	int r = compile_isa(k, p, e);

	k->prof = p;
	k->latency.arg = k;
	k->latency.pair = add_kernel_time;
	k->latency.wanted = is_no_halt;
	*s = (struct latency_shape){
		.columns = LATENCY_AVG | LATENCY_P99, .more = &gsys, .by_total = true, .group = reason_of,
		.put_names = put_names, .put_more = put_kernel_time,
	};
	if (w->latency.per_instance)
		own_thread_columns(s);
	s->names[s->n_names++] = (struct table_col){ "exit_reason", NULL, TABLE_LEFT, 0 };
	return r ? r : latency_open(&k->latency, p, &w->latency, 2, e);
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct kvm_exit *k = p->own;
	struct stages_event ev = { .hit = h, .key = h->tid };

	switch (own_event(h->tap, events)) {
	case EXIT:
		ev.role = STAGES_BEGINS;
		ev.extra = what_of(k, h);
		break;
	case ENTRY:
		ev.stage = 1;
		ev.role = STAGES_ENDS;
		break;
	}
	return latency_event(&k->latency, &ev);
}

static int lost(struct prof *p, uint32_t cpu)
{
	struct kvm_exit *k = p->own;

	return latency_lost(&k->latency, cpu);
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct kvm_exit *k = p->own;

	return latency_show(&k->latency, last, o, e);
}

static void close(struct prof *p)
{
	struct kvm_exit *k = p->own;

	if (k->latency.prof)
		latency_close(&k->latency);
}

DEFINE_PROF(kvm_exit) = {
	.cmd = {
		.name = "kvm-exit", .family = "prof", .brief = "Show latencies of VM exits by reason",
		.synopsis = "[options] [-- command [arguments]]",
		.details = PACKED(
			"From kvm_exit to the next kvm_entry of the same vCPU thread, on the host. %gsys is the share "
			"of that time with exits from the guest's kernel mode, not user mode. --than leaves out exits "
			"of an idle guest (HLT, WFx). -e may filter these events or add events with untraced."),
		.examples = PACKED(
			"sonde prof kvm-exit -p 2347 -i 1000\ta guest, every second\n"
			"sonde prof kvm-exit -C 1-4 --perins\tper thread\n"
			"sonde prof kvm-exit -p 2347 --filter 'exit_reason==48' --than 1ms\tone exit reason\n"
			"sonde prof kvm-exit -i perf.data\ta recording"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct kvm_exit), .prepare = prepare, .begin = begin, .hit = hit, .lost = lost, .show = show,
	.close = close,
};
