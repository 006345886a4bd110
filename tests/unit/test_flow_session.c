/* Hostile recordings: each sample file cut short (at every byte near its ends), and with bytes that are not its own. */
#include "report/profile.h"
#include "source/session.h"
#include "t.h"

#include <sys/resource.h>
#include <sys/stat.h>

/* The one file there is: its bytes lie against an unmapped page. */
static struct {
	const uint8_t *bytes;
	size_t n, at;
	unsigned mode;
	int read_error;
} disk;

static int fake_open(const struct sys *s UNUSED, const char *path, int flags UNUSED, unsigned mode UNUSED)
{
	return strcmp(path, "x") ? -ENOENT : 100;
}

static int fake_close(const struct sys *s UNUSED, int fd UNUSED)
{
	return 0;
}

static int fake_fstat(const struct sys *s UNUSED, int fd UNUSED, struct stat *st)
{
	*st = (struct stat){ .st_mode = disk.mode, .st_size = (off_t)disk.n };
	return 0;
}

static int fake_stat(const struct sys *s, const char *path, struct stat *st)
{
	return strcmp(path, "x") ? -ENOENT : fake_fstat(s, 0, st);
}

static int fake_access(const struct sys *s UNUSED, const char *path UNUSED, int mode UNUSED)
{
	return -ENOENT;
}

static int fake_mmap(const struct sys *s UNUSED, void **p, size_t n UNUSED, int prot UNUSED, int flags UNUSED,
		     int fd UNUSED, uint64_t off UNUSED)
{
	*p = (void *)(uintptr_t)disk.bytes;
	return 0;
}

static int fake_munmap(const struct sys *s UNUSED, void *p UNUSED, size_t n UNUSED)
{
	return 0;
}

static ssize_t fake_read(const struct sys *s UNUSED, int fd UNUSED, void *p, size_t n)
{
	size_t take = MIN(MIN(n, disk.n - disk.at), 1000u);

	if (disk.at == disk.n && disk.read_error)
		return -disk.read_error;
	memcpy(p, disk.bytes + disk.at, take);
	disk.at += take;
	return (ssize_t)take;
}

static const struct sys fake = {
	.root = "",
	.open = fake_open,
	.close = fake_close,
	.stat = fake_stat,
	.lstat = fake_stat,
	.fstat = fake_fstat,
	.access = fake_access,
	.mmap = fake_mmap,
	.munmap = fake_munmap,
	.read = fake_read,
};

static uint64_t seen;

static int take_all(struct session *s, struct err *e)
{
	struct session_item it;
	int r;

	while ((r = session_next(s, &it, e)) == 1)
		seen += it.event ? it.sample.n_chain + 1 : it.record.type;
	return r;
}

static void say(void *arg UNUSED, const char *line)
{
	seen += strlen(line);
}

/* Read all of it, whatever it is worth. */
static int read_all(struct err *e)
{
	struct session s;
	struct session_want w = { .path = "x" };
	int r = session_open(&s, &fake, &w, e);

	if (r)
		return r;
	r = take_all(&s, e);
	session_footer(&s, SESSION_ALL, say, NULL);
	session_close(&s);
	return r;
}

static void cut_everywhere(const char *path, unsigned mode)
{
	struct err e = { 0 };
	size_t n;
	char *bytes = t_read(path, &n);
	/* Moved so that the end of each cut is the end of readable memory. */
	uint8_t *end = (uint8_t *)guard_dup(bytes, n) + n;

	disk.mode = mode;
	for (size_t cut = 0, step; cut <= n; cut += step) {
		step = n - cut <= 64 ? 1 : t_sparse() * (n - cut <= 1024 || cut < 4096 ? 1 : 5);
		disk.bytes = memmove(end - cut, bytes, cut);
		disk.n = cut;
		disk.at = 0;

		int r = read_all(&e);

		if (r)
			CHECK(e.text[0]);
		if (cut == n)
			CHECK_EQ(r, 0);
	}
	free(bytes);
}

/* Bytes that count, name or measure something: each position once with each of some values. */
static void damage_everywhere(const char *path, size_t step)
{
	static const uint8_t values[] = { 0, 0xff, 0x80, 1 };
	struct err e = { 0 };
	size_t n;
	char *bytes = t_read(path, &n);
	uint8_t *copy = guard_dup(bytes, n);

	disk.mode = S_IFREG;
	disk.bytes = copy;
	disk.n = n;
	for (size_t i = 0; i < n; i += t_sparse() * (i < 1024 ? 1 : step)) {
		for (size_t v = 0; v < ARRAY_SIZE(values); v++) {
			copy[i] = values[v];
			disk.at = 0;
			read_all(&e);
		}
		copy[i] = (uint8_t)bytes[i];
	}
	CHECK_LIVES();
	free(bytes);
}

