/*
 * Rings of counters while they are filled: what comes from them is what comes from the perf.data of the same run, and a
 * report of it prints the same. The kernel is a script of what it writes before each sweep.
 */
#include "cmd/report/view.h"
#include "perf/write.h"
#include "source/perf_data.h"
#include "source/perf_rings.h"
#include "t.h"

#include <sys/stat.h>

enum { PAGE = 4096, RING = 4096, CPUS = 2, SWEEPS = 40, CLOCK_ID = 70, FAULT_ID = 80 };

static const uint64_t clock_ids[] = { CLOCK_ID, CLOCK_ID + 1 }, fault_ids[] = { FAULT_ID, FAULT_ID + 1 };
static struct perf_write_event events[2];

static struct {
	uint8_t *base[CPUS];
	struct ring_map maps[CPUS];
	uint64_t head[CPUS];
	unsigned sweep, naps;
	struct mem_out file;       /* the recording of the same run */
	struct mem_out seen;       /* what a reader got */
} k;

/* --- the kernel ---------------------------------------------------------------------------------------------- */

static void put(unsigned cpu, uint32_t type, const void *body, size_t n)
{
	struct perf_rec h = { .type = type, .misc = PERF_MISC_USER, .size = (uint16_t)(sizeof(h) + n) };
	uint8_t bytes[256];

	memcpy(bytes, &h, sizeof(h));
	memcpy(bytes + sizeof(h), body, n);
	for (size_t i = 0; i < h.size; i++)
		k.base[cpu][PAGE + (k.head[cpu] + i) % RING] = bytes[i];
	k.head[cpu] += h.size;
	memcpy(k.base[cpu] + PERF_PAGE_DATA_HEAD, &k.head[cpu], 8);
}

static uint64_t thread(uint32_t tid)
{
	return (uint64_t)tid << 32 | 100;
}

/* IDENTIFIER, IP, TID, TIME, CPU, PERIOD. */
static void put_sample(unsigned cpu, uint64_t time, uint64_t id, uint32_t tid, uint64_t ip)
{
	put(cpu, PERF_REC_SAMPLE, (uint64_t[]){ id, ip, thread(tid), time, cpu, 1000 }, 48);
}

/* Body, then TID, TIME, CPU, IDENTIFIER. */
static void put_comm(unsigned cpu, uint64_t time, uint32_t tid, const char *name)
{
	uint64_t v[7] = { thread(tid), 0, 0, thread(tid), time, cpu, CLOCK_ID };

	memcpy(&v[1], name, strlen(name));
	put(cpu, PERF_REC_COMM, v, sizeof(v));
}

static void put_lost(unsigned cpu, uint64_t time, uint64_t n)
{
	put(cpu, PERF_REC_LOST, (uint64_t[]){ CLOCK_ID, n, thread(7), time, cpu, CLOCK_ID }, 48);
}

/*
 * CPU 1 is swept after CPU 0 and tells what matters to it: the name of thread 7 from then on. What one sweep finds is
 * partly older than what the one before has found in the other ring.
 */
static void run(unsigned sweep)
{
	uint64_t at = 1000 * (uint64_t)sweep;
	char name[8];

	if (sweep == 5)
		return;
	for (unsigned i = 0; i < 8; i++)
		put_sample(0, at + 100 * i, i % 3 ? CLOCK_ID : FAULT_ID, 7, 0x1000 + 16 * (i % 4));
	snprintf(name, sizeof(name), "name%u", sweep % 10);
	put_comm(1, at + 350, 7, name);
	put_sample(1, at - 250, CLOCK_ID + 1, 8 + sweep % 2, 0x2000);
	put_sample(1, at + 360, FAULT_ID + 1, 7, 0x3000);
	if (sweep == 9)
		put_lost(1, at + 370, 12);
	if (sweep == 11)
		put_sample(0, at - 5000, CLOCK_ID, 7, 0x1000);      /* too late for its place */
	if (sweep == 12)
		put_sample(0, at + 900, 4711, 7, 0x1000);           /* of no event */
}

