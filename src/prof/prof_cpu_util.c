/* prof_cpu_util.c - sonde prof cpu-util: how each CPU's time is spent, by samples of a clock. */
#include "prof/prof.h"

struct want {
	struct prof_want prof;
	uint64_t freq;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Samples"),
	OPT_U64('F', "freq", struct want, freq, "<hz>", "samples per second and CPU (default: 1000)"),
	OPT_END,
};

enum { DEFAULT_FREQ = 1000, MOST_FREQ = 100000 };

enum mode { MODE_USER, MODE_SYS, MODE_GUEST, MODE_IDLE, MODES };

struct row {
	uint64_t n[MODES];
};

struct cpu_util {
	VEC(struct row) rows;            /* by CPU */
	uint64_t unknown;
};

static int prepare(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	const struct target_want *t = &w->prof.target;
	char text[64];

	if (prof_own_only(p, e))
		return -e->code;
	if (w->freq > MOST_FREQ)
		return err_set(e, EINVAL, "-F %llu: at most %d", (unsigned long long)w->freq, (int)MOST_FREQ);
	if (t->pids || t->tids) {
		err_set(e, EINVAL, "cpu-util looks at CPUs (-C): the clock of a task stands while it does not run");
		return err_hint(e, "sonde prof task-state says where a task's time goes");
	}
	snprintf(text, sizeof(text), "cpu-clock/freq=%llu/",
		 (unsigned long long)(w->freq ? w->freq : (uint64_t)DEFAULT_FREQ));
	return specs_add_event(&p->specs, text, e);
}

static enum mode mode_of(const struct hit *h)
{
	switch (h->sample->cpumode) {
	case PERF_MISC_GUEST_KERNEL:
	case PERF_MISC_GUEST_USER: return MODE_GUEST;
	case PERF_MISC_USER: return MODE_USER;
	default: return h->tid ? MODE_SYS : MODE_IDLE;
	}
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct cpu_util *c = p->own;

	if (h->cpu >= CPUS_MAX) {
		c->unknown++;
		return 0;
	}
	while (c->rows.n <= h->cpu)
		if (!vec_add(&c->rows))
			return -ENOMEM;
	c->rows.v[h->cpu].n[mode_of(h)]++;
	return 0;
}

static uint64_t samples(const struct row *r)
{
	uint64_t sum = 0;

	for (unsigned m = 0; m < MODES; m++)
		sum += r->n[m];
	return sum;
}

/* cpu UINT64_MAX: the sum. */
static void put_row(struct table *t, uint64_t cpu, bool is_text, const struct row *r)
{
	uint64_t all = samples(r);

	if (cpu < UINT64_MAX)
		table_u64(t, cpu);
	else if (is_text)
		table_str(t, "all");
	else
		table_none(t);
	table_u64(t, all);
	for (unsigned m = 0; m < MODES; m++)
		table_fixed(t, 100.0 * (double)r->n[m] / (double)all, 2);
}

static int show(struct prof *p, bool last UNUSED, struct out *o, struct err *e)
{
	static const struct table_col cols[] = {
		{ "CPU", "cpu", TABLE_RIGHT, 0 }, { "SAMPLES", "samples", TABLE_RIGHT, 0 },
		{ "USER%", "user_percent", TABLE_RIGHT, 0 }, { "SYS%", "sys_percent", TABLE_RIGHT, 0 },
		{ "GUEST%", "guest_percent", TABLE_RIGHT, 0 }, { "IDLE%", "idle_percent", TABLE_RIGHT, 0 },
	};
	struct cpu_util *c = p->own;
	struct table_want form = prof_table(p);
	struct table *t = table_new(cols, ARRAY_SIZE(cols));
	struct row all = { 0 };
	int r;

	for (size_t i = 0; t && i < c->rows.n; i++) {
		if (!samples(&c->rows.v[i]))
			continue;
		put_row(t, i, form.form == TABLE_TEXT, &c->rows.v[i]);
		for (unsigned m = 0; m < MODES; m++)
			all.n[m] += c->rows.v[i].n[m];
	}
	if (t && table_rows(t) > 1)
		put_row(t, UINT64_MAX, form.form == TABLE_TEXT, &all);
	prof_interval(p, o);
	r = t ? table_print(t, &form, o) : -ENOMEM;
	table_free(t);
	c->rows.n = 0;
	prof_count(p, o, c->unknown, "samples do not tell their CPU");
	c->unknown = 0;
	return r ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct cpu_util *c = p->own;

	vec_free(&c->rows);
}

DEFINE_PROF(cpu_util) = {
	.cmd = {
		.name = "cpu-util", .family = "prof",
		.brief = "Show CPU usage: user, kernel, guests, idle",
		.synopsis = "[-F <hz>] [options] [-- command [arguments]]",
		.details = PACKED(
			"Shares of the samples of a clock that also ticks on idle CPUs. With --exclude-user and the "
			"like shares are of the remaining samples. Interrupts of an idle CPU count as idle."),
		.examples = PACKED(
			"sonde prof cpu-util -C 1-4 -i 1000\tfour CPUs, every second\n"
			"sonde prof cpu-util -i perf.data\ta recording: record -e cpu-clock -a"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct cpu_util), .prepare = prepare, .hit = hit, .show = show, .close = close,
	.everywhere = true,
};
