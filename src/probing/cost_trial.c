/* cost_trial.c - counts hits for a moment, and measures the cost of one hit. */
#include "probing/cost_trial.h"

#include "base/vec.h"
#include "host.h"
#include "probing/pmu_probe.h"
#include "sym/maps.h"

#include <fcntl.h>
#include <poll.h>
#include <time.h>

enum { TRIAL_MS = 100, TRIAL_PLACES = 64, CALLS = 50, ROUNDS = 60, TRIES = 4 };

struct counter {
	int fd, cpu;
};

struct counters {
	VEC(struct counter) v;
	const struct sys *sys;
};

static int open_one(struct counters *c, struct perf_attr *attr, int pid, int cpu)
{
	struct counter *at;
	int fd = c->sys->perf_event_open(c->sys, attr, pid, cpu, -1, PERF_FLAG_CLOEXEC);

	if (fd < 0)
		return fd;
	at = vec_add(&c->v);
	if (!at) {
		c->sys->close(c->sys, fd);
		return -ENOMEM;
	}
	*at = (struct counter){ fd, cpu };
	return 0;
}

static void close_all(struct counters *c)
{
	for (size_t i = 0; i < c->v.n; i++)
		c->sys->close(c->sys, c->v.v[i].fd);
	vec_free(&c->v);
}

static uint64_t count_of(const struct sys *sys, int fd)
{
	uint64_t n = 0;

	return sys->read(sys, fd, &n, sizeof(n)) == sizeof(n) ? n : 0;
}

static struct perf_attr base_attr(void)
{
	return (struct perf_attr){ .size = sizeof(struct perf_attr), .sample_period = 0 };
}

enum probe_kind cost_kind_at(const struct sys *sys, const char *path, uint64_t file_offset, bool is_return)
{
	enum { INSN_MAX = 16 };
	uint8_t code[INSN_MAX];
	int fd = is_return ? -1 : sys->open(sys, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
	ssize_t n = 0;

	if (is_return)
		return PROBE_OF_PROGRAM_RETURN;
	if (fd >= 0) {
		n = sys->pread(sys, fd, code, sizeof(code), file_offset);
		sys->close(sys, fd);
	}
	return n > 0 ? probe_kind_of_code(arch_native(), code, (size_t)n) : PROBE_OF_PROGRAM;
}

/* --- one hit --- */

/* The function that is probed to measure a hit: not inlined, and not optimised away. */
static __attribute__((noinline, aligned(16))) void stepped(void)
{
	volatile unsigned n = 0;

	(void)n;
}

static __attribute__((noinline, aligned(16))) void nop(void)
{
	__asm__ volatile("nop");
}

static __attribute__((noinline, aligned(16))) void simulated(void)
{
	host_jump();
}

static void call_kernel(const struct sys *sys)
{
	sys->uid(sys);
}

static void call_stepped(const struct sys *sys UNUSED)
{
	stepped();
}

static void call_nop(const struct sys *sys UNUSED)
{
	nop();
}

static void call_simulated(const struct sys *sys UNUSED)
{
	simulated();
}

static const struct trial {
	void (*work)(const struct sys *sys);
	void (*at)(void);       /* the probed code; NULL: in the kernel */
	bool is_return;
} trials[PROBE_KINDS] = {
	[PROBE_OF_KERNEL] = { call_kernel, NULL, false },
	[PROBE_OF_PROGRAM] = { call_stepped, stepped, false },
	[PROBE_OF_PROGRAM_NOP] = { call_nop, nop, false },
	[PROBE_OF_PROGRAM_SIMULATED] = { call_simulated, simulated, false },
	[PROBE_OF_PROGRAM_RETURN] = { call_stepped, stepped, true },
};

/* File offset of our own code at an address. */
static int offset_of_own(const struct sys *sys, uint64_t addr, uint64_t *offset, struct err *e)
{
	struct maps_line l;
	struct sv rest, line;
	char *text;
	size_t n;
	bool found = false;

	if (sys_read_all(sys, "/proc/self/maps", 1 << 20, &text, &n, e))
		return -e->code;
	for (rest = (struct sv){ text, n }; !found && sv_cut(&rest, '\n', &line);) {
		found = maps_parse_line(line, &l) && addr >= l.start && addr < l.end;
		*offset = addr - l.start + l.pgoff;
	}
	free(text);
	return found ? 0 : err_set(e, ENOENT, "/proc/self/maps does not have this program's code");
}

static int open_probe(struct counters *c, const struct pmu_probe *p, int pid, int cpu, struct err *e)
{
	struct perf_attr attr = base_attr();
	int r = pmu_probe_attr(&attr, c->sys, p, e);

	return r ? r : open_one(c, &attr, pid, cpu);
}

static int open_own(struct counters *c, const struct trial *t, struct err *e)
{
	static const char *const calls[] = { "__arm64_sys_geteuid", "__x64_sys_geteuid", "sys_geteuid" };
	struct pmu_probe p = { .kind = PMU_PROBE_KERNEL, .is_return = t->is_return };
	int r = -ENOENT;

	if (t->at) {
		p.kind = PMU_PROBE_USER;
		p.name = "/proc/self/exe";
		r = offset_of_own(c->sys, (uintptr_t)t->at, &p.at, e);
		r = r ? r : open_probe(c, &p, 0, -1, e);
		return r && !e->code ? err_set(e, -r, "cannot probe a function of our own: %s", err_name(-r)) : r;
	}
	for (size_t i = 0; r && i < ARRAY_SIZE(calls) && !e->code; i++) {
		p.name = calls[i];
		r = open_probe(c, &p, 0, -1, e);
	}
	return r && !e->code ? err_set(e, -r, "cannot probe a system call of our own: %s", err_name(-r)) : r;
}

/* The minimum over many rounds: on a busy machine some short ones run undisturbed. */
struct took {
	uint64_t ns, metered;
};

static uint64_t meter_now(const struct counters *meter)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < meter->v.n; i++)
		sum += count_of(meter->sys, meter->v.v[i].fd);
	return sum;
}

