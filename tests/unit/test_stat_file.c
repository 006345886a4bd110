/* Counts that perf stat record wrote, and files that only look like that. */
#include "perf/feature.h"
#include "perf/topology.h"
#include "record/stat_file.h"
#include "t.h"

static struct {
	struct perf_file file;
	struct event_list events;
	struct stat_file stat;
} x;

static int open_bytes(const uint8_t *p, size_t n, struct err *e)
{
	static const struct sys none;
	int r;

	x.events = (struct event_list){ 0 };
	r = perf_file_init(&x.file, (struct bytes){ p, n }, NULL, e);
	if (r)
		return r;
	r = stat_file_open(&x.stat, &none, &x.file, &x.events, e);
	if (r) {
		event_list_deinit(&x.events);
		perf_file_deinit(&x.file);
	}
	return r;
}

static void close_all(void)
{
	stat_file_close(&x.stat);
	event_list_deinit(&x.events);
	perf_file_deinit(&x.file);
}

/* Sum over the places of an event, as counted in this round. */
static uint64_t counted(size_t event)
{
	const struct counter *k = &x.stat.counters.list.v[event];
	uint64_t sum = 0;

	for (size_t i = 0; i < k->n; i++)
		sum += counters_value(&x.stat.counters, k, i).value;
	return sum;
}

TEST(stat_file_counts_of_a_command)
{
	size_t n;
	char *bytes = t_read("data/perf/stat.data", &n);
	struct err e = { 0 };
	uint64_t at;

	CHECK_EQ(open_bytes((const uint8_t *)bytes, n, &e), 0);
	CHECK_EQ(x.events.v.n, 3);
	CHECK_STR(x.events.v.v[0].unit, "msec");
	CHECK(x.events.v.v[0].scale > 0.9e-6 && x.events.v.v[0].scale < 1.1e-6);
	CHECK(!x.stat.intervals && x.stat.sums == PERF_SUMS_ALL);
	CHECK_EQ(stat_file_next(&x.stat, &at, &e), 1);
	CHECK_EQ(counted(1), 121);
	CHECK_EQ(at, 2218370);
	CHECK_EQ(stat_file_next(&x.stat, &at, &e), 0);
	close_all();
	free(bytes);
}

/* The file has what was counted since the start: a round is the difference. */
TEST(stat_file_rounds_of_each_cpu)
{
	size_t n;
	char *bytes = t_read("data/perf/stat-each.data", &n);
	struct err e = { 0 };
	uint64_t at;

	CHECK_EQ(open_bytes((const uint8_t *)bytes, n, &e), 0);
	CHECK(x.stat.intervals && x.stat.sums == PERF_SUMS_CPU);
	CHECK_EQ(x.stat.counters.list.v[1].n, 2);
	CHECK_EQ(stat_file_next(&x.stat, &at, &e), 1);
	CHECK_EQ(counted(1), 2764 + 2712);
	CHECK_EQ(stat_file_next(&x.stat, &at, &e), 1);
	CHECK_EQ(counted(1), 896 + 1343);
	CHECK_EQ(at, 51614932);
	CHECK_EQ(stat_file_next(&x.stat, &at, &e), 0);
	close_all();
	free(bytes);
}

/* --- what the writer writes --- */

/* A file of two events on two CPUs, with these records behind them. */
static void make_file(struct mem_out *m, const char *version, void (*records)(struct out *o))
{
	static const uint64_t ids[] = { 11, 12, 13, 14 };
	struct perf_write_event ev[] = {
		{ .attr = { .type = PERF_SOFTWARE, .sample_type = PERF_SAMPLE_IDENTIFIER }, .ids = ids, .n_ids = 2,
		  .name = "cpu-clock" },
		{ .attr = { .type = PERF_HARDWARE, .sample_type = PERF_SAMPLE_IDENTIFIER }, .name = "cycles",
		  .group_leader = 1 },
	};
	struct cpu_place v[] = { { .core = 7, .socket = 1, .die = 2 }, { .core = 8, .node = 3 } };
	const char *list = "0-1";
	struct topology_node node = { 3, 100, 50, "1" };
	const struct topology_lists lists = { &list, &list, &list, 1, 1, 1, &node, 1 };
	struct cpu_places places = { .v = { v, 2, 2 } };
	struct perf_write_end end = { 0 };
	struct feature_set facts;
	uint64_t off = perf_write_data_off(ev, 2);

	mem_out_init(m);
	perf_write_header(&m->out, ev, 2);
	records(&m->out);
	mem_out_str(m);
	end.data_size = m->n - off;
	feature_set_init(&facts);
	feature_string(&facts, PERF_FEAT_VERSION, version);
	feature_cpus(&facts, 2, 2);
	feature_events(&facts, ev, 2);
	feature_topology(&facts, &places, &lists);
	CHECK_EQ(feature_write_file(&facts, &m->out, m->n), 0);
	mem_out_str(m);
	memcpy(end.features, facts.bits, sizeof(end.features));
	perf_write_head((uint8_t *)m->v, ev, 2, &end);
	feature_set_deinit(&facts);
}