#define CUT_FILE(name, path, step) \
	TEST(session_cut_everywhere_##name) \
	{ \
		cut_everywhere(path, S_IFREG); \
	} \
	TEST(session_damaged_everywhere_##name) \
	{ \
		damage_everywhere(path, step); \
	}
#define CUT(name, path) CUT_FILE(name, "data/perf/" path, 13)

CUT_FILE(dat_6, "data/dat/v6.dat", 29)
CUT_FILE(dat_6_be32, "data/dat/v6-be32.dat", 29)
CUT_FILE(dat_7_latency, "data/dat/v7-latency.dat", 13)
CUT(clock, "clock.data")
CUT(dwarf, "dwarf.data")
CUT(group, "group.data")
CUT(multi, "multi.data")
CUT(pipe, "pipe.data")
CUT(zstd, "zstd.data")
CUT(arm_clock, "arm-clock.data")
CUT(arm_dwarf, "arm-dwarf.data")
CUT(arm_pipe, "arm-pipe.data")

TEST(session_cut_everywhere_from_a_fifo)
{
	cut_everywhere("data/perf/pipe.data", S_IFIFO);
}

/* The head of a recording, and compressed records behind it that hold what make puts there. Returns the whole. */
static uint8_t *compressed_file(size_t *n, const uint8_t *packed, size_t packed_n)
{
	struct perf_rec h = { .type = PERF_REC_COMPRESSED, .size = (uint16_t)(sizeof(h) + packed_n) };
	uint64_t head = 264, size = sizeof(h) + packed_n;   /* its header and one event, see --header-only */
	char *old = t_read("data/perf/zstd.data", n);
	uint8_t *v;

	*n = (size_t)(head + size);
	v = guard_dup(old, *n);
	memcpy(v + 48, &size, sizeof(size));
	memcpy(v + head, &h, sizeof(h));
	memcpy(v + head + sizeof(h), packed, packed_n);
	free(old);
	return v;
}

/* Blocks of 128 KiB of one repeated byte, 4 bytes each; more of them than fit into memory if all were kept. */
static size_t put_blocks(uint8_t *v, size_t blocks, uint8_t byte)
{
	static const uint8_t head[] = { 0x28, 0xb5, 0x2f, 0xfd, 0, 0x50 };
	const uint32_t repeat = (128u << 10) << 3 | 1 << 1;

	memcpy(v, head, sizeof(head));
	for (size_t i = 0; i < blocks; i++) {
		memcpy(v + sizeof(head) + 4 * i, &repeat, 3);
		v[sizeof(head) + 4 * i + 3] = byte;
	}
	return sizeof(head) + 4 * blocks;
}

static int read_packed(const uint8_t *packed, size_t n, struct session *s, struct err *e)
{
	struct session_want w = { .path = "x" };
	int r;

	disk.bytes = compressed_file(&disk.n, packed, n);
	disk.mode = S_IFREG;
	r = session_open(s, &fake, &w, e);
	if (r)
		return r;
	return take_all(s, e);
}

/* 4 KB become 128 MiB of records that nobody knows: each is read and forgotten. */
TEST(session_compressed_records_are_not_kept)
{
	enum { BLOCKS = 1000, KIB_MAX = 100 << 10 };
	static uint8_t packed[8 + 4 * BLOCKS];
	struct err e = { 0 };
	struct session s;
	struct rusage use;

	/* Records of type 0x50505050 and 0x5050 bytes. */
	CHECK_EQ(read_packed(packed, put_blocks(packed, BLOCKS, 0x50), &s, &e), 0);
	CHECK_EQ(s.source->stats.records, 1 + BLOCKS * (128u << 10) / 0x5050);
	CHECK(!s.source->skipped && !s.source->end.code);
	session_close(&s);
	CHECK_EQ(getrusage(RUSAGE_SELF, &use), 0);
	CHECK(use.ru_maxrss < KIB_MAX);
}

/* What cannot be unpacked is said, and that something is missing; what came before it stands. */
TEST(session_compressed_records_that_are_damaged)
{
	uint8_t packed[64];
	size_t n = put_blocks(packed, 2, 0x50);
	struct err e = { 0 };
	struct session s;

	memset(packed + n, 0xff, 8);
	CHECK_EQ(read_packed(packed, n + 8, &s, &e), 0);
	CHECK(session_incomplete(&s));
	CHECK(strstr(s.source->end.text, "compressed records, at offset 0x108: cannot unpack zstd: block"));
	CHECK(s.source->stats.records > 10);
	session_close(&s);
	/* Records of no bytes would never end. */
	CHECK_EQ(read_packed(packed, put_blocks(packed, 2, 0), &s, &e), 0);
	CHECK(session_incomplete(&s));
	CHECK(strstr(s.source->end.text, "record of type 0 has 0 bytes"));
	session_close(&s);
}

TEST(session_what_is_no_recording)
{
	static const char text[] = "#!/bin/sh\n";
	struct err e = { 0 };

	disk.mode = S_IFREG;
	CHECK_EQ(read_all(&e), -EBADMSG);
	CHECK_STR(e.text, "x: not a perf.data file: it is empty");
	disk.bytes = guard_dup(text, sizeof(text) - 1);
	disk.n = sizeof(text) - 1;
	CHECK_EQ(read_all(&e), -EBADMSG);
	disk.mode = S_IFDIR;
	CHECK_EQ(read_all(&e), -EISDIR);
	CHECK_STR(e.text, "x is a directory, not a recording");
}

TEST(session_a_pipe_that_cannot_be_read_is_an_error)
{
	struct err e = { 0 };

	disk.mode = S_IFIFO;
	disk.read_error = EIO;
	CHECK_EQ(read_all(&e), -EIO);
}

static int next_of_nothing(struct source *s UNUSED, struct source_rec *rec UNUSED, struct err *e UNUSED)
{
	return 0;
}

/* The sanitizers saw memset(NULL, 0, 0). */
TEST(profile_of_a_recording_without_events_is_empty)
{
	struct sym_want nothing = { 0 };
	struct source_kind empty = { .next = next_of_nothing };
	struct source source = { .kind = &empty };
	struct perf_head head = { 0 };
	struct session s = { .source = &source, .head = &head, .resolver = resolver_new(&nothing, NULL) };
	struct profile_want want = { 0 };
	struct filter_want all = { 0 };
	struct profile p;

	CHECK_EQ(profile_init(&p, &s, &want, &all, NULL), 0);
	CHECK_EQ(p.events.n, 0);
	profile_deinit(&p);
	resolver_free(s.resolver);
}