static struct took fastest(const struct counters *meter, const struct trial *t)
{
	const struct sys *sys = meter->sys;
	struct took least = { UINT64_MAX, UINT64_MAX };

	for (unsigned i = 0; i < ROUNDS; i++) {
		uint64_t metered = meter_now(meter), start = sys->now(sys, CLOCK_MONOTONIC);

		for (unsigned call = 0; call < CALLS; call++)
			t->work(sys);

		uint64_t took = sys->now(sys, CLOCK_MONOTONIC) - start;

		metered = meter_now(meter) - metered;
		least = (struct took){ MIN(least.ns, took), MIN(least.metered, metered) };
	}
	return least;
}

static int measure(struct hit_cost *cost, const struct counters *meter, const struct trial *t, struct err *e)
{
	struct counters c = { .sys = meter->sys };
	struct took without = { UINT64_MAX, UINT64_MAX }, with = { 0 };
	uint64_t hits = 0;
	int r = 0;

	for (unsigned i = 0; i < TRIES && !r && (with.ns <= without.ns || hits < CALLS * ROUNDS); i++) {
		struct took least = fastest(meter, t);

		without = (struct took){ MIN(without.ns, least.ns), MIN(without.metered, least.metered) };
		r = open_own(&c, t, e);
		with = r ? with : fastest(meter, t);
		hits = r ? 0 : count_of(meter->sys, c.v.v[0].fd);
		close_all(&c);
	}
	if (r)
		return r;
	if (with.ns <= without.ns || hits < CALLS * ROUNDS)
		return err_set(e, EIO, "what a hit costs cannot be measured: hits of a probe of our own did not show");
	cost->ns = (double)(with.ns - without.ns) / CALLS;
	cost->metered = with.metered > without.metered ? (double)(with.metered - without.metered) / CALLS : 0;
	return 0;
}

static int open_meter(struct counters *c, const struct cost_meter *m)
{
	int r = 0;

	for (size_t i = 0; !r && i < m->n; i++) {
		struct perf_attr attr = base_attr();

		attr.type = m->events[i].attr.type;
		attr.config = m->events[i].attr.config;
		attr.flags = m->events[i].attr.flags & (PERF_ATTR_EXCLUDE_USER | PERF_ATTR_EXCLUDE_KERNEL |
							PERF_ATTR_EXCLUDE_HV | PERF_ATTR_EXCLUDE_GUEST);
		r = open_one(c, &attr, 0, -1);
	}
	return r;
}

bool cost_meter_counts(const struct sys *sys, const struct cost_meter *m)
{
	struct counters c = { .sys = sys };
	bool counts = !open_meter(&c, m);

	for (unsigned i = 0; i < CALLS; i++)
		stepped();
	counts &= meter_now(&c) > 0;
	close_all(&c);
	return counts;
}

int cost_of_hit(const struct sys *sys, enum probe_kind kind, const struct cost_meter *m, struct hit_cost *cost,
		struct err *e)
{
	struct counters meter = { .sys = sys };
	int r = open_meter(&meter, m);

