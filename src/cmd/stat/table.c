/* table.c - sums counters over CPUs, cores, threads ... into the cells of a table. */
#include "cmd/stat/table.h"

#include "machine/places.h"

#define EXCLUDES (PERF_ATTR_EXCLUDE_USER | PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_HV | PERF_ATTR_EXCLUDE_HOST)

struct cpu_place stat_place(const struct stat_table *t, const struct sys *s, int cpu)
{
	struct cpu_place p = { 0 };

	if (!t->places)
		cpu_place_read(&p, s, cpu);
	else if ((size_t)cpu < t->places->v.n)
		p = t->places->v.v[cpu];
	return p;
}

/* Set a key's id and label. All CPUs of the same core, die, socket ... get the same id. */
static void key_of_cpu(struct stat_key *k, const struct stat_table *t, const struct sys *s, int cpu)
{
	enum stat_by by = t->by;
	struct cpu_place p = by == STAT_BY_ALL || by == STAT_BY_CPU ? (struct cpu_place){ 0 } : stat_place(t, s, cpu);
	unsigned socket = p.socket, die = by == STAT_BY_SOCKET ? 0 : p.die;
	unsigned part = by == STAT_BY_CORE ? p.core : by == STAT_BY_CLUSTER ? p.cluster : 0;

	if (by == STAT_BY_ALL)
		return;
	if (by == STAT_BY_CPU || by == STAT_BY_NODE) {
		unsigned v = by == STAT_BY_CPU ? (unsigned)cpu : p.node;

		k->id = v;
		snprintf(k->label, sizeof(k->label), by == STAT_BY_CPU ? "%u" : "N%u", v);
		return;
	}
	k->id = (uint64_t)socket << 40 | (uint64_t)die << 20 | part;
	if (by == STAT_BY_SOCKET)
		snprintf(k->label, sizeof(k->label), "S%u", socket);
	else if (by == STAT_BY_DIE)
		snprintf(k->label, sizeof(k->label), "S%u-D%u", socket, die);
	else
		snprintf(k->label, sizeof(k->label), by == STAT_BY_CORE ? "S%u-D%u-C%u" : "S%u-D%u-CLS%u", socket, die,
			 part);
	if (by == STAT_BY_CACHE)
		stat_key_of_cache(k, t, s, cpu);
}

static int compare_keys(const void *a, const void *b)
{
	uint64_t x = ((const struct stat_key *)a)->id, y = ((const struct stat_key *)b)->id;

	return x < y ? -1 : x > y;
}

static size_t find_key(const struct stat_table *t, uint64_t id)
{
	size_t i = 0;

	while (i < t->keys.n && t->keys.v[i].id != id)
		i++;
	return i;
}

static void each_cpu(struct stat_table *t, const struct counters *c, int *failed, int pass)
{
	for (size_t i = 0; i < c->slots.n && !*failed; i++) {
		int cpu = c->slots.v[i].cpu;
		struct stat_key k = { 0 }, *slot;

		if (cpu < 0 || cpu >= CPUS_MAX)
			continue;
		/* Pass 0 sets it from 0 to UINT16_MAX, pass 1 to the index of the key + 1. */
		if (t->key_of_cpu[cpu] && (pass == 0 || t->key_of_cpu[cpu] != UINT16_MAX))
			continue;
		key_of_cpu(&k, t, c->sys, cpu);
		if (pass == 1) {
			t->key_of_cpu[cpu] = (uint16_t)(find_key(t, k.id) + 1);
			continue;
		}
		t->key_of_cpu[cpu] = UINT16_MAX;
		if (find_key(t, k.id) < t->keys.n)
			continue;
		slot = vec_add(&t->keys);
		if (slot)
			*slot = k;
		else
			*failed = -ENOMEM;
	}
}

static void name_thread(struct stat_key *k, const char *comm)
{
	snprintf(k->label, sizeof(k->label), "%.15s", comm);
	for (char *p = k->label; *p; p++)
		if ((uint8_t)*p < ' ' || *p == 0x7f)
			*p = '?';
}

/* A key for each thread of the recording, or else of the target. */
static int make_thread_keys(struct stat_table *t, const struct counters *c, const struct stat_sum *sum,
			    const struct target *target)
{
	for (size_t i = 0; i < (sum->threads ? sum->n_threads : target->tids.n); i++) {
		struct stat_key *k = vec_add(&t->keys);
		char comm[32];

		if (!k)
			return -ENOMEM;
		k->id = i;
		k->tid = sum->threads ? (int)sum->threads[i].tid : target->tids.v[i];
		if (!sum->threads && sys_read_line(c->sys, comm, sizeof(comm), "/proc/%d/comm", k->tid) <= 0)
			comm[0] = '\0';
		name_thread(k, sum->threads ? sum->threads[i].comm : comm);
	}
	return 0;
}

