/* list_pmu.c - events and terms of the PMUs in sysfs, and the built-in tables of arm64 cores. */
#include "machine/list_parts.h"

#include <strings.h>

/* PMCEID, and therefore the kernel's list in sysfs, only covers these numbers. */
static bool discoverable(uint16_t config)
{
	return config < 0x40;
}

static bool pmu_has_event(struct lister *l, const struct pmu *p, const char *name)
{
	char text[64];

	lister_lower(text, sizeof(text), name);
	return pmu_alias_find(&l->pmus, p, sv_from(text));
}

bool lister_has_raw(struct lister *l, uint16_t config)
{
	const char *name = arch_event_name(NULL, config);

	for (size_t i = 0; name && i < pmus_n_core(&l->pmus); i++)
		if (pmu_has_event(l, &l->pmus.list.v[i], name))
			return true;
	return false;
}

/* Description of an event in the core's table. */
static const char *brief_of(const struct arch_core *core, const char *name)
{
	struct arch_event_iter it = { .core = core };
	struct arch_event ev;
	char text[64];

	while (arch_event_next(&it, &ev)) {
		lister_lower(text, sizeof(text), ev.name);
		if (!strcmp(text, name))
			return ev.brief;
	}
	return NULL;
}

static bool give_terms(struct lister *l, const struct pmu *p)
{
	char name[700], text[700];
	size_t n = (size_t)snprintf(name, sizeof(name), "%s/", p->name), at = 0;

	text[0] = '\0';
	for (size_t i = 0; i < p->terms.n && n < sizeof(name) - 1; i++) {
		const struct pmu_term *t = &p->terms.v[i];
		unsigned bits = pmu_term_bits(t);

		n += (size_t)snprintf(name + n, sizeof(name) - n, "%s%s=N", i ? "," : "", t->name);
		if (at < sizeof(text))
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s %u bit%s",
					       i ? ", " : "terms: ", t->name, bits, bits == 1 ? "" : "s");
	}
	if (!p->terms.n || n >= sizeof(name) - 1)
		return true;
	name[n++] = '/';
	name[n] = '\0';
	return lister_give(l, &(struct list_item){
		.kind = LIST_PMU, .group = p->name, .name = name, .text = text, .is_form = true,
	});
}

static bool give_alias(struct lister *l, const struct pmu *p, const struct pmu_alias *a)
{
	char name[300];

	snprintf(name, sizeof(name), "%s/%s/", p->name, a->name);
	return lister_give(l, &(struct list_item){
		.kind = LIST_PMU, .group = p->name, .name = name, .encoding = a->terms,
		.unit = a->unit && *a->unit ? a->unit : NULL,
		.text = p->kind == PMU_CORE && p->midr ? brief_of(p->core, a->name) : arch_uncore_name(p->name),
	});
}

static int by_name(const void *a, const void *b)
{
	const struct pmu_alias *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

/* Sort: events that were looked up one by one come first in the model. */
static bool give_pmu(struct lister *l, const struct pmu *p)
{
	const struct pmu_alias **sorted = calloc(p->aliases.n + 1, sizeof(*sorted));
	bool go_on = true;

	if (!sorted)
		return false;
	for (size_t i = 0; i < p->aliases.n; i++)
		sorted[i] = &p->aliases.v[i];
	qsort(sorted, p->aliases.n, sizeof(*sorted), by_name);
	for (size_t i = 0; go_on && i < p->aliases.n; i++)
		go_on = give_alias(l, p, sorted[i]);
	free(sorted);
	return go_on && give_terms(l, p);
}

void list_pmus(struct lister *l)
{
	if (pmus_list(&l->pmus, NULL))
		return;
	for (size_t i = 0; i < l->pmus.list.n; i++) {
		const struct pmu *p = &l->pmus.list.v[i];

		if (p->kind == PMU_SOFTWARE || !lister_wants_pmu(l, p) || pmu_need(&l->pmus, p, PMU_ALL, NULL))
			continue;
		if (!give_pmu(l, p))
			return;
	}
}

/* p: this machine's PMU of such cores, or NULL. */
static bool give_core(struct lister *l, const struct arch_core *core, const struct pmu *p)
{
	struct arch_event_iter it = { .core = core };
	struct arch_event ev;

	while (arch_event_next(&it, &ev)) {
		char name[64], encoding[32];
		enum list_there there = LIST_UNSURE;

		if (p && pmu_has_event(l, p, ev.name))
			there = LIST_THERE;
		else if (p && discoverable(ev.config))
			there = LIST_ABSENT;
		lister_lower(name, sizeof(name), ev.name);
		snprintf(encoding, sizeof(encoding), "r%x", ev.config);
		if (!lister_give(l, &(struct list_item){
			.kind = LIST_CORE, .there = there, .group = core->name, .name = name, .text = ev.brief,
			.encoding = encoding,
		}))
			return false;
	}
	return true;
}

static const struct pmu *pmu_of_core(struct lister *l, const struct arch_core *core)
{
	for (size_t i = 0; i < pmus_n_core(&l->pmus); i++) {
		const struct pmu *p = &l->pmus.list.v[i];

		if (lister_wants_pmu(l, p) && !pmu_need(&l->pmus, p, PMU_BASE, NULL) && p->core == core)
			return p;
	}
	return NULL;
}

bool list_core_named(const struct arch_core *core, const char *name)
{
	size_t n = strlen(name);

	/* "TSV110 (Kunpeng 920)" is also found as TSV110. */
	return !strncasecmp(core->name, name, n) && (!core->name[n] || core->name[n] == ' ');
}

void list_cores(struct lister *l)
{
	const struct arch_core *core;

	for (size_t i = 0; (core = arch_core_at(i)); i++) {
		const struct pmu *p = pmu_of_core(l, core);
		bool wanted = l->want->core ? list_core_named(core, l->want->core) : l->want->all_cores || p;

		if (wanted && !give_core(l, core, p))
			return;
	}
}