static void put_counts(struct out *o, uint64_t first, uint64_t second)
{
	perf_write_stat(o, &(struct perf_stat_count){ 11, 0, 0, first, first, first });
	perf_write_stat(o, &(struct perf_stat_count){ 12, 1, 0, second, 2 * first, first });
}

static void whole_records(struct out *o)
{
	struct cpus cpus = { 0 };

	cpus_set(&cpus, 0);
	cpus_set(&cpus, 1);
	perf_write_update_text(o, PERF_UPDATE_UNIT, 11, "msec");
	perf_write_update_scale(o, 11, 0.5);
	perf_write_update_cpus(o, 11, &cpus);
	perf_write_threads(o, &(struct perf_stat_thread){ 4711, "name" }, 1);
	perf_write_cpus(o, &cpus);
	perf_write_stat_config(o, PERF_SUMS_CORE, 100);
	put_counts(o, 100, 7);
	perf_write_stat_round(o, PERF_STAT_INTERVAL, 1000);
	put_counts(o, 150, 7);
	perf_write_stat_round(o, PERF_STAT_INTERVAL, 2000);
}

TEST(stat_file_of_what_is_written)
{
	struct mem_out m;
	struct err e = { 0 };
	uint64_t at;

	make_file(&m, "sonde", whole_records);
	CHECK_EQ(open_bytes((const uint8_t *)m.v, m.n, &e), 0);
	CHECK_STR(x.events.v.v[0].name, "cpu-clock");
	CHECK_STR(x.events.v.v[0].unit, "msec");
	CHECK(x.events.v.v[0].scale > 0.49 && x.events.v.v[0].scale < 0.51);
	CHECK(x.stat.intervals && x.stat.sums == PERF_SUMS_CORE && !x.stat.unknown_sums);
	CHECK_EQ(x.stat.threads.n, 1);
	CHECK_EQ(x.stat.threads.v[0].tid, 4711);
	CHECK_STR(x.stat.threads.v[0].comm, "name");
	CHECK_EQ(x.stat.counters.list.v[0].state, COUNTER_OPEN);
	CHECK_EQ(x.stat.counters.list.v[1].state, COUNTER_UNSUPPORTED);
	CHECK_EQ(stat_file_next(&x.stat, &at, &e), 1);
	CHECK_EQ(at, 1000);
	CHECK_EQ(counted(0), 100 + 14);
	CHECK_EQ(stat_file_next(&x.stat, &at, &e), 1);
	CHECK_EQ(counted(0), 50);
	CHECK_EQ(stat_file_next(&x.stat, &at, &e), 0);
	close_all();
	mem_out_deinit(&m);
}

TEST(stat_file_says_where_cpus_are)
{
	struct cpu_places p;
	struct mem_out m;
	struct err e = { 0 };

	make_file(&m, "sonde", whole_records);
	CHECK_EQ(open_bytes((const uint8_t *)m.v, m.n, &e), 0);
	CHECK_EQ(topology_read(&p, &x.file.head), 0);
	CHECK_EQ(p.v.n, 2);
	CHECK(p.v.v[0].core == 7 && p.v.v[0].socket == 1 && p.v.v[0].die == 2 && p.v.v[0].node == 0);
	CHECK(p.v.v[1].core == 8 && p.v.v[1].socket == 0 && p.v.v[1].die == 0 && p.v.v[1].node == 3);
	cpu_places_deinit(&p);
	/* perf before 5.2 had no dies; a section that is cut says nothing. */
	x.file.head.feature[PERF_FEAT_CPU_TOPOLOGY].n = 2 * (sizeof(uint32_t) + 68) + 4 * sizeof(uint32_t);
	CHECK_EQ(topology_read(&p, &x.file.head), 0);
	CHECK(p.v.n == 2 && p.v.v[0].socket == 1 && p.v.v[0].die == 0);
	cpu_places_deinit(&p);
	x.file.head.feature[PERF_FEAT_CPU_TOPOLOGY].n -= 4;
	CHECK_EQ(topology_read(&p, &x.file.head), 0);
	CHECK_EQ(p.v.n, 0);
	close_all();
	mem_out_deinit(&m);
}

