/*
 * pmd.c - sonde pmd: what each polling thread does with its CPU, and with each packet. Only counters are attached to
 * it; packets are what its program tells of them itself.
 */
#include "packets/packets.h"
#include "poll/poll.h"
#include "poll/threads.h"
#include "prof/board.h"

#include <math.h>
#include <time.h>

#define NS_PER_S 1000000000
#define UNKNOWN  ((double)NAN)

/* The first of each kind that this machine counts. Of misses: those of the last cache, see prof_llcstat.c. */
enum { CLOCK, CYCLES, INSTRUCTIONS, MISSES, MISSES_L3, MISSES_LLC, COUNTERS };
static const char *const counters[COUNTERS] = {
	"task-clock", "cycles", "instructions", "ll_cache_miss_rd", "l3d_cache_refill", "LLC-load-misses",
};

/* A process, and what it tells of its packets. */
struct process {
	int pid;
	size_t threads;
	bool told;
	struct packets packets;
};

struct pmd {
	struct poll_threads threads;
	char *list;                      /* for the counters' target */
	VEC(struct process) processes;
	VEC(uint64_t) waited;            /* by thread: ns up to the last look */
	uint64_t at;                     /* of that, CLOCK_MONOTONIC ns */
	bool has[COUNTERS], has_packets;
};

/* What a row says; those that are not known are UNKNOWN. */
struct row {
	double on_cpu, ghz, ipc, cycles, instructions, misses, kpps, busy, wait;
};

/* --- processes --- */

static int add_process(struct pmd *m, struct prof *p, int pid)
{
	struct process *to = m->processes.n ? &m->processes.v[m->processes.n - 1] : NULL;
	struct err e = { 0 };

	if (to && to->pid == pid) {
		to->threads++;
		return 0;
	}
	to = vec_add(&m->processes);
	if (!to)
		return -ENOMEM;
	*to = (struct process){ .pid = pid, .threads = 1 };
	to->told = !packets_open(&to->packets, p->sys, pid, &e);
	if (!to->told && !prof_want(p)->form.quiet)
		p->how->note(p->how->arg, e.text);
	m->has_packets |= to->told;
	return 0;
}

/* Who does not answer is not asked again. */
static void ask(struct pmd *m, struct prof *p)
{
	for (size_t i = 0; i < m->processes.n; i++) {
		struct process *at = &m->processes.v[i];
		struct err e = { 0 };

		if (!at->told || !packets_read(&at->packets, &e))
			continue;
		p->how->note(p->how->arg, e.text);
		packets_close(&at->packets);
		at->told = false;
	}
}

static const struct process *process_of(const struct pmd *m, int pid)
{
	for (size_t i = 0; i < m->processes.n; i++)
		if (m->processes.v[i].pid == pid)
			return &m->processes.v[i];
	return NULL;
}

/* --- one row --- */

/* "pmd-c05/id:9" is on core 5, for Open vSwitch. */
static unsigned core_of(const struct poll_thread *t)
{
	struct sv rest = { t->name + 5, strcspn(t->name + 5, "/") };
	uint64_t core;

	if (!strncmp(t->name, "pmd-c", 5) && str_u64(rest, 10, &core) && core < UINT_MAX)
		return (unsigned)core;
	return (unsigned)t->cpu;
}

/* Packets a second. */
static double packet_rate(const struct process *at, const struct poll_thread *t)
{
	const struct packets *k = &at->packets;
	uint64_t grown = 0, ns = k->now.at - k->before.at;
	bool known;

	if (!at->told || !k->before.at || !ns)
		return UNKNOWN;
	if (k->kind == PACKETS_OVS)
		known = packets_ovs(k, core_of(t), OVS_PACKETS, &grown);
	else
		known = at->threads == 1 && packets_dpdk_received(k, &grown);
	return known ? (double)grown * NS_PER_S / (double)ns : UNKNOWN;
}

static double busy_percent(const struct process *at, const struct poll_thread *t)
{
	const struct packets *k = &at->packets;
	uint64_t busy, idle;
	double percent;

	if (!at->told)
		return UNKNOWN;
	if (k->kind == PACKETS_DPDK)
		return packets_dpdk_busy(k, t->cpu, &percent) ? percent : UNKNOWN;
	if (packets_ovs(k, core_of(t), OVS_BUSY_CYCLES, &busy) && packets_ovs(k, core_of(t), OVS_IDLE_CYCLES, &idle) &&
	    busy + idle)
		return 100.0 * (double)busy / (double)(busy + idle);
	return ovs_busy(&k->now.ovs, core_of(t), &percent) ? percent : UNKNOWN;
}

/* Waited for its CPU so far, ns. */
static bool wait_of(const struct sys *sys, const struct poll_thread *t, uint64_t *ns)
{
	return poll_thread_sched(sys, (uint32_t)t->tid, POLL_SCHED_WAITED, ns);
}

