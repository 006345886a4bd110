/* ktext.c - prints a record: lost events, prefix, text. */
#include "tracefs/text/ktext_impl.h"

#define NEWEST UINT32_MAX

static const struct {
	const char *name;
	uint32_t bit;
	bool on;
} options[] = {
#define OPT(constant, name, on) { name, KTEXT(constant), on },
#include "tracefs/text/ktext_options.def"
#undef OPT
};

uint32_t ktext_options(struct sv words)
{
	uint32_t set = 0;

	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		set |= options[i].on ? options[i].bit : 0;
	while (words.n) {
		size_t n = 0, no;

		while (n < words.n && words.s[n] != ' ' && words.s[n] != '\n')
			n++;
		no = n > 2 && !memcmp(words.s, "no", 2) ? 2 : 0;
		for (size_t i = 0; i < ARRAY_SIZE(options); i++)
			if (sv_eq((struct sv){ words.s + no, n - no }, options[i].name))
				set = no ? set & ~options[i].bit : set | options[i].bit;
		n += n < words.n;
		words.s += n;
		words.n -= n;
	}
	return set;
}

/* Version of "6.12.117+deb13-arm64". */
static uint32_t version(const char *release)
{
	struct sv rest = sv_from(release ? release : ""), piece[2];
	uint64_t v[2];
	size_t n = 0;

	for (size_t i = 0; i < 2; i++) {
		if (!sv_cut(&rest, '.', &piece[i]))
			return NEWEST;
		for (n = 0; n < piece[i].n && piece[i].s[n] >= '0' && piece[i].s[n] <= '9';)
			n++;
		if (!str_u64((struct sv){ piece[i].s, n }, 10, &v[i]) || v[i] > UINT8_MAX)
			return NEWEST;
	}
	return KTEXT_KERNEL(v[0], v[1]);
}

struct ktext *ktext_new(const struct ktext_want *w)
{
	struct ktext *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	k->want = *w;
	k->want.cpus = MIN(MAX(w->cpus, 1u), (uint32_t)CPUS_MAX);
	k->version = version(w->release);
	k->graph = w->tracer && !strcmp(w->tracer, "function_graph");
	k->cpus = calloc(k->want.cpus, sizeof(*k->cpus));
	if (!k->cpus) {
		free(k);
		return NULL;
	}
	for (uint32_t i = 0; i < k->want.cpus; i++)
		k->cpus[i].depth_irq = -1;
	return k;
}

void ktext_free(struct ktext *k)
{
	if (!k)
		return;
	vec_free(&k->copy);
	free(k->cpus);
	free(k);
}

uint64_t ktext_field(const struct ktext_line *l, unsigned i)
{
	return tfmt_value(l->ev->field[i], l->raw, l->n);
}

const char *ktext_comm(const struct ktext *k, int32_t pid)
{
	const char *comm = pid > 0 ? tevents_comm(k->want.events, (uint32_t)pid) : NULL;

	return comm ? comm : !pid ? "<idle>" : pid < 0 ? "<XXX>" : "<...>";
}

/* Some real-time kernels count lazy preemption in a field of its own. */
static bool has_lazy(const struct ktext_line *l)
{
	return l->ev->common[COMMON_PREEMPT_LAZY_COUNT];
}

static char irqs_off(const struct ktext_line *l, uint32_t version_of)
{
	bool off = l->flags & 1, bh = version_of >= KTEXT_KERNEL(5, 17) && l->flags & 0x80;

	if (off || bh)
		return off && bh ? 'D' : off ? 'd' : 'b';
	/* 0x2 once meant that the architecture cannot tell; since 6.13 it is a lazy request to reschedule. */
	return l->flags & 2 && version_of < KTEXT_KERNEL(6, 13) && !has_lazy(l) ? 'X' : '.';
}

/* Real-time kernels with a lazy count show 0x20, the lazy request, in a column of its own. */
static char need_resched(const struct ktext_line *l, uint32_t version_of)
{
	bool need = l->flags & 4, preempt = l->flags & 0x20 && !has_lazy(l);

	if (version_of >= KTEXT_KERNEL(6, 13) && l->flags & 2)
		return need ? preempt ? 'B' : 'b' : preempt ? 'L' : 'l';
	return need ? preempt ? 'N' : 'n' : preempt ? 'p' : '.';
}