static int make_keys(struct stat_table *t, const struct counters *c, const struct stat_sum *sum,
		     const struct target *target)
{
	int r = 0;

	t->key_of_cpu = calloc(CPUS_MAX, sizeof(*t->key_of_cpu));
	if (!t->key_of_cpu)
		return -ENOMEM;
	if (t->by == STAT_BY_THREAD)
		return make_thread_keys(t, c, sum, target);
	if (t->by != STAT_BY_ALL) {
		each_cpu(t, c, &r, 0);
		if (t->keys.n)
			qsort(t->keys.v, t->keys.n, sizeof(*t->keys.v), compare_keys);
		each_cpu(t, c, &r, 1);
		if (t->by == STAT_BY_CPU)
			stat_percore_keys(t, c->sys);
		return r;
	}
	return vec_add(&t->keys) ? 0 : -ENOMEM;
}

/* Is the counter one of an uncore PMU's instances? Their counts are merged, unless --no-merge was given. */
static bool is_unit(const struct counter *k)
{
	return k->ev->pmu && k->ev->pmu->kind == PMU_UNCORE;
}

/* A sum of instances gets the event's name as it was typed. */
static const char *name_of(const struct counter *k, enum stat_merge merge)
{
	bool is_sum = is_unit(k) && merge == STAT_MERGE && k->ev->typed && !(k->ev->set & EVENT_SET_NAME);

	return is_sum ? k->ev->typed : k->ev->name;
}

static void name_row(struct stat_row *row, const struct counter *k, enum stat_merge merge)
{
	const char *name = name_of(k, merge), *suffix = counter_suffix(k, name);

	if (is_unit(k) && merge == STAT_NO_MERGE && !sv_starts(sv_from(name), k->ev->pmu->name))
		snprintf(row->name, sizeof(row->name), "%s%s [%s]", name, suffix, k->ev->pmu->name);
	else
		snprintf(row->name, sizeof(row->name), "%s%s", name, suffix);
}

static uint64_t pmu_of(const struct counter *k)
{
	if (k->ev->pmu)
		return k->ev->pmu->type;
	return k->attr.type == PERF_HARDWARE || k->attr.type == PERF_HW_CACHE ? k->attr.config >> 32 : 0;
}

static size_t merged_into(const struct stat_table *t, const struct counter *k, enum stat_merge merge)
{
	size_t i = 0;

	if (merge == STAT_NO_MERGE || !is_unit(k))
		return t->rows.n;
	for (; i < t->rows.n; i++) {
		const struct event *ev = t->rows.v[i].ev;

		if (ev->alternative == k->ev->alternative && t->rows.v[i].cgroup == k->cgroup && ev->pmu &&
		    ev->pmu->kind == PMU_UNCORE)
			break;
	}
	return i;
}

static int make_rows(struct stat_table *t, const struct counters *c, enum stat_merge merge)
{
	t->row_of = calloc(c->list.n + 1, sizeof(*t->row_of));
	if (!t->row_of)
		return -ENOMEM;
	for (size_t i = 0; i < c->list.n; i++) {
		const struct counter *k = &c->list.v[i];
		size_t at = merged_into(t, k, merge);
		struct stat_row *row = at < t->rows.n ? &t->rows.v[at] : vec_add(&t->rows);

		if (!row)
			return -ENOMEM;
		t->row_of[i] = (unsigned)(row - t->rows.v);
		/* One instance that counts is enough for the row. */
		if (row->ev && row->state == COUNTER_OPEN)
			continue;
		row->ev = k->ev;
		row->cgroup = k->cgroup;
		row->state = k->state;
		row->group = k->leader;
		row->role = derived_role(k->attr.type, k->attr.config);
		row->context = (k->attr.flags & EXCLUDES) ^ (uintptr_t)k->cgroup;
		row->pmu = pmu_of(k);
		name_row(row, k, merge);
	}
	return 0;
}

int stat_table_init(struct stat_table *t, const struct stat_sum *sum, const struct counters *c,
		    const struct target *target, struct err *e)
{
	*t = (struct stat_table){ .by = sum->by, .cache_level = sum->cache_level, .places = sum->places };

	int r = make_keys(t, c, sum, target);

	t->places = NULL;
	if (!r)
		r = make_rows(t, c, sum->merge);
	if (!r) {
		t->cells = calloc(t->rows.n * t->keys.n + 1, sizeof(*t->cells));
		t->counts = calloc(t->rows.n + 1, sizeof(*t->counts));
	}
	if (r || !t->cells || !t->counts) {
		stat_table_deinit(t);
		return err_nomem(e);
	}
	return 0;
}

