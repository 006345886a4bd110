/* The event grammar beside perf's own parser, and what it cannot be asked. */
#include "event_env.h"

static int found_switch(void *arg UNUSED, const char *system, const char *name,
			int (*found)(void *to, const char *system, const char *name, uint64_t id), void *to,
			struct err *e UNUSED)
{
	if (!str_glob(system, SV("sched")) || !str_glob(name, SV("sched_switch")))
		return 0;
	return found(to, "sched", "sched_switch", 0x174) ? -1 : 1;
}

/* The x86_64 machine on which perf was asked: no hardware counters, and the MSR PMU with type 9. */
static void env_init(struct event_env *env, struct pmus *pmus)
{
	struct pmu *msr = (*pmus = (struct pmus){ 0 }, vec_add(&pmus->list));
	struct pmu_alias *tsc = vec_add(&msr->aliases);
	struct pmu_term *event = vec_add(&msr->terms);

	msr->name = "msr";
	msr->kind = PMU_OTHER;
	msr->type = 9;
	*tsc = (struct pmu_alias){ .name = "tsc", .terms = "event=0x00", .unit = "", .scale = 1 };
	event->name = "event";
	CHECK_EQ(pmu_term_parse(event, SV("config:0-63\n"), NULL), 0);
	*env = (struct event_env){ .pmus = pmus, .arch = &arch_x86_64, .tracepoints = found_switch };
}

static void print_events(const struct event_list *l, struct out *o)
{
	for (size_t i = 0; i < l->v.n; i++) {
		struct perf_attr a = l->v.v[i].attr;

		/* perf stat never samples. */
		a.sample_period = 0;
		a.flags &= ~PERF_ATTR_FREQ;
		out_str(o, l->v.v[i].leader == (int)i ? "leader\n" : "member\n");
		attr_print(&a, o);
	}
}

static void same_as_perf(const struct event_env *env, struct sv event, struct sv want)
{
	struct event_list l = { 0 };
	struct mem_out got;
	struct err e = { 0 };
	char text[256], expected[4096];

	str_copy(text, sizeof(text), event);
	str_copy(expected, sizeof(expected), want);
	mem_out_init(&got);
	if (event_parse(&l, text, env, &e))
		t_fail(__FILE__, __LINE__, "%s: %s", text, e.text);
	print_events(&l, &got.out);
	if (strcmp(mem_out_str(&got), expected))
		t_fail(__FILE__, __LINE__, "%s opens\n%sperf opens\n%s", text, mem_out_str(&got), expected);
	mem_out_deinit(&got);
	event_list_deinit(&l);
}

TEST(event_opens_what_perf_opens)
{
	struct event_env env;
	struct pmus pmus;
	size_t n, events = 0;
	char *text = t_read("data/event_perf.txt", &n), *at = strstr(text, "\n== ");

	env_init(&env, &pmus);
	while (at) {
		char *name = at + 4, *end = strchr(name, '\n') + 1, *next = strstr(end - 1, "\n== ");
		size_t body = next ? (size_t)(next + 1 - end) : strlen(end);

		same_as_perf(&env, (struct sv){ name, (size_t)(end - 1 - name) }, (struct sv){ end, body });
		events++;
		at = next;
	}
	CHECK(events > 120);
	free(text);
	pmus_deinit(&pmus);
}

TEST(event_names_are_what_was_typed)
{
	static const char *const cases[][2] = {
		{ "cycles:u", "cycles:u" }, { "cpu-cycles", "cpu-cycles" }, { " cycles ", "cycles" },
		{ "L1-dcache-loads:u", "L1-dcache-loads:u" }, { "cycles/name=foo/u", "foo" },
		{ "cycles/name='a, b/c'/", "a, b/c" }, { "sched:sched_switch:u", "sched:sched_switch" },
		{ "sch*:*_switch", "sched:sched_switch" }, { "msr/tsc/", "msr/tsc/" }, { "tsc:u", "tsc:u" },
		{ "{cs}:uS", "cs:u" }, { "{cs/name=x/}:u", "x" }, { "{cs:S}:k", "cs:Sk" },
	};
	struct event_env env;
	struct pmus pmus;

	env_init(&env, &pmus);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event_list l = { 0 };

		CHECK_EQ(event_parse(&l, cases[i][0], &env, NULL), 0);
		CHECK_EQ(l.v.n, 1);
		CHECK_STR(l.v.n ? l.v.v[0].name : "", cases[i][1]);
		event_list_deinit(&l);
	}
	pmus_deinit(&pmus);
}

