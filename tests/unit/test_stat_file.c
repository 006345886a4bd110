/* Counts that perf stat record wrote, and files that only look like that. */
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
	r = perf_file_init(&x.file, (struct bytes){ p, n }, e);
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