static void records_of_number_4(struct out *o)
{
	perf_write_stat_config(o, 4, 0);
	put_counts(o, 1, 1);
	perf_write_stat_round(o, PERF_STAT_FINAL, 1);
}

static void records_of_number_9(struct out *o)
{
	perf_write_stat_config(o, 9, 0);
	put_counts(o, 1, 1);
	perf_write_stat_round(o, PERF_STAT_FINAL, 1);
}

static void records_beyond_64_bits(struct out *o)
{
	perf_write_stat(o, &(struct perf_stat_count){ 11, 0, 0, UINT64_MAX - 5, 1000, 10 });
	perf_write_stat_round(o, PERF_STAT_FINAL, 1);
}

TEST(stat_file_counts_that_scale_beyond_64_bits)
{
	struct mem_out m;
	struct err e = { 0 };
	uint64_t at;

	make_file(&m, "6.1", records_beyond_64_bits);
	CHECK_EQ(open_bytes((const uint8_t *)m.v, m.n, &e), 0);
	CHECK_EQ(stat_file_next(&x.stat, &at, &e), 1);
	CHECK(counted(0) > UINT64_MAX - 4096);
	close_all();
	mem_out_deinit(&m);
}

/* The same number is another sum for each of them. */
TEST(stat_file_sums_by_the_recorders_version)
{
	static const struct { const char *version; void (*records)(struct out *o); int sums; } t[] = {
		{ "6.1.187", records_of_number_4, PERF_SUMS_CORE }, { "sonde", records_of_number_4, PERF_SUMS_CORE },
		{ "6.12.94", records_of_number_4, -1 }, { "6.12.94", records_of_number_9, PERF_SUMS_NODE },
		{ "6.6.5", records_of_number_4, -1 }, { "6.1", records_of_number_9, -1 },
		{ "6.6", records_of_number_9, -1 },
		{ "", records_of_number_4, PERF_SUMS_CORE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct mem_out m;
		struct err e = { 0 };

		make_file(&m, t[i].version, t[i].records);
		CHECK_EQ(open_bytes((const uint8_t *)m.v, m.n, &e), 0);
		CHECK_EQ(x.stat.unknown_sums, t[i].sums < 0);
		CHECK(t[i].sums < 0 || x.stat.sums == (enum perf_sums)t[i].sums);
		close_all();
		mem_out_deinit(&m);
	}
}

static void read_whatever(const uint8_t *p, size_t n)
{
	struct err e = { 0 };
	uint64_t at;

	if (open_bytes(p, n, &e)) {
		CHECK(e.text[0]);
		return;
	}
	while (stat_file_next(&x.stat, &at, &e) == 1)
		for (size_t i = 0; i < x.stat.counters.list.n; i++)
			counted(i);
	close_all();
}

TEST(stat_file_cut_and_damaged_everywhere)
{
	static const uint8_t values[] = { 0, 0xff, 0x80, 1 };
	size_t n;
	char *bytes = t_read("data/perf/stat-each.data", &n);
	uint8_t *copy = guard_dup(bytes, n);

	for (size_t i = 0; i < n; i++) {
		for (size_t v = 0; v < ARRAY_SIZE(values); v++) {
			copy[i] = values[v];
			read_whatever(copy, n);
		}
		copy[i] = (uint8_t)bytes[i];
		read_whatever(copy + i, n - i);
		memmove(copy + n - i, bytes, i);
		read_whatever(copy + n - i, i);
		memcpy(copy, bytes, n);
	}
	free(bytes);
}