TEST(event_terms_say_what_they_decided)
{
	static const struct { const char *text; unsigned set; uint64_t period; } cases[] = {
		{ "cycles/period=1000/", EVENT_SET_PERIOD, 1000 },
		{ "cycles/freq=99/", EVENT_SET_FREQ, 99 },
		{ "cycles/freq=99,period=5/", EVENT_SET_PERIOD, 5 },
		{ "cycles/call-graph=fp/", EVENT_SET_CALLCHAIN, 0 },
		{ "cycles/call-graph=dwarf,stack-size=4096/", EVENT_SET_CALLCHAIN | EVENT_SET_STACK, 0 },
		{ "cycles/call-graph=dwarf,call-graph=fp/", EVENT_SET_CALLCHAIN, 0 },
		{ "cycles/call-graph=no,max-stack=5/", EVENT_SET_NO_CALLCHAIN | EVENT_SET_MAX_STACK, 0 },
		{ "cycles/inherit/", EVENT_SET_INHERIT, 0 },
		{ "cycles/no-inherit/", EVENT_SET_NO_INHERIT, 0 },
		{ "cycles/no-inherit=0/", EVENT_SET_INHERIT, 0 },
		{ "cycles/overwrite,percore/", EVENT_OVERWRITE_IGNORED | EVENT_SET_PERCORE, 0 },
		{ "cycles:pp", EVENT_SET_PRECISE, 0 },
		{ "cycles:P", EVENT_PRECISE_MAX, 0 },
		{ "cycles:uk", EVENT_SET_USER_KERNEL, 0 },
		{ "{cycles}:SW", EVENT_LEADER_SAMPLING | EVENT_WEAK_GROUP, 0 },
		{ "sched:sched_switch", 0, 1 },
		{ "mem:0x1000", 0, 1 },
	};
	struct event_env env;
	struct pmus pmus;

	env_init(&env, &pmus);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event_list l = { 0 };

		CHECK_EQ(event_parse(&l, cases[i].text, &env, NULL), 0);
		CHECK_EQ(l.v.v[0].set, cases[i].set);
		CHECK_EQ(l.v.v[0].attr.sample_period, cases[i].period);
		event_list_deinit(&l);
	}
	pmus_deinit(&pmus);
}

TEST(event_list_is_unchanged_by_an_error)
{
	struct event_env env;
	struct pmus pmus;
	struct event_list l = { 0 };

	env_init(&env, &pmus);
	CHECK_EQ(event_parse(&l, "cycles,cs", &env, NULL), 0);
	CHECK_EQ(event_parse(&l, "faults,{task-clock,nothing}", &env, NULL), -ENOENT);
	CHECK_EQ(l.v.n, 2);
	CHECK_EQ(event_parse(&l, "{faults,cs}", &env, NULL), 0);
	CHECK_EQ(l.v.n, 4);
	CHECK_EQ(l.v.v[3].leader, 2);
	CHECK(l.v.v[3].alternative != l.v.v[2].alternative);
	event_list_deinit(&l);
	pmus_deinit(&pmus);
}

TEST(event_generic_names_parse_to_their_numbers)
{
	struct event_env env;
	struct pmus pmus;
	const char *name, *alias;
	char buf[64];
	size_t n = 0;

	env_init(&env, &pmus);
	for (unsigned kind = PERF_HARDWARE; kind <= PERF_HW_CACHE; kind++) {
		for (size_t i = 0; (name = event_generic_name(kind, i, &alias)); i++, n++) {
			struct event_list l = { 0 };

			CHECK_EQ(event_parse(&l, name, &env, NULL), 0);
			CHECK_EQ(l.v.v[0].attr.type, kind);
			CHECK_STR(event_config_name(kind, l.v.v[0].attr.config, buf, sizeof(buf)), name);
			event_list_deinit(&l);
		}
	}
	CHECK_EQ(n, 10 + 12 + 32);
	CHECK(!event_config_name(PERF_HW_CACHE, 0x10204, buf, sizeof(buf)));
	CHECK(!event_config_name(PERF_HARDWARE, 10, buf, sizeof(buf)));
	CHECK_STR(event_config_name(PERF_HARDWARE, 8 | UINT64_C(9) << 32, buf, sizeof(buf)), "stalled-cycles-backend");
	pmus_deinit(&pmus);
}