/* --- both ways ----------------------------------------------------------------------------------------------- */

static void record_write(struct bytes b)
{
	out_bytes(&k.file.out, b.p, b.n);
}

static int tap(void *arg UNUSED, struct bytes sweep, struct err *e UNUSED)
{
	record_write(sweep);
	perf_write_round(&k.file.out);
	return 0;
}

static void give(struct source *s, const struct mem_out *records)
{
	struct bytes b = { (const uint8_t *)records->v, records->n };

	CHECK_EQ(perf_rings_give(s, b), 0);
	record_write(b);
}

/* Who was there before, as the recorder finds it in /proc; at the end what the kernel has counted as lost. */
static void give_made_up(struct source *s, bool end)
{
	struct perf_write_id id = { .sample_type = events[0].attr.sample_type, .id = CLOCK_ID };
	struct mem_out m;

	mem_out_init(&m);
	if (end)
		perf_write_lost(&m.out, &id, CLOCK_ID, 30);
	else
		perf_write_comm(&m.out, &id, 100, 8, "eight");
	if (!end)
		perf_write_init_done(&m.out);
	mem_out_str(&m);
	give(s, &m);
	mem_out_deinit(&m);
}

static bool nap(void *arg)
{
	k.naps++;
	if (k.sweep == SWEEPS) {
		give_made_up(arg, true);
		return false;
	}
	/* Several sweeps find something before it is waited again, some nothing. */
	run(++k.sweep);
	return true;
}

static struct perf_head head_of(void)
{
	struct perf_head h;

	perf_head_init(&h);
	for (uint32_t i = 0; i < ARRAY_SIZE(events); i++) {
		struct perf_event *ev = perf_head_add(&h, &events[i].attr);

		ev->label = i ? "page-faults" : "cpu-clock";
		for (size_t n = 0; n < events[i].n_ids; n++)
			*map_add(&h.ids, events[i].ids[n], NULL) = i;
	}
	CHECK(perf_head_find_ids(&h));
	return h;
}

static struct source *open_rings(void)
{
	struct ring_map *rings[CPUS] = { &k.maps[0], &k.maps[1] };
	struct perf_rings_want w = { .rings = rings, .n_rings = CPUS, .tap = tap };
	struct source *s = NULL;
	struct err e;

	for (unsigned i = 0; i < 2; i++)
		events[i] = (struct perf_write_event){
			.attr = {
				.type = PERF_SOFTWARE, .config = i ? 2 : 0, .sample_period = 1000,
				.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
					       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
				.flags = PERF_ATTR_SAMPLE_ID_ALL,
			},
			.ids = i ? fault_ids : clock_ids, .n_ids = CPUS, .group_leader = i,
		};
	memset(&k, 0, sizeof(k));
	mem_out_init(&k.file);
	mem_out_init(&k.seen);
	for (unsigned i = 0; i < CPUS; i++) {
		k.base[i] = aligned_alloc(PAGE, PAGE + RING);
		memset(k.base[i], 0, PAGE + RING);
		k.maps[i] = (struct ring_map){ .base = k.base[i], .data = k.base[i] + PAGE, .size = RING };
	}
	perf_write_header(&k.file.out, events, ARRAY_SIZE(events));
	w.head = head_of();
	CHECK_EQ(perf_rings_open(&s, &w, &e), 0);
	s->wait = nap;
	s->wait_arg = s;
	give_made_up(s, false);
	return s;
}

/* What was recorded while the rings were read. */
static struct source *open_file(struct found *f)
{
	uint64_t off = perf_write_data_off(events, ARRAY_SIZE(events));
	struct perf_write_end end = { 0 };
	struct source *s = NULL;
	struct err e;

