/* A recording of counts: its events, threads and places, and each round of it, summed up in every way. */
#include "cmd/stat/table.h"
#include "record/stat_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static double read_rounds(struct stat_file *f, enum stat_by by, const struct cpu_places *places)
{
	static const struct target nothing;
	struct stat_sum sum = {
		.by = by, .places = places, .threads = f->threads.v, .n_threads = f->threads.n,
	};
	struct stat_table t;
	struct err e;
	uint64_t at;
	double v = 0;

	f->off = f->file->data_off;
	if (stat_table_init(&t, &sum, &f->counters, &nothing, &e))
		return 0;
	while (stat_file_next(f, &at, &e) == 1) {
		stat_table_fill(&t, &f->counters);
		for (size_t i = 0; i < t.rows.n * t.keys.n; i++)
			v += t.cells[i].value;
	}
	stat_table_deinit(&t);
	return v;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static const struct sys none;
	struct event_list events = { 0 };
	struct cpu_places places;
	struct perf_file file;
	struct stat_file f;
	struct err e = { 0 };
	double v = 0;

	if (perf_file_init(&file, (struct bytes){ p, n }, NULL, &e))
		return 0;
	if (!topology_read(&places, &file.head) && !stat_file_open(&f, &none, &file, &events, &e)) {
		/* More than a screen of rows is no other case. */
		if (f.counters.slots.n < 1000 && f.threads.n < 1000 && events.v.n < 100)
			for (enum stat_by by = STAT_BY_ALL; by <= STAT_BY_THREAD; by++)
				if (by != STAT_BY_CACHE)
					v += read_rounds(&f, by, &places);
		stat_file_close(&f);
	}
	cpu_places_deinit(&places);
	event_list_deinit(&events);
	perf_file_deinit(&file);
	/* Counts are none below 0: the sums are made for this question. */
	if (v < 0)
		abort();
	return 0;
}
