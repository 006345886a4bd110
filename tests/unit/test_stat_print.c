/* test_stat_print.c - rows of known counts, byte by byte as perf 6.12 lays them out. */
#include "cmd/stat/print.h"
#include "stat_fake.h"
#include "t.h"

/* cycles, instructions, a clock, an event that the machine lacks. */
struct bench {
	struct fake fake;
	struct stat_events events;
	struct counters counters;
	struct target target;
	struct stat_table table;
	struct stat_print print;
	struct mem_out out;
};

static void add(struct bench *b, const char *name, uint32_t type, uint64_t config)
{
	struct event *ev = vec_add(&b->events.list.v);

	*ev = (struct event){
		.attr = { .type = type, .config = config },
		.name = name,
		.leader = (int)b->events.list.v.n - 1,
		.unit = type == PERF_SOFTWARE ? "msec" : "",
		.scale = type == PERF_SOFTWARE ? 1e-6 : 1,
		.alternative = (unsigned)b->events.list.v.n,
	};
}

static void count(struct bench *b, unsigned i, uint64_t value, uint64_t enabled, uint64_t running)
{
	b->fake.ev[i].value = value;
	b->fake.ev[i].enabled = enabled;
	b->fake.ev[i].running = running;
}

static void bench_init(struct bench *b, enum stat_by by)
{
	struct err e = { 0 };
	struct counters_want w = {
		.sys = &b->fake.sys, .events = &b->events.list, .target = &b->target, .tid = 42,
			.start = COUNTERS_LATER,
	};

	fake_init(&b->fake);
	b->fake.has_missing = true;
	b->fake.missing_config = PERF_HW_BRANCHES;
	add(b, "task-clock", PERF_SOFTWARE, PERF_SW_TASK_CLOCK);
	add(b, "cycles", PERF_HARDWARE, PERF_HW_CYCLES);
	add(b, "instructions", PERF_HARDWARE, PERF_HW_INSTRUCTIONS);
	add(b, "branches", PERF_HARDWARE, PERF_HW_BRANCHES);
	CHECK_EQ(counters_open(&b->counters, &w, &e), 0);
	CHECK_EQ(stat_table_init(&b->table, &(struct stat_sum){ by, STAT_MERGE, 0 }, &b->counters, &b->target, &e), 0);
	mem_out_init(&b->out);
	b->print = (struct stat_print){
		.o = &b->out.out, .sep = ",", .group_digits = true, .elapsed_ns = 2e9, .arch = &arch_aarch64,
			.events = &b->events,
	};
}

static void read_all(struct bench *b)
{
	counters_read(&b->counters);
	stat_table_fill(&b->table, &b->counters);
}

static struct bench *command(void)
{
	static struct bench b;

	b.target = (struct target){ .kind = TARGET_COMMAND, .inherit = true };
	bench_init(&b, STAT_BY_ALL);
	count(&b, 0, 1234567890, 1234567890, 1234567890);
	count(&b, 1, 3000000000, 1000, 1000);
	count(&b, 2, 1500000000, 1000, 500);
	read_all(&b);
	return &b;
}

TEST(stat_print_text)
{
	struct bench *b = command();

	stat_print_title(&b->print, "'true'", 1);
	stat_print_rows(&b->print, &b->table);
	CHECK_STR(mem_out_str(&b->out),
		  "\n Performance counter stats for 'true':\n\n"
		  "          1,234.57 msec task-clock                       #    0.617 CPUs utilized             \n"
		  "     3,000,000,000      cycles                           #    2.430 GHz                       \n"
		  "     3,000,000,000      instructions                     "
		  "#    1.00  insn per cycle              (50.00%)\n"
		  "   <not supported>      branches                                                              \n");
}

TEST(stat_print_text_without_grouping)
{
	struct bench *b = command();

	b->print.group_digits = false;
	stat_print_rows(&b->print, &b->table);
	CHECK(strstr(mem_out_str(&b->out), "        3000000000      cycles  ") != NULL);
}