	*e = (struct err){ 0 };
	r = r ? err_set(e, -r, "cannot count what a hit takes: %s", err_name(-r))
	      : measure(cost, &meter, &trials[kind], e);
	close_all(&meter);
	return r;
}

/* --- the trial --- */

static int open_all(struct counters *c, const struct subject *s, const struct definer *d, struct err *e)
{
	struct cpus cpus = { 0 };
	int r = sys_cpus_online(c->sys, &cpus, e);

	c->sys->raise_fd_limit(c->sys);
	for (size_t i = 0; !r && i < d->v.n && i < TRIAL_PLACES; i++) {
		struct perf_attr attr = base_attr();
		struct pmu_probe p = pmu_probe_of(s, &d->v.v[i]);

		r = pmu_probe_attr(&attr, c->sys, &p, e);
		for (int cpu = cpus_next(&cpus, 0); !r && cpu >= 0; cpu = cpus_next(&cpus, (unsigned)cpu + 1)) {
			r = open_one(c, &attr, -1, cpu);
			if (r)
				err_set(e, -r, "cannot count hits of %s: %s", d->v.v[i].func, err_name(-r));
		}
	}
	return r;
}

static void add_up(struct cost_report *r, const struct counters *c)
{
	for (size_t i = 0; i < c->v.n; i++) {
		uint64_t on_cpu = 0;
		bool first = true;

		for (size_t k = 0; k < c->v.n; k++) {
			if (c->v.v[k].cpu != c->v.v[i].cpu)
				continue;
			first &= k >= i;
			on_cpu += first ? count_of(c->sys, c->v.v[k].fd) : 0;
		}
		if (!first)
			continue;
		r->hits += on_cpu;
		if (on_cpu > r->busiest_hits || r->busiest_cpu < 0) {
			r->busiest_hits = on_cpu;
			r->busiest_cpu = c->v.v[i].cpu;
		}
	}
}

/* The kind at the first place; the other places are other functions, or inlined copies. */
static enum probe_kind kind_of(const struct subject *s, const struct definer *d, const struct sys *sys)
{
	if (s->is_kernel || !d->v.n)
		return PROBE_OF_KERNEL;
	return cost_kind_at(sys, s->program.code.path, d->v.v[0].file_offset, d->v.v[0].is_return);
}

int cost_trial(struct cost_report *report, const struct sys *sys, const struct subject *s, const struct definer *d,
	       struct err *e)
{
	struct counters c = { .sys = sys };
	struct hit_cost cost;
	uint64_t start;
	int r;

	*report = (struct cost_report){ .busiest_cpu = -1 };
	r = cost_of_hit(sys, kind_of(s, d, sys), &(struct cost_meter){ 0 }, &cost, e);
	if (r)
		return r;
	report->hit_ns = cost.ns;
	r = open_all(&c, s, d, e);
	if (!r) {
		/* Opening many events takes a while, during which the first ones count: reset all. */
		for (size_t i = 0; i < c.v.n; i++)
			sys->ioctl(sys, c.v.v[i].fd, PERF_IOC_RESET, 0);
		start = sys->now(sys, CLOCK_MONOTONIC);
		report->places = MIN(d->v.n, (size_t)TRIAL_PLACES);
		report->all_places = d->v.n;
		sys->poll(sys, NULL, 0, TRIAL_MS);
		report->window_ns = sys->now(sys, CLOCK_MONOTONIC) - start;
		add_up(report, &c);
	}
	close_all(&c);
	/* An upper bound: under load a hit takes less time than was measured. */
	if (!r)
		report->share = cost_share(&(struct cost_trial){ report->busiest_hits, report->window_ns,
								 report->hit_ns });
	report->share = MIN(report->share, 1);
	return r;
}

void cost_report_put(const struct cost_report *r, struct out *o)
{
	out_grouped(o, r->hits);
	out_printf(o, " hits in %llu ms", (unsigned long long)(r->window_ns / 1000000));
	if (r->places < r->all_places)
		out_printf(o, " at the first %zu of %zu places", r->places, r->all_places);
	if (r->hits) {
		out_printf(o, ", most of them on CPU %d (", r->busiest_cpu);
		out_grouped(o, r->busiest_hits);
		out_str(o, "):\n  about ");
		out_fixed(o, r->share * 100, 0, 1);
		out_str(o, " % of it at ");
		out_fixed(o, r->hit_ns / 1000, 0, 2);
		out_str(o, " us a hit");
	} else {
		out_str(o, "; a hit takes ");
		out_fixed(o, r->hit_ns / 1000, 0, 2);
		out_str(o, " us here");
	}
	out_char(o, '\n');
}