	mem_out_str(&k.file);
	end.data_size = k.file.n - off;
	perf_write_head((uint8_t *)k.file.v, events, ARRAY_SIZE(events), &end);
	*f = (struct found){ .path = "x", .bytes = { (const uint8_t *)k.file.v, k.file.n }, .fd = -1, .owned = true };
	CHECK_EQ(perf_data_open(&s, NULL, f, &(struct perf_data_want){ 0 }, &e), 0);
	return s;
}

static void close_all(struct source *rings, struct source *file)
{
	source_close(rings);
	source_close(file);
	mem_out_deinit(&k.file);
	mem_out_deinit(&k.seen);
	for (unsigned i = 0; i < CPUS; i++)
		free(k.base[i]);
}

static const char *records_of(struct source *s)
{
	struct source_rec rec;
	struct err e;
	int r;

	mem_out_deinit(&k.seen);
	mem_out_init(&k.seen);
	while ((r = source_next(s, &rec, &e)) == SOURCE_RECORD) {
		out_printf(&k.seen.out, "%llu %u %zu %s", (unsigned long long)rec.time, rec.perf.type,
			   rec.perf.body.n, rec.event ? rec.event->label : "-");
		for (size_t i = 0; i < rec.perf.body.n; i++)
			out_printf(&k.seen.out, " %02x", rec.perf.body.p[i]);
		out_char(&k.seen.out, '\n');
	}
	CHECK_EQ(r, SOURCE_END);
	CHECK_EQ(source_next(s, &rec, &e), SOURCE_END);
	return mem_out_str(&k.seen);
}

TEST(perf_rings_give_the_records_of_the_recording)
{
	struct source *rings = open_rings(), *file;
	char *live = strdup(records_of(rings));
	struct found f;

	CHECK_EQ(k.sweep, SWEEPS);
	CHECK(k.naps > SWEEPS);
	for (unsigned i = 0; i < CPUS; i++)
		CHECK_EQ(k.maps[i].tail, k.head[i]);
	CHECK(k.head[0] > 3 * RING);
	file = open_file(&f);
	CHECK(strlen(live) > 40000);
	CHECK(!strcmp(live, records_of(file)));
	CHECK_EQ(rings->stats.late, 1);
	CHECK_EQ(file->stats.late, 1);
	free(live);
	close_all(rings, file);
}

/* Nobody waits for it: it says that there is nothing, and goes on when there is. */
TEST(perf_rings_tell_that_there_is_nothing_for_now)
{
	struct source *s = open_rings();
	struct source_rec rec;
	struct err e;

	s->wait = NULL;
	CHECK_EQ(source_next(s, &rec, &e), SOURCE_NOTHING);
	CHECK_EQ(source_next(s, &rec, &e), SOURCE_NOTHING);
	put_sample(0, 500, CLOCK_ID, 7, 0x1000);
	put_sample(1, 400, CLOCK_ID + 1, 7, 0x1000);
	/* What was given, then nothing: the other CPU may still write something that is older than what it has told. */
	CHECK_EQ(source_next(s, &rec, &e), SOURCE_RECORD);
	CHECK_EQ(rec.perf.type, PERF_REC_FINISHED_INIT);
	CHECK_EQ(source_next(s, &rec, &e), SOURCE_RECORD);
	CHECK_EQ(rec.perf.type, PERF_REC_COMM);
	CHECK_EQ(source_next(s, &rec, &e), SOURCE_NOTHING);
	put_sample(1, 450, CLOCK_ID + 1, 7, 0x1000);
	for (uint64_t time = 400; time <= 500; time += 50) {
		CHECK_EQ(source_next(s, &rec, &e), SOURCE_RECORD);
		CHECK_EQ(rec.time, time);
	}
	CHECK_EQ(source_next(s, &rec, &e), SOURCE_NOTHING);
	/* Who has waited and finds nothing again has all of it. */
	put_sample(1, 550, CLOCK_ID + 1, 7, 0x1000);
	CHECK_EQ(source_next(s, &rec, &e), SOURCE_NOTHING);
	CHECK_EQ(source_next(s, &rec, &e), SOURCE_RECORD);
	CHECK_EQ(rec.time, 550);
	CHECK_EQ(source_next(s, &rec, &e), SOURCE_NOTHING);
	put_sample(1, 600, CLOCK_ID + 1, 7, 0x1000);
	CHECK_EQ(source_next(s, &rec, &e), SOURCE_NOTHING);
	s->kind->end(s);
	CHECK_EQ(source_next(s, &rec, &e), SOURCE_RECORD);
	CHECK_EQ(rec.time, 600);
	CHECK_EQ(source_next(s, &rec, &e), SOURCE_END);
	close_all(s, NULL);
}