TEST(stat_print_csv)
{
	struct bench *b = command();

	b->print.form = STAT_CSV;
	stat_print_title(&b->print, "'true'", 1);
	stat_print_rows(&b->print, &b->table);
	CHECK_STR(mem_out_str(&b->out),
		  "1234.57,msec,task-clock,1234567890,100.00,0.617,CPUs utilized\n"
		  "3000000000,,cycles,1000,100.00,2.430,GHz\n"
		  "3000000000,,instructions,500,50.00,1.00,insn per cycle\n"
		  "<not supported>,,branches,0,100.00,,\n");
}

TEST(stat_print_metrics_only)
{
	struct bench *b = command();

	b->print.metric_only = true;
	stat_print_columns(&b->print, &b->table);
	stat_print_rows(&b->print, &b->table);
	CHECK_STR(mem_out_str(&b->out), "                 GHz       insn per cycle \n"
					"               2.430                1.00  \n");
}

TEST(stat_print_metrics_only_csv)
{
	struct bench *b = command();

	b->print.metric_only = true;
	b->print.form = STAT_CSV;
	stat_print_columns(&b->print, &b->table);
	stat_print_rows(&b->print, &b->table);
	CHECK_STR(mem_out_str(&b->out), "GHz,insn per cycle,\n2.430,1.00,\n");
}

TEST(stat_print_metrics_only_json)
{
	struct bench *b = command();

	b->print.metric_only = true;
	b->print.form = STAT_JSON;
	stat_print_columns(&b->print, &b->table);
	stat_print_rows(&b->print, &b->table);
	CHECK_STR(mem_out_str(&b->out), "{\"GHz\" : \"2.430\", \"insn per cycle\" : \"1.00\"}\n");
}

/* What --max-overhead has paused: a range, or that it has no end. */
TEST(stat_print_estimates)
{
	struct bench *b = command();
	struct stat_cell *cell = stat_table_cell(&b->table, 0, 1);
	const char *got;

	cell->estimated = true;
	cell->doubt = (struct counter_doubt){ .less = 4000, .more = 5000, .variance = 500.0 * 500 };
	stat_print_rows(&b->print, &b->table);
	CHECK(strstr(mem_out_str(&b->out), "3,000,000,000      cycles                           #    2.430 GHz"));
	CHECK(strstr(mem_out_str(&b->out), "  (2,999,995,000 .. 3,000,006,000)\n"));
	cell->doubt.no_end = true;
	stat_print_rows(&b->print, &b->table);
	CHECK(strstr(mem_out_str(&b->out), "  (2,999,995,000 or more)\n"));
	b->print.form = STAT_CSV;
	stat_print_rows(&b->print, &b->table);
	CHECK(strstr(mem_out_str(&b->out), "3000000000,,cycles,1000,100.00,2.430,GHz,2999995000,\n"));
	b->print.form = STAT_JSON;
	stat_print_rows(&b->print, &b->table);
	CHECK(strstr(mem_out_str(&b->out), " : 100.00, \"estimate-low\" : 2999995000, \"metric-value\""));
	cell->doubt.no_end = false;
	stat_print_rows(&b->print, &b->table);
	got = mem_out_str(&b->out);
	CHECK(strstr(got, "\"estimate-low\" : 2999995000, \"estimate-high\" : 3000006000, \"metric-value\""));
	b->print.form = STAT_CSV;
	stat_print_rows(&b->print, &b->table);
	CHECK(strstr(mem_out_str(&b->out), "3000000000,,cycles,1000,100.00,2.430,GHz,2999995000,3000006000\n"));
	/* Only what is an estimate has them. */
	CHECK(strstr(mem_out_str(&b->out), "insn per cycle\n"));
}

