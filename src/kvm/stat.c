/* stat.c - sonde kvm stat: why virtual CPUs exit to the host, how often and for how long; with perf's columns. */
#include "analyse/guestwork.h"
#include "arch/arch.h"
#include "base/sort.h"
#include "kvm/kvm.h"
#include "prof/guest_exit.h"

/* --- options --- */

struct want {
	struct view_want view;
	const char *about, *key, *vcpu;
	uint64_t seconds, duration_us;
	bool stdio;
	const char *timeout;
};

#define OPTS_ROWS \
	OPT_HEAD("Rows"), \
	OPT_STR(0, "event", struct want, about, "<event>", \
		"rows: vmexit (default): exit reasons; mmio: addresses; ioport: ports; msr: registers"), \
	OPT_STR('k', "key", struct want, key, "<key>", \
		"sort by sample (default), time, min_t, max_t or mean_t"), \
	OPT_HEAD("Filters"), \
	OPT_STR(0, "vcpu", struct want, vcpu, "<n>", "only this vCPU number (x86)"), \
	OPT_STR('p', "pid", struct want, view.prof.target.pids, "<pids>", "only these processes, by PID")

#define OPTS_OUTPUT \
	OPT_FLAG('j', "json", struct want, view.prof.form.json, "print rows as JSON, times in us"), \
	OPT_STR('x', "field-separator", struct want, view.prof.form.sep, "<sep>", \
		"print rows as CSV with this separator")

static const struct opt report_opts[] = {
	OPTS_ROWS,
	OPT_HEAD("Input"),
	OPT_STR('i', "input", struct want, view.prof.from.input, "<file>",
		"recording to read (default " KVM_RECORDING ", else perf.data)"),
	OPT_HEAD("Output"),
	OPTS_OUTPUT,
	OPT_STR('o', "output", struct want, view.prof.form.output, "<file>", "write here, not to standard output"),
	OPT_FLAG('q', "quiet", struct want, view.prof.form.quiet, "print results only"),
	OPT_COUNT('v', "verbose", struct want, view.verbose, "print how many exits were still open at the end"),
	OPT_IGNORED(0, "stdio", FLAG, struct want, stdio),
	OPT_IGNORED('f', "force", FLAG, struct want, view.ignored),
	OPT_END,
};

static const struct opt live_opts[] = {
	OPTS_ROWS,
	OPT_HEAD("When"),
	OPT_U64('d', "display", struct want, seconds, "<s>", "print a table every <s> seconds (default 1)"),
	OPT_U64(0, "duration", struct want, duration_us, "<us>",
		"print a line for each exit that takes longer than this, but not for those in which the guest is idle"),
	OPTS_OUTPUT,
	OPT_IGNORED(0, "proc-map-timeout", STR, struct want, timeout),
	OPT_SUB(view_opts, struct want, view),
	OPT_END,
};

static void defaults(void *want)
{
	struct want *w = want;

	w->about = "vmexit";
	w->key = "sample";
	w->seconds = 1;
}

enum about { VMEXIT, MMIO, IOPORT, MSR };
enum key { SAMPLES, TIME, MIN_TIME, MAX_TIME, MEAN_TIME };

static const struct { const char *name, *head; } abouts[] = {
	[VMEXIT] = { "vmexit", "VM-EXIT" }, [MMIO] = { "mmio", "MMIO Access" },
	[IOPORT] = { "ioport", "IO Port Access" }, [MSR] = { "msr", "MSR Access" },
};
/* perf's two keys for percentages sort as the values that they are percentages of. */
static const struct { const char *name; enum key key; } keys[] = {
	{ "sample", SAMPLES }, { "time", TIME }, { "min_t", MIN_TIME }, { "max_t", MAX_TIME }, { "mean_t", MEAN_TIME },
	{ "percent_sample", SAMPLES }, { "percent_time", TIME },
};

