/* The event grammar on copied trees: a big.LITTLE board, a server with a mesh. */
#include "event_env.h"

static bool not_extended(void *arg UNUSED, const struct pmu *pmu UNUSED)
{
	return false;
}

TEST(event_generic_spreads_over_core_types)
{
	struct machine m;

	machine_init(&m, "biglittle");
	CHECK_STR(machine_short(&m, "cycles:u"),
		  "armv8_cortex_a53/cycles/u 0 0:0x800000000; armv8_cortex_a73/cycles/u 1 0:0x900000000");
	CHECK_EQ(m.list.v.v[0].alternative, m.list.v.v[1].alternative);
	CHECK(cpus_has(&m.list.v.v[1].pmu->cpus, 4) && !cpus_has(&m.list.v.v[1].pmu->cpus, 3));
	CHECK_STR(
		machine_short(&m, "LLC-load-misses"),
		"armv8_cortex_a53/LLC-load-misses/ 0 3:0x800010002; armv8_cortex_a73/LLC-load-misses/ 1 3:0x900010002");
	CHECK_STR(machine_short(&m, "r1b"), "armv8_cortex_a53/r1b/ 0 8:0x1b; armv8_cortex_a73/r1b/ 1 9:0x1b");
	CHECK_STR(machine_short(&m, "cs"), "cs 0 1:0x3");
	machine_deinit(&m);
}

TEST(event_generic_is_a_raw_event_on_kernels_without_pmu_numbers)
{
	struct machine m;

	machine_init(&m, "biglittle");
	m.env->extended_hw_type = not_extended;
	CHECK_STR(machine_short(&m, "cycles"), "armv8_cortex_a53/cycles/ 0 8:0x11; armv8_cortex_a73/cycles/ 1 9:0x11");
	CHECK_STR(machine_short(&m, "branches"),
		  "armv8_cortex_a53/branches/ 0 8:0xc; armv8_cortex_a73/branches/ 1 9:0xc");
	CHECK_STR(machine_short(&m, "ref-cycles"),
		  "armv8_cortex_a73 has no event for this name\n  ref-cycles\n  ^");
	machine_deinit(&m);
}

TEST(event_bare_names_come_from_sysfs_and_tables)
{
	struct machine m;

	machine_init(&m, "biglittle");
	CHECK_STR(machine_short(&m, "inst_retired"),
		  "armv8_cortex_a53/inst_retired/ 0 8:0x8; armv8_cortex_a73/inst_retired/ 1 9:0x8");
	/* Only in the table of the A73, which the MIDR of its second CPU told: the first is offline. */
	CHECK_STR(machine_short(&m, "etm_ext_out0"), "armv8_cortex_a73/etm_ext_out0/ 0 9:0xde");
	CHECK_STR(machine_short(&m, "armv8_*/br_mis_pred,period=100/k"),
		  "armv8_cortex_a53/br_mis_pred,period=100/k 0 8:0x10; armv8_cortex_a73/br_mis_pred,period=100/k 1 "
		  "9:0x10");
	machine_deinit(&m);
	machine_init(&m, "n1");
	CHECK_STR(machine_short(&m, "ll_cache_miss_rd:u"), "ll_cache_miss_rd:u 0 8:0x37");
	CHECK_STR(machine_short(&m, "cycles"), "cycles 0 0:0");
	CHECK(!m.list.v.v[0].pmu);
	CHECK_STR(machine_short(&m, "armv8_pmuv3_0/event=0x11,long/"), "armv8_pmuv3_0/event=0x11,long/ 0 8:0x11");
	CHECK_EQ(m.list.v.v[0].attr.config1, 1);
	machine_deinit(&m);
}

