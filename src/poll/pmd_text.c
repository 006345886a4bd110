/* pmd_text.c - sonde pmd's table: a row for each thread, and one for statistics of a program as a whole. */
#include "poll/pmd.h"

#include "prof/board.h"

#include <math.h>

#define NS_PER_S 1000000000
#define UNKNOWN  ((double)NAN)

/* The numbers of a row; UNKNOWN if not known. */
enum number { ON_CPU, GHZ, IPC, CYCLES, INSTRUCTIONS, MISSES, KPPS, BUSY, DROPPED, WAIT, GAP, NUMBERS };

struct row {
	double v[NUMBERS];
	const char *by;                  /* what took most of the longest gap */
	char where[200];                 /* where packets were dropped */
};

/* --- one row --- */

static const struct pmd_process *process_of(const struct pmd *m, int pid)
{
	for (size_t i = 0; i < m->processes.n; i++)
		if (m->processes.v[i].pid == pid)
			return &m->processes.v[i];
	return NULL;
}

/* The core by Open vSwitch's name, "pmd-c05/id:9" is core 5; else the CPU that the thread is on. */
static unsigned core_of(const struct poll_thread *t)
{
	struct sv rest = { t->name + 5, strcspn(t->name + 5, "/") };
	uint64_t core;

	if (!strncmp(t->name, "pmd-c", 5) && str_u64(rest, 10, &core) && core < UINT_MAX)
		return (unsigned)core;
	return (unsigned)t->cpu;
}

/* Packets per second. */
static double packet_rate(const struct pmd_process *at, const struct poll_thread *t)
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

static double busy_percent(const struct pmd_process *at, const struct poll_thread *t)
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

/* The sum of a program's dropped packets, and where they were dropped. */
struct drops {
	double sum;
	unsigned n;
	struct out *to;
};

enum { DROPS_NAMED = 4 };

static void take_drop(void *arg, const struct packets_drop *d)
{
	struct drops *s = arg;

	s->sum += (double)d->n;
	if (s->n++ < DROPS_NAMED)
		out_printf(s->to, "%s%s%s%s %llu", s->n > 1 ? ", " : "", d->of, *d->what ? " " : "", d->what,
			   (unsigned long long)d->n);
}

static void put_drops(struct row *r, const struct pmd_process *at)
{
	struct mem_out m;
	struct drops s = { .to = &m.out };

	mem_out_init(&m);
	if (packets_drops(&at->packets, take_drop, &s)) {
		if (s.n > DROPS_NAMED)
			out_printf(&m.out, ", %u others", s.n - DROPS_NAMED);
		r->v[DROPPED] = s.sum;
		str_copy(r->where, sizeof(r->where), sv_from(mem_out_str(&m)));
	}
	mem_out_deinit(&m);
}

/* Drops that are known to be this thread's. */
static void drops_of(struct row *r, const struct pmd_process *at, const struct poll_thread *t)
{
	uint64_t lost;

	if (!at->told)
		return;
	if (at->packets.kind == PACKETS_DPDK && at->threads == 1)
		put_drops(r, at);
	if (at->packets.kind != PACKETS_OVS || !packets_ovs(&at->packets, core_of(t), OVS_LOST, &lost))
		return;
	r->v[DROPPED] = (double)lost;
	if (lost)
		str_copy(r->where, sizeof(r->where), sv_from("lost upcalls"));
}

/* The thread's total run queue wait, ns. */
static bool wait_of(const struct sys *sys, const struct poll_thread *t, uint64_t *ns)
{
	return poll_thread_sched(sys, (uint32_t)t->tid, POLL_SCHED_WAITED, ns);
}

/* A counter's value per second. */
static double rate(const struct counted *c, const struct pmd *m, unsigned counter, size_t place, double seconds)
{
	struct counter_value v;

	if (!m->has[counter] || !board_value(c, counter, place, false, &v))
		return UNKNOWN;
	return (double)v.value / seconds;
}

static double misses_rate(const struct counted *c, const struct pmd *m, size_t place, double seconds)
{
	for (unsigned i = PMD_MISSES; i < PMD_COUNTERS; i++)
		if (m->has[i])
			return rate(c, m, i, place, seconds);
	return UNKNOWN;
}

/* A thread that has not run since before the measurement has no events: the whole interval is its gap. */
static void worst_of(struct row *r, const struct pmd_worst *w, double seconds)
{
	r->v[GAP] = (double)w->ns / 1000;
	r->by = w->by;
	if (r->v[ON_CPU] == 0 && r->v[GAP] < seconds * 1000000 / 2) {
		r->v[GAP] = seconds * 1000000;
		r->by = "it did not run";
	}
}

static struct row row_of(struct pmd *m, struct prof *p, const struct counted *c, size_t i, size_t place, double seconds)
{
	const struct poll_thread *t = &m->taken.found.v.v[i];
	const struct pmd_process *at = process_of(m, t->pid);
	double clock = rate(c, m, PMD_CLOCK, place, seconds);
	double cycles = rate(c, m, PMD_CYCLES, place, seconds);
	double instructions = rate(c, m, PMD_INSTRUCTIONS, place, seconds);
	double packets = packet_rate(at, t);
	uint64_t waited = 0;
	struct row r = { .v = {
		[ON_CPU] = clock / NS_PER_S * 100, [GHZ] = cycles / clock, [IPC] = instructions / cycles,
		[CYCLES] = cycles / packets, [INSTRUCTIONS] = instructions / packets,
		[MISSES] = misses_rate(c, m, place, seconds) / packets, [KPPS] = packets / 1000,
		[BUSY] = busy_percent(at, t), [DROPPED] = UNKNOWN, [WAIT] = UNKNOWN, [GAP] = UNKNOWN,
	} };

