/*
 * trace.dat: what libtracecmd 3.1.6 gives of the same files, as FNV-1a over its events, and what it wrote. The files
 * of tests/data/dat are recordings of an arm64 kernel, thinned out and then written by trace-cmd convert (v7-zlib by
 * 3.3.1, events, functions and profile by sonde, the others by 3.1.6); v6-be32 is made by hand
 * and was read by libtracecmd.
 */
#include "t.h"
#include "tracefs/dat/stream.h"

struct sum {
	unsigned long long n, hash;
};

static void feed(struct sum *s, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		s->hash = (s->hash ^ (uint8_t)text[i]) * 0x100000001b3;
}

/* "BUFFER TIME CPU SIZE HEX\n" for each event. */
static void feed_event(struct sum *s, size_t buffer, const struct tstream_rec *rec)
{
	char line[64], hex[4];

	s->n++;
	snprintf(line, sizeof(line), "%zu %llu %u %u ", buffer, (unsigned long long)rec->ts, rec->cpu, rec->n);
	feed(s, line, strlen(line));
	for (uint32_t i = 0; i < rec->n; i++) {
		snprintf(hex, sizeof(hex), "%02x", rec->raw[i]);
		feed(s, hex, 2);
	}
	feed(s, "\n", 1);
}

static struct sum sum_of(const struct tdat *d)
{
	struct sum s = { .hash = 0xcbf29ce484222325 };

	for (size_t i = 0; i < d->buffers.n; i++) {
		struct tdat_reader *r = tdat_reader_new(d, (int)i, NULL);
		struct tstream_rec rec;
		struct err e = { 0 };
		int ret;

		while ((ret = tdat_reader_next(r, &rec, &e)) > 0)
			feed_event(&s, i, &rec);
		CHECK_STR(e.text, "");
		CHECK_EQ(tdat_reader_done(r), d->bytes.n);
		tdat_reader_free(r);
	}
	return s;
}

static const void *load(const char *name, size_t *n)
{
	char path[64];
	char *bytes;

	snprintf(path, sizeof(path), "data/dat/%s", name);
	bytes = t_read(path, n);
	return guard_dup(bytes, *n);
}

static void open_dat(struct tdat *d, const char *name)
{
	struct err e = { 0 };
	size_t n;
	const void *bytes = load(name, &n);

	CHECK(tdat_is(bytes, n));
	if (tdat_init(d, bytes, n, &e))
		t_fail(__FILE__, __LINE__, "%s: %s", name, e.text);
	CHECK_EQ(d->notes.n, 0);
}

static const struct {
	const char *name;
	struct sum sum;
} files[] = {
	{ "v6.dat", { 58, 0x1169eaf60d1f0f6a } },
	{ "v6-be32.dat", { 4, 0x5e32743ee3afe2d1 } },
	{ "v7-zlib.dat", { 1064, 0xacc898096cd842fe } },
	{ "v7-zstd.dat", { 1064, 0xacc898096cd842fe } },
};

TEST(dat_gives_the_events_that_trace_cmd_gives)
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct tdat d;
		struct sum s;

		open_dat(&d, files[i].name);
		s = sum_of(&d);
		CHECK_EQ(s.n, files[i].sum.n);
		CHECK_EQ(s.hash, files[i].sum.hash);
		tdat_deinit(&d);
	}
}

TEST(dat_tells_buffers_clocks_and_options)
{
	struct tdat d;

	open_dat(&d, "v7-zstd.dat");
	CHECK_EQ(d.version, 7);
	CHECK_EQ(d.ncpus, 2);
	CHECK_EQ(d.buffers.n, 3);
	CHECK_STR(d.buffers.v[0].name, "");
	CHECK_STR(d.buffers.v[1].name, "inst2");
	CHECK_STR(d.buffers.v[2].name, "inst1");
	CHECK_STR(d.buffers.v[1].clock, "mono");
	CHECK_EQ(d.buffers.v[2].page_size, 4096);
	CHECK_EQ(d.layout.data_offset, 16);
	CHECK_EQ(d.blob.formats.n, 8);
	CHECK_STR(tdat_option(&d, TDAT_UNAME)->data.s, "Linux vm-6.12 6.12.117+deb13-arm64 aarch64");
	CHECK(!tdat_option(&d, TDAT_GUEST));
	tdat_deinit(&d);
	open_dat(&d, "v6.dat");
	CHECK_STR(d.buffers.v[0].clock, "counter");
	CHECK_EQ(d.blob.kallsyms.n, 2028);
	tdat_deinit(&d);
}

