/* events.c - the events of a counting run. */
#include "cmd/stat/events.h"

#include "cmd/stat/metric.h"

#include <strings.h>

static const char default_events[] =
	"context-switches,cpu-migrations,page-faults,cycles,instructions,branches,branch-misses";

static const char *const details[] = {
	"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
	"L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,iTLB-load-misses",
	"L1-dcache-prefetches,L1-dcache-prefetch-misses",
};

/* perf's names for shares of issue slots; any of them selects all four shares. */
static const char *const topdown_names[] = {
	"topdown", "topdownl1", "frontend_bound", "backend_bound", "retiring", "bad_speculation",
};

static bool is_called(struct sv name, const char *known)
{
	return known && strlen(known) == name.n && !strncasecmp(known, name.s, name.n);
}

static bool is_topdown(struct sv name)
{
	for (size_t i = 0; i < ARRAY_SIZE(topdown_names); i++)
		if (is_called(name, topdown_names[i]))
			return true;
	return false;
}

static int unknown_metric(struct sv name, struct err *e)
{
	const struct arm_metric *m;
	struct nearest near;
	struct mem_out all;
	char text[160];

	nearest_init(&near, name);
	nearest_feed(&near, topdown_names[0]);
	for (size_t i = 0; (m = stat_metric_at(i)); i++)
		nearest_feed(&near, m->name);
	err_set(e, EINVAL, "unknown metric '%.*s'%s", (int)MIN(name.n, 60u), name.s, nearest_text(&near, text,
												  sizeof(text)));
	mem_out_init(&all);
	out_str(&all.out, topdown_names[0]);
	for (size_t i = 0; (m = arm_metric_at(i)); i++)
		out_printf(&all.out, " %s", m->name);
	err_hint(e, "known: %s%s", mem_out_str(&all), stat_metric_others);
	mem_out_deinit(&all);
	return -EINVAL;
}

