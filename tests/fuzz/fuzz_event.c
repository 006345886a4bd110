/* Text that claims to be an event list (-e), and sysfs texts: the first line is a format file and an alias. */
#include "perf/attr.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static int tracepoints(void *arg, const char *system, const char *name,
		       int (*found)(void *to, const char *system, const char *name, uint64_t id), void *to,
		       struct err *e)
{
	static const char *const known[] = { "sched_switch", "sched_wakeup" };
	int count = 0;

	(void)arg, (void)e;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (!str_glob(system, SV("sched")) || !str_glob(name, sv_from(known[i])))
			continue;
		if (found(to, "sched", known[i], i))
			return -1;
		count++;
	}
	return count;
}

static void names(void *arg, void (*feed)(void *to, const char *name), void *to)
{
	(void)arg;
	feed(to, "sched:sched_switch");
}

static void pmu_add(struct pmus *p, const char *name, enum pmu_kind kind, uint32_t type, struct sv text)
{
	struct pmu *pmu = vec_add(&p->list);
	struct pmu_alias *alias = vec_add(&pmu->aliases);
	struct pmu_term *term = vec_add(&pmu->terms);
	struct pmu_term parsed = { .name = "fuzz" };

	pmu->name = name;
	pmu->kind = kind;
	pmu->type = type;
	*term = (struct pmu_term){ .name = "event", .n_ranges = 1, .range = { { 0, 15 } } };
	*alias = (struct pmu_alias){ .name = "alias", .unit = "", .scale = 1 };
	alias->terms = arena_dup(&p->arena, text.s, text.n);
	if (!pmu_term_parse(&parsed, text, NULL))
		*(struct pmu_term *)vec_add(&pmu->terms) = parsed;
}

static bool extended(void *arg, const struct pmu *pmu)
{
	(void)arg;
	return pmu->type == 8;
}

static void check(const struct event_list *l)
{
	for (size_t i = 0; i < l->v.n; i++) {
		const struct event *ev = &l->v.v[i];

		if (!ev->name || !ev->typed || ev->leader < 0 || (size_t)ev->leader > i ||
		    l->v.v[ev->leader].leader != ev->leader)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *text = malloc(n + 1), *events;
	struct event_list l = { 0 };
	struct pmus pmus = { 0 };
	struct err e;

	if (n)
		memcpy(text, p, n);
	text[n] = '\0';
	events = strchr(text, '\n');
	events = events ? events + 1 : text;

	struct sv first = { text, events == text ? 0 : (size_t)(events - 1 - text) };
	struct event_env env = {
		.pmus = &pmus, .arch = &arch_aarch64, .tracepoints = tracepoints, .tracepoint_names = names,
		.extended_hw_type = extended,
	};

	pmu_add(&pmus, "armv8_cortex_a53", PMU_CORE, 8, first);
	pmu_add(&pmus, "armv8_cortex_a73", PMU_CORE, 9, first);
	pmu_add(&pmus, "arm_cmn_0", PMU_UNCORE, 10, first);
	pmu_add(&pmus, "uncore_dmc_1", PMU_UNCORE, 11, first);
	pmu_add(&pmus, "software", PMU_SOFTWARE, 1, first);
	if (event_parse(&l, events, &env, &e) ? !e.code || l.v.n : e.code || !l.v.n)
		abort();
	check(&l);
	event_list_deinit(&l);
	pmus_deinit(&pmus);
	free(text);
	return 0;
}
