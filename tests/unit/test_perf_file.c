/*
 * perf.data reader: recordings of perf 6.1 (x86_64) and 6.12 (arm64) against perf's own dump of
 * each record (data/perf, made by data/perf/expect), and files made here, in both byte orders.
 */
#include "perf_dump.h"

#include "t.h"

static struct bytes load(const char *name)
{
	char path[128];
	size_t n;

	snprintf(path, sizeof(path), "data/perf/%s", name);

	char *p = t_read(path, &n);
	struct bytes b = { guard_dup(p, n), n };

	free(p);
	return b;
}

static void open_file(struct perf_file *f, struct bytes b)
{
	struct err e = { 0 };
	int err = perf_file_init(f, b, NULL, &e);

	if (err) {
		t_fail(__FILE__, __LINE__, "perf_file_init: %s", e.text);
		exit(1);
	}
}

/* The whole dump is as perf's, and the events have these names. */
static void check_recording(const char *name, const char *const labels[])
{
	char data[64], text[64];
	struct perf_file f;
	struct mem_out got;
	struct err e = { 0 };

	snprintf(data, sizeof(data), "%s.data", name);
	snprintf(text, sizeof(text), "data/perf/%s.txt", name);
	open_file(&f, load(data));
	for (size_t i = 0; labels[i] && i < f.head.events.n; i++)
		CHECK_STR(f.head.events.v[i].label, labels[i]);
	CHECK_EQ(f.head.notes.n, 0);
	mem_out_init(&got);
	CHECK_EQ(perf_dump(&got.out, &f, &e), 0);

	char *want = t_read(text, NULL);

	CHECK(strlen(want) > 500);
	CHECK(!strcmp(mem_out_str(&got), want));
	free(want);
	mem_out_deinit(&got);
	perf_file_deinit(&f);
}