TEST(event_group_becomes_one_per_pmu)
{
	struct machine m;

	machine_init(&m, "biglittle");
	CHECK_STR(machine_short(&m, "{cycles,cs,instructions}:u"),
		  "armv8_cortex_a53/cycles/u 0 0:0x800000000; cs:u 0 1:0x3; armv8_cortex_a53/instructions/u 0 "
		  "0:0x800000001; "
		  "armv8_cortex_a73/cycles/u 3 0:0x900000000; armv8_cortex_a73/instructions/u 3 0:0x900000001");
	CHECK_STR(machine_short(&m, "faults,{armv8_cortex_a53/cycles/,armv8_cortex_a73/cycles/}"),
		  "a group cannot mix PMUs: armv8_cortex_a53 and armv8_cortex_a73\n"
		  "  faults,{armv8_cortex_a53/cycles/,armv8_cortex_a73/cycles/}\n         ^");
	CHECK_STR(machine_short(&m, "{armv8_cortex_a53/r1/D,armv8_cortex_a53/r2/,armv8_cortex_a73/r1/}:W"),
		  "armv8_cortex_a53/r1/D 0 8:0x1; armv8_cortex_a53/r2/ 0 8:0x2; armv8_cortex_a73/r1/ 2 9:0x1");
	CHECK(m.list.v.v[0].attr.flags & PERF_ATTR_PINNED);
	machine_deinit(&m);
	machine_init(&m, "n1");
	CHECK_STR(machine_short(&m, "{cycles,inst_retired}"), "cycles 0 0:0; inst_retired 0 8:0x8");
	machine_deinit(&m);
}

TEST(event_uncore_spreads_over_instances)
{
	struct machine m;

	machine_init(&m, "n1");
	CHECK_STR(machine_short(&m, "arm_cmn/hnf_cache_miss,nodeid=8,bynodeid/"),
		  "arm_cmn_0/hnf_cache_miss,nodeid=8,bynodeid/ 0 20:0x880010005; "
		  "arm_cmn_1/hnf_cache_miss,nodeid=8,bynodeid/ 1 21:0x880010005");
	CHECK_EQ(m.list.v.v[0].alternative, m.list.v.v[1].alternative);
	CHECK_EQ(m.list.v.v[0].attr.flags, 0);
	CHECK_STR(m.list.v.v[1].typed, "arm_cmn/hnf_cache_miss,nodeid=8,bynodeid/");
	CHECK_STR(machine_short(&m, "dtc_cycles"), "arm_cmn_0/dtc_cycles/ 0 20:0x3; arm_cmn_1/dtc_cycles/ 1 21:0x3");
	CHECK_STR(machine_short(&m, "dmc_0/read_txns/"), "uncore_dmc_0/read_txns/ 0 31:0xf");
	CHECK_STR(m.list.v.v[0].unit, "MiB");
	CHECK(m.list.v.v[0].scale * 16384 == 1);
	CHECK(cpus_has(&m.list.v.v[0].pmu->cpus, 2));
	CHECK_STR(machine_short(&m, "arm_spe_0/ts_enable=1,load_filter,min_latency=32/u"),
		  "arm_spe_0/ts_enable=1,load_filter,min_latency=32/u 0 32:0x200000001");
	CHECK_EQ(m.list.v.v[0].attr.config2, 32);
	CHECK_STR(machine_short(&m, "arm_spe_0//"), "arm_spe_0// 0 32:0");
	machine_deinit(&m);
}

TEST(event_tracepoints_are_found_by_name_and_by_glob)
{
	struct machine m;

	machine_init(&m, "biglittle");
	CHECK_STR(machine_short(&m, "sched:sched_switch"), "sched:sched_switch 0 2:0x13c");
	CHECK_STR(m.list.v.v[0].tp_system, "sched");
	CHECK_STR(m.list.v.v[0].tp_name, "sched_switch");
	CHECK_STR(
		machine_short(&m, "{sys*:sys_enter_open*,sched:*switch}"),
		"syscalls:sys_enter_open 0 2:0x2bc; syscalls:sys_enter_openat 0 2:0x2bd; sched:sched_switch 0 2:0x13c");
	CHECK_STR(machine_short(&m, "*:*function*"), "no tracepoint matches '*:*function*'\n  *:*function*\n  ^");
	CHECK_STR(machine_short(&m, "ftrace:function"), "ftrace:function 0 2:0x1");
	CHECK_EQ(machine_parse(&m, "*:*"), 0);
	CHECK_EQ(m.list.v.n, 5);
	machine_deinit(&m);
	machine_init(&m, "n1");
	CHECK_STR(machine_short(&m, "sched:sched_switch"),
		  "tracepoints: the tracing file system is not mounted\n  sched:sched_switch\n  ^");
	CHECK(strstr(m.err.hint, "CONFIG_TRACING"));
	machine_deinit(&m);
}