struct guests {
	struct prof *prof;
	const struct want *want;
	enum about about;
	enum key key;
	uint64_t vcpu;                   /* UINT64_MAX: all */
	const struct view_tap *taps;
	bool arm;                        /* the recording is from arm64, see step_of_exit() */
	struct guestwork work;
	uint64_t count, total;           /* sums of all rows */
};

static int read_about(struct guests *g, struct err *e)
{
	const char *text = g->want->about;
	size_t i = 0;

	while (i < ARRAY_SIZE(abouts) && strcmp(text, abouts[i].name))
		i++;
	if (i < ARRAY_SIZE(abouts)) {
		g->about = (enum about)i;
		return 0;
	}
	if (!strcmp(text, "trap")) {
		err_set(e, EOPNOTSUPP, "--event trap: no released kernel has events of it");
		return err_hint(e, "vmexit tells traps apart by their class already");
	}
	return err_set(e, EINVAL, "--event: '%.40s' is none of vmexit, mmio, ioport, msr", text);
}

static int read_key(struct guests *g, struct err *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcmp(g->want->key, keys[i].name)) {
			g->key = keys[i].key;
			return 0;
		}
	return err_set(e, EINVAL, "-k: '%.40s' is none of sample, time, min_t, max_t, mean_t", g->want->key);
}

static int read_vcpu(struct guests *g, struct err *e)
{
	g->vcpu = UINT64_MAX;
	if (!g->want->vcpu || (str_u64(sv_from(g->want->vcpu), 10, &g->vcpu) && g->vcpu <= UINT32_MAX))
		return 0;
	return err_set(e, EINVAL, "--vcpu: '%.40s' is no number of a virtual CPU", g->want->vcpu);
}

/* --- events --- */

enum kind { ENTRY, EXIT, KEYED, KINDS = KEYED + 3 };
enum { VCPU_ID, WHAT = 0, HOW, EXIT_ISA = 0, EXIT_RET };

/* Entry and exit are always needed; the others are in the order of enum about. */
static const struct view_kind kinds[KINDS] = {
	[ENTRY] = { "kvm:kvm_entry", { "vcpu_id" } },
	[EXIT] = { "kvm:kvm_exit", { "isa", "ret" } },
	[KEYED] = { "kvm:kvm_mmio", { "gpa", "type" } },
	[KEYED + 1] = { "kvm:kvm_pio", { "port", "rw" } },
	[KEYED + 2] = { "kvm:kvm_msr", { "ecx", "write" } },
};

const char *const kvm_events[] = {
	"kvm:kvm_entry", "kvm:kvm_exit", "kvm:kvm_mmio", "kvm:kvm_pio", "kvm:kvm_msr", NULL,
};

static int first_recorded(struct prof *p, struct err *e)
{
	struct prof_want *w = prof_want(p);

	if (p->argc) {
		err_set(e, EINVAL, "report is of a recording: what is '%.40s'?", p->argv[0]);
		return err_hint(e, "kvm stat live shows what guests do while a command runs");
	}
	if (!w->from.input && sys_exists(p->sys, KVM_RECORDING))
		w->from.input = KVM_RECORDING;
	w->from.recorded = !w->from.input;
	return 0;
}

static int first_live(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct prof_want *pw = prof_want(p);

	if (!w->seconds || w->seconds > 86400)
		return err_set(e, EINVAL, "-d: seconds from 1 to 86400");
	if (w->duration_us && (pw->form.json || pw->form.sep))
		return err_set(e, EINVAL, "--duration writes lines: take -j or -x without it");
	pw->from.interval_ns = w->seconds * 1000000000;
	return view_first(p, e);
}

static int missing(struct prof *p, const char *label, struct err *e)
{
	err_set(e, ENOENT, "this kernel has no %s", label);
	if (!view_has_event(p->sys, kinds[ENTRY].label))
		return err_hint(e, "it is no host of guests: CONFIG_KVM, and the module kvm where it is one");
	return err_hint(e, "another architecture has that: --event vmexit is of all");
}

