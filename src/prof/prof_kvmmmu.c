/*
 * prof_kvmmmu.c - sonde prof kvmmmu: stage 2 faults of guests, and how long each stops its virtual CPU. arm64: the
 * syndrome is ESR_EL2 of an abort from a lower level (Arm ARM D24.2.40).
 */
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

enum { FAULT, MMIO, UNMAP, ENTRY };
static const char *const events[] = { "kvm:kvm_guest_fault", "kvm:kvm_entry", NULL };
static const char *const more_events[] = { "kvm:kvm_mmio", "kvm:kvm_unmap_hva_range" };

/* Fields of a syndrome. */
enum { EC_SHIFT = 26, EC_INSTRUCTION = 0x20, FSC_MASK = 0x3c, FSC_LEVEL = 3, WRITES = 1 << 6, OF_WALK = 1 << 7 };
/* No memory there: an access to a device that the hypervisor's user space emulates. */
#define EMULATED (UINT64_C(1) << 32)

struct kvmmmu {
	struct latency latency;
	struct prof *prof;
	const struct texpr **syndrome;   /* by tap */
	struct map emulates;             /* tid -> 1: its fault is an access to a device */
	uint64_t unmapped;
};

static int prepare(struct prof *p, struct err *e)
{
	int r = own_events(p, events, e);

	for (size_t i = 0; !r && i < ARRAY_SIZE(more_events); i++)
		r = prof_add(p, more_events[i], e);
	for (size_t i = 0; !r && i < ARRAY_SIZE(more_events); i++)
		p->specs.v.v[p->specs.v.n - 1 - i].optional = true;
	return r;
}

/* The row of a fault: its kind with level, and the attempted access. */
static uint64_t row_of(void *arg UNUSED, const struct stages_pair *p)
{
	uint64_t esr = p->extra_from;

	if (p->extra_to)
		return EMULATED | (esr & WRITES);
	return esr & ((UINT64_C(0x3f) << EC_SHIFT) | FSC_MASK | FSC_LEVEL | WRITES | OF_WALK);
}

static void put_fault(uint64_t row, char *text, size_t size)
{
	static const char *const kinds[] = { "address size", "translation", "access flag", "permission" };
	unsigned kind = (row & FSC_MASK) >> 2;

	if (row & EMULATED)
		snprintf(text, size, "device (mmio)");
	else if (kind < ARRAY_SIZE(kinds))
		snprintf(text, size, "%s level %u", kinds[kind], (unsigned)row & FSC_LEVEL);
	else
		snprintf(text, size, "status 0x%x", (unsigned)row & (FSC_MASK | FSC_LEVEL));
}

static const char *access_of(uint64_t row)
{
	if (row & EMULATED)
		return row & WRITES ? "write" : "read";
	if (row & OF_WALK)
		return "page table";
	return (row >> EC_SHIFT & 0x3f) == EC_INSTRUCTION ? "execute" : row & WRITES ? "write" : "read";
}

static void put_names(void *arg, struct table *t, const struct latency_row *r)
{
	struct kvmmmu *k = arg;
	const struct want *w = k->prof->want;
	char text[40];

	if (w->latency.per_instance)
		own_put_thread(k->prof, t, r->key);
	put_fault(r->group, text, sizeof(text));
	table_str(t, text);
	table_str(t, access_of(r->group));
}

static const char *syndrome_text(const struct spec *s)
{
	return strcmp(s->event, events[0]) ? NULL : "hsr";
}

static int begin(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct kvmmmu *k = p->own;
	struct latency_shape *s = &k->latency.shape;
	int r = prof_compile(&k->syndrome, p, syndrome_text, e);

	k->prof = p;
	k->latency.arg = k;
	*s = (struct latency_shape){
		.columns = LATENCY_AVG | LATENCY_P99, .by_total = true, .group = row_of, .put_names = put_names,
		.count = "faults",
	};
	if (w->latency.per_instance)
		own_thread_columns(s);
	s->names[s->n_names++] = (struct table_col){ "fault", NULL, TABLE_LEFT, 0 };
	s->names[s->n_names++] = (struct table_col){ "access", NULL, TABLE_LEFT, 0 };
	return r ? r : latency_open(&k->latency, p, &w->latency, 2, e);
}

static int event_of(const struct tap *t)
{
	static const int order[] = { FAULT, ENTRY };
	int i = own_event(t, events);

	if (i >= 0)
		return order[i];
	return !strcmp(t->label, more_events[0]) ? MMIO : !strcmp(t->label, more_events[1]) ? UNMAP : -1;
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct kvmmmu *k = p->own;
	struct stages_event ev = { .hit = h, .key = h->tid };
	uint64_t *device;

	switch (event_of(h->tap)) {
	case FAULT:
		ev.role = STAGES_BEGINS;
		ev.extra = expr_number(&p->feed.expr, k->syndrome[h->tap->index], h, 0) & UINT32_MAX;
		break;
	case ENTRY:
		ev.stage = 1;
		ev.role = STAGES_ENDS;
		device = map_get(&k->emulates, h->tid);
		ev.extra = device && *device;
		if (device)
			*device = 0;
		break;
	case MMIO:
		device = map_add(&k->emulates, h->tid, NULL);
		if (device)
			*device = 1;
		return device ? 0 : -ENOMEM;
	case UNMAP:
		k->unmapped++;
		return 0;
	}
	return latency_event(&k->latency, &ev);
}

static int lost(struct prof *p, uint32_t cpu)
{
	struct kvmmmu *k = p->own;

	map_deinit(&k->emulates);
	k->emulates = (struct map){ 0 };
	return latency_lost(&k->latency, cpu);
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct kvmmmu *k = p->own;
	int r = latency_show(&k->latency, last, o, e);

	prof_count(p, o, k->unmapped, "ranges of memory were taken from guests");
	k->unmapped = 0;
	return r;
}

static void close(struct prof *p)
{
	struct kvmmmu *k = p->own;

	if (k->latency.prof)
		latency_close(&k->latency);
	map_deinit(&k->emulates);
}

DEFINE_PROF(kvmmmu) = {
	.cmd = {
		.name = "kvmmmu", .family = "prof", .brief = "Show stage-2 faults of guests and their latencies",
		.synopsis = "[options] [-- command [arguments]]",
		.details = PACKED(
			"From kvm_guest_fault to the next kvm_entry of the same vCPU thread, on an arm64 host, by "
			"kind: translation (page is mapped), permission (page was read-only: copy or dirty logging), "
			"access flag, device (emulated by the VMM). Unmapped ranges (kvm_unmap_hva_range) are counted "
			"if the kernel has that event."),
		.examples = PACKED(
			"sonde prof kvmmmu -p 2347 -i 1000\ta guest, every second\n"
			"sonde prof kvmmmu --perins\tper thread\n"
			"sonde prof kvmmmu --than 1ms -g\tfaults longer than 1 ms\n"
			"sonde prof kvmmmu -i perf.data\ta recording"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct kvmmmu), .prepare = prepare, .begin = begin, .hit = hit, .lost = lost, .show = show,
	.close = close,
};
