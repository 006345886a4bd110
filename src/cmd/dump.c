#include "cmd/dump.h"

#include "cmd/sample_text.h"
#include "cmd/side_text.h"
#include "show/text.h"
#include "source/perf_data.h"

#define LONG(v) ((unsigned long long)(v))

/* --- samples ------------------------------------------------------------------------------------------------- */

static void put_chain(const struct sample_layout *l, const struct sample *s, struct out *o)
{
	out_printf(o, "... FP chain: nr:%llu\n", LONG(s->n_chain));
	for (uint64_t i = 0; i < s->n_chain; i++)
		out_printf(o, "..... %2llu: %016llx\n", LONG(i), LONG(sample_chain(l, s, i)));
}

/* A branch stack in call stack mode prints as a call chain: the newest branch's target, then each branch's source. */
static void put_calls(const struct sample_layout *l, const struct sample *s, struct out *o)
{
	struct branch b;

	out_printf(o, "... branch callstack: nr:%llu\n", LONG(s->n_branch + 1));
	for (uint64_t i = 0; branch_at(l, s, i, &b); i++) {
		if (!i)
			out_printf(o, "..... %2llu: %016llx\n", LONG(i), LONG(b.to));
		out_printf(o, "..... %2llu: %016llx\n", LONG(i + 1), LONG(b.from));
	}
}

static void put_branches(const struct sample_layout *l, const struct sample *s, struct out *o)
{
	struct branch b;

	out_printf(o, "... branch stack: nr:%llu\n", LONG(s->n_branch));
	for (uint64_t i = 0; branch_at(l, s, i, &b); i++)
		out_printf(o, "..... %2llu: %016llx -> %016llx %u cycles %s%s%s%s %x %s %s\n", LONG(i), LONG(b.from),
			   LONG(b.to), b.cycles, b.missed ? "M" : " ", b.predicted ? "P" : " ", b.abort ? "A" : " ",
			   b.in_tx ? "T" : " ", b.reserved, b.type, b.spec);
}

static void put_regs(const struct sample_regs *regs, const char *kind, uint64_t abi, struct out *o)
{
	static const char *const abis[] = { "none", "32-bit", "64-bit" };
	struct sample_regs r = *regs;

	if (!abi)
		return;
	out_printf(o, "... %s regs: mask 0x%llx ABI %s\n", kind, LONG(r.left),
		   abi < ARRAY_SIZE(abis) ? abis[abi] : "unknown");
	while (sample_regs_next(&r))
		out_printf(o, ".... %-5s 0x%016llx\n", r.name, LONG(r.value));
}

static void put_values(const struct sample_layout *l, const struct sample *s, struct out *o)
{
	bool group = l->read_format & PERF_FORMAT_GROUP;
	struct sample_value v = { 0 };
	uint64_t n = 0;

	sample_read(l, s, 0, &v);
	out_str(o, "... sample_read:\n");
	if (l->read_format & PERF_FORMAT_ENABLED)
		out_printf(o, "...... time enabled %016llx\n", LONG(v.enabled));
	if (l->read_format & PERF_FORMAT_RUNNING)
		out_printf(o, "...... time running %016llx\n", LONG(v.running));
	while (group && sample_read(l, s, n, &v))
		n++;
	if (group)
		out_printf(o, ".... group nr %llu\n", LONG(n));
	for (uint64_t i = 0; sample_read(l, s, i, &v); i++) {
		out_printf(o, "..... id %016llx, value %016llx", LONG(v.id), LONG(v.value));
		if (l->read_format & PERF_FORMAT_LOST)
			out_printf(o, ", lost %llu", LONG(v.lost));
		out_char(o, '\n');
	}
}

static void put_page(const char *kind, uint64_t size, struct out *o)
{
	out_printf(o, " .. %s page size: ", kind);
	sample_page_size(size, o);
	out_char(o, '\n');
}