static int add(struct prof *p, unsigned kind, struct err *e)
{
	const struct prof_want *w = prof_want(p);
	bool live = !w->from.input && !w->from.recorded;

	/* If not even sched_switch can be found, tracefs is not readable, and it is not known what the kernel has. */
	if (live && view_has_event(p->sys, "sched:sched_switch") && !view_has_event(p->sys, kinds[kind].label))
		return missing(p, kinds[kind].label, e);
	return prof_add(p, kinds[kind].label, e);
}

static int prepare(struct prof *p, struct err *e)
{
	struct guests *g = p->own;
	int r;

	g->prof = p;
	g->want = p->want;
	r = read_about(g, e);
	r = r ? r : read_key(g, e);
	r = r ? r : read_vcpu(g, e);
	r = r ? r : add(p, ENTRY, e);
	if (!r && (g->about == VMEXIT || g->about == MMIO))
		r = add(p, EXIT, e);
	return r || g->about == VMEXIT ? r : add(p, KEYED + g->about - MMIO, e);
}

static int begin(struct prof *p, struct err *e)
{
	struct guests *g = p->own;

	g->taps = view_taps(p, kinds, KINDS);
	if (!g->taps)
		return err_nomem(e);
	for (size_t i = 0; i < p->feed.taps.n; i++) {
		const struct view_tap *t = &g->taps[i];

		g->arm |= t->kind == EXIT && t->field[EXIT_RET];
		if (t->kind == ENTRY && !t->field[VCPU_ID] && g->vcpu != UINT64_MAX) {
			err_set(e, EOPNOTSUPP, "--vcpu: kvm_entry of this architecture does not tell the virtual CPU");
			return err_hint(e, "each is a thread: sonde prof kvm-exit --perins");
		}
	}
	return 0;
}

/* --- hits --- */

enum step { NOTHING, BEGINS, ENDS };
enum { MMIO_READ = 1, MMIO_WRITE };

/*
 * x86: the time from an exit to the next entry. arm64: the time from an entry to the exit, which is how long the guest
 * ran before that exit: perf does the same.
 */
static enum step step_of_exit(const struct guests *g, const struct view_tap *t, const struct hit *h,
			      struct guestwork_key *key, bool *keyed)
{
	if (g->about == MMIO)
		return t->kind == EXIT ? BEGINS : ENDS;
	if (t->kind == EXIT) {
		*keyed = true;
		key->what = guest_exit_of(h, t->field[EXIT_ISA] ? view_value(t, h, EXIT_ISA) & 3 : ARCH_EXITS_VMX);
		key->how = 0;
		return g->arm ? ENDS : BEGINS;
	}
	return g->arm ? BEGINS : ENDS;
}

/* An MMIO read is over when its event comes; other accesses begin with their events and last until the next entry. */
static enum step step_of(const struct guests *g, const struct view_tap *t, const struct hit *h,
			 struct guestwork_key *key, bool *keyed)
{
	*keyed = false;
	if (t->kind == EXIT || (t->kind == ENTRY && g->about <= MMIO))
		return step_of_exit(g, t, h, key, keyed);
	if (t->kind == ENTRY)
		return ENDS;
	*key = (struct guestwork_key){ view_value(t, h, WHAT), view_value(t, h, HOW) };
	*keyed = true;
	if (t->kind != KEYED || key->how == MMIO_WRITE)
		return BEGINS;
	return key->how == MMIO_READ ? ENDS : NOTHING;
}