TEST(dat_leaves_nothing_behind_when_it_cannot_be_read)
{
	unsigned refused = 0;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		size_t n;
		const char *bytes = load(files[i].name, &n);

		for (size_t cut = 0; cut < n; cut += 1 + n / 500) {
			struct tdat d;

			if (!tdat_init(&d, bytes, cut, NULL)) {
				tdat_deinit(&d);
				continue;
			}
			refused++;
			CHECK(!d.notes.v && !d.options.v && !d.buffers.v && !d.blob.formats.v);
		}
	}
	CHECK(refused > 100);
}

TEST(dat_merges_all_buffers_by_time)
{
	struct tdat d;
	struct tstream_rec rec;
	uint64_t before = 0, n = 0, of[3] = { 0 };

	open_dat(&d, "v7-zstd.dat");

	struct tdat_reader *r = tdat_reader_new(&d, -1, NULL);

	for (; tdat_reader_next(r, &rec, NULL) > 0; n++, before = rec.ts) {
		CHECK(rec.ts >= before);
		of[rec.buffer]++;
	}
	CHECK_EQ(n, 1064);
	CHECK_EQ(of[0], 268);
	CHECK_EQ(of[1], 266);
	CHECK_EQ(of[2], 530);
	CHECK_EQ(tdat_reader_stats(r)->events, 1064);
	tdat_reader_free(r);
	tdat_deinit(&d);
}

TEST(dat_has_a_tracers_own_text)
{
	struct sum s = { .hash = 0xcbf29ce484222325 };
	struct tdat d;

	open_dat(&d, "v7-latency.dat");
	CHECK(d.buffers.v[0].latency);
	CHECK_EQ(d.buffers.v[0].cpus.n, 0);
	feed(&s, d.buffers.v[0].text.s, d.buffers.v[0].text.n);
	CHECK_EQ(s.hash, 0x313f3af222db512c);
	tdat_deinit(&d);
}

static uint64_t first_time(const struct tdat *d)
{
	struct tdat_reader *r = tdat_reader_new(d, 0, NULL);
	struct tstream_rec rec = { 0 };

	CHECK_EQ(tdat_reader_next(r, &rec, NULL), 1);
	tdat_reader_free(r);
	return rec.ts;
}

TEST(dat_times_have_offset_and_scale)
{
	struct tdat d;

	open_dat(&d, "v6-be32.dat");
	CHECK_EQ(d.ts_offset, 1000);
	CHECK_EQ(first_time(&d), 5000001000);
	d.tsc_mult = 3;
	d.tsc_shift = 1;
	CHECK_EQ(first_time(&d), 7500001000);
	d.ts_offset = 0;
	d.tsc_mult = 0;
	CHECK_EQ(first_time(&d), 5000000000);
	tdat_deinit(&d);
}

/* The first record's time of each buffer: an instance's events stand among the others' at their time. */
TEST(dat_offset_is_of_all_buffers)
{
	struct tdat d;

	open_dat(&d, "v7-zstd.dat");
	CHECK_EQ(d.buffers.n, 3);
	for (int i = 0; i < (int)d.buffers.n; i++) {
		uint64_t ts[2];

		for (int k = 0; k < 2; k++) {
			struct tdat_reader *r = tdat_reader_new(&d, i, NULL);
			struct tstream_rec rec = { 0 };

			d.ts_offset += k * 12345;
			CHECK_EQ(tdat_reader_next(r, &rec, NULL), 1);
			ts[k] = rec.ts;
			tdat_reader_free(r);
		}
		CHECK_EQ(ts[1] - ts[0], 12345);
	}
	tdat_deinit(&d);
}

/* Whatever is missing: an error, or a note; never more events, never a read beyond the end. */
static void check_cut(const char *bytes, size_t n, size_t keep, unsigned long long full)
{
	const void *cut = guard_dup(bytes, keep);
	struct tdat d;
	struct err e = { 0 };
	int r = tdat_init(&d, cut, keep, &e);

	if (r) {
		CHECK(e.text[0]);
	} else if (keep < n) {
		struct sum s = sum_of(&d);

		CHECK(s.n <= full);
		CHECK(s.n == full || d.notes.n);
	}
	tdat_deinit(&d);
}

TEST(dat_that_is_cut_is_read_up_to_the_cut)
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		size_t n;
		const char *bytes = load(files[i].name, &n);

		for (size_t keep = 0; keep < n; keep += keep < 600 ? 1 : 211)
			check_cut(bytes, n, keep, files[i].sum.n);
	}
}