/* Of a counter, a second. */
static double rate(const struct counted *c, const struct pmd *m, unsigned counter, size_t place, double seconds)
{
	struct counter_value v;

	if (!m->has[counter] || !board_value(c, counter, place, false, &v))
		return UNKNOWN;
	return (double)v.value / seconds;
}

static double misses_rate(const struct counted *c, const struct pmd *m, size_t place, double seconds)
{
	for (unsigned i = MISSES; i < COUNTERS; i++)
		if (m->has[i])
			return rate(c, m, i, place, seconds);
	return UNKNOWN;
}

static struct row row_of(struct pmd *m, struct prof *p, const struct counted *c, size_t i, size_t place, double seconds)
{
	const struct poll_thread *t = &m->threads.v.v[i];
	const struct process *at = process_of(m, t->pid);
	double clock = rate(c, m, CLOCK, place, seconds);
	double cycles = rate(c, m, CYCLES, place, seconds);
	double instructions = rate(c, m, INSTRUCTIONS, place, seconds);
	double packets = packet_rate(at, t);
	uint64_t waited = 0;
	struct row r = {
		.on_cpu = clock / NS_PER_S * 100, .ghz = cycles / clock, .ipc = instructions / cycles,
		.cycles = cycles / packets, .instructions = instructions / packets,
		.misses = misses_rate(c, m, place, seconds) / packets, .kpps = packets / 1000,
		.busy = busy_percent(at, t), .wait = UNKNOWN,
	};

	if (wait_of(p->sys, t, &waited))
		r.wait = (double)(waited - MIN(waited, m->waited.v[i])) / 1000 / seconds;
	m->waited.v[i] = waited;
	return r;
}

/* --- the table --- */

enum { NAME_COLS = 2, COLS = 9 };

struct columns {
	struct table_col v[NAME_COLS + COLS];
	size_t n;
	unsigned of[COLS];               /* which of a row's numbers */
};

/* Those of which something is known. */
static void choose(struct columns *k, const struct pmd *m)
{
	static const struct table_col all[COLS] = {
		{ "on-cpu%", "on_cpu_percent", TABLE_RIGHT, 0 }, { "GHz", "ghz", TABLE_RIGHT, 0 },
		{ "IPC", "ipc", TABLE_RIGHT, 0 }, { "cyc/pkt", "cycles_per_packet", TABLE_RIGHT, 0 },
		{ "ins/pkt", "instructions_per_packet", TABLE_RIGHT, 0 },
		{ "LLm/pkt", "misses_per_packet", TABLE_RIGHT, 0 },
		{ "Kpps", "kpps", TABLE_RIGHT, 0 }, { "busy%", "busy_percent", TABLE_RIGHT, 0 },
		{ "wait us/s", "wait_us_per_s", TABLE_RIGHT, 0 },
	};
	bool has_misses = m->has[MISSES] || m->has[MISSES_L3] || m->has[MISSES_LLC];
	const bool shown[COLS] = {
		true, m->has[CYCLES], m->has[CYCLES] && m->has[INSTRUCTIONS], m->has[CYCLES] && m->has_packets,
		m->has[INSTRUCTIONS] && m->has_packets, has_misses && m->has_packets, m->has_packets, m->has_packets,
		true,
	};

	*k = (struct columns){ .v = { { "PMD", "thread", TABLE_LEFT, 0 }, { "CPU", "cpu", TABLE_RIGHT, 0 } } };
	k->n = 0;
	for (unsigned i = 0; i < COLS; i++) {
		if (!shown[i])
			continue;
		k->v[NAME_COLS + k->n] = all[i];
		k->of[k->n++] = i;
	}
}

static void put_number(struct table *t, double v, unsigned digits)
{
	if (!isfinite(v))
		table_none(t);
	else
		table_fixed(t, v, digits);
}

static void put_row(struct table *t, const struct columns *k, const struct row *r)
{
	static const unsigned digits[COLS] = { 2, 2, 2, 0, 0, 2, 1, 1, 0 };
	const double v[COLS] = { r->on_cpu, r->ghz, r->ipc, r->cycles, r->instructions, r->misses, r->kpps, r->busy,
				 r->wait };

	for (size_t i = 0; i < k->n; i++)
		put_number(t, v[k->of[i]], digits[k->of[i]]);
}

/* What all ports of a program have received, which does not tell whose it was. */
static void put_all(struct table *t, const struct columns *k, const struct process *at)
{
	struct poll_thread none = { .cpu = -1 };
	struct process whole = *at;
	struct row r = { UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN,
			 UNKNOWN, UNKNOWN };
	char text[40];

	whole.threads = 1;
	r.kpps = packet_rate(&whole, &none) / 1000;
	snprintf(text, sizeof(text), "all of %d", at->pid);
	table_str(t, text);
	table_none(t);
	put_row(t, k, &r);
}