static const char *name_of(const struct guests *g, const struct guestwork_key *key, char buf[GUEST_EXIT_NAME])
{
	static const char arm_class[] = "ESR_ELx_EC_", arm_code[] = "ARM_EXCEPTION_";
	static const char *const ways[][2] = {
		[MMIO] = { "R", "W" }, [IOPORT] = { "PIN", "POUT" }, [MSR] = { "R", "W" },
	};
	bool second = g->about == MMIO ? key->how == MMIO_WRITE : key->how;
	const char *name;

	if (g->about != VMEXIT) {
		snprintf(buf, GUEST_EXIT_NAME, "0x%llx:%s", (unsigned long long)key->what, ways[g->about][second]);
		return buf;
	}
	name = guest_exit_name(key->what, buf);
	/* perf prints arm64's names without their prefixes. */
	if (!strncmp(name, arm_class, sizeof(arm_class) - 1))
		return name + sizeof(arm_class) - 1;
	if (!strncmp(name, arm_code, sizeof(arm_code) - 1))
		name += sizeof(arm_code) - 1;
	return strcmp(name, "EL1_SERROR") ? name : "SERROR";
}

static void tell_long(const struct guests *g, const struct guestwork_row *r, const struct hit *h, uint32_t id,
		      uint64_t ns)
{
	struct out *o = g->prof->how->out;
	char name[GUEST_EXIT_NAME];

	if (!g->want->duration_us || ns / 1000 <= g->want->duration_us)
		return;
	if (g->about == VMEXIT && guest_exit_is_halt(r->key.what))
		return;
	out_printf(o, "%llu VM %u, vcpu %u: %s event took %lluusec\n", (unsigned long long)h->time, h->pid, id,
		   name_of(g, &r->key, name), (unsigned long long)(ns / 1000));
}

static int take_end(struct guests *g, const struct hit *h, struct guestwork_vcpu *v, const struct guestwork_key *key)
{
	uint64_t ns;
	const struct guestwork_row *r = guestwork_end(&g->work, v, key, h->time, &ns);

	if (r)
		tell_long(g, r, h, v->id, ns);
	return !r && ns ? -ENOMEM : 0;
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct guests *g = p->own;
	const struct view_tap *t = &g->taps[h->tap->index];
	struct guestwork_vcpu *v;
	struct guestwork_key key;
	enum step step;
	bool keyed;
	int r = 0;

	if (t->kind >= KINDS)
		return 0;
	if (t->kind == ENTRY)
		r = guestwork_enter(&g->work, h->tid, (uint32_t)view_value(t, h, VCPU_ID));
	v = r ? NULL : guestwork_find(&g->work, h->tid);
	g->work.early += !r && !v;
	if (!v || (g->vcpu != UINT64_MAX && g->vcpu != v->id))
		return r;
	step = step_of(g, t, h, &key, &keyed);
	if (step == BEGINS)
		return guestwork_begin(&g->work, v, keyed ? &key : NULL, h->time);
	return step == ENDS ? take_end(g, h, v, keyed ? &key : NULL) : 0;
}

static int lost(struct prof *p, uint32_t cpu UNUSED)
{
	struct guests *g = p->own;

	/* Threads migrate, so any of them may have lost events on this CPU. */
	guestwork_lose(&g->work);
	return 0;
}

/* --- rows --- */

static double value(const struct guestwork_row *r, enum key key)
{
	switch (key) {
	case SAMPLES:
		return (double)r->times.n;
	case TIME:
		return (double)r->total;
	case MIN_TIME:
		return (double)r->min;
	case MAX_TIME:
		return (double)r->max;
	default:
		return r->times.mean;
	}
}

static int compare(const void *arg, uint32_t a, uint32_t b)
{
	const struct guests *g = arg;
	const struct guestwork_row *x = &g->work.rows.v[a], *y = &g->work.rows.v[b];
	double p = value(x, g->key), q = value(y, g->key);

	if (p > q || p < q)
		return p > q ? -1 : 1;
	if (x->key.what != y->key.what)
		return x->key.what < y->key.what ? -1 : 1;
	return x->key.how < y->key.how ? -1 : x->key.how > y->key.how;
}

static double share(uint64_t part, uint64_t of)
{
	return of ? 100 * (double)part / (double)of : 0;
}

static double us(uint64_t ns)
{
	return (double)ns / 1000;
}

/* --- text --- */

enum { NAME_WIDTH = 40 };