/* What says where the rings are stands behind them. */
TEST(dat_of_version_7_without_its_end_keeps_its_rings)
{
	int tried = 0;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		size_t n;
		const char *bytes = load(files[i].name, &n);
		size_t keep = n * 95 / 100;
		struct tdat d;

		if (strcmp(files[i].name, "v7-zstd.dat") && strcmp(files[i].name, "v7-zlib.dat"))
			continue;
		tried++;
		CHECK_EQ(tdat_init(&d, guard_dup(bytes, keep), keep, NULL), 0);
		CHECK_EQ(d.buffers.n, 3);
		CHECK(d.notes.n >= 2);
		CHECK(sum_of(&d).n * 10 > files[i].sum.n * 8);
		tdat_deinit(&d);
	}
	CHECK_EQ(tried, 2);
}

TEST(dat_cut_in_the_second_cpu_keeps_the_first)
{
	size_t n;
	const char *bytes = load("v6.dat", &n);
	struct tdat d;
	struct sum s;

	CHECK_EQ(tdat_init(&d, guard_dup(bytes, 13000), 13000, NULL), 0);
	CHECK_EQ(d.notes.n, 1);
	CHECK(strstr(d.notes.v[0].text, "CPU 1"));
	CHECK_EQ(d.buffers.v[0].cpus.v[0].size, 4096);
	CHECK_EQ(d.buffers.v[0].cpus.v[1].size, 13000 - 12288);
	s = sum_of(&d);
	CHECK(s.n > 20 && s.n < 58);
	tdat_deinit(&d);
}

/* --- writing --- */

struct file {
	char *v;
	size_t n, cap;
	struct sv kallsyms;
};

static void grow(struct file *f, size_t n)
{
	while (f->n + n > f->cap) {
		f->cap = f->cap ? f->cap * 2 : 65536;
		f->v = realloc(f->v, f->cap);
	}
}

static int file_write(void *arg, const char *bytes, size_t n)
{
	struct file *f = arg;

	grow(f, n);
	memcpy(f->v + f->n, bytes, n);
	f->n += n;
	return 0;
}

static int file_patch(void *arg, uint64_t off, const void *bytes, size_t n)
{
	struct file *f = arg;

	CHECK(off + n <= f->n);
	memcpy(f->v + off, bytes, n);
	return 0;
}

static int file_kallsyms(void *arg, struct out *o, struct err *e)
{
	struct file *f = arg;

	(void)e;
	for (size_t i = 0; i < f->kallsyms.n; i += 100)
		out_bytes(o, f->kallsyms.s + i, MIN(f->kallsyms.n - i, (size_t)100));
	return 0;
}

static size_t copy_options(const struct tdat *d, struct tdat_option to[64])
{
	size_t n = 0;

	for (size_t i = 0; i < d->options.n && n < 64; i++) {
		unsigned id = d->options.v[i].id;

		if (id != TDAT_BUFFER && id != TDAT_BUFFER_TEXT && id != TDAT_CPUCOUNT && id < TDAT_STRINGS)
			to[n++] = d->options.v[i];
	}
	return n;
}

static void copy_packed(struct tdat_writer *w, const struct tdat *d, const struct tdat_cpu *cpu)
{
	struct cursor c = cur_from(d->bytes.s + cpu->off, d->bytes.n - cpu->off);
	static char pages[65536];

	for (uint32_t n = cur_u32(&c); n > 0; n--) {
		uint32_t size = cur_u32(&c), unpacked = cur_u32(&c);
		size_t got;

		CHECK_EQ(d->unpack(pages, sizeof(pages), cur_bytes(&c, size), size, &got, NULL), 0);
		CHECK_EQ(got, unpacked);
		tdat_write_data(w, pages, got);
	}
}

/* Data of one CPU in pieces; every other CPU's go past the writer. */
static void copy_cpu(struct tdat_writer *w, struct file *f, const struct tdat *d, const struct tdat_buffer *b, size_t i)
{
	const char *p = d->bytes.s + b->cpus.v[i].off;
	uint64_t n = b->cpus.v[i].size;

	CHECK_EQ(tdat_write_cpu(w, b->cpus.v[i].cpu, NULL), 0);
	if (b->compressed) {
		copy_packed(w, d, &b->cpus.v[i]);
		return;
	}
	if (i % 2 && w->want.format <= TDAT_V7) {
		CHECK_EQ(tdat_write_at(w), f->n);
		CHECK_EQ(f->n % b->page_size, 0);
		file_write(f, p, n);
		tdat_write_moved(w, n);
		return;
	}
	for (uint64_t at = 0; at < n; at += 1000)
		tdat_write_data(w, p + at, MIN(n - at, (uint64_t)1000));
}

