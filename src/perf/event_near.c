/* event_near.c - errors for unknown names: similar names of all kinds, and lists of the valid ones. */
#include "perf/event_impl.h"

struct near {
	struct nearest nearest;
	struct arena *arena;
};

static bool same(const char *a, const char *b)
{
	return strlen(a) == strlen(b) && !str_distance(sv_from(a), sv_from(b), 1);
}

/* name is valid during this call only, so it is copied if it was taken. Names that differ in case only count once. */
static void near_feed(void *to, const char *name)
{
	struct near *n = to;
	struct nearest *best = &n->nearest;

	for (size_t i = 0; i < ARRAY_SIZE(best->name); i++) {
		if (best->name[i] && same(best->name[i], name))
			return;
	}
	nearest_feed(best, name);
	for (size_t i = 0; i < ARRAY_SIZE(best->name); i++) {
		if (best->name[i] == name)
			best->name[i] = arena_dup(n->arena, name, strlen(name));
	}
}

static void near_generic(struct near *n)
{
	static const unsigned kinds[] = { PERF_HARDWARE, PERF_SOFTWARE, PERF_HW_CACHE };

	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
		const char *name, *alias;

		for (size_t i = 0; (name = event_generic_name(kinds[k], i, &alias)); i++) {
			near_feed(n, name);
			if (alias)
				near_feed(n, alias);
		}
	}
}

static void near_pmu(struct near *n, struct event_parser *p, const struct pmu *pmu)
{
	struct arch_event_iter it = { .core = pmu->core };
	struct arch_event ev;

	if (!pmu_need(p->env->pmus, pmu, PMU_ALIASES, NULL)) {
		for (size_t i = 0; i < pmu->aliases.n; i++)
			near_feed(n, pmu->aliases.v[i].name);
	}
	while (pmu->kind == PMU_CORE && p->env->arch && p->env->arch->has_events && arch_event_next(&it, &ev))
		near_feed(n, ev.name);
}

int event_unknown(struct event_parser *p, struct sv name)
{
	struct near n = { .arena = &p->l->arena };
	size_t n_core = pmus_n_core(p->env->pmus);
	char text[120];

	nearest_init(&n.nearest, name);
	near_generic(&n);
	for (size_t i = 0; i < n_core; i++)
		near_pmu(&n, p, &p->env->pmus->list.v[i]);
	if (p->env->tracepoint_names && name.n >= 3)
		p->env->tracepoint_names(p->env->arg, near_feed, &n);
	nearest_text(&n.nearest, text, sizeof(text));
	return event_fail(p, ENOENT, name.s, "unknown event '%.*s'%s", (int)MIN(name.n, 60u), name.s,
			  !*text && sv_starts(name, "probe") ? ": 'sonde probe --add' defines probes" : text);
}

/* "a, b, c" as far as it fits, then "...". */
struct list_text {
	char text[200];
	size_t n;
};

static void list_add(struct list_text *l, const char *name)
{
	size_t left = sizeof(l->text) - l->n;
	int n = snprintf(l->text + l->n, left, "%s%s", l->n ? ", " : "", name);

	if (n < 0 || (size_t)n + 6 > left) {
		if (l->n && strcmp(l->text + l->n - 3, "..."))
			snprintf(l->text + l->n, left, ", ...");
		l->n += l->n && left > 5 ? 5 : 0;
		return;
	}
	l->n += (size_t)n;
}

/* Feed the name with and without its instance number: "arm_cmm" is meant to find "arm_cmn_0". */
static void near_pmu_name(struct near *n, const char *name)
{
	struct sv family = sv_from(name);
	char text[128];

	near_feed(n, name);
	while (family.n && memchr("0123456789_", family.s[family.n - 1], 11))
		family.n--;
	if (family.n && family.s[family.n] == '_' && str_copy(text, sizeof(text), family) < sizeof(text))
		near_feed(n, text);
}

int event_unknown_pmu(struct event_parser *p, struct sv name)
{
	struct near n = { .arena = &p->l->arena };
	struct list_text list = { 0 };
	char text[120];
	int r = pmus_list(p->env->pmus, p->e);

	if (r)
		return r;
	nearest_init(&n.nearest, name);
	for (size_t i = 0; i < p->env->pmus->list.n; i++) {
		near_pmu_name(&n, p->env->pmus->list.v[i].name);
		list_add(&list, p->env->pmus->list.v[i].name);
	}
	event_fail(p, ENOENT, name.s, "unknown PMU '%.*s'%s", (int)MIN(name.n, 60u), name.s,
		   nearest_text(&n.nearest, text, sizeof(text)));
	return err_hint(p->e, "this machine has: %s", list.n ? list.text : "none");
}

/* Suggest common terms and, with a PMU, the names in its format/ and events/. */
int event_unknown_term(struct event_parser *p, const struct pmu *pmu, struct sv name)
{
	static const char *const common[] = {
		"name=", "period=", "freq=", "call-graph=", "max-stack=", "inherit", "no-inherit", "percore",
	};
	struct near n = { .arena = &p->l->arena };
	struct list_text list = { 0 };
	char text[120];

	if (p->near == NEAR_SKIP)
		return event_fail(p, EINVAL, name.s, "unknown term");
	nearest_init(&n.nearest, name);
	if (pmu)
		near_pmu(&n, p, pmu);
	if (pmu && !pmu_need(p->env->pmus, pmu, PMU_TERMS, NULL)) {
		for (size_t i = 0; i < pmu->terms.n; i++) {
			near_feed(&n, pmu->terms.v[i].name);
			list_add(&list, pmu->terms.v[i].name);
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(common); i++) {
		near_feed(&n, common[i]);
		list_add(&list, common[i]);
	}
	event_fail(p, EINVAL, name.s, "%s%s has no event or term '%.*s'%s", pmu ? "PMU " : "",
		   pmu ? pmu->name : "this event", (int)MIN(name.n, 60u), name.s,
		   nearest_text(&n.nearest, text, sizeof(text)));
	return err_hint(p->e, "terms: %s", list.text);
}