static void put_heads(const struct guests *g, struct out *o)
{
	const char *pids = prof_want(g->prof)->target.pids;

	out_str(o, "\n\nAnalyze events for ");
	if (pids)
		out_printf(o, "pid(s) %s, ", pids);
	else
		out_str(o, "all VMs, ");
	if (g->vcpu == UINT64_MAX)
		out_str(o, "all VCPUs:\n\n");
	else
		out_printf(o, "VCPU %llu:\n\n", (unsigned long long)g->vcpu);
	out_right(o, abouts[g->about].head, NAME_WIDTH);
	out_printf(o, " %10s %9s %9s %11s %11s %16s \n\n", "Samples", "Samples%", "Time%", "Min Time", "Max Time",
		   "Avg time");
}

static void put_row(const struct guests *g, const struct guestwork_row *r, struct out *o)
{
	char name[GUEST_EXIT_NAME];

	out_right(o, name_of(g, &r->key, name), NAME_WIDTH);
	out_char(o, ' ');
	out_u64w(o, r->times.n, 10);
	out_char(o, ' ');
	out_fixed(o, share(r->times.n, g->count), 8, 2);
	out_str(o, "% ");
	out_fixed(o, share(r->total, g->total), 8, 2);
	out_str(o, "% ");
	out_fixed(o, us(r->min), 9, 2);
	out_str(o, "us ");
	out_fixed(o, us(r->max), 9, 2);
	out_str(o, "us ");
	out_fixed(o, (double)r->total / (double)r->times.n / 1000, 9, 2);
	out_str(o, "us ( +-");
	out_fixed(o, stats_percent(&r->times), 7, 2);
	out_str(o, "% )\n");
}

static void put_text(const struct guests *g, const uint32_t *order, struct out *o)
{
	uint64_t lost = g->prof->feed.stats.lost;

	put_heads(g, o);
	for (size_t i = 0; i < g->work.rows.n; i++)
		if (g->work.rows.v[order[i]].times.n)
			put_row(g, &g->work.rows.v[order[i]], o);
	out_printf(o, "\nTotal Samples:%llu, Total events handled time:", (unsigned long long)g->count);
	out_fixed(o, us(g->total), 0, 2);
	out_str(o, "us.\n\n");
	if (lost)
		out_printf(o, "\nLost events: %llu\n\n", (unsigned long long)lost);
}

static int put_table(const struct guests *g, const uint32_t *order, struct out *o)
{
	static const struct table_col cols[] = {
		{ "name", NULL, TABLE_LEFT, 0 }, { "samples", NULL, TABLE_RIGHT, 0 },
		{ "samples_percent", NULL, TABLE_RIGHT, 0 }, { "time_percent", NULL, TABLE_RIGHT, 0 },
		{ "total_us", NULL, TABLE_RIGHT, 0 }, { "min_us", NULL, TABLE_RIGHT, 0 },
		{ "max_us", NULL, TABLE_RIGHT, 0 }, { "avg_us", NULL, TABLE_RIGHT, 0 },
		{ "deviation_percent", NULL, TABLE_RIGHT, 0 },
	};
	struct table_want form = prof_table(g->prof);
	struct table *t = table_new(cols, ARRAY_SIZE(cols));
	int r;

	for (size_t i = 0; t && i < g->work.rows.n; i++) {
		const struct guestwork_row *row = &g->work.rows.v[order[i]];
		char name[GUEST_EXIT_NAME];

		if (!row->times.n)
			continue;
		table_str(t, name_of(g, &row->key, name));
		table_u64(t, row->times.n);
		table_fixed(t, share(row->times.n, g->count), 2);
		table_fixed(t, share(row->total, g->total), 2);
		table_fixed(t, us(row->total), 3);
		table_fixed(t, us(row->min), 3);
		table_fixed(t, us(row->max), 3);
		table_fixed(t, us(row->total) / (double)row->times.n, 3);
		table_fixed(t, stats_percent(&row->times), 2);
	}
	r = t ? table_print(t, &form, o) : -ENOMEM;
	table_free(t);
	return r;
}