static void put_access(const struct sample_layout *l, const struct sample *s, struct out *o)
{
	uint64_t type = l->sample_type;

	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		out_printf(o, "... weight: %llu", LONG(sample_weight(l, s)));
	if (type & PERF_SAMPLE_WEIGHT_STRUCT)
		out_printf(o, ",0x%x,0x%x", sample_ins_lat(s), sample_retire_lat(s));
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		out_char(o, '\n');
	if (type & PERF_SAMPLE_DATA_SRC)
		out_printf(o, " . data_src: 0x%llx\n", LONG(s->data_src));
	if (type & PERF_SAMPLE_PHYS_ADDR)
		out_printf(o, " .. phys_addr: 0x%llx\n", LONG(s->phys_addr));
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		put_page("data", s->data_page, o);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		put_page("code", s->code_page, o);
	if (type & PERF_SAMPLE_TRANSACTION)
		out_printf(o, "... transaction: %llx\n", LONG(s->transaction));
}

static void put_sample(const struct dump *d, const struct source_rec *rec, const struct sample *s, struct out *o)
{
	enum { CALL_STACK = 1 << 11 };
	const struct sample_layout *l = &rec->event->layout;
	const struct arch *a = d->session->arch;
	struct sample_regs user = { l, s->user_regs, l->regs_user, a, "", 0 }, intr = user;

	intr.values = s->intr_regs;
	intr.left = l->regs_intr;
	out_printf(o, "(IP, 0x%x): %d/%d: %#llx period: %llu addr: %#llx\n", rec->perf.misc, (int)s->pid,
		   (int)s->tid, LONG(s->ip), LONG(s->period), LONG(s->addr));
	if (l->sample_type & PERF_SAMPLE_CALLCHAIN)
		put_chain(l, s, o);
	if (l->sample_type & PERF_SAMPLE_BRANCH_STACK)
		(l->branch_type & CALL_STACK ? put_calls : put_branches)(l, s, o);
	put_regs(&user, "user", s->user_abi, o);
	put_regs(&intr, "intr", s->intr_abi, o);
	if (l->sample_type & PERF_SAMPLE_STACK_USER)
		out_printf(o, "... ustack: size %zu, offset 0x%zx\n", s->stack.n,
			   (size_t)(s->stack.p - rec->perf.body.p));
	put_access(l, s, o);
	if (l->sample_type & PERF_SAMPLE_READ)
		put_values(l, s, o);
}

/* --- other records ------------------------------------------------------------------------------------------- */

struct told {
	struct dump *d;
	const struct source_rec *rec;
	const struct sample *id;     /* the record's sample_id trailer */
	struct cursor c;             /* the record's body */
	struct out *o;
};

static void put_lost(struct told *t)
{
	cur_skip(&t->c, 8);   /* skip the id: the trailer has it, too */
	out_printf(t->o, ": id:%llu: lost:%llu\n", LONG(t->id->id), LONG(cur_u64(&t->c)));
}

static void put_lost_samples(struct told *t)
{
	out_printf(t->o, ": id:%llu: lost samples :%llu\n", LONG(t->id->id), LONG(cur_u64(&t->c)));
}

/* perf ignores the record, and says so. */
static void put_unhandled(struct told *t)
{
	out_str(t->o, ": unhandled!\n");
}

static void put_by_report(struct told *t)
{
	if (!t->d->of_script)
		put_unhandled(t);
}

static void put_end(struct told *t)
{
	out_char(t->o, '\n');
}

static void put_read(struct told *t)
{
	static const struct {
		uint64_t bit;
		const char *name;
	} more[] = {
		{ PERF_FORMAT_ENABLED, "time enabled" }, { PERF_FORMAT_RUNNING, "time running" },
		{ PERF_FORMAT_ID, "id          " }, { PERF_FORMAT_LOST, "lost        " },
	};
	const struct perf_event *ev = t->rec->event;
	uint32_t pid = cur_u32(&t->c), tid = cur_u32(&t->c);

	out_printf(t->o, ": %d %d ", (int)pid, (int)tid);
	text_put(t->o, sv_from(ev ? ev->label : "unknown"), TEXT_ALL, TEXT_PLAIN);
	out_printf(t->o, " %llu\n", LONG(cur_u64(&t->c)));
	for (size_t i = 0; ev && i < ARRAY_SIZE(more); i++)
		if (ev->attr.read_format & more[i].bit)
			out_printf(t->o, "... %s : %llu\n", more[i].name, LONG(cur_u64(&t->c)));
	if (t->d->of_script)
		put_unhandled(t);
}