/* The PMU's own name of a raw event, in lower case as in sysfs, or "rNUMBER" if it is unknown. */
static void raw_name(const struct pmu *pmu, uint16_t raw, char *buf, size_t size)
{
	const char *name = arch_event_name(pmu->core, raw);

	if (!name) {
		snprintf(buf, size, "r%x", raw);
		return;
	}
	str_copy(buf, size, sv_from(name));
	for (char *c = buf; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c |= 0x20;
}

/* Does the core implement the plan's events? Those below 0x40 are in sysfs (events/) only if it does (PMCEID). */
static bool implements(const struct event_env *env, const struct pmu *pmu, const struct topdown_plan *plan)
{
	for (size_t i = 0; i < plan->n; i++) {
		char name[64];

		raw_name(pmu, plan->event[i], name, sizeof(name));
		if (plan->event[i] < 0x40 && !pmu_alias_find(env->pmus, pmu, sv_from(name)))
			return false;
	}
	return true;
}

/* Add the events as one group {pmu/config=..,name=../,...}, so that all are counted at the same time. */
static int add_group(struct stat_events *s, const struct event_env *env, const struct pmu *pmu, struct stat_metric *m,
		     const uint16_t *raw, struct err *e)
{
	struct mem_out text;
	char name[64];

	m->first = s->list.v.n;
	mem_out_init(&text);
	out_char(&text.out, '{');
	for (size_t i = 0; i < m->n; i++) {
		raw_name(pmu, raw[i], name, sizeof(name));
		out_printf(&text.out, "%s%s/config=0x%x,name=%s/", i ? "," : "", pmu->name, raw[i], name);
	}
	out_char(&text.out, '}');

	int r = event_parse(&s->list, mem_out_str(&text), env, e);

	mem_out_deinit(&text);
	if (!r && s->list.v.n != m->first + m->n)
		return err_set(e, EINVAL, "metric events of PMU %s could not be placed", pmu->name);
	return r;
}

static int add_metric(struct stat_events *s, const struct event_env *env, const struct pmu *pmu,
		      const struct arm_metric *ratio, struct err *e)
{
	struct stat_metric *slot, m = {
		.ratio = ratio, .slots = pmu->slots, .pmu = pmus_n_core(env->pmus) > 1 ? pmu->name : NULL,
	};
	uint16_t raw[TOPDOWN_EVENTS_MAX];
	int r;

	if (ratio) {
		m.n = stat_metric_events(ratio, raw);
	} else {
		m.plan = topdown_choose(pmu->midr, pmu->slots);
		if (!implements(env, pmu, &m.plan))
			m.plan = topdown_stalls();
		m.n = m.plan.n;
		memcpy(raw, m.plan.event, sizeof(raw));
	}
	r = add_group(s, env, pmu, &m, raw, e);
	if (r)
		return r;
	slot = vec_add(&s->metrics);
	if (!slot)
		return err_nomem(e);
	*slot = m;
	return 0;
}

/* Add a metric once for each type of core that can count it. *added is increased by their number. */
static int add_on_cores(struct stat_events *s, const struct event_env *env, const struct arm_metric *ratio,
			size_t *added, struct err *e)
{
	size_t n_core = pmus_n_core(env->pmus);

	for (size_t i = 0; i < n_core; i++) {
		const struct pmu *pmu = &env->pmus->list.v[i];
		int r = pmu_need(env->pmus, pmu, PMU_BASE, e);

		/* Event numbers are PMUv3's: not those of x86's PMU, which is called cpu, or of Apple's. */
		if (r || strncmp(pmu->name, "arm", 3))
			continue;
		r = add_metric(s, env, pmu, ratio, e);
		if (r)
			return r;
		(*added)++;
	}
	return 0;
}

/* Does the name select metric i, or a group with it? Metric 0 is top-down, the others are ratios. */
static bool is_meant(struct sv name, size_t i, const struct arm_metric *ratio)
{
	if (!i)
		return is_topdown(name);
	return is_called(name, ratio->name) || is_called(name, ratio->alias) || stat_metric_in_group(i - 1, name);
}

/* Add the metric of this name, or all metrics of this group. */
static int add_metrics(struct stat_events *s, const struct event_env *env, struct sv name, struct err *e)
{
	const struct arm_metric *ratio = NULL;
	size_t added = 0;
	bool known = false;
	int r = 0;

	for (size_t i = 0; !r && (!i || (ratio = stat_metric_at(i - 1))); i++) {
		if (!is_meant(name, i, ratio))
			continue;
		known = true;
		r = add_on_cores(s, env, ratio, &added, e);
	}
	if (r || added)
		return r;
	if (!known)
		return unknown_metric(name, e);
	err_set(e, ENODEV, "metric %.*s: not supported: this machine shows no arm64 core PMU", (int)MIN(name.n,
													60u), name.s);
	return err_hint(e,
			"without metrics, stat shows instructions per cycle and miss rates where they can be counted");
}

static int add_lists(struct stat_events *s, const struct stat_events_want *w, const struct event_env *env,
		     struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < w->events->n; i++) {
		size_t from = s->list.v.n;

		r = event_parse(&s->list, w->events->v[i], env, e);
		r = r ? r : event_filter(&s->list, from, w->filters[i], e);
	}
	for (size_t i = 0; !r && i < w->metrics->n; i++) {
		struct sv rest = sv_from(w->metrics->v[i]), name;

		while (!r && sv_cut(&rest, ',', &name))
			r = add_metrics(s, env, sv_trim(name), e);
	}
	return r;
}

int stat_events_init(struct stat_events *s, const struct stat_events_want *w, const struct event_env *env,
		     struct err *e)
{
	*s = (struct stat_events){ 0 };

	int r = add_lists(s, w, env, e);

	if (!r && !w->events->n && !w->metrics->n) {
		r = event_parse(&s->list, w->clock == STAT_CPU_CLOCK ? "cpu-clock" : "task-clock", env, e);
		if (!r)
			r = event_parse(&s->list, default_events, env, e);
	}
	for (size_t i = 0; !r && i < MIN(w->detail, ARRAY_SIZE(details)); i++)
		r = event_parse(&s->list, details[i], env, e);
	event_exclude(&s->list, w->sides);
	if (r)
		stat_events_deinit(s);
	return r;
}

void stat_events_deinit(struct stat_events *s)
{
	event_list_deinit(&s->list);
	vec_free(&s->metrics);
}