TEST(perf_rings_end_at_what_is_no_record)
{
	struct source *s = open_rings();
	struct source_rec rec;
	struct err e;
	uint64_t got = 0;

	put_sample(0, 500, CLOCK_ID, 7, 0x1000);
	put(1, PERF_REC_SAMPLE, "", 0);
	k.base[1][PAGE + 6] = 4;                                    /* its size */
	while (source_next(s, &rec, &e) > 0)
		got++;
	CHECK_EQ(got, 3);
	CHECK(strstr(s->end.text, "record of type 9 has 4 bytes"));
	close_all(s, NULL);
	s = open_rings();
	k.head[1] = 2 * RING;
	memcpy(k.base[1] + PERF_PAGE_DATA_HEAD, &k.head[1], 8);
	while (source_next(s, &rec, &e) > 0)
		;
	CHECK(strstr(s->end.text, "ring was overrun"));
	close_all(s, NULL);
}

/* --- report -------------------------------------------------------------------------------------------------- */

static int no_file(const struct sys *s UNUSED, const char *path UNUSED, int flags UNUSED, unsigned mode UNUSED)
{
	return -ENOENT;
}

static int no_stat(const struct sys *s UNUSED, const char *path UNUSED, struct stat *st UNUSED)
{
	return -ENOENT;
}

static int no_access(const struct sys *s UNUSED, const char *path UNUSED, int mode UNUSED)
{
	return -ENOENT;
}

static const struct sys bare = { .root = "", .open = no_file, .stat = no_stat, .lstat = no_stat, .access = no_access };

static char *report_of(struct source *s, const char *sort)
{
	struct report_want w = {
		.sort = sort, .group = 1, .samples = true, .budget = { .jobs = 1, .memory = 1 << 24 },
	};
	struct ctx c = { .sys = &bare, .program = "sonde" };
	struct mem_out out, msg;
	struct session session;
	struct err e = { 0 };
	char *text = NULL;

	mem_out_init(&out);
	mem_out_init(&msg);
	c.out = &out.out;
	c.msg = &msg.out;
	CHECK_EQ(session_over(&session, &bare, s, &w.session, &e), 0);
	CHECK_EQ(report_session(&c, &w, &session, &e), 0);
	CHECK_STR(e.text, "");
	session_close(&session);
	CHECK(asprintf(&text, "%s%s", mem_out_str(&out), mem_out_str(&msg)) > 0);
	mem_out_deinit(&out);
	mem_out_deinit(&msg);
	return text;
}

static void same_report(const char *sort, const char *part)
{
	struct source *rings = open_rings(), *file;
	char *live = report_of(rings, sort), *recorded;
	struct found f;

	file = open_file(&f);
	recorded = report_of(file, sort);
	CHECK_STR(live, recorded);
	CHECK(strstr(live, part) != NULL);
	free(live);
	free(recorded);
	close_all(rings, file);
}

/* Each name has from its sweep the four samples of CPU 0 behind it, and those before the next one's. */
TEST(report_of_rings_is_that_of_the_recording)
{
	same_report("comm,sym", "name3");
	same_report("cpu,tid", "eight");
	same_report("dso,sym", "42 events were lost");
}