static void put_ids(struct told *t)
{
	uint64_t n = cur_u64(&t->c);

	out_printf(t->o, " nr: %llu\n", LONG(n));
	n = MIN(n, (uint64_t)(cur_left(&t->c) / 32));
	for (uint64_t i = 0; i < n; i++) {
		uint64_t id = cur_u64(&t->c), idx = cur_u64(&t->c), cpu = cur_u64(&t->c);

		out_printf(t->o, " ... id: %llu  idx: %llu  cpu: %lld  tid: %lld\n", LONG(id), LONG(idx),
			   (long long)cpu, (long long)cur_u64(&t->c));
	}
}

static void put_threads(struct told *t)
{
	uint64_t n = cur_u64(&t->c);

	out_printf(t->o, " nr: %llu thread%s", LONG(n), n == 1 ? ": " : "s: ");
	n = MIN(n, (uint64_t)(cur_left(&t->c) / 24));
	for (uint64_t i = 0; i < n; i++) {
		out_printf(t->o, "%s%lld", i ? ", " : "", (long long)cur_u64(&t->c));
		cur_skip(&t->c, 16);
	}
	out_char(t->o, '\n');
	put_by_report(t);
}

/* A CPU map is a list, a mask or a range of CPUs: struct perf_record_cpu_map_data of tools/lib/perf. */
static void read_list(struct cursor *c, struct cpus *cpus)
{
	unsigned n = cur_u16(c);

	for (unsigned i = 0; i < n && cur_left(c) >= 2; i++)
		cpus_set(cpus, cur_u16(c));
}

static void read_mask(struct cursor *c, struct cpus *cpus)
{
	unsigned n = cur_u16(c), size = cur_u16(c);

	if (size == 8)
		cur_skip(c, 2);   /* padding: masks of u64 are aligned */
	else if (size != 4)
		c->bad = true;
	for (unsigned i = 0; i < n && !c->bad && cur_left(c) >= size; i++) {
		uint64_t mask = size == 8 ? cur_u64(c) : cur_u32(c);

		for (; mask; mask &= mask - 1)
			cpus_set(cpus, i * size * 8 + (unsigned)__builtin_ctzll(mask));
	}
}

static void read_range(struct cursor *c, struct cpus *cpus)
{
	unsigned first, last;

	cur_skip(c, 2);
	first = cur_u16(c);
	last = cur_u16(c);
	for (unsigned i = first; i <= last && !c->bad; i++)
		cpus_set(cpus, i);
}

static bool read_cpus(struct cursor *c, struct cpus *cpus)
{
	static void (*const kinds[])(struct cursor *, struct cpus *) = { read_list, read_mask, read_range };
	unsigned type = cur_u16(c);

	*cpus = (struct cpus){ 0 };
	if (type >= ARRAY_SIZE(kinds))
		return false;
	kinds[type](c, cpus);
	return !c->bad;
}

static void put_cpu_list(struct told *t)
{
	struct cpus cpus;
	char text[4096];

	if (read_cpus(&t->c, &cpus))
		out_printf(t->o, "%s\n", cpus_count(&cpus) ? cpus_text(&cpus, text, sizeof(text)) : "-1");
	else
		out_str(t->o, "failed to get cpumap from event\n");
}

static void put_cpus(struct told *t)
{
	out_str(t->o, ": ");
	put_cpu_list(t);
	put_by_report(t);
}

