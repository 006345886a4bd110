#include "cmd/mem/record.h"

#include "cmd/view_command.h"

enum { USUAL_LATENCY = 30, SAMPLES_OF_ALL = MEM_LOADS | MEM_STORES };

/*
 * A kind of event, and the PMUs that have it: core PMUs with the event `alias`, or PMUs whose names begin with `pmu`.
 * In a text % stands for the PMU's name, # for the latency.
 */
struct kind {
	const char *tag;
	unsigned what;
	const char *pmu, *alias;     /* one of them is NULL */
	const char *text;
};

static const struct kind kinds[] = {
	{ "ldlat-loads", MEM_LOADS, NULL, "mem-loads", "%/mem-loads,ldlat=#/P" },
	{ "ldlat-stores", MEM_STORES, NULL, "mem-stores", "%/mem-stores/P" },
	{ "mem-ldst", SAMPLES_OF_ALL, "ibs_op", NULL, "%//" },
	{ "spe-load", MEM_LOADS, "arm_spe_", NULL,
	  "%/ts_enable=1,pa_enable=1,load_filter=1,store_filter=0,min_latency=#/" },
	{ "spe-store", MEM_STORES, "arm_spe_", NULL, "%/ts_enable=1,pa_enable=1,load_filter=0,store_filter=1/" },
	{ "spe-ldst", SAMPLES_OF_ALL, "arm_spe_", NULL,
	  "%/ts_enable=1,pa_enable=1,load_filter=1,store_filter=1,min_latency=#/" },
};

/* Since Sapphire Rapids loads are sampled in a group with an auxiliary event. */
static const char with_aux[] = "{%/mem-loads-aux/,%/mem-loads,ldlat=#/}:P";

static void fill_text(struct mem_event *e, const char *text, const char *pmu, uint64_t latency)
{
	size_t n = 0;

	for (; *text && n < sizeof(e->text) - 1; text++) {
		char *at = e->text + n;
		size_t room = sizeof(e->text) - n;

		if (*text == '%')
			n += (size_t)snprintf(at, room, "%s", pmu);
		else if (*text == '#')
			n += (size_t)snprintf(at, room, "%llu", (unsigned long long)latency);
		else
			e->text[n++] = *text;
	}
	e->text[MIN(n, sizeof(e->text) - 1)] = '\0';
}

/* The PMU "cpu" of an x86 whose cores are all alike has no list of its CPUs. */
static bool is_core(const struct pmu *pmu)
{
	return pmu->kind == PMU_CORE || !strcmp(pmu->name, "cpu");
}

static bool has(struct pmus *p, const struct pmu *pmu, const struct kind *k)
{
	return k->pmu ? !strncmp(pmu->name, k->pmu, strlen(k->pmu)) :
			is_core(pmu) && pmu_alias_find(p, pmu, sv_from(k->alias));
}

static void add_event(struct mem_events *m, struct pmus *p, const struct pmu *pmu, const struct kind *k,
		      uint64_t latency)
{
	bool aux = k->alias && k->what == MEM_LOADS && pmu_alias_find(p, pmu, SV("mem-loads-aux"));
	struct mem_event *e;

	if (m->n == MEM_EVENTS_MAX)
		return;
	e = &m->v[m->n++];
	*e = (struct mem_event){ .tag = k->tag, .what = k->what };
	fill_text(e, aux ? with_aux : k->text, pmu->name, latency);
}

void mem_events_find(struct mem_events *m, struct pmus *p, uint64_t latency)
{
	m->n = 0;
	if (pmus_list(p, NULL))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		for (size_t k = 0; k < p->list.n; k++)
			if (has(p, &p->list.v[k], &kinds[i]))
				add_event(m, p, &p->list.v[k], &kinds[i], latency);
}

static bool has_exactly(const struct mem_events *m, unsigned what)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->v[i].what == what)
			return true;
	return false;
}

bool mem_event_is_for(const struct mem_events *m, size_t i, unsigned what)
{
	if (has_exactly(m, what))
		return m->v[i].what == what;
	return m->v[i].what & what;
}

uint64_t mem_events_named(const struct mem_events *m, const char *text)
{
	struct sv rest = sv_from(text), word;
	uint64_t set = 0;

	while (sv_cut(&rest, ',', &word)) {
		uint64_t found = 0;

		for (size_t i = 0; word.n && i < m->n; i++)
			if (str_contains(sv_from(m->v[i].tag), word))
				found |= UINT64_C(1) << i;
		if (!found)
			return 0;
		set |= found;
	}
	return set;
}

static int list_events(struct ctx *c, const struct mem_events *m, bool verbose)
{
	for (size_t i = 0; i < m->n; i++) {
		out_left(c->out, m->v[i].tag, 13);
		if (verbose)
			out_left(c->out, m->v[i].text, 25);
		out_str(c->out, ": available\n");
	}
	return EXIT_DONE;
}

static int no_events(struct ctx *c)
{
	struct err e = { 0 };

	err_set(&e, ENOENT, "none of the events that sample loads and stores is here: cpu/mem-loads/, "
		"cpu/mem-stores/, ibs_op//, arm_spe_0//");
	err_hint(&e, "SPE needs CONFIG_ARM_SPE_PMU, and kpti=off on the kernel's command line; record -e cache-misses "
		 "samples code that misses, without its data");
	return cmd_fail_events(c, &e);
}

/* Remove the memory events that -e names from record's own events; returns their set. */
static uint64_t take_named(const struct mem_events *m, struct record_events *events)
{
	uint64_t chosen = 0;
	size_t left = 0;

	for (size_t i = 0; i < events->n; i++) {
		uint64_t set = mem_events_named(m, events->v[i].text);

		chosen |= set;
		if (!set)
			events->v[left++] = events->v[i];
	}
	events->n = left;
	return chosen;
}

static bool asks_for_list(const struct record_events *events)
{
	for (size_t i = 0; i < events->n; i++)
		if (!strcmp(events->v[i].text, "list"))
			return true;
	return false;
}

static int start(struct ctx *c, struct mem_record_want *w, const struct mem_events *m, int argc, char **argv)
{
	const char *v[MEM_EVENTS_MAX];
	bool given = w->record.events.n;
	uint64_t chosen = take_named(m, &w->record.events);
	unsigned what = 0;
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++) {
		bool is = chosen ? chosen >> i & 1 :
				   !given && mem_event_is_for(m, i, w->what ? w->what : SAMPLES_OF_ALL);

		if (!is)
			continue;
		v[n++] = m->v[i].text;
		what |= m->v[i].what;
	}
	view_events(&w->record, v, n);
	w->record.holds.addr = true;
	w->record.holds.weight |= what & MEM_LOADS;
	w->record.holds.phys_addr |= w->physical;
	return cmd_find("record")->run(c, &w->record, argc, argv);
}

int mem_record(struct ctx *c, struct mem_record_want *w, int argc, char **argv)
{
	struct mem_events *m = calloc(1, sizeof(*m));
	struct err e = { 0 };
	struct pmus p;
	int code;

	if (!m)
		return err_nomem(&e), cmd_fail(c, &e);
	pmus_init(&p, c->sys);
	mem_events_find(m, &p, w->latency);
	pmus_deinit(&p);
	if (!m->n)
		code = no_events(c);
	else if (asks_for_list(&w->record.events))
		code = list_events(c, m, w->record.verbose || c->verbose);
	else
		code = start(c, w, m, argc, argv);
	free(m);
	return code;
}

void mem_record_defaults(void *want)
{
	struct mem_record_want *w = want;

	w->latency = USUAL_LATENCY;
}