TEST(stat_print_json_with_time_stamp)
{
	struct bench *b = command();

	b->print.form = STAT_JSON;
	b->print.stamped = true;
	b->print.at_ns = 1000000023;
	stat_print_rows(&b->print, &b->table);
	static const char first[] =
		"{\"interval\" : 1.000000023, \"counter-value\" : \"1234.567890\", "
		"\"unit\" : \"msec\", \"event\" : \"task-clock\", "
		"\"event-runtime\" : 1234567890, \"pcnt-running\" : 100.00, \"metric-value\" : \"0.617284\", "
		"\"metric-unit\" : \"CPUs utilized\"}\n";
	char *got = strdup(mem_out_str(&b->out));

	CHECK(strlen(got) > sizeof(first));
	got[sizeof(first) - 1] = '\0';
	CHECK_STR(got, first);
	free(got);
}

TEST(stat_print_not_counted)
{
	struct bench *b = command();

	count(b, 1, 3000000000, 1000, 1000);
	read_all(b);
	stat_print_rows(&b->print, &b->table);
	CHECK(strstr(mem_out_str(&b->out), "\n     <not counted>      cycles       ") != NULL);
}

TEST(stat_print_several_runs)
{
	struct bench *b = command();
	struct stat_times times = { 0 };

	stat_table_add_run(&b->table);
	count(b, 1, 7000000000, 2000, 2000);
	count(b, 0, 1234567890 * 2ull, 2, 2);
	read_all(b);
	stat_table_add_run(&b->table);
	stat_table_means(&b->table);
	b->print.spread = true;
	stats_add(&times.wall, 1);
	stats_add(&times.wall, 2);
	stat_print_rows(&b->print, &b->table);
	stat_print_times(&b->print, &times);
	/* Mean of 3e9 and 4e9; their deviation of the mean is 5e8. */
	CHECK(strstr(mem_out_str(&b->out), "     3,500,000,000      cycles ") != NULL);
	CHECK(strstr(mem_out_str(&b->out), "  ( +- 14.29% )\n") != NULL);
	CHECK(strstr(mem_out_str(&b->out),
		     "             1.500 +- 0.500 seconds time elapsed  ( +- 33.33% )\n\n") != NULL);
}

TEST(stat_print_each_cpu)
{
	static struct bench b;

	b.target = (struct target){ .kind = TARGET_CPUS };
	cpus_parse(&b.target.cpus, SV("0,12"), NULL);
	bench_init(&b, STAT_BY_CPU);
	for (unsigned i = 0; i < b.fake.n; i++)
		count(&b, i, 1000000 * (i + 1), 10, 10);
	read_all(&b);
	stat_print_rows(&b.print, &b.table);
	CHECK_STR(mem_out_str(&b.out),
		  "CPU0                 1.00 msec task-clock                       "
		  "#    0.001 CPUs utilized             \n"
		  "CPU12                2.00 msec task-clock                       "
		  "#    0.001 CPUs utilized             \n"
		  "CPU0            3,000,000      cycles                           "
		  "#    3.000 GHz                       \n"
		  "CPU12           4,000,000      cycles                           "
		  "#    2.000 GHz                       \n"
		  "CPU0            5,000,000      instructions                     "
		  "#    1.67  insn per cycle            \n"
		  "CPU12           6,000,000      instructions                     "
		  "#    1.50  insn per cycle            \n"
		  "CPU0      <not supported>      "
		  "branches                                                              \n"
		  "CPU12     <not supported>      "
		  "branches                                                              \n");
}