/* TIME_CONV: how TSC cycles become time. Older records end after time_zero, later ones have four more fields. */
static void put_clock(struct told *t)
{
	uint64_t shift = cur_u64(&t->c), mult = cur_u64(&t->c), zero = cur_u64(&t->c);

	out_printf(t->o, "\n... Time Shift      %llu\n... Time Muliplier  %llu\n", LONG(shift), LONG(mult));
	out_printf(t->o, "... Time Zero       %llu\n", LONG(zero));
	if (cur_left(&t->c) >= 18) {
		uint64_t cycles = cur_u64(&t->c), mask = cur_u64(&t->c);
		unsigned cap_zero = cur_u8(&t->c);

		out_printf(t->o, "... Time Cycles     %llu\n... Time Mask       %#llx\n", LONG(cycles), LONG(mask));
		out_printf(t->o, "... Cap Time Zero   %u\n... Cap Time Short  %u\n", cap_zero, cur_u8(&t->c));
	}
	put_unhandled(t);
}

static void put_rest(const char *front, struct told *t)
{
	const char *text = cur_str(&t->c);

	out_str(t->o, front);
	text_put(t->o, sv_from(t->c.bad ? "" : text), TEXT_ALL, TEXT_PLAIN);
	out_char(t->o, '\n');
}

static void put_update(struct told *t)
{
	enum { UNIT, SCALE, NAME, CPUS };
	uint64_t type = cur_u64(&t->c), bits;
	double scale;

	out_printf(t->o, "\n... id:    %llu\n", LONG(cur_u64(&t->c)));
	switch (type) {
	case UNIT:
		put_rest("... unit:  ", t);
		break;
	case SCALE:
		bits = cur_u64(&t->c);
		memcpy(&scale, &bits, sizeof(scale));
		out_printf(t->o, "... scale: %f\n", scale);
		break;
	case NAME:
		put_rest("... name:  ", t);
		break;
	case CPUS:
		out_str(t->o, "... ");
		put_cpu_list(t);
		break;
	default:
		out_str(t->o, "... unknown type\n");
	}
}

static const struct {
	uint32_t type;
	void (*put)(struct told *t);
} putters[] = {
	{ PERF_REC_THROTTLE, put_by_report },
	{ PERF_REC_UNTHROTTLE, put_by_report },
	{ PERF_REC_TIME_CONV, put_clock },
	{ PERF_REC_LOST, put_lost },
	{ PERF_REC_LOST_SAMPLES, put_lost_samples },
	{ PERF_REC_READ, put_read },
	{ PERF_REC_ID_INDEX, put_ids },
	{ PERF_REC_THREAD_MAP, put_threads },
	{ PERF_REC_CPU_MAP, put_cpus },
	{ PERF_REC_EVENT_UPDATE, put_update },
	{ PERF_REC_FINISHED_INIT, put_unhandled },
	{ PERF_REC_FINISHED_ROUND, put_end },
};

static void put_record(struct told *t)
{
	struct side_names names = { .resolver = t->d->session->resolver, .swap = t->d->session->head->swap };

	for (size_t i = 0; i < ARRAY_SIZE(putters); i++) {
		if (putters[i].type != t->rec->perf.type)
			continue;
		putters[i].put(t);
		return;
	}
	side_text(&t->rec->perf, &names, t->o);
}

/* --- every record -------------------------------------------------------------------------------------------- */

/* The record as it is in the file; of a compressed file, as it was after decompression. */
static void put_bytes(const struct perf_record *r, struct out *o)
{
	static const struct sample_bytes how = { 16, ".  ", ".  ", " " };
	struct bytes whole = { r->body.p - sizeof(struct perf_rec), r->body.n + sizeof(struct perf_rec) };

	out_printf(o, ".\n. ... raw event: size %zu bytes\n", whole.n);
	sample_bytes_put(&how, whole, o);
	out_char(o, '\n');
}

