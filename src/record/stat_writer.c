/*
 * stat_writer.c - the records of perf 6.1, in its order: units and scales, threads, CPUs, aggregation mode; then rounds
 * of counts; the kernel's map, without which perf before 4.6 complains; the end. In pipe mode attributes are records,
 * and there are no features about the machine.
 */
#include "record/stat_writer.h"

#include "machine/facts.h"
#include "machine/places.h"
#include "record/synth.h"

/* Ids of counters without one from the kernel: times of the run, and events whose group was refused. */
#define MADE_UP_ID (UINT64_C(1) << 62)

static int to_sink(void *arg, const char *bytes, size_t n)
{
	struct stat_writer *w = arg;
	struct bytes piece = { (const uint8_t *)bytes, n };

	return sink_write(&w->sink, &piece, 1, NULL);
}

int stat_writer_open(struct stat_writer *w, const struct sys *sys, const char *path, struct err *e)
{
	*w = (struct stat_writer){ .sys = sys };
	w->out = (struct out){ .write = to_sink, .arg = w, .buf = w->buf, .cap = sizeof(w->buf) };
	return sink_open(&w->sink, sys, path, e);
}

/* --- events --- */

static uint64_t slot_id(const struct stat_writer *w, size_t slot)
{
	const struct counter_slot *s = &w->counters->slots.v[slot];
	uint64_t id;

	if (s->fd >= 0 && w->sys->ioctl(w->sys, s->fd, PERF_IOC_ID, (uintptr_t)&id) >= 0)
		return id;
	return MADE_UP_ID + slot;
}

/* The name as it was counted: perf appends ":u" if the kernel side had to be excluded. */
static const char *full_name(struct stat_writer *w, const struct counter *k)
{
	char name[256];
	int n = snprintf(name, sizeof(name), "%s%s", k->ev->name, counter_suffix(k, k->ev->name));

	return arena_dup(&w->names, name, MIN((size_t)n, sizeof(name) - 1));
}

/* Collect events and ids. An event that is not supported has no ids, by which readers recognise it. */
static int collect_events(struct stat_writer *w)
{
	const struct counters *c = w->counters;

	w->events = calloc(c->list.n + 1, sizeof(*w->events));
	w->ids = calloc(c->slots.n + 1, sizeof(*w->ids));
	if (!w->events || !w->ids)
		return -ENOMEM;
	for (size_t i = 0; i < c->slots.n; i++)
		w->ids[i] = slot_id(w, i);
	for (size_t i = 0; i < c->list.n; i++) {
		const struct counter *k = &c->list.v[i];

		w->events[i] = (struct perf_write_event){
			.attr = k->attr, .ids = w->ids + k->first,
			.n_ids = k->state == COUNTER_UNSUPPORTED ? 0 : k->n,
			.name = full_name(w, k), .group_leader = k->leader,
		};
		/* There are no samples, but readers require IDENTIFIER to use ids. */
		w->events[i].attr.sample_type = PERF_SAMPLE_IDENTIFIER;
		if (!w->events[i].name)
			return -ENOMEM;
	}
	return 0;
}

/* --- records before the counts --- */

/* Get the CPUs on which the event is counted. False: these are all CPUs of the target, or the target is tasks. */
static bool own_cpus(const struct counters *c, const struct counter *k, const struct target *t, struct cpus *cpus)
{
	*cpus = (struct cpus){ 0 };
	for (size_t i = 0; i < k->n; i++)
		if (c->slots.v[k->first + i].cpu >= 0)
			cpus_set(cpus, (unsigned)c->slots.v[k->first + i].cpu);
	return t->kind == TARGET_CPUS && memcmp(cpus, &t->cpus, sizeof(*cpus));
}

static void put_event_facts(struct stat_writer *w, const struct target *t)
{
	for (size_t i = 0; i < w->counters->list.n; i++) {
		const struct counter *k = &w->counters->list.v[i];
		const struct perf_write_event *ev = &w->events[i];
		struct cpus cpus;

		if (!ev->n_ids)
			continue;
		if (*k->ev->unit)
			perf_write_update_text(&w->out, PERF_UPDATE_UNIT, ev->ids[0], k->ev->unit);
		if (k->ev->scale < 1 || k->ev->scale > 1)
			perf_write_update_scale(&w->out, ev->ids[0], k->ev->scale);
		if (own_cpus(w->counters, k, t, &cpus))
			perf_write_update_cpus(&w->out, ev->ids[0], &cpus);
		if (w->sink.pipe)
			perf_write_update_text(&w->out, PERF_UPDATE_NAME, ev->ids[0], ev->name);
	}
}

