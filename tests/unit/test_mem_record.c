/* mem record: which events sample loads and stores, of machines that are not here. */
#include "cmd/mem/record.h"

#include "t.h"

static void add_pmu(struct pmus *p, const char *name, enum pmu_kind kind, const char *const *events)
{
	struct pmu *pmu = vec_add(&p->list);

	*pmu = (struct pmu){ .name = name, .kind = kind, .parts = PMU_ALL };
	for (; events && *events; events++)
		*(struct pmu_alias *)vec_add(&pmu->aliases) = (struct pmu_alias){ .name = *events, .terms = "event=1" };
}

/* "TAG TEXT;" of each that is chosen. */
static const char *chosen(const struct mem_events *m, unsigned what)
{
	static char text[1024];
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 0; i < m->n; i++)
		if (mem_event_is_for(m, i, what))
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s %s;", m->v[i].tag, m->v[i].text);
	return text;
}

static void find(struct mem_events *m, struct pmus *p)
{
	p->listed = true;
	mem_events_find(m, p, 30);
	for (size_t i = 0; i < p->list.n; i++)
		vec_free(&p->list.v[i].aliases);
	pmus_deinit(p);
}

TEST(mem_record_on_x86_has_loads_and_stores)
{
	static const char *const events[] = { "cycles", "mem-loads", "mem-stores", NULL };
	struct pmus p = { .listed = true };
	struct mem_events m;

	add_pmu(&p, "cpu", PMU_OTHER, events);
	add_pmu(&p, "uncore", PMU_UNCORE, events);
	find(&m, &p);
	CHECK_STR(chosen(&m, MEM_LOADS | MEM_STORES),
		  "ldlat-loads cpu/mem-loads,ldlat=30/P;ldlat-stores cpu/mem-stores/P;");
	CHECK_STR(chosen(&m, MEM_STORES), "ldlat-stores cpu/mem-stores/P;");
	CHECK_EQ(mem_events_named(&m, "ldlat-stores"), 2);
	CHECK_EQ(mem_events_named(&m, "ldlat"), 3);
	CHECK_EQ(mem_events_named(&m, "cycles"), 0);
	CHECK_EQ(mem_events_named(&m, "loads,cycles"), 0);
	CHECK_EQ(mem_events_named(&m, ""), 0);
}

TEST(mem_record_takes_both_kinds_of_cores_and_the_event_beside)
{
	static const char *const big[] = { "mem-loads-aux", "mem-loads", NULL }, *const small[] = { "mem-loads", NULL };
	struct pmus p = { .listed = true };
	struct mem_events m;

	add_pmu(&p, "cpu_core", PMU_CORE, big);
	add_pmu(&p, "cpu_atom", PMU_CORE, small);
	find(&m, &p);
	CHECK_STR(chosen(&m, MEM_LOADS | MEM_STORES),
		  "ldlat-loads {cpu_core/mem-loads-aux/,cpu_core/mem-loads,ldlat=30/}:P;"
		  "ldlat-loads cpu_atom/mem-loads,ldlat=30/P;");
}

TEST(mem_record_on_arm64_has_one_event_of_both)
{
	struct pmus p = { .listed = true };
	struct mem_events m;

	add_pmu(&p, "armv8_pmuv3_0", PMU_CORE, NULL);
	add_pmu(&p, "arm_spe_0", PMU_OTHER, NULL);
	find(&m, &p);
	CHECK_STR(chosen(&m, MEM_LOADS | MEM_STORES),
		  "spe-ldst arm_spe_0/ts_enable=1,pa_enable=1,load_filter=1,store_filter=1,min_latency=30/;");
	CHECK_STR(chosen(&m, MEM_STORES), "spe-store arm_spe_0/ts_enable=1,pa_enable=1,load_filter=0,store_filter=1/;");
}

TEST(mem_record_on_amd_has_it_for_loads_too)
{
	struct pmus p = { .listed = true };
	struct mem_events m;

	add_pmu(&p, "cpu", PMU_CORE, NULL);
	add_pmu(&p, "ibs_op", PMU_OTHER, NULL);
	find(&m, &p);
	CHECK_STR(chosen(&m, MEM_LOADS), "mem-ldst ibs_op//;");
}

TEST(mem_record_keeps_within_its_room)
{
	char name[300];
	struct pmus p = { .listed = true };
	struct mem_events m;

	memset(name, 'x', sizeof(name));
	memcpy(name, "arm_spe_", 8);
	name[sizeof(name) - 1] = '\0';
	for (int i = 0; i < 30; i++)
		add_pmu(&p, name, PMU_OTHER, NULL);
	find(&m, &p);
	CHECK_EQ(m.n, MEM_EVENTS_MAX);
	CHECK(memchr(m.v[0].text, '\0', sizeof(m.v[0].text)));
}