#define RECORDING(id, name, ...) \
	TEST(perf_file_reads_##id##_as_perf_does) \
	{ \
		check_recording(name, (const char *const[]){ __VA_ARGS__, NULL }); \
	}
RECORDING(call_chains, "clock", "cpu-clock")
RECORDING(stacks_and_registers, "dwarf", "cpu-clock")
RECORDING(group_counts_and_memory_samples, "group", "cpu-clock", "page-faults")
RECORDING(several_events, "multi", "cpu-clock", "sched:sched_switch", "page-faults")
RECORDING(a_pipe, "pipe", "cpu-clock", "sched:sched_switch")
RECORDING(arm64_call_chains, "arm-clock", "cpu-clock")
RECORDING(arm64_stacks_and_registers, "arm-dwarf", "cpu-clock")
RECORDING(an_arm64_pipe, "arm-pipe", "cpu-clock", "sched:sched_switch")

/* Counts are those of `perf script -F event`. */
TEST(perf_file_finds_the_event_of_each_sample_by_id)
{
	struct perf_file f;
	struct perf_record r;
	struct err e;

	open_file(&f, load("multi.data"));
	for (uint64_t off = f.data_off; perf_file_next(&f, &off, &r, &e) > 0; ) {
		struct perf_event *ev = r.type == PERF_REC_SAMPLE ? perf_record_event(&r, &f.head) : NULL;

		if (ev)
			ev->n_samples++;
	}
	CHECK_EQ(f.head.events.v[0].n_samples, 4);
	CHECK_EQ(f.head.events.v[1].n_samples, 5);
	CHECK_EQ(f.head.events.v[2].n_samples, 7);
	perf_file_deinit(&f);
}

/* As `perf report --header-only` and `perf buildid-list` say. */
TEST(perf_file_reads_what_the_recorder_tells_of_the_machine)
{
	struct perf_file f;

	open_file(&f, load("clock.data"));
	CHECK_STR(f.head.hostname, "vm");
	CHECK_STR(f.head.version, "6.1.192");
	CHECK_STR(f.head.arch, "x86_64");
	CHECK_STR(f.head.cpudesc, "AMD EPYC");
	CHECK_STR(f.head.cpuid, "AuthenticAMD,26,2,1");
	CHECK_EQ(f.head.cpus_online, 2);
	CHECK_EQ(f.head.cpus_available, 2);
	CHECK_EQ(f.head.cmdline.n, 14);
	CHECK_STR(f.head.cmdline.v[3], "-e");
	CHECK_STR(f.head.cmdline.v[13], "/usr/include/linux");
	CHECK_EQ(f.head.build_ids.n, 5);
	CHECK_STR(f.head.build_ids.v[0].name, "[kernel.kallsyms]");
	CHECK_EQ(f.head.build_ids.v[0].cpumode, PERF_MISC_KERNEL);
	CHECK_EQ(f.head.build_ids.v[0].pid, -1);
	CHECK_EQ(f.head.build_ids.v[0].size, 20);
	CHECK_EQ(f.head.build_ids.v[0].id[0], 0x48);
	CHECK_EQ(f.head.build_ids.v[0].id[19], 0x44);

	struct cursor mem = perf_head_feature(&f.head, PERF_FEAT_TOTAL_MEM);

	CHECK_EQ(cur_u64(&mem), 24684092);
	CHECK(perf_head_feature(&f.head, PERF_FEAT_CLOCKID).bad);
	perf_file_deinit(&f);
}

TEST(perf_file_reads_the_groups)
{
	struct perf_file f;

	open_file(&f, load("group.data"));
	CHECK_EQ(f.head.events.n, 2);
	CHECK_EQ(f.head.events.v[1].group_leader, 0);
	perf_file_deinit(&f);
	open_file(&f, load("multi.data"));
	CHECK_EQ(f.head.events.v[1].group_leader, 1);
	perf_file_deinit(&f);
}

static bool noted(const struct perf_file *f, const char *text)
{
	for (size_t i = 0; i < f->head.notes.n; i++)
		if (strstr(f->head.notes.v[i].text, text))
			return true;
	return false;
}

TEST(perf_file_gives_the_data_of_compressed_records)
{
	static const uint8_t padded[] = { 3, 0, 0, 0, 0, 0, 0, 0, 'a', 'b', 'c', 0, 0, 0, 0, 0 };
	struct perf_record second = { .type = PERF_REC_COMPRESSED2, .body = { padded, sizeof(padded) } }, r;
	struct perf_file f;
	struct err e;
	unsigned compressed = 0;

	open_file(&f, load("zstd.data"));
	for (uint64_t off = f.data_off; perf_file_next(&f, &off, &r, &e) > 0; )
		compressed += perf_record_packed(&r, false).p != NULL;
	CHECK_EQ(compressed, 3);
	perf_file_deinit(&f);
	CHECK_EQ(perf_record_packed(&second, false).n, 3);
	CHECK(perf_record_packed(&second, false).p == padded + 8);
	/* In the other byte order that length is longer than the record. */
	CHECK(!perf_record_packed(&second, true).p);
}

/* --- files made here -------------------------------------------------------------------------- */

struct image {
	uint8_t v[8192];
	size_t n;
	bool swap;
};

static void put(struct image *m, uint64_t v, size_t size)
{
	for (size_t i = 0; i < size; i++)
		m->v[m->n++] = (uint8_t)(v >> 8 * (m->swap ? size - 1 - i : i));
}

static void put_text(struct image *m, const char *s, size_t size)
{
	memcpy(m->v + m->n, s, strlen(s));
	m->n += size;
}

static void set(struct image *m, size_t at, uint64_t v, size_t size)
{
	struct image one = { .swap = m->swap };

	put(&one, v, size);
	memcpy(m->v + at, one.v, size);
}

static uint64_t reversed(uint64_t v)
{
	uint64_t r = 0;

	for (unsigned i = 0; i < 64; i++)
		r |= (v >> i & 1) << (63 - i);
	return r;
}

enum {
	FLAGS = PERF_ATTR_SAMPLE_ID_ALL | PERF_ATTR_MMAP | PERF_ATTR_COMM | PERF_ATTR_EXCLUDE_KERNEL,
	ATTR = 128,
};

/* size is the attribute's, at least 72; what is behind VER8 is filled with `tail`. */
static void put_attr(struct image *m, uint32_t size, uint64_t config, uint8_t tail)
{
	size_t start = m->n;

	put(m, PERF_SOFTWARE, 4), put(m, size, 4), put(m, config, 8), put(m, 1, 8);
	put(m, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
	       PERF_SAMPLE_CALLCHAIN, 8);
	put(m, 0, 8);
	put(m, m->swap ? reversed(FLAGS) : FLAGS, 8);
	put(m, 5, 4), put(m, 0, 4);
	put(m, 0x1234, 8);
	m->n = start + size;
	if (size > PERF_ATTR_VER8)
		memset(m->v + start + PERF_ATTR_VER8, tail, size - PERF_ATTR_VER8);
}

static void put_header(struct image *m, uint64_t attrs, uint32_t attr_size, unsigned n,
		       uint64_t data)
{
	put(m, UINT64_C(0x32454c4946524550), 8), put(m, 104, 8), put(m, attr_size + 16, 8);
	put(m, attrs, 8), put(m, n * (attr_size + 16), 8);
	put(m, data, 8), put(m, 0, 8);
	put(m, 0, 8), put(m, 0, 8);
	put(m, PERF_BIT(PERF_FEAT_HOSTNAME) | PERF_BIT(PERF_FEAT_ARCH), 8);
	put(m, 0, 8), put(m, 0, 8), put(m, 0, 8);
}

static void put_records(struct image *m)
{
	put(m, PERF_REC_COMM, 4), put(m, 0, 2), put(m, 48, 2);
	put(m, 10, 4), put(m, 11, 4), put_text(m, "demo", 8);
	put(m, 10, 4), put(m, 11, 4), put(m, 77, 8), put(m, 102, 8);
	put(m, PERF_REC_SAMPLE, 4), put(m, 2, 2), put(m, 64, 2);
	put(m, 102, 8), put(m, 0x4000, 8), put(m, 10, 4), put(m, 11, 4), put(m, 78, 8);
	put(m, 2, 8), put(m, PERF_CONTEXT_USER, 8), put(m, 0x4000, 8);
	put(m, PERF_REC_FINISHED_ROUND, 4), put(m, 0, 2), put(m, 8, 2);
}

/* Two events (ids 101, 102), three records, two features. */
static void put_file(struct image *m, uint32_t attr_size)
{
	uint64_t attrs = 104 + 16, data = attrs + 2 * (attr_size + 16);

	put_header(m, attrs, attr_size, 2, data);
	put(m, 101, 8), put(m, 102, 8);
	put_attr(m, attr_size, 0, 0xee), put(m, 104, 8), put(m, 8, 8);
	put_attr(m, attr_size, 2, 0), put(m, 112, 8), put(m, 8, 8);
	put_records(m);
	set(m, 48, m->n - data, 8);

	uint64_t bodies = m->n + 32;

	put(m, bodies, 8), put(m, 68, 8), put(m, bodies + 68, 8), put(m, 68, 8);
	put(m, 64, 4), put_text(m, "board", 64);
	put(m, 64, 4), put_text(m, "aarch64", 64);
}

static void open_image(struct perf_file *f, const struct image *m)
{
	open_file(f, (struct bytes){ guard_dup(m->v, m->n), m->n });
}

static void check_made(const struct perf_file *f)
{
	struct perf_record r;
	struct sample s;
	struct err e;
	uint64_t off = f->data_off;

	CHECK_EQ(f->head.events.n, 2);
	CHECK_EQ(f->head.events.v[0].attr.flags, FLAGS);
	CHECK_EQ(f->head.events.v[0].attr.wakeup, 5);
	CHECK_EQ(f->head.events.v[0].attr.config1, 0x1234);
	CHECK_EQ(f->head.events.v[1].attr.config, 2);
	CHECK_STR(f->head.hostname, "board");
	CHECK_STR(f->head.arch, "aarch64");
	CHECK_STR(f->head.events.v[0].label, "cpu-clock:uh");
	CHECK_STR(f->head.events.v[1].label, "page-faults:uh");
	CHECK_EQ(perf_file_next(f, &off, &r, &e), 1);
	CHECK_EQ(r.type, PERF_REC_COMM);
	CHECK_EQ(perf_record_event(&r, &f->head) - f->head.events.v, 1);
	CHECK_EQ(sample_decode_trailer(&f->head.events.v[1].layout, r.body, &s, &e), 0);
	CHECK_EQ(s.time, 77);
	CHECK_EQ(s.tid, 11);
	CHECK_EQ(perf_file_next(f, &off, &r, &e), 1);
	CHECK_EQ(r.type, PERF_REC_SAMPLE);
	CHECK_EQ(r.misc, 2);
	CHECK_EQ(perf_record_event(&r, &f->head) - f->head.events.v, 1);
	CHECK_EQ(sample_decode(&f->head.events.v[1].layout, r.body, r.misc, &s, &e), 0);
	CHECK_EQ(s.ip, 0x4000);
	CHECK_EQ(s.n_chain, 2);
	CHECK_EQ(sample_chain(&f->head.events.v[1].layout, &s, 0), PERF_CONTEXT_USER);
	CHECK_EQ(perf_file_next(f, &off, &r, &e), 1);
	CHECK_EQ(r.type, PERF_REC_FINISHED_ROUND);
	CHECK_EQ(perf_file_next(f, &off, &r, &e), 0);
}

static void read_made(bool swap, uint32_t attr_size, size_t notes)
{
	struct image m = { .swap = swap };
	struct perf_file f;

	put_file(&m, attr_size);
	open_image(&f, &m);
	CHECK_EQ(f.head.swap, swap);
	CHECK_EQ(f.head.notes.n, notes);
	check_made(&f);
	perf_file_deinit(&f);
}

TEST(perf_file_of_the_other_byte_order_is_the_same)
{
	read_made(false, ATTR, 0);
	read_made(true, ATTR, 0);
}

TEST(perf_file_takes_attributes_of_every_size)
{
	for (uint32_t size = PERF_ATTR_VER1; size <= PERF_ATTR_VER8; size += 8)
		read_made(false, size, 0);
	read_made(false, 160, 1);   /* 0xee in fields that are not known here */
	read_made(true, 200, 1);
}

/*
 * A big-endian machine of 32 bits has the bitmap in other words; the host name's bit gives it away.
 */
TEST(perf_file_finds_out_the_word_size_of_the_feature_bits)
{
	struct image m = { .swap = true };
	struct perf_file f;

	put_file(&m, ATTR);
	set(&m, 72, PERF_BIT(PERF_FEAT_HOSTNAME) | PERF_BIT(PERF_FEAT_ARCH), 4);
	set(&m, 76, 0, 4);
	open_image(&f, &m);
	check_made(&f);
	perf_file_deinit(&f);
}

TEST(perf_file_names_tracepoints_from_their_formats)
{
	struct perf_file f;
	struct bytes b = load("multi.data");
	uint8_t *p = guard_dup(b.p, b.n);
	uint64_t off;

	/*
	 * EVENT_DESC: its section's entry, found as the reader does; its count of events made a
	 * lie.
	 */
	open_file(&f, b);
	off = (uint64_t)(f.head.feature[PERF_FEAT_EVENT_DESC].p - b.p);
	perf_file_deinit(&f);
	memset(p + off + 4, 0xff, 4);
	open_file(&f, (struct bytes){ p, b.n });
	CHECK(noted(&f, "EVENT_DESC is damaged"));
	CHECK_STR(f.head.events.v[0].label, "cpu-clock");
	CHECK_STR(f.head.events.v[1].label, "sched:sched_switch");
	CHECK_STR(f.head.events.v[2].label, "page-faults");
	perf_file_deinit(&f);
}

/* --- files that are not whole ----------------------------------------------------------------- */

static unsigned count_records(const struct perf_file *f, int *end)
{
	struct perf_record r;
	struct err e;
	uint64_t off = f->data_off;
	unsigned n = 0;

	while ((*end = perf_file_next(f, &off, &r, &e)) > 0)
		n++;
	return n;
}

TEST(perf_file_whose_writer_died_gives_its_records)
{
	struct bytes b = load("clock.data");
	uint64_t zero = 0, size, off;
	struct perf_file f;
	int end;

	open_file(&f, b);

	unsigned all = count_records(&f, &end);

	CHECK_EQ(end, 0);
	off = f.data_off;
	size = f.data_end - f.data_off;
	perf_file_deinit(&f);

	uint8_t *p = guard_dup(b.p, off + size);

	memcpy(p + 48, &zero, 8);
	open_file(&f, (struct bytes){ p, off + size });
	CHECK(noted(&f, "did not finish"));
	CHECK_EQ(count_records(&f, &end), all);
	CHECK_EQ(end, 0);
	CHECK_STR(f.head.hostname, "");
	CHECK_STR(f.head.events.v[0].label, "cpu-clock");
	perf_file_deinit(&f);
}

TEST(perf_file_cut_anywhere_gives_what_is_before_the_cut)
{
	struct bytes b = load("clock.data");
	unsigned before = 0;

	for (size_t n = 0; n < b.n; n += n < 400 ? 1 : 89) {
		struct perf_file f;
		struct err e = { 0 };
		int err = perf_file_init(&f, (struct bytes){ guard_dup(b.p, n), n }, NULL, &e), end;

		if (err) {
			CHECK_EQ(err, -EBADMSG);
			CHECK(n < 264);   /* attributes are not all there */
			continue;
		}
		CHECK(n >= 264);
		CHECK(f.head.notes.n > 0);

		unsigned now = count_records(&f, &end);

		CHECK(now >= before);
		before = now;
		perf_file_deinit(&f);
	}
	CHECK(before > 40);
}

TEST(perf_file_pipe_cut_anywhere_gives_what_is_before_the_cut)
{
	struct bytes b = load("arm-pipe.data");
	unsigned before = 0;

	for (size_t n = 0; n < b.n; n += n < 1000 ? 1 : 89) {
		struct perf_file f;
		struct err e = { 0 };
		int end;

		if (perf_file_init(&f, (struct bytes){ guard_dup(b.p, n), n }, NULL, &e))
			continue;

		unsigned n_records = count_records(&f, &end);

		CHECK_SAY(n_records >= before, "%u records of %zu bytes, %u of fewer", n_records, n, before);
		before = n_records;
		perf_file_deinit(&f);
	}
	CHECK_SAY(before > 10, "%u records", before);
}

static void check_refused(const void *bytes, size_t n, const char *text)
{
	struct perf_file f;
	struct err e = { 0 };

	CHECK_EQ(perf_file_init(&f, (struct bytes){ guard_dup(bytes, n), n }, NULL, &e), -EBADMSG);
	if (!strstr(e.text, text))
		t_fail(__FILE__, __LINE__, "\"%s\" does not say \"%s\"", e.text, text);
}

TEST(perf_file_says_what_a_file_is_instead)
{
	check_refused("", 0, "it is empty");
	check_refused("\x17\x08\x44tracing\0" "6", 12, "trace.dat file of trace-cmd");
	check_refused("\x7f" "ELF\2\1\1\0\0\0\0", 12, "an ELF file");
	check_refused("\x1f\x8b\x08\0\0\0\0\0", 8, "gzip");
	check_refused("\x28\xb5\x2f\xfd\0\0\0\0", 8, "zstd");
	check_refused("main 10 20\nother\n", 17, "it is text");
	check_refused("PERFFILE\x68\0\0\0\0\0\0\0", 16, "version 1");
	check_refused("PERFIL", 6, "not a perf.data file");
	check_refused("PERFILE2\x69\0\0\0\0\0\0\0", 16, "header of 105 bytes");
}

static void check_broken(size_t at, uint64_t v, size_t size, const char *text)
{
	struct image m = { 0 };

	put_file(&m, ATTR);
	set(&m, at, v, size);
	check_refused(m.v, m.n, text);
}

TEST(perf_file_refuses_headers_that_lie)
{
	check_broken(16, 0, 8, "entries of 0 bytes");
	check_broken(16, 79, 8, "entries of 79 bytes");
	check_broken(24, 8, 8, "overlap");                     /* attributes in the header */
	check_broken(40, 130, 8, "overlap");                   /* data in the attributes */
	check_broken(40, 16, 8, "overlap");
	check_broken(48, UINT64_MAX, 8, "larger than any file");
	check_broken(24, 1 << 20, 8, "beyond the end");
	check_broken(32, 0, 8, "without events");
	check_broken(124, 60, 4, "event attribute of 60 bytes");
	check_broken(124, 1 << 20, 4, "event attribute of 1048576 bytes");
	check_broken(120 + ATTR, 1 << 20, 8, "ids of event 0");
	check_broken(120 + ATTR + 8, UINT64_MAX, 8, "ids of event 0");
}

/* Many attributes whose ids are the whole file each would cost the square of its size. */
TEST(perf_file_refuses_ids_that_overlap)
{
	enum { N = 2000, ENTRY = PERF_ATTR_VER0 + 16, SIZE = 104 + N * ENTRY };
	struct image m = { 0 };
	uint8_t *p = calloc(1, SIZE);

	put_header(&m, 104, PERF_ATTR_VER0, N, SIZE);
	memcpy(p, m.v, 104);
	for (size_t i = 0; i < N; i++) {
		uint64_t ids[2] = { 0, SIZE };

		memcpy(p + 104 + i * ENTRY + PERF_ATTR_VER0, ids, 16);
	}
	check_refused(p, SIZE, "ids of event 1");
	free(p);
}

TEST(perf_file_stops_at_a_record_that_cannot_be)
{
	static const struct { uint32_t type; uint16_t size; } bad[] = {
		{ PERF_REC_COMM, 0 }, { PERF_REC_COMM, 7 }, { PERF_REC_COMM, 65535 },
		{ PERF_REC_AUXTRACE, 48 }, { PERF_REC_TRACING_DATA, 48 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct image m = { 0 };
		struct perf_file f;
		int end;

		put_file(&m, ATTR);
		set(&m, 408, bad[i].type, 4);
		set(&m, 414, bad[i].size, 2);
		set(&m, 416, UINT64_MAX - 7, 8);
		open_image(&f, &m);
		CHECK_EQ(f.data_off, 408);
		CHECK_EQ(count_records(&f, &end), 0);
		CHECK_EQ(end, -EBADMSG);
		perf_file_deinit(&f);
	}
}