static void put_stamp(const struct dump *d, const struct perf_record *r, const struct sample *id, struct out *o)
{
	if (r->type != PERF_REC_SAMPLE && !d->id_all) {
		out_str(o, "-1 -1 ");
		return;
	}
	if (d->combined & PERF_SAMPLE_CPU)
		out_printf(o, "%u ", id->cpu);
	if (d->combined & PERF_SAMPLE_TIME)
		out_printf(o, "%llu ", LONG(id->time));
}

static void take_event(struct dump *d)
{
	const struct perf_head *h = d->session->head;

	if (d->n_events == h->events.n)
		return;
	d->combined |= h->events.v[d->n_events].layout.sample_type;
	d->id_all = (!d->n_events || d->id_all) && h->events.v[d->n_events].layout.id_all;
	d->n_events++;
}

static void see(void *arg, const struct source_rec *rec)
{
	struct dump *d = arg;
	const struct perf_record *r = &rec->perf;
	unsigned long long off = r->off - d->before;
	struct out *o = d->o;
	size_t size = r->body.n + sizeof(struct perf_rec);
	struct sample s = { 0 };
	const char *name = side_name(r->type);
	bool sample = r->type == PERF_REC_SAMPLE;
	int bad = 0;

	if (rec->event)
		bad = sample ? sample_decode(&rec->event->layout, r->body, r->misc, &s, NULL) :
			       perf_record_ids(r, &rec->event->layout, &s, NULL);
	out_printf(o, "\n%#llx@", off);
	text_put(o, sv_from(d->path), TEXT_ALL, TEXT_PLAIN);
	out_printf(o, " [%#zx]: event: %u\n", size, r->type);
	put_bytes(r, o);
	put_stamp(d, r, &s, o);
	out_printf(o, "%#llx [%#zx]: PERF_RECORD_%s", off, size, name ? name : "UNKNOWN");
	if (sample && (!rec->event || bad))
		out_str(o, ": of no event, or cut\n");
	else if (sample)
		put_sample(d, rec, &s, o);
	else
		put_record(&(struct told){ d, rec, &s,
			   { r->body.p, r->body.p, r->body.p + r->body.n, false, d->session->head->swap }, o });
	if (r->type == PERF_REC_HEADER_ATTR)
		take_event(d);
}

int dump_can(const struct session *s, struct err *e)
{
	if (!s->of_trace)
		return 0;
	return err_set(e, EOPNOTSUPP, "-D tells of perf's records: 'ftrace dump' tells of a trace.dat");
}

void dump_begin(struct dump *d, struct session *s, struct out *o, bool of_script)
{
	enum { PIPE_HEADER = 16 };
	const struct perf_file *file = perf_data_file(s->source);
	bool pipe = file && file->pipe;

	*d = (struct dump){ .session = s, .o = o, .of_script = of_script, .path = pipe ? "pipe" : s->path,
			    .before = pipe ? PIPE_HEADER : 0 };
	while (!pipe && d->n_events < s->head->events.n)
		take_event(d);
	s->watch = (struct session_watch){ see, d, true };
}

static const char *dso_of(const struct sym_loc *l, const struct sample *smp)
{
	if (strcmp(l->dso, "[unknown]"))
		return l->dso;
	return smp->cpumode == PERF_MISC_USER || smp->cpumode == PERF_MISC_KERNEL ? "<not found>" : "[hypervisor]";
}

int dump_place(struct dump *d, const struct frames *f, const struct sample *smp, const char *comm)
{
	struct resolver_spaces in = resolver_spaces(d->session->resolver, smp->pid, smp->time);
	struct chain_frame at = { smp->ip, smp->cpumode, false };
	unsigned behind;
	const struct sym_loc *l = frames_loc(f, &in, &at, &behind);
	struct out *o = d->o;

	if (!l)
		return -ENOMEM;
	out_str(o, " ... thread: ");
	text_put(o, sv_from(comm), TEXT_ALL, TEXT_PLAIN);
	out_printf(o, ":%d\n ...... dso: ", (int)smp->tid);
	text_put(o, sv_from(dso_of(l, smp)), TEXT_ALL, TEXT_PLAIN);
	out_char(o, '\n');
	return 0;
}
