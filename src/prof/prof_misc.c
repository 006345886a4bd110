/* prof_misc.c - sonde prof misc: additions and removals of kernel code and cgroups. */
#include "engine/line.h"
#include "prof/prof.h"
#include "show/text.h"

struct want {
	struct prof_want prof;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_END,
};

/* CPUs of -C: such records are written on all CPUs. */
struct misc {
	struct cpus cpus;
};

static int prepare(struct prof *p, struct err *e)
{
	const struct target_want *t = &prof_want(p)->target;
	struct misc *m = p->own;
	int r = prof_own_only(p, e);

	if (!r && (t->pids || t->tids || t->cgroups))
		return err_set(e, EINVAL, "misc looks at the kernel: -p, -t and --cgroups have no meaning, -C has");
	if (!r && t->cpus)
		r = cpus_parse(&m->cpus, sv_from(t->cpus), e);
	if (r)
		return r;
	/* The dummy event samples nothing; it carries the side-band records. */
	r = prof_add(p, "dummy", e);
	if (!r)
		p->specs.v.v[0].optional = true;
	return r;
}

/* perf_event.h: enum perf_record_ksymbol_type. */
static const char *code_kind(unsigned type)
{
	static const char *const kinds[] = { "", "bpf", "kprobe/ftrace" };

	return type < ARRAY_SIZE(kinds) ? kinds[type] : "";
}

static void put_name(const char *name, struct out *o)
{
	text_put(o, sv_from(name), TEXT_ALL, TEXT_PLAIN);
}

static void put_bytes(struct bytes b, struct out *o)
{
	for (size_t i = 0; i < b.n; i++)
		out_printf(o, " %02x", b.p[i]);
}

static void put_poke(struct prof *p, const struct side_poke *k, struct out *o)
{
	const struct sym_loc *l = resolver_find(p->feed.session.resolver, 0, PERF_MISC_KERNEL, k->addr);

	out_printf(o, "misc:text_poke: %016llx", (unsigned long long)k->addr);
	put_bytes(k->before, o);
	out_str(o, " =>");
	put_bytes(k->after, o);
	if (!l || !l->sym)
		return;
	out_str(o, "  ");
	put_name(l->sym, o);
	out_printf(o, "+0x%llx", (unsigned long long)(l->addr - l->start));
}

static void put_bpf(const struct side_bpf *b, struct out *o)
{
	static const char *const kinds[] = { "unknown", "prog load", "prog unload" };

	out_printf(o, "misc:bpf_event: %s id %u tag ", kinds[b->type < ARRAY_SIZE(kinds) ? b->type : 0], b->id);
	for (size_t i = 0; i < SIDE_BPF_TAG; i++)
		out_printf(o, "%02x", b->tag[i]);
}

static void put_told(struct prof *p, const struct side *s, struct out *o)
{
	switch (s->type) {
	case PERF_REC_KSYMBOL:
		out_printf(o, "misc:ksymbol: %s %s %016llx/%u ", code_kind(s->ksymbol.type),
			   s->ksymbol.gone ? "unreg" : "reg", (unsigned long long)s->ksymbol.addr, s->ksymbol.len);
		put_name(s->ksymbol.name, o);
		break;
	case PERF_REC_BPF_EVENT:
		put_bpf(&s->bpf, o);
		break;
	case PERF_REC_CGROUP:
		out_printf(o, "misc:cgroup: id %llu ", (unsigned long long)s->cgroup.id);
		put_name(s->cgroup.path, o);
		break;
	case PERF_REC_TEXT_POKE:
		put_poke(p, &s->poke, o);
		break;
	}
}

static bool is_told(uint32_t type)
{
	return type == PERF_REC_KSYMBOL || type == PERF_REC_BPF_EVENT || type == PERF_REC_CGROUP ||
	       type == PERF_REC_TEXT_POKE;
}

/* Synthesised records of what existed before have no time. */
static int record(struct prof *p, const struct session_item *item)
{
	struct out *o = p->feed.expr.out;
	const struct sample *s = &item->sample;
	const struct misc *m = p->own;

	if (!s->time || !is_told(item->side.type))
		return 0;
	if (prof_want(p)->target.cpus && !cpus_has(&m->cpus, s->cpu))
		return 0;
	line_date(&p->feed, s->time, o);
	out_printf(o, "pid %6d tid %6d [%03d] %llu.%06llu: ", (int)s->pid, (int)s->tid, (int)s->cpu,
		   (unsigned long long)(s->time / 1000000000), (unsigned long long)(s->time / 1000 % 1000000));
	put_told(p, &item->side, o);
	out_char(o, '\n');
	return 1;
}

static int hit(struct prof *p UNUSED, const struct hit *h UNUSED, struct err *e UNUSED)
{
	return 0;
}

DEFINE_PROF(misc) = {
	.cmd = {
		.name = "misc", .family = "prof",
		.brief = "Print ksymbol, BPF, cgroup and text poke records",
		.synopsis = "[options] [-- command [arguments]]",
		.details = PACKED(
			"ksymbol: run-time code of BPF programs, kprobes and ftrace is registered or removed; "
			"bpf_event: BPF programs are loaded or unloaded; cgroup: cgroups are created; text_poke: the "
			"kernel changes its own code (not on all architectures). Records that this kernel does not "
			"have are left out."),
		.examples = PACKED(
			"sonde prof misc\tuntil Ctrl-C\n"
			"sonde prof misc -- bpftrace -e 'BEGIN { exit(); }'\tBPF programs that a command loads\n"
			"sonde prof misc -i perf.data\ta recording"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct misc), .prepare = prepare, .hit = hit, .record = record, .lines = true, .everywhere = true,
	.period = 1,                     /* avoids a frequency, which the kernel may not allow */
	.track = PERF_ATTR_KSYMBOL | PERF_ATTR_BPF_EVENT | PERF_ATTR_CGROUP | PERF_ATTR_TEXT_POKE,
};