	drops_of(&r, at, t);
	if (wait_of(p->sys, t, &waited))
		r.v[WAIT] = (double)(waited - MIN(waited, m->waited.v[i])) / 1000 / seconds;
	m->waited.v[i] = waited;
	if (m->has_gaps)
		worst_of(&r, &m->worst.v[i], seconds);
	return r;
}

/* --- the table --- */

enum { NAME_COLS = 2, BY = NUMBERS, WHERE, COLS };

struct columns {
	struct table_col v[NAME_COLS + COLS];
	size_t n;
	unsigned of[COLS];               /* index of the column's number or text in a row */
};

/* Choose the columns for which something is known. */
static void choose(struct columns *k, const struct pmd *m)
{
	static const struct table_col all[COLS] = {
		[ON_CPU] = { "on-cpu%", "on_cpu_percent", TABLE_RIGHT, 0 }, [GHZ] = { "GHz", "ghz", TABLE_RIGHT, 0 },
		[IPC] = { "IPC", "ipc", TABLE_RIGHT, 0 }, [CYCLES] = { "cyc/pkt", "cycles_per_packet", TABLE_RIGHT, 0 },
		[INSTRUCTIONS] = { "ins/pkt", "instructions_per_packet", TABLE_RIGHT, 0 },
		[MISSES] = { "LLm/pkt", "misses_per_packet", TABLE_RIGHT, 0 },
		[KPPS] = { "Kpps", "kpps", TABLE_RIGHT, 0 }, [BUSY] = { "busy%", "busy_percent", TABLE_RIGHT, 0 },
		[DROPPED] = { "dropped", NULL, TABLE_RIGHT, 0 },
		[WAIT] = { "wait us/s", "wait_us_per_s", TABLE_RIGHT, 0 },
		[GAP] = { "GAP us", "worst_gap_us", TABLE_RIGHT, 0 },
		[BY] = { "took it", "worst_gap_by", TABLE_LEFT, 0 },
		[WHERE] = { "dropped where", "dropped_where", TABLE_LEFT, 0 },
	};
	const bool *has = m->has;
	bool packets = m->has_packets, has_misses = has[PMD_MISSES] || has[PMD_MISSES_L3] || has[PMD_MISSES_LLC];
	const bool shown[COLS] = {
		[ON_CPU] = true, [GHZ] = has[PMD_CYCLES], [IPC] = has[PMD_CYCLES] && has[PMD_INSTRUCTIONS],
		[CYCLES] = has[PMD_CYCLES] && packets, [INSTRUCTIONS] = has[PMD_INSTRUCTIONS] && packets,
		[MISSES] = has_misses && packets, [KPPS] = packets, [BUSY] = packets, [DROPPED] = packets,
		[WAIT] = true, [GAP] = m->has_gaps, [BY] = m->has_gaps, [WHERE] = packets,
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

static void put_row(struct table *t, const struct columns *k, const struct row *r)
{
	static const unsigned digits[NUMBERS] = {
		[ON_CPU] = 2, [GHZ] = 2, [IPC] = 2, [MISSES] = 2, [KPPS] = 1, [BUSY] = 1, [GAP] = 1,
	};

	for (size_t i = 0; i < k->n; i++) {
		unsigned of = k->of[i];

		if (of < NUMBERS)
			table_fixed(t, r->v[of], digits[of]);
		else
			table_str(t, of == BY ? r->by : r->where);
	}
}

/* The row for statistics of a program that are not kept by thread. */
static void put_all(struct table *t, const struct columns *k, const struct pmd_process *at)
{
	struct poll_thread none = { .cpu = -1 };
	struct pmd_process whole = *at;
	struct row r = { .by = "" };
	char text[40];

	for (unsigned i = 0; i < NUMBERS; i++)
		r.v[i] = UNKNOWN;
	whole.threads = 1;
	r.v[KPPS] = packet_rate(&whole, &none) / 1000;
	put_drops(&r, at);
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

static void put_rows(struct table *t, struct pmd *m, struct prof *p, const struct counted *c, const struct columns *k,
		     double seconds)
{
	for (size_t i = 0; i < m->taken.found.v.n; i++) {
		const struct poll_thread *at = &m->taken.found.v.v[i];
		size_t place = place_of(c, at->tid);
		struct row r;

		/* The thread has ended. */
		if (place == SIZE_MAX)
			continue;
		r = row_of(m, p, c, i, place, seconds);
		table_str(t, at->name);
		table_i64(t, at->cpu);
		put_row(t, k, &r);
	}
	for (size_t i = 0; i < m->processes.n; i++) {
		const struct pmd_process *at = &m->processes.v[i];

		if (at->told && (at->packets.kind == PACKETS_OVS || at->threads > 1))
			put_all(t, k, at);
	}
}

int pmd_print(struct pmd *m, struct prof *p, const struct counted *c, double seconds)
{
	struct table_want form = prof_table(p);
	struct columns k;
	struct table *t;
	int r;

	choose(&k, m);
	t = table_new(k.v, NAME_COLS + k.n);
	if (t)
		put_rows(t, m, p, c, &k, seconds);
	if (form.form == TABLE_TEXT)
		prof_stamp(p, p->how->out);
	r = t ? table_print(t, &form, p->how->out) : -ENOMEM;
	table_free(t);
	return r;
}