static int put_threads(struct stat_writer *w, const struct stat_writer_want *want, struct err *e)
{
	const struct target *t = want->target;
	struct perf_stat_thread one = { .tid = t->kind == TARGET_COMMAND ? (uint64_t)want->tid : UINT64_MAX }, *v;

	if (t->kind != TARGET_TASKS) {
		perf_write_threads(&w->out, &one, 1);
		return 0;
	}
	if (t->tids.n > PERF_THREADS_MAX) {
		err_set(e, E2BIG, "%zu threads are more than a recording of counts can name", t->tids.n);
		return err_hint(e, "name fewer with -t, or record CPUs with -a");
	}
	v = calloc(t->tids.n + 1, sizeof(*v));
	if (!v)
		return err_nomem(e);
	for (size_t i = 0; i < t->tids.n; i++) {
		v[i].tid = (uint64_t)t->tids.v[i];
		if (sys_read_line(w->sys, v[i].comm, sizeof(v[i].comm), "/proc/%d/comm", t->tids.v[i]) <= 0)
			v[i].comm[0] = '\0';
	}
	perf_write_threads(&w->out, v, t->tids.n);
	free(v);
	return 0;
}

static void put_head(struct stat_writer *w)
{
	size_t n = w->n_events;

	w->data_off = perf_write_data_off(w->events, n);
	if (!w->sink.pipe) {
		perf_write_header(&w->out, w->events, n);
		return;
	}
	perf_write_pipe(&w->out);
	for (size_t i = 0; i < n; i++)
		perf_write_attr(&w->out, &w->events[i]);
}

int stat_writer_begin(struct stat_writer *w, const struct stat_writer_want *want, struct err *e)
{
	const struct target *t = want->target;
	int r;

	w->counters = want->counters;
	w->n_events = w->counters->list.n;
	if (collect_events(w))
		return err_nomem(e);
	put_head(w);
	put_event_facts(w, t);
	r = put_threads(w, want, e);
	perf_write_cpus(&w->out, t->kind == TARGET_CPUS ? &t->cpus : NULL);
	perf_write_stat_config(&w->out, want->sums, want->interval_ms);
	return r;
}

/* --- counts --- */

static void put_counts(struct stat_writer *w, size_t event)
{
	const struct counters *c = w->counters;
	const struct counter *k = &c->list.v[event];

	for (size_t i = 0; i < w->events[event].n_ids; i++) {
		const struct counter_slot *s = &c->slots.v[k->first + i];

		perf_write_stat(&w->out, &(struct perf_stat_count){
			.id = w->ids[k->first + i], .cpu = s->cpu, .thread = s->place,
			.value = s->now.value, .enabled = s->now.enabled, .running = s->now.running,
		});
	}
}

void stat_writer_round(struct stat_writer *w, enum perf_stat_round what, uint64_t ns)
{
	struct synth kernel = { .sys = w->sys, .out = &w->out };

	for (size_t i = 0; i < w->counters->list.n; i++)
		put_counts(w, i);
	if (what == PERF_STAT_FINAL)
		synth_kernel_text(&kernel);
	perf_write_stat_round(&w->out, what, ns);
	out_flush(&w->out);
	sink_mark(&w->sink);
}

/* --- the end --- */

static int collect_facts(struct stat_writer *w, struct feature_set *f, int argc, char **argv)
{
	facts_collect(f, w->sys, "sonde");
	feature_strings(f, PERF_FEAT_CMDLINE, (const char *const *)argv, (size_t)argc);
	feature_events(f, w->events, w->n_events);
	feature_groups(f, w->events, w->n_events);
	feature_raw(f, PERF_FEAT_STAT, (struct bytes){ (const uint8_t *)"", 0 });
	return facts_places(f, w->sys);
}

static int write_end(struct stat_writer *w, int argc, char **argv, struct err *e)
{
	struct perf_write_end end = { .data_size = w->sink.pos - w->data_off };
	uint8_t head[PERF_WRITE_HEAD];
	struct feature_set facts;
	int r;

	feature_set_init(&facts);
	r = collect_facts(w, &facts, argc, argv);
	r = r ? r : feature_write_file(&facts, &w->out, w->sink.pos);
	out_flush(&w->out);
	memcpy(end.features, facts.bits, sizeof(end.features));
	feature_set_deinit(&facts);
	if (r || w->out.error)
		return r ? r : w->out.error;
	perf_write_head(head, w->events, w->n_events, &end);
	return sink_patch(&w->sink, 0, head, sizeof(head), e);
}

static void release(struct stat_writer *w)
{
	free(w->events);
	free(w->ids);
	arena_deinit(&w->names);
	w->events = NULL;
	w->ids = NULL;
}

int stat_writer_end(struct stat_writer *w, int argc, char **argv, struct err *e)
{
	int r;

	out_flush(&w->out);
	r = w->out.error;
	if (!r && !w->sink.pipe)
		r = write_end(w, argc, argv, e);
	if (r)
		err_set(e, -r, "cannot write %s: %s", w->sink.path, err_name(-r));
	sink_close(&w->sink);
	release(w);
	return r;
}

void stat_writer_discard(struct stat_writer *w)
{
	sink_discard(&w->sink);
	release(w);
}