TEST(event_errors_point_at_the_byte)
{
	static const struct {
		const char *text;
		int code;
		const char *message;
		int column;
		const char *hint;
	} cases[] = {
		{"cyles:u", ENOENT, "unknown event 'cyles', did you mean 'cycles'?", 0, ""},
		{"cs,shed:sched_switch", ENOENT,
		 "unknown event 'shed:sched_switch', did you mean 'sched:sched_switch'?", 3, ""},
		{"sched_switch", ENOENT, "unknown event 'sched_switch', did you mean 'sched:sched_switch'?", 0, ""},
		{"inst_retire", ENOENT, "unknown event 'inst_retire', did you mean 'inst_retired'", 0, ""},
		{"cycles:uq", EINVAL, "'q' is not a modifier", 8, ""},
		{"cycles:uku", EINVAL, "the modifier 'u' is given twice", 9, ""},
		{"cycles:pppp", EINVAL, "p is given more than three times", 10, ""},
		{"cycles,", EINVAL, "an event is missing here", 7, ""},
		{"", EINVAL, "an event is missing here", 0, ""},
		{"{cs,faults", EINVAL, "this '{' is not closed", 0, ""},
		{"cs}", EINVAL, "',' is expected here", 2, ""},
		{"cs faults", EINVAL, "',' is expected here", 3, ""},
		{"armv8_cortex_a53/cycles", EINVAL, "this '/' is not closed", 16, ""},
		{"cs/name='x/", EINVAL, "a quote is not closed", 2, ""},
		{"armv9/x/", ENOENT, "unknown PMU 'armv9'", 0,
		 "this machine has: armv8_cortex_a53, armv8_cortex_a73, b"},
		{"armv8_cortex_a53/evnt=1/", EINVAL,
		 "PMU armv8_cortex_a53 has no event or term 'evnt', did you mean 'event'?", 17,
		 "terms: event, long, rdpmc, name="},
		{"armv8_cortex_a53/event=0x10000/", ERANGE, "event=0x10000 does not fit in 16 bits", 23, ""},
		{"armv8_cortex_a53/event=x/", EINVAL, "not a number: 'x'", 23, ""},
		{"cycles/period/", EINVAL, "'period' needs a value", 7, ""},
		{"cs/config=1/", EINVAL, "config needs a PMU", 3, ""},
		{"cs:u/period=1/", EINVAL, "terms come before modifiers: cs/.../u", 5, ""},
		{"mem:x", EINVAL, "mem: needs an address", 4, ""},
		{"mem:0x10/9:r", EINVAL, "a breakpoint watches 1 to 8 bytes", 9, ""},
		{"mem:0x10:rwr", EINVAL, "a breakpoint's access is of r, w and x", 11, ""},
		{"L1-icache-stores", ENOENT, "unknown event 'L1-icache-stores'", 0, ""},
		{"armv8_cortex_a53/'../type'/", EINVAL, "PMU armv8_cortex_a53 has no event or term ''../type''", 17,
		 ""},
	};
	struct machine m;

	machine_init(&m, "biglittle");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char caret[64], line[512];

		CHECK_EQ(machine_parse(&m, cases[i].text), -cases[i].code);
		if (!sv_starts(sv_from(m.err.text), cases[i].message))
			t_fail(__FILE__, __LINE__, "%s: \"%s\", not \"%s\"", cases[i].text, m.err.text,
			       cases[i].message);
		if (!sv_starts(sv_from(m.err.hint), cases[i].hint))
			t_fail(__FILE__, __LINE__, "%s: hint \"%s\"", cases[i].text, m.err.hint);
		snprintf(caret, sizeof(caret), "%*s^", cases[i].column, "");
		snprintf(line, sizeof(line), "\n  %s\n  %s", cases[i].text, caret);
		if (!strstr(m.err.text, line) || strcmp(strstr(m.err.text, line), line))
			t_fail(__FILE__, __LINE__, "no \"%s\" in \"%s\"", line, m.err.text);
	}
	machine_deinit(&m);
}

TEST(event_error_shows_the_part_of_a_long_line)
{
	struct machine m;
	char text[600] = "";

	machine_init(&m, "biglittle");
	for (size_t i = 0; i < 50; i++)
		memcpy(text + i * 7, "cycles,", 7);
	memcpy(text + 350, "cyclos,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs", 54);
	CHECK_EQ(machine_parse(&m, text), -ENOENT);

	const char *line = strchr(m.err.text, '\n') + 3, *caret = strchr(line, '\n') + 3;
	const char *at = strchr(caret, '^');

	CHECK(at && !strncmp(line + (at - caret), "cyclos,cs", 9));
	CHECK(caret - line < 80);
	machine_deinit(&m);
}