void stat_table_deinit(struct stat_table *t)
{
	vec_free(&t->keys);
	vec_free(&t->rows);
	free(t->cells);
	free(t->row_of);
	free(t->key_of_cpu);
	free(t->counts);
	*t = (struct stat_table){ 0 };
}

struct stat_cell *stat_table_cell(const struct stat_table *t, size_t key, size_t row)
{
	return &t->cells[key * t->rows.n + row];
}

bool stat_cell_counted(const struct stat_cell *c)
{
	return c->enabled > 0 && c->running > 0;
}

bool stat_cell_range(const struct stat_cell *c, double *least, double *most)
{
	/* 95 % of the values lie within two standard deviations. */
	double spread = 2 * stats_root(c->doubt.variance);

	*least = MAX(c->value - c->doubt.less - spread, c->doubt.counted);
	*most = c->value + c->doubt.more + spread;
	return !c->doubt.no_end;
}

static void add_doubt(struct counter_doubt *to, const struct counter_doubt *d, double scale)
{
	to->counted += d->counted * scale;
	to->less += d->less * scale;
	to->more += d->more * scale;
	to->variance += d->variance * scale * scale;
	to->no_end |= d->no_end;
}

static size_t key_of(const struct stat_table *t, const struct counter_slot *s)
{
	size_t key = 0;

	if (t->by == STAT_BY_THREAD)
		key = s->place;
	else if (t->by != STAT_BY_ALL && s->cpu >= 0 && s->cpu < CPUS_MAX && t->key_of_cpu[s->cpu])
		key = t->key_of_cpu[s->cpu] - 1u;
	return key < t->keys.n ? key : 0;
}

void stat_table_fill(struct stat_table *t, const struct counters *c)
{
	for (size_t i = 0; i < t->rows.n * t->keys.n; i++) {
		struct stat_cell *cell = &t->cells[i];

		cell->value = cell->enabled = cell->running = 0;
		cell->n = 0;
		cell->doubt = (struct counter_doubt){ 0 };
		cell->estimated = false;
	}
	for (size_t i = 0; i < c->list.n; i++) {
		const struct counter *k = &c->list.v[i];

		for (size_t j = 0; j < k->n && t->keys.n; j++) {
			const struct counter_slot *s = &c->slots.v[k->first + j];
			struct stat_cell *cell = stat_table_cell(t, key_of(t, s), t->row_of[i]);
			struct counter_value v = counters_value(c, k, j);
			struct counter_doubt d;

			cell->used = true;
			cell->n += s->fd >= 0 || s->paused || k->ev->tool || c->recorded;
			cell->value += (double)v.value * k->ev->scale;
			cell->enabled += (double)v.enabled;
			cell->running += (double)v.running;
			if (counters_doubt(c, k, j, &d)) {
				cell->estimated = true;
				add_doubt(&cell->doubt, &d, k->ev->scale);
			}
		}
	}
	stat_percore_sums(t);
}

void stat_table_add_run(struct stat_table *t)
{
	for (size_t i = 0; i < t->rows.n * t->keys.n; i++) {
		struct stat_cell *cell = &t->cells[i];

		stats_add(&cell->runs, cell->value);
		cell->sum_enabled += cell->enabled;
		cell->sum_running += cell->running;
		add_doubt(&cell->sum_doubt, &cell->doubt, 1);
	}
}

void stat_table_means(struct stat_table *t)
{
	for (size_t i = 0; i < t->rows.n * t->keys.n; i++) {
		struct stat_cell *cell = &t->cells[i];
		double n = (double)cell->runs.n;

		if (!cell->runs.n)
			continue;
		cell->value = cell->runs.mean;
		cell->enabled = cell->sum_enabled / n;
		cell->running = cell->sum_running / n;
		cell->doubt = (struct counter_doubt){ 0 };
		add_doubt(&cell->doubt, &cell->sum_doubt, 1 / n);
	}
}

void stat_table_relate(struct stat_table *t, size_t key)
{
	for (size_t i = 0; i < t->rows.n; i++) {
		const struct stat_row *row = &t->rows.v[i];
		const struct stat_cell *cell = stat_table_cell(t, key, i);

		t->counts[i] = (struct derived_count){
			.role = row->role,
			.counted = stat_cell_counted(cell),
			/* Clocks are shown in ms, but metrics are computed from ns. */
			.value = row->role == DERIVED_CLOCK &&
				row->ev->scale > 0 ? cell->value / row->ev->scale : cell->value,
			.context = row->context,
			.pmu = row->pmu,
			.group = row->group,
		};
	}
}