static char interrupt(uint32_t flags)
{
	bool hard = flags & 8, soft = flags & 0x10;

	if (flags & 0x40)
		return hard ? 'Z' : 'z';
	return hard ? soft ? 'H' : 'h' : soft ? 's' : '.';
}

static void depth(const struct ktext_line *l, uint32_t v)
{
	if (v)
		out_hex(l->o, v);
	else
		out_char(l->o, '.');
}

void ktext_flags(const struct ktext_line *l)
{
	uint32_t v = l->k->version;

	out_char(l->o, irqs_off(l, v));
	out_char(l->o, need_resched(l, v));
	if (has_lazy(l))
		out_char(l->o, l->flags & 0x20 ? 'L' : '.');
	out_char(l->o, interrupt(l->flags));
	depth(l, v < KTEXT_KERNEL(5, 15) ? l->preempt : l->preempt & 15);
	if (has_lazy(l))
		depth(l, l->lazy);
	if (v >= KTEXT_KERNEL(5, 15))
		depth(l, l->preempt >> 4);
}

/* Left-aligned as %-7d. */
static void out_pid(struct out *o, int32_t pid)
{
	uint64_t start = o->total;

	out_i64(o, pid);
	if (o->total - start < 7)
		out_fill(o, ' ', 7 - (size_t)(o->total - start));
}

static uint64_t to_us(uint64_t ns)
{
	return (ns + 500) / 1000;
}

void ktext_time(const struct ktext_line *l, uint64_t ts)
{
	uint64_t us = to_us(ts);

	out_char(l->o, ' ');
	if (l->k->want.counter) {
		out_u64w(l->o, ts, 12);
		return;
	}
	out_u64w(l->o, us / 1000000, 5);
	out_char(l->o, '.');
	out_zero(l->o, us % 1000000, 6);
}

static void context(const struct ktext_line *l)
{
	const struct ktext_want *w = &l->k->want;
	uint32_t tgid = w->tgid && ktext_has(l->k, KTEXT(TGID)) ? w->tgid(w->arg, (uint32_t)l->pid) : 0;

	out_right(l->o, ktext_comm(l->k, l->pid), 16);
	out_char(l->o, '-');
	out_pid(l->o, l->pid);
	out_char(l->o, ' ');
	if (tgid)
		out_printf(l->o, "(%7u) ", tgid);
	else if (ktext_has(l->k, KTEXT(TGID)))
		out_str(l->o, "(-------) ");
	out_char(l->o, '[');
	out_zero(l->o, l->cpu, 3);
	out_str(l->o, "] ");
	if (ktext_has(l->k, KTEXT(IRQ_INFO)))
		ktext_flags(l);
	ktext_time(l, l->ts);
	out_str(l->o, ": ");
}

char ktext_mark(uint64_t ns)
{
	static const char marks[] = "$@*#!+";
	uint64_t limit = 1000000000;

	for (size_t i = 0; marks[i]; i++, limit /= 10)
		if (ns > limit)
			return marks[i];
	return ' ';
}

static void verbose_context(const struct ktext_line *l, uint64_t since, uint64_t next)
{
	uint32_t preempt = l->k->version < KTEXT_KERNEL(5, 15) ? l->preempt : l->preempt & 15;

	out_printf(l->o, "%16s %7d %3u %u %08x %08llx ", ktext_comm(l->k, l->pid), l->pid, l->cpu, l->flags, preempt,
		   (unsigned long long)l->k->index);
	if (l->k->want.counter)
		out_printf(l->o, "[%016llx] %lld (+%lld): ", (unsigned long long)l->ts, (long long)since,
			   (long long)next);
	else
		out_printf(l->o, "[%08llx] %llu.%03ums (+%llu.%03ums): ", (unsigned long long)to_us(l->ts),
			   (unsigned long long)since / 1000, (unsigned)(since % 1000), (unsigned long long)next / 1000,
			   (unsigned)(next % 1000));
}

/* Time until the next record. Peeking may invalidate the bytes of this one: copy them before. */
static uint64_t until_next(struct ktext_line *l)
{
	const struct ktext_want *w = &l->k->want;
	struct ktext *k = l->k;
	uint64_t next;

	if (!w->next_time)
		return 0;
	k->copy.n = 0;
	if (vec_reserve(&k->copy, l->n + 1))
		return 0;
	memcpy(k->copy.v, l->raw, l->n);
	l->raw = k->copy.v;
	return w->next_time(w->arg, &next) ? next - l->ts : 0;
}