/* A file again, in another format. */
static void rewrite(struct file *f, const struct tdat *d, enum tdat_format format)
{
	struct tdat_option options[64];
	struct tdat_write_buffer buffers[4];
	char buf[512];
	struct out o = { .write = file_write, .arg = f, .buf = buf, .cap = sizeof(buf) };
	struct tdat_write_want want = {
		.format = format,
		.blob = &d->blob,
		.kallsyms = file_kallsyms,
		.patch = file_patch,
		.arg = f,
		.options = options,
		.n_options = copy_options(d, options),
		.buffers = buffers,
		.n_buffers = d->buffers.n,
		.ncpus = d->ncpus,
	};
	struct tdat_writer w;

	f->kallsyms = d->blob.kallsyms;
	for (size_t i = 0; i < d->buffers.n; i++) {
		const struct tdat_buffer *b = &d->buffers.v[i];

		buffers[i] = (struct tdat_write_buffer){ b->name, b->clock, b->page_size, b->latency };
	}
	CHECK_EQ(tdat_write_begin(&w, &want, &o, NULL), 0);
	for (size_t i = 0; i < d->buffers.n; i++) {
		CHECK_EQ(tdat_write_buffer(&w, NULL), 0);
		if (buffers[i].latency)
			tdat_write_data(&w, d->buffers.v[i].text.s, d->buffers.v[i].text.n);
		for (size_t k = 0; k < d->buffers.v[i].cpus.n; k++)
			copy_cpu(&w, f, d, &d->buffers.v[i], k);
	}
	CHECK_EQ(tdat_write_end(&w, NULL), 0);
	tdat_write_deinit(&w);
}

static void check_text(struct sv a, struct sv b)
{
	CHECK_EQ(a.n, b.n);
	CHECK(!a.n || !memcmp(a.s, b.s, a.n));
}

static void check_same(const struct tdat *a, const struct tdat *b)
{
	struct sum x = sum_of(a), y = sum_of(b);

	CHECK_EQ(x.n, y.n);
	CHECK_EQ(x.hash, y.hash);
	CHECK_EQ(a->ncpus, b->ncpus);
	CHECK_EQ(a->buffers.n, b->buffers.n);
	CHECK_EQ(a->blob.formats.n, b->blob.formats.n);
	check_text(a->blob.kallsyms, b->blob.kallsyms);
	check_text(a->blob.cmdlines, b->blob.cmdlines);
	for (size_t i = 0; i < a->buffers.n; i++) {
		CHECK_STR(a->buffers.v[i].name, b->buffers.v[i].name);
		if (tdat_option(a, TDAT_TRACECLOCK))
			CHECK_STR(a->buffers.v[i].clock, b->buffers.v[i].clock);
		CHECK_EQ(a->buffers.v[i].page_size, b->buffers.v[i].page_size);
		check_text(a->buffers.v[i].text, b->buffers.v[i].text);
	}
}

TEST(dat_written_in_each_format_reads_the_same)
{
	static const char *const names[] = { "v6.dat", "v7-zstd.dat", "v7-latency.dat" };
	struct tdat top, d;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		open_dat(&top, names[i]);
		for (unsigned format = TDAT_V6; format <= TDAT_V7_ZLIB; format++) {
			struct file f = { 0 };
			struct err e = { 0 };

			rewrite(&f, &top, format);
			CHECK_EQ(tdat_init(&d, guard_dup(f.v, f.n), f.n, &e), 0);
			CHECK_STR(e.text, "");
			CHECK_EQ(d.notes.n, 0);
			CHECK_EQ(tdat_format_of(&d), format);
			check_same(&top, &d);
			tdat_deinit(&d);
			free(f.v);
		}
		tdat_deinit(&top);
	}
}