TEST(stat_print_uncore_units_are_one_row)
{
	static struct bench b;
	struct pmu mesh0 = { .name = "arm_cmn_0", .kind = PMU_UNCORE, .type = 20 };
	struct pmu mesh1 = { .name = "arm_cmn_1", .kind = PMU_UNCORE, .type = 21 };
	struct err e = { 0 };

	b.target = (struct target){ .kind = TARGET_CPUS };
	cpus_parse(&b.target.cpus, SV("0"), NULL);
	bench_init(&b, STAT_BY_ALL);
	b.events.list.v.v[1].pmu = &mesh0;
	b.events.list.v.v[2].pmu = &mesh1;
	b.events.list.v.v[1].alternative = b.events.list.v.v[2].alternative = 9;
	stat_table_deinit(&b.table);
	CHECK_EQ(stat_table_init(&b.table, &(struct stat_sum){ .merge = STAT_MERGE }, &b.counters, &b.target, &e), 0);
	count(&b, 1, 30, 10, 10);
	count(&b, 2, 12, 10, 10);
	read_all(&b);
	CHECK_EQ(b.table.rows.n, 3);
	CHECK_EQ((long long)stat_table_cell(&b.table, 0, 1)->value, 42);
	stat_table_deinit(&b.table);
	CHECK_EQ(stat_table_init(&b.table, &(struct stat_sum){ .merge = STAT_NO_MERGE }, &b.counters, &b.target, &e),
		 0);
	CHECK_EQ(b.table.rows.n, 4);
	CHECK_STR(b.table.rows.v[2].name, "instructions [arm_cmn_1]");
}

TEST(stat_print_topdown_of_a_group)
{
	static struct bench b;
	struct stat_metric m = { .plan = topdown_stalls(), .first = 0, .n = 3 };
	struct err e = { 0 };
	struct counters_want w = {
		.sys = &b.fake.sys, .events = &b.events.list, .target = &b.target, .tid = 42, .start = COUNTERS_LATER,
	};

	b.target = (struct target){ .kind = TARGET_COMMAND };
	fake_init(&b.fake);
	add(&b, "cpu_cycles", PERF_RAW, 0x11);
	add(&b, "stall_frontend", PERF_RAW, 0x23);
	add(&b, "stall_backend", PERF_RAW, 0x24);
	*(struct stat_metric *)vec_add(&b.events.metrics) = m;
	CHECK_EQ(counters_open(&b.counters, &w, &e), 0);
	CHECK_EQ(stat_table_init(&b.table, &(struct stat_sum){ .merge = STAT_MERGE }, &b.counters, &b.target, &e), 0);
	mem_out_init(&b.out);
	b.print = (struct stat_print){ .o = &b.out.out, .form = STAT_CSV, .sep = ";", .arch = &arch_aarch64,
		.events = &b.events };
	count(&b, 0, 1000, 10, 10);
	count(&b, 1, 250, 10, 10);
	count(&b, 2, 400, 10, 10);
	read_all(&b);
	stat_print_rows(&b.print, &b.table);
	CHECK_STR(mem_out_str(&b.out),
		  "1000;;cpu_cycles;10;100.00;;\n"
		  "250;;stall_frontend;10;100.00;;\n"
		  "400;;stall_backend;10;100.00;25.0;frontend_bound\n"
		  ";;;;;40.0;backend_bound\n");
}

/* cpu-clock and cycles of two CPUs that are threads of one core, and a third that is another one. */
static void percore_bench(struct bench *b, enum stat_form form, bool threads)
{
	static struct cpu_place v[] = { { .core = 4 }, { .core = 4 }, { .socket = 1 } };
	static const struct cpu_places places = { .v = { v, 3, 3 } };
	struct err e = { 0 };
	struct counters_want w = {
		.sys = &b->fake.sys, .events = &b->events.list, .target = &b->target, .start = COUNTERS_LATER,
	};

	*b = (struct bench){ .target = { .kind = TARGET_CPUS } };
	for (unsigned cpu = 0; cpu < ARRAY_SIZE(v); cpu++)
		cpus_set(&b->target.cpus, cpu);
	fake_init(&b->fake);
	add(b, "cycles", PERF_HARDWARE, PERF_HW_CYCLES);
	b->events.list.v.v[0].set = EVENT_SET_PERCORE;
	add(b, "instructions", PERF_HARDWARE, PERF_HW_INSTRUCTIONS);
	CHECK_EQ(counters_open(&b->counters, &w, &e), 0);
	CHECK_EQ(stat_table_init(&b->table, &(struct stat_sum){ .by = STAT_BY_CPU, .places = &places }, &b->counters,
				 &b->target, &e), 0);
	mem_out_init(&b->out);
	b->print = (struct stat_print){ .o = &b->out.out, .form = form, .sep = ",", .core_threads = threads,
		.arch = &arch_x86_64, .events = &b->events };
	for (unsigned i = 0; i < 6; i++)
		count(b, i, i < 3 ? 1000u << i : 10, 10, 10);
	read_all(b);
	stat_print_rows(&b->print, &b->table);
}