static size_t place_of(const struct counted *c, int tid)
{
	for (size_t i = 0; i < counted_places(c); i++)
		if (counted_place(c, i) == (uint64_t)tid)
			return i;
	return SIZE_MAX;
}

static bool counts(const struct counted *c, unsigned counter)
{
	struct counter_value v;

	for (size_t i = 0; i < counted_places(c); i++)
		if (counted_value(c, counter, i, &v))
			return true;
	return false;
}

static void put_rows(struct table *t, struct pmd *m, struct prof *p, const struct counted *c, const struct columns *k,
		     double seconds)
{
	for (size_t i = 0; i < m->threads.v.n; i++) {
		const struct poll_thread *at = &m->threads.v.v[i];
		size_t place = place_of(c, at->tid);
		struct row r;

		/* It has ended. */
		if (place == SIZE_MAX)
			continue;
		r = row_of(m, p, c, i, place, seconds);
		table_str(t, at->name);
		table_i64(t, at->cpu);
		put_row(t, k, &r);
	}
	for (size_t i = 0; i < m->processes.n; i++) {
		const struct process *at = &m->processes.v[i];

		if (at->told && at->packets.kind == PACKETS_DPDK && at->threads > 1)
			put_all(t, k, at);
	}
}

static int look(struct prof *p, struct counted *c, bool last, struct err *e)
{
	struct pmd *m = p->own;
	struct table_want form = prof_table(p);
	double seconds = (double)MAX(p->to - m->at, UINT64_C(1)) / NS_PER_S;
	struct columns k;
	struct table *t;
	int r;

	/* A piece of an interval is left. */
	if (last)
		return 0;
	for (unsigned i = 0; i < COUNTERS; i++)
		m->has[i] = counts(c, i);
	ask(m, p);
	choose(&k, m);
	t = table_new(k.v, NAME_COLS + k.n);
	if (t)
		put_rows(t, m, p, c, &k, seconds);
	m->at = p->to;
	if (form.form == TABLE_TEXT)
		prof_stamp(p, p->how->out);
	r = t ? table_print(t, &form, p->how->out) : -ENOMEM;
	table_free(t);
	return r ? err_nomem(e) : 0;
}

/* --- the run --- */

static int prepare(struct prof *p, struct err *e)
{
	struct prof_want *w = prof_want(p);
	struct pmd *m = p->own;
	int r;

	r = prof_own_only(p, e);
	if (r)
		return r;
	if (w->target.cgroups || p->argc)
		return err_set(e, EINVAL, "pmd looks at threads that poll: -p, -C or -t, and no command");
	if (w->from.interval_ns && w->from.interval_ns < NS_PER_S / 10)
		return err_set(e, EINVAL, "-i %llu: an interval is in ms, and at least 100",
			       (unsigned long long)(w->from.interval_ns / 1000000));
	r = w->from.input ? 0 : poll_threads_find(&m->threads, p->sys, &w->target, e);
	for (size_t i = 0; !r && i < COUNTERS; i++) {
		r = specs_add_event(&p->specs, counters[i], e);
		if (!r)
			p->specs.v.v[i].optional = true;
	}
	return r;
}

static int open_all(struct pmd *m, struct prof *p, struct err *e)
{
	struct target_want *t = &prof_want(p)->target;

	m->list = poll_threads_list(&m->threads);
	if (!m->list)
		return err_nomem(e);
	*t = (struct target_want){ .tids = m->list, .no_inherit = true };
	for (size_t i = 0; i < m->threads.v.n; i++) {
		uint64_t *waited = vec_add(&m->waited);

		if (!waited || add_process(m, p, m->threads.v.v[i].pid))
			return err_nomem(e);
		*waited = 0;
		wait_of(p->sys, &m->threads.v.v[i], waited);
	}
	ask(m, p);
	m->at = p->sys->now(p->sys, CLOCK_MONOTONIC);
	return 0;
}

static int alone(struct prof *p, struct out *o UNUSED, struct err *e)
{
	struct pmd *m = p->own;
	uint64_t interval = prof_want(p)->from.interval_ns;
	struct counted_want w = { .period_ns = interval ? interval : NS_PER_S, .look = look };
	int r = prof_want(p)->from.input ? 0 : open_all(m, p, e);

	r = r ? r : counted_run(p, &w, e);
	for (size_t i = 0; i < m->processes.n; i++)
		packets_close(&m->processes.v[i].packets);
	vec_free(&m->processes);
	vec_free(&m->waited);
	poll_threads_deinit(&m->threads);
	free(m->list);
	return r;
}

const struct prof_kind poll_pmd = {
	.cmd = { .name = "pmd" },
	.own = sizeof(struct pmd), .prepare = prepare, .alone = alone,
};