static void tell(const struct guests *g)
{
	const struct guestwork *w = &g->work;

	view_note(g->prof, w->discarded, "are left out: events are missing within them");
	view_note(g->prof, w->dropped, "events are left out: too many addresses or virtual CPUs");
	view_note(g->prof, w->unended, "have no end: another of the same virtual CPU began");
	view_note(g->prof, w->early, "events were before their virtual CPU entered its guest");
	view_note(g->prof, w->strays, "ended without a beginning");
	if (g->want->view.verbose)
		view_note(g->prof, guestwork_open(w), "are open at the end");
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct guests *g = p->own;
	size_t n = g->work.rows.n;
	uint32_t *order = malloc((2 * n + 1) * sizeof(*order));
	int r = 0;

	if (!order)
		return err_nomem(e);
	g->count = g->total = 0;
	for (size_t i = 0; i < n; i++) {
		order[i] = (uint32_t)i;
		g->count += g->work.rows.v[i].times.n;
		g->total += g->work.rows.v[i].total;
	}
	sort_u32(order, order + n, n, compare, g);
	prof_interval(p, o);
	if (prof_table(p).form == TABLE_TEXT)
		put_text(g, order, o);
	else
		r = put_table(g, order, o);
	free(order);
	if (last)
		tell(g);
	guestwork_forget(&g->work);
	return r ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct guests *g = p->own;

	guestwork_deinit(&g->work);
}

#define DETAILS \
	"x86: from kvm_exit to the next kvm_entry of the same vCPU; device writes from kvm_mmio to that " \
	"entry, device reads from the exit to kvm_mmio, ports and MSRs from their event to the entry. arm64: " \
	"from kvm_entry to kvm_exit, the time the guest ran until this exit, as perf does; see sonde prof " \
	"kvm-exit for the time of the exit itself. The reason is the exception class if it is a trap. An exit" \
	" without an entry before it does not count, nor one with lost events."

const struct prof_kind kvm_stat_report = {
	.cmd = {
		.name = "report", .family = "kvm stat", .brief = "Show the VM exits of a recording",
		.synopsis = "[--event <event>] [-k <key>] [-i <file>]",
		.details = PACKED(DETAILS),
		.examples = PACKED(
			"sonde kvm stat record -a sleep 10 && sonde kvm stat report\tas with perf\n"
			"sonde kvm stat report --event mmio -k time\tMMIO addresses, by total time\n"
			"sonde kvm stat report --vcpu 0 -p 2347 -i perf.data\tone vCPU of a guest\n"
			"sonde kvm stat report --event ioport -j\tI/O ports, as JSON"),
		.opts = report_opts, .want_size = sizeof(struct want), .defaults = defaults,
	},
	.own = sizeof(struct guests), .first = first_recorded, .prepare = prepare, .begin = begin, .hit = hit,
	.lost = lost, .show = show, .close = close,
};

const struct prof_kind kvm_stat_live = {
	.cmd = {
		.name = "live", .family = "kvm stat", .brief = "Show VM exits live, every second",
		.synopsis = "[--event <event>] [-d <s>] [--duration <us>] [-p <pids>] | -a | [--] command",
		.details = PACKED(DETAILS),
		.examples = PACKED(
			"sonde kvm stat live\tall guests, every second, until Ctrl-C\n"
			"sonde kvm stat live -p 2347 -d 5 -k time\tone guest, every five seconds\n"
			"sonde kvm stat live --duration 1000\tand a line for each exit longer than 1 ms\n"
			"sonde kvm stat live --event mmio -j\tMMIO addresses, as JSON"),
		.opts = live_opts, .want_size = sizeof(struct want), .defaults = defaults,
	},
	.own = sizeof(struct guests), .first = first_live, .prepare = prepare, .begin = begin, .hit = hit,
	.lost = lost, .show = show, .close = close,
};
