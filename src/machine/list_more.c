/*
 * list_more.c - lists omitted from a board's sonde: tool events (times of a run); metrics of arm64 cores, and their
 * groups; a single PMU.
 */
#include "machine/list_parts.h"

#include "arch/aarch64/metric.h"
#include "base/map.h"
#include "perf/event.h"

static const char topdown_group[] = "TopdownL1";

/* Top-down metrics, which stat computes for each type of core: arch/aarch64/topdown.h. */
static const struct { const char *name, *brief; } topdown[] = {
	{ "frontend_bound", "issue slots (or cycles) without work from the frontend" },
	{ "backend_bound", "issue slots (or cycles) that the backend could not take" },
	{ "retiring", "issue slots whose work retires" },
	{ "bad_speculation", "issue slots of work on a wrong path" },
};

/* "BR_MIS_PRED_RETIRED / INST_RETIRED * 1000" */
static const char *formula(const struct arm_metric *m, char *buf, size_t size)
{
	const char *a = arch_event_name(NULL, m->a), *b = arch_event_name(NULL, m->b), *c = arch_event_name(NULL, m->c);
	size_t n;

	if (m->how == METRIC_PLUS || m->how == METRIC_MINUS)
		n = (size_t)snprintf(buf, size, "(%s %c %s) / %s", a, m->how == METRIC_PLUS ? '+' : '-', b, c);
	else
		n = (size_t)snprintf(buf, size, m->how == METRIC_SLOTS ? "%s / (%s * #slots)" : "%s / %s", a, c);
	if (m->scale > 1 && n < size)
		snprintf(buf + n, size - n, " * %u", m->scale);
	return buf;
}

static enum list_there there(struct lister *l, const struct arm_metric *m)
{
	uint16_t raw[METRIC_EVENTS_MAX];
	size_t n = arm_metric_events(m, raw), seen = 0;

	for (size_t i = 0; i < n; i++) {
		if (lister_has_raw(l, raw[i]))
			seen++;
		else if (raw[i] < 0x40 && !list_tables_only(l->want))
			return LIST_ABSENT;
	}
	return seen == n ? LIST_THERE : LIST_UNSURE;
}

static void give_metrics(struct lister *l)
{
	const struct arm_metric *m;
	bool go_on = true;

	for (size_t i = 0; go_on && i < ARRAY_SIZE(topdown); i++)
		go_on = lister_give(l, &(struct list_item){
			.kind = LIST_METRIC, .there = LIST_UNSURE, .name = topdown[i].name, .groups = topdown_group,
			.text = topdown[i].brief, .unit = "%",
		});
	for (size_t i = 0; go_on && (m = arm_metric_any(i)); i++) {
		char text[160];

		go_on = lister_give(l, &(struct list_item){
			.kind = LIST_METRIC, .there = there(l, m), .name = m->name, .unit = arm_metric_about(i)->unit,
			.text = arm_metric_about(i)->brief, .groups = arm_metric_about(i)->groups,
			.encoding = formula(m, text, sizeof(text)),
		});
	}
}

static void give_groups(struct lister *l)
{
	const struct arm_metric_about *about;
	struct names seen = { 0 };
	bool go_on = lister_give(l, &(struct list_item){
		.kind = LIST_METRICGROUP, .there = LIST_UNSURE, .name = topdown_group });

	for (size_t i = 0; go_on && (about = arm_metric_about(i)); i++) {
		struct sv rest = sv_from(about->groups), name;

		while (go_on && sv_cut(&rest, ';', &name)) {
			if (names_find(&seen, name.s, name.n) != NAMES_NONE)
				continue;

			uint32_t id = names_add(&seen, name.s, name.n);

			go_on = id != NAMES_NONE && lister_give(l, &(struct list_item){
				.kind = LIST_METRICGROUP, .there = LIST_UNSURE, .name = names_str(&seen, id) });
		}
	}
	names_deinit(&seen);
}

/* Metrics need a PMU of an arm64 core, either here or asked for. */
static bool has_core(struct lister *l)
{
	for (size_t i = 0; i < pmus_n_core(&l->pmus); i++)
		if (!strncmp(l->pmus.list.v[i].name, "arm", 3) && lister_wants_pmu(l, &l->pmus.list.v[i]))
			return true;
	return list_tables_only(l->want);
}

void list_metrics(struct lister *l)
{
	if (!has_core(l))
		return;
	give_metrics(l);
	give_groups(l);
}

/* Tool events: reported by stat without a counter. */
void list_tools(struct lister *l)
{
	const char *name;

	for (size_t i = 0; (name = event_tool_name(i)); i++)
		if (!lister_give(l, &(struct list_item){ .kind = LIST_TOOL, .name = name, .unit = "ns" }))
			return;
}

bool list_kind_fits(const struct list_want *w, enum list_kind kind)
{
	bool of_core = kind == LIST_CORE || kind == LIST_METRIC || kind == LIST_METRICGROUP;

	if (w->unit && kind != LIST_PMU && !of_core)
		return false;
	return of_core || !list_tables_only(w);
}

bool lister_wants_pmu(const struct lister *l, const struct pmu *p)
{
	return !l->want->unit || str_glob(l->want->unit, sv_from(p->name));
}

bool list_more_kind(const char *word, enum list_kind *kind)
{
	static const struct { const char *word; enum list_kind kind; } words[] = {
		{ "tool", LIST_TOOL }, { "metric", LIST_METRIC }, { "metrics", LIST_METRIC },
		{ "metricgroup", LIST_METRICGROUP }, { "metricgroups", LIST_METRICGROUP },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(word, words[i].word))
			continue;
		*kind = words[i].kind;
		return true;
	}
	return false;
}