/* Bytes for bytes what the writer leaves when it can patch. */
TEST(dat_streamed_head_is_the_patched_one)
{
	struct tdat_write_buffer buffer = { "", "local", 4096, false };
	struct tdat top;

	open_dat(&top, "v7-zstd.dat");
	for (unsigned format = TDAT_V6; format <= TDAT_V7_ZLIB; format++) {
		struct tdat_option options[64];
		struct file patched = { 0 }, streamed = { 0 };
		char buf[100];
		struct out o = { .write = file_write, .arg = &patched, .buf = buf, .cap = sizeof(buf) };
		struct out s = { .write = file_write, .arg = &streamed, .buf = buf, .cap = sizeof(buf) };
		struct tdat_write_want want = {
			.format = format, .blob = &top.blob, .patch = file_patch, .arg = &patched, .options = options,
			.n_options = copy_options(&top, options), .buffers = &buffer, .n_buffers = 1, .ncpus = 2,
		};
		struct tdat_writer w;

		CHECK_EQ(tdat_write_begin(&w, &want, &o, NULL), 0);
		CHECK_EQ(tdat_write_end(&w, NULL), 0);
		tdat_write_deinit(&w);
		want.patch = NULL;
		CHECK_EQ(tdat_stream_head(&want, &s, NULL), 0);
		out_flush(&s);
		CHECK(streamed.n > 1000);
		CHECK_EQ(streamed.n, patched.n);
		CHECK(!memcmp(streamed.v, patched.v, patched.n));
		free(patched.v);
		free(streamed.v);
	}
	tdat_deinit(&top);
}

TEST(dat_writer_fills_the_last_page_and_names_only_known_cpus)
{
	struct file f = { 0 };
	struct tblob blob = { .machine.long_size = 8, .page_size = 4096 };
	char buf[64];
	struct out o = { .write = file_write, .arg = &f, .buf = buf, .cap = sizeof(buf) };
	struct tdat_write_buffer top = { "", "local", 4096, false };
	struct tdat_write_want want = {.format = TDAT_V6,
				       .blob = &blob,
				       .patch = file_patch,
				       .arg = &f,
				       .buffers = &top,
				       .n_buffers = 1,
				       .ncpus = 2};
	struct tdat_writer w;
	struct tdat d;

	CHECK_EQ(tdat_write_begin(&w, &want, &o, NULL), 0);
	CHECK_EQ(tdat_write_buffer(&w, NULL), 0);
	CHECK_EQ(tdat_write_cpu(&w, 2, NULL), -EINVAL);
	CHECK_EQ(tdat_write_cpu(&w, 1, NULL), 0);
	tdat_write_data(&w, "12345678", 8);
	CHECK_EQ(tdat_write_buffer(&w, NULL), -EINVAL);
	CHECK_EQ(tdat_write_end(&w, NULL), 0);
	tdat_write_deinit(&w);
	CHECK_EQ(tdat_init(&d, f.v, f.n, NULL), 0);
	CHECK_EQ(d.buffers.v[0].cpus.v[0].size, 0);
	CHECK_EQ(d.buffers.v[0].cpus.v[1].size, 4096);
	CHECK(!memcmp(f.v + d.buffers.v[0].cpus.v[1].off, "12345678\0\0", 10));
	tdat_deinit(&d);
}

/* --- hostile --- */

static int init_changed(const char *name, size_t at, const void *bytes, size_t n, struct tdat *d)
{
	size_t size;
	const char *whole = load(name, &size);
	char *copy = malloc(size);

	memcpy(copy, whole, size);
	memcpy(copy + at, bytes, n);
	return tdat_init(d, guard_dup(copy, size), size, NULL);
}

TEST(dat_of_unknown_compression_is_refused)
{
	struct tdat d;

	CHECK_EQ(init_changed("v7-zstd.dat", 18, "lzma", 4, &d), -EOPNOTSUPP);
	tdat_deinit(&d);
}

TEST(dat_whose_options_form_a_loop_ends)
{
	size_t n;
	const char *bytes = load("v7-zstd.dat", &n);
	uint64_t first;
	struct tdat d;
	size_t at = 0;

	memcpy(&first, bytes + 29, 8);
	for (uint32_t size; at + 6 < n; at += 6 + size) {
		if (!at)
			at = first + 16;
		memcpy(&size, bytes + at + 2, 4);
		if (!bytes[at] && !bytes[at + 1])
			break;
	}
	CHECK_EQ(init_changed("v7-zstd.dat", at + 6, &first, 8, &d), 0);
	CHECK_EQ(d.buffers.n, 1);
	CHECK(d.notes.n && strstr(d.notes.v[0].text, "where the rings are"));
	tdat_deinit(&d);
}

TEST(dat_whose_rings_overlap_is_refused)
{
	size_t n;
	const char *bytes = load("v6.dat", &n), *at = memmem(bytes, n, "flyrecord", 10);
	uint64_t all[4] = { 0, n, 0, n };
	struct tdat d;

	CHECK(at);
	CHECK_EQ(init_changed("v6.dat", (size_t)(at - bytes) + 10, all, sizeof(all), &d), -EBADMSG);
	tdat_deinit(&d);
}