static void latency_context(struct ktext_line *l)
{
	const struct ktext_want *w = &l->k->want;
	uint64_t since = l->ts - w->time_start, next = until_next(l);

	if (!w->counter) {
		since = to_us(since);
		next = to_us(next);
	}
	if (ktext_has(l->k, KTEXT(VERBOSE))) {
		verbose_context(l, since, next);
		return;
	}
	out_printf(l->o, "%8.8s-", ktext_comm(l->k, l->pid));
	out_pid(l->o, l->pid);
	out_char(l->o, ' ');
	out_u64w(l->o, l->cpu, 3);
	ktext_flags(l);
	if (w->counter)
		out_printf(l->o, " %4lld: ", (long long)since);
	else
		out_printf(l->o, " %4lldus%c: ", (long long)since, ktext_mark(next * 1000));
}

/*
 * "CPU 1 buffer started": printed at a CPU's first record if older ones were overwritten, but not at the first of all.
 */
static void annotate(const struct ktext_line *l)
{
	struct ktext *k = l->k;

	if (!k->want.overrun || !ktext_has(k, KTEXT(ANNOTATE)) || l->cpu >= k->want.cpus || k->cpus[l->cpu].started)
		return;
	k->cpus[l->cpu].started = true;
	if (k->index > 1)
		out_printf(l->o, "##### CPU %u buffer started ####\n", l->cpu);
}

static bool message_only(const struct ktext_line *l)
{
	return ktext_has(l->k, KTEXT(PRINTK)) && ktext_has(l->k, KTEXT(MSG_ONLY)) &&
	       (l->ev->kind == KIND_PRINT || l->ev->kind == KIND_BPRINT || l->ev->kind == KIND_BPUTS);
}

static void line(struct ktext_line *l)
{
	if (l->k->graph && ktext_graph(l))
		return;

	bool message = message_only(l);

	if (!message) {
		annotate(l);
		if (ktext_has(l->k, KTEXT(CONTEXT))) {
			if (ktext_has(l->k, KTEXT(LATENCY)))
				latency_context(l);
			else
				context(l);
		}
		/* recorded under another tracer than the present one: print the line of the graph behind the prefix */
		if (!l->k->graph && ktext_graph(l))
			return;
	}
	if (ktext_text(l, message ? KTEXT_MESSAGE : KTEXT_NAMED))
		out_char(l->o, '\n');
}

static uint64_t common(const struct ktext_line *l, enum tkind_common i)
{
	return tfmt_value(l->ev->common[i], l->raw, l->n);
}

bool ktext_read(struct ktext *k, const struct tstream_rec *rec, struct ktext_line *l)
{
	*l = (struct ktext_line){
		.k = k, .ev = tevents_of(k->want.events, rec->raw, rec->n), .raw = rec->raw, .n = rec->n, .ts = rec->ts,
		.cpu = rec->cpu,
	};
	if (!l->ev)
		return false;
	l->flags = (uint32_t)common(l, COMMON_FLAGS);
	l->preempt = (uint32_t)common(l, COMMON_PREEMPT_COUNT);
	l->lazy = (uint32_t)common(l, COMMON_PREEMPT_LAZY_COUNT);
	l->pid = (int32_t)common(l, COMMON_PID);
	return true;
}

void ktext_record(struct ktext *k, const struct tstream_rec *rec, struct out *o)
{
	struct ktext_line l;
	bool known = ktext_read(k, rec, &l);

	l.o = o;
	if (rec->lost == TPAGE_LOST_UNKNOWN)
		out_printf(o, "CPU:%u [LOST EVENTS]\n", rec->cpu);
	else if (rec->lost)
		out_printf(o, "CPU:%u [LOST %llu EVENTS]\n", rec->cpu, (unsigned long long)rec->lost);
	if (known)
		line(&l);
	else
		out_printf(o, "Unknown type %u\n",
			   rec->n < 2 ? 0 : (unsigned)traw_load(rec->raw, 2, k->want.events->machine.swap));
	k->index++;
}