static void percore_end(struct bench *b)
{
	mem_out_deinit(&b->out);
	stat_table_deinit(&b->table);
	counters_close(&b->counters);
	event_list_deinit(&b->events.list);
}

TEST(stat_print_percore_is_a_row_for_each_core)
{
	static struct bench b;

	percore_bench(&b, STAT_CSV, false);
	CHECK_STR(mem_out_str(&b.out),
		  "S0-D0-C4,3000,,cycles,20,100.00,,\n"
		  "S1-D0-C0,4000,,cycles,10,100.00,,\n"
		  "CPU0,10,,instructions,10,100.00,0.00,insn per cycle\n"
		  "CPU1,10,,instructions,10,100.00,0.00,insn per cycle\n"
		  "CPU2,10,,instructions,10,100.00,0.00,insn per cycle\n");
	percore_end(&b);
	percore_bench(&b, STAT_TEXT, false);
	CHECK(!strncmp(mem_out_str(&b.out), "S0-D0-C4                         3000 ", 38));
	percore_end(&b);
	percore_bench(&b, STAT_JSON, false);
	CHECK(strstr(mem_out_str(&b.out), "{\"core\" : \"S1-D0-C0\", \"counter-value\" : \"4000.000000\""));
	percore_end(&b);
}

TEST(stat_print_percore_beside_each_thread)
{
	static struct bench b;

	percore_bench(&b, STAT_CSV, true);
	CHECK(strstr(mem_out_str(&b.out), "CPU0,3000,,cycles,20,"));
	CHECK(strstr(mem_out_str(&b.out), "CPU1,3000,,cycles,20,"));
	CHECK(strstr(mem_out_str(&b.out), "CPU2,4000,,cycles,10,"));
	/* The next interval begins anew. */
	read_all(&b);
	CHECK(stat_table_cell(&b.table, 0, 0)->value < 1);
	percore_end(&b);
}

TEST(stat_print_metric_by_its_name)
{
	static struct bench b;
	struct stat_metric m = { .ratio = arm_metric_any(2), .first = 0, .n = 2 };
	struct err e = { 0 };
	struct counters_want w = {
		.sys = &b.fake.sys, .events = &b.events.list, .target = &b.target, .tid = 42, .start = COUNTERS_LATER,
	};

	b.target = (struct target){ .kind = TARGET_COMMAND };
	fake_init(&b.fake);
	add(&b, "br_mis_pred_retired", PERF_RAW, 0x22);
	add(&b, "br_retired", PERF_RAW, 0x21);
	*(struct stat_metric *)vec_add(&b.events.metrics) = m;
	CHECK_EQ(counters_open(&b.counters, &w, &e), 0);
	CHECK_EQ(stat_table_init(&b.table, &(struct stat_sum){ .merge = STAT_MERGE }, &b.counters, &b.target, &e), 0);
	mem_out_init(&b.out);
	b.print = (struct stat_print){ .o = &b.out.out, .arch = &arch_aarch64, .events = &b.events };
	count(&b, 0, 125, 10, 10);
	count(&b, 1, 1000, 10, 10);
	read_all(&b);
	stat_print_rows(&b.print, &b.table);
	CHECK(strstr(mem_out_str(&b.out), " br_retired                       #     12.5 "
					  "percent of branches  branch_misprediction_ratio"));
}
