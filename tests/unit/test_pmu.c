/* PMU formats, and the model filled from copied sysfs trees. */
#include "t.h"

#include "machine/pmus.h"

static uint64_t set(const char *format, uint64_t value, unsigned word, int want)
{
	struct pmu_term t = { .name = "t" };
	uint64_t config[4] = { 0 };
	struct err e = { 0 };

	CHECK_EQ(pmu_term_parse(&t, sv_from(format), &e), 0);
	CHECK_EQ(t.word, word);
	CHECK_EQ(pmu_term_set(&t, value, config, &e), want);
	return config[word];
}

TEST(pmu_term_puts_bits_where_the_format_says)
{
	CHECK_EQ(set("config:0-15", 0x1b, 0, 0), 0x1b);
	CHECK_EQ(set("config1:5-16\n", 3, 1, 0), 3 << 5);
	/* The low bits of the value go to the first range. */
	CHECK_EQ(set("config:0-7,32-35", 0x5a1, 0, 0), 0x5000000a1);
	CHECK_EQ(set("config:63", 1, 0, 0), (long long)(UINT64_C(1) << 63));
	CHECK_EQ(set("config2:0-63", UINT64_MAX, 2, 0), -1);
	CHECK_EQ(set("config3:4-7", 15, 3, 0), 0xf0);
	CHECK_EQ(set("config:0-15", 0x10000, 0, -ERANGE), 0);
	CHECK_EQ(set("config:3", 2, 0, -ERANGE), 0);
}

TEST(pmu_term_replaces_its_own_bits_only)
{
	struct pmu_term t = { .name = "t" };
	uint64_t config[4] = { 0xffff };

	CHECK_EQ(pmu_term_parse(&t, SV("config:4-7"), NULL), 0);
	CHECK_EQ(pmu_term_set(&t, 2, config, NULL), 0);
	CHECK_EQ(config[0], 0xff2f);
}

TEST(pmu_term_refuses_what_is_no_format)
{
	static const char *const bad[] = {
		"",
		"config",
		"config:",
		"config4:0",
		"config:64",
		"config:7-0",
		"config:a-b",
		"config:0-7,",
		"conf:0-7",
		"config:-1",
		"config:0,1,2,3,4,5,6,7,8",
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct pmu_term t;
		struct err e = { 0 };

		CHECK(pmu_term_parse(&t, (struct sv){ guard_dup(bad[i], strlen(bad[i])), strlen(bad[i]) }, &e) < 0);
		CHECK(e.text[0]);
	}
}

static struct sys tree(const char *name, char *root, size_t size)
{
	const char *tests = getenv("TESTS_DIR");

	snprintf(root, size, "%s/data/sys/%s", tests ? tests : "tests", name);
	return sys_with_root(root);
}

TEST(pmus_of_a_big_little_board)
{
	char root[300];
	struct sys sys = tree("biglittle", root, sizeof(root));
	struct pmus p;
	struct err e = { 0 };

	CHECK_EQ(pmus_load(&p, &sys, &e), 0);
	CHECK_EQ(pmus_n_core(&p), 2);
	CHECK_EQ(p.list.n, 6);

	const struct pmu *a53 = pmu_find(&p, SV("armv8_cortex_a53")), *a73 = pmu_find(&p, SV("armv8_cortex_a73"));

	CHECK_EQ(a53->type, 8);
	CHECK_EQ(a53->midr, 0x410fd034);
	CHECK_STR(a53->core->name, "Cortex-A53");
	CHECK_EQ(cpus_count(&a53->cpus), 4);
	CHECK_EQ(a73->type, 9);
	CHECK_STR(a73->core->name, "Cortex-A73");
	CHECK_EQ(a73->aliases.n, 5);
	CHECK_EQ(a73->terms.n, 3);
	CHECK_EQ(pmu_find(&p, SV("kprobe"))->kind, PMU_SOFTWARE);
	CHECK(!pmu_find(&p, SV("armv8_cortex")));
	pmus_deinit(&p);
}

TEST(pmus_of_a_server)
{
	char root[300];
	struct sys sys = tree("n1", root, sizeof(root));
	struct pmus p;
	struct err e = { 0 };

	CHECK_EQ(pmus_load(&p, &sys, &e), 0);
	CHECK_EQ(pmus_n_core(&p), 1);

	const struct pmu *core = &p.list.v[0], *dmc = pmu_find(&p, SV("uncore_dmc_0"));

	/* No midr_el1 in this tree: put together from cpuinfo. */
	CHECK_EQ(core->midr, 0x413fd0c1);
	CHECK_STR(core->core->name, "Neoverse-N1");
	CHECK_EQ(core->slots, 4);
	CHECK_EQ(pmu_find(&p, SV("arm_cmn_1"))->kind, PMU_UNCORE);
	CHECK_EQ(pmu_find(&p, SV("arm_spe_0"))->kind, PMU_OTHER);
	CHECK_EQ(dmc->aliases.n, 1);
	CHECK_STR(dmc->aliases.v[0].unit, "MiB");
	pmus_deinit(&p);
}

/* The live table with a count of the files opened. */
static int opened;

static int counting_open(const struct sys *s, const char *path, int flags, unsigned mode)
{
	opened++;
	return sys_live.open(s, path, flags, mode);
}

TEST(pmus_read_only_what_is_asked_for)
{
	char root[300];
	struct sys sys = tree("n1", root, sizeof(root));
	struct pmus p;

	sys.open = counting_open;
	pmus_init(&p, &sys);
	CHECK_EQ(pmus_n_core(&p), 1);
	CHECK_EQ(opened, 0);

	const struct pmu *cmn = pmu_find(&p, SV("arm_cmn_0"));

	CHECK(opened > 0 && opened <= 3);
	opened = 0;
	CHECK_STR(pmu_alias_find(&p, cmn, SV("hnf_cache_miss"))->terms, "type=0x5,eventid=0x1");
	CHECK_EQ(opened, 3);
	CHECK(!pmu_alias_find(&p, cmn, SV("../type")));
	CHECK(!pmu_alias_find(&p, cmn, SV("")));
	CHECK_EQ(opened, 3);
	CHECK(!pmu_alias_find(&p, cmn, SV("read_txns.unit")));
	CHECK_EQ(cmn->aliases.n, 1);
	CHECK_EQ(pmu_need(&p, cmn, PMU_ALIASES, NULL), 0);
	CHECK_EQ(cmn->aliases.n, 3);
	pmus_deinit(&p);
}

TEST(pmus_without_sysfs_are_none)
{
	struct sys sys = sys_with_root("/nonexistent");
	struct pmus p;
	struct err e = { 0 };

	CHECK_EQ(pmus_load(&p, &sys, &e), -ENOENT);
	CHECK(strstr(e.hint, "mount"));
	pmus_init(&p, &sys);
	CHECK_EQ(pmus_n_core(&p), 0);
	CHECK(!pmu_find(&p, SV("software")));
	pmus_deinit(&p);
}
