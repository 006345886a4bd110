/* AUX areas that a made kernel fills: what goes into the file, what waits, what readers are told of the PMU. */
#include "perf/file.h"
#include "record/aux.h"
#include "source/spe_buffers.h"
#include "t.h"

#include <sys/uio.h>

enum { PAGE = 4096, AREA = 4096, CPUS = 2, FD = 500 };

/* The made kernel. */
static struct {
	_Alignas(PAGE) uint8_t page[PAGE], area[CPUS][AREA];
	uint8_t file[65536];
	size_t n_file, n_mapped;
	unsigned enables;
} k;

static int fake_mmap(const struct sys *s UNUSED, void **p, size_t n, int prot UNUSED, int flags UNUSED, int fd,
		     uint64_t off UNUSED)
{
	CHECK_EQ(n, AREA);
	k.n_mapped++;
	*p = k.area[fd - FD];
	return 0;
}

static int fake_munmap(const struct sys *s UNUSED, void *p UNUSED, size_t n UNUSED)
{
	k.n_mapped--;
	return 0;
}

static int fake_ioctl(const struct sys *s UNUSED, int fd UNUSED, unsigned long request, uintptr_t arg UNUSED)
{
	k.enables += request == PERF_IOC_ENABLE;
	return 0;
}

static ssize_t fake_writev(const struct sys *s UNUSED, int fd UNUSED, const struct iovec *v, int n)
{
	size_t before = k.n_file;

	for (int i = 0; i < n; i++) {
		memcpy(k.file + k.n_file, v[i].iov_base, v[i].iov_len);
		k.n_file += v[i].iov_len;
	}
	return (ssize_t)(k.n_file - before);
}

static long fake_page_size(const struct sys *s UNUSED)
{
	return PAGE;
}

static uint64_t fake_now(const struct sys *s UNUSED, int clockid UNUSED)
{
	return 7;
}

/* A recording of two CPUs with a ring each, whose first page they share. */
static struct {
	struct sys sys;
	struct recording rec;
	struct perf_attr attr;
	struct target target;
	struct sink sink;
	struct err e;
} it;

static void set_word(size_t off, uint64_t v)
{
	memcpy(k.page + off, &v, sizeof(v));
}

static int fake_gone(const struct sys *s UNUSED, const char *path UNUSED, int flags UNUSED, unsigned mode UNUSED)
{
	return -ENOENT;
}

/* root NULL: a machine that tells nothing of its cores. */
static void begin(const char *root)
{
	struct recording_want w = { .target = &it.target, .aux_bytes = AREA, .child = 42 };

	it.sys = sys_with_root(root ? root : "tests/none");
	it.sys.mmap = fake_mmap;
	it.sys.munmap = fake_munmap;
	it.sys.ioctl = fake_ioctl;
	it.sys.writev = fake_writev;
	it.sys.page_size = fake_page_size;
	it.sys.now = fake_now;
	if (!root)
		it.sys.open = fake_gone;
	it.attr = (struct perf_attr){ .type = 11, .sample_period = 256 };
	it.rec = (struct recording){ .sys = &it.sys, .attrs = &it.attr };
	it.target.kind = TARGET_COMMAND;
	it.sink = (struct sink){ .sys = &it.sys, .path = "x", .fd = 1, .pos = 1000 };
	for (uint32_t i = 0; i < CPUS; i++) {
		struct rec_fd *fd = vec_add(&it.rec.fds);
		struct rec_ring *ring = vec_add(&it.rec.rings);

		*fd = (struct rec_fd){ .fd = (int)(FD + i), .ring = i };
		*ring = (struct rec_ring){ .cpu = (int)(4 * i), .owner = i };
		ring->map = (struct ring_map){ .base = k.page, .mapped = 2 * PAGE };
	}
	CHECK_EQ(aux_open(&it.rec, 0, &w, &it.e), 0);
	CHECK_EQ(k.n_mapped, CPUS);
}

static void end(void)
{
	aux_close(it.rec.aux, &it.sys);
	CHECK_EQ(k.n_mapped, 0);
	vec_free(&it.rec.fds);
	vec_free(&it.rec.rings);
}

static uint64_t word(size_t off)
{
	uint64_t v;

	memcpy(&v, k.file + off, sizeof(v));
	return v;
}

TEST(aux_areas_go_into_the_file_as_they_were_written)
{
	begin(NULL);
	for (size_t i = 0; i < AREA; i++)
		k.area[0][i] = k.area[1][i] = (uint8_t)(i * 7);
	it.rec.aux->areas.v[0].map.tail = 3 * AREA - 100;
	it.rec.aux->areas.v[1].map.tail = 3 * AREA - 100 + 1025;
	set_word(PERF_PAGE_AUX_HEAD, 3 * AREA - 100 + 1025);
	CHECK_EQ(aux_drain(it.rec.aux, &it.rec, &it.sink, &it.e), 0);

	/* The head, a piece at the area's end and one at its start, zeros up to a multiple of 8; the other waits. */
	CHECK_EQ(k.n_file, 48 + 1032);
	CHECK_EQ(word(0), (uint64_t)48 << 48 | PERF_REC_AUXTRACE);
	CHECK_EQ(word(8), 1032);
	CHECK_EQ(word(16), 3 * AREA - 100);
	CHECK_EQ(word(24), 7);
	CHECK_EQ(word(32), UINT64_C(42) << 32);
	CHECK_EQ(word(40), 0);
	CHECK(!memcmp(k.file + 48, k.area[0] + AREA - 100, 100));
	CHECK(!memcmp(k.file + 148, k.area[0], 925));
	CHECK(!memcmp(k.file + 48 + 1025, "\0\0\0\0\0\0\0", 7));

	uint64_t tail;

	memcpy(&tail, k.page + PERF_PAGE_AUX_TAIL, sizeof(tail));
	CHECK_EQ(tail, 3 * AREA - 100 + 1025);
	CHECK_EQ(it.rec.aux->told.bytes, 1025);
	/* Where the area was full the kernel has switched its event off; that of the other CPU runs. */
	CHECK_EQ(k.enables, 1);
	end();
}

TEST(aux_areas_wait_until_a_part_of_them_is_full)
{
	begin(NULL);
	set_word(PERF_PAGE_AUX_HEAD, AREA / 8 - 1);
	CHECK_EQ(aux_drain(it.rec.aux, &it.rec, &it.sink, &it.e), 0);
	CHECK_EQ(k.n_file, 0);
	/* ... or it is over: nothing is started again then. */
	it.rec.aux->stopped = true;
	CHECK_EQ(aux_drain(it.rec.aux, &it.rec, &it.sink, &it.e), 0);
	CHECK_EQ(k.n_file, 2 * (48 + AREA / 8));
	CHECK_EQ(k.enables, 0);
	end();
}

TEST(aux_areas_cannot_hold_more_than_they_have)
{
	begin(NULL);
	set_word(PERF_PAGE_AUX_HEAD, AREA + 1);
	CHECK_EQ(aux_drain(it.rec.aux, &it.rec, &it.sink, &it.e), -EBADMSG);
	CHECK_EQ(k.n_file, 0);
	end();
}

static struct bytes index_of(struct feature_set *facts, uint64_t behind)
{
	aux_tell(it.rec.aux, facts, behind);
	CHECK_EQ(facts->parts.n, 1);
	CHECK_EQ(facts->parts.v[0].bit, PERF_FEAT_AUXTRACE);
	return facts->parts.v[0].borrowed;
}

TEST(aux_records_are_found_by_the_files_index)
{
	struct feature_set facts;
	struct bytes b;

	begin(NULL);
	feature_set_init(&facts);
	b = index_of(&facts, 1000);
	CHECK_EQ(b.n, 8);
	CHECK(!memcmp(b.p, "\0\0\0\0\0\0\0", 8));
	set_word(PERF_PAGE_AUX_HEAD, AREA);
	CHECK_EQ(aux_drain(it.rec.aux, &it.rec, &it.sink, &it.e), 0);
	b = index_of(&facts, 100000);
	CHECK_EQ(b.n, 8 + 2 * 16);
	CHECK(!memcmp(b.p, (uint64_t[]){ 2, 1000, 48, 1000 + 48 + AREA, 48 }, b.n));
	/* What had no room on the disk is not in it. */
	b = index_of(&facts, 1000 + 48 + AREA);
	CHECK_EQ(b.n, 8 + 16);
	CHECK(!memcmp(b.p, (uint64_t[]){ 1, 1000, 48 }, b.n));
	feature_set_deinit(&facts);
	end();
}

/* The beginning of a file, as a reader finds it. */
static void read_begin(struct spe_buffers *found, uint32_t *n_infos)
{
	struct perf_write_event ev = { .attr = it.attr, .name = "arm_spe_0//" };
	struct perf_file file;
	struct perf_record r;
	struct mem_out m;
	uint64_t off;

	mem_out_init(&m);
	perf_write_header(&m.out, &ev, 1);
	aux_begin(it.rec.aux, &it.rec, &m.out);
	CHECK_EQ(perf_file_init(&file, (struct bytes){ (const uint8_t *)mem_out_str(&m), m.n }, NULL, &it.e), 0);
	*found = (struct spe_buffers){ 0 };
	CHECK_EQ(spe_buffers_find(found, &file), 0);
	off = file.data_off;
	*n_infos = 0;
	while (perf_file_next(&file, &off, &r, &it.e) == 1)
		if (r.type == PERF_REC_AUXTRACE_INFO)
			*n_infos += (uint32_t)r.body.n;
	perf_file_deinit(&file);
	mem_out_deinit(&m);
}

TEST(aux_readers_are_told_of_the_pmu_and_its_clock)
{
	struct spe_buffers found;
	uint32_t n;
	uint16_t shift = 10;
	uint32_t mult = 40960;

	begin(NULL);
	set_word(PERF_PAGE_CAPS, PERF_PAGE_CAP_TIME_ZERO);
	memcpy(k.page + PERF_PAGE_TIME_SHIFT, &shift, sizeof(shift));
	memcpy(k.page + PERF_PAGE_TIME_MULT, &mult, sizeof(mult));
	set_word(PERF_PAGE_TIME_ZERO, 5000);
	read_begin(&found, &n);
	CHECK(found.found);
	CHECK_EQ(found.pmu, 11);
	CHECK_EQ(spe_clock_ns(&found.clock, 2000), 5000 + 2000 * 40);
	/* Two words, as perf up to 6.12 knows. */
	CHECK_EQ(n, 8 + 16);
	spe_buffers_deinit(&found);
	end();
}

TEST(aux_readers_are_told_of_cores_that_differ)
{
	struct spe_buffers found;
	uint64_t first, other;
	uint32_t n;

	begin("tests/data/root/biglittle");
	CHECK_EQ(sys_read_u64(&it.sys, &first, "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1"), 0);
	CHECK_EQ(sys_read_u64(&it.sys, &other, "/sys/devices/system/cpu/cpu4/regs/identification/midr_el1"), 0);
	CHECK(first != other);
	read_begin(&found, &n);
	CHECK_EQ(found.pmu, 11);
	CHECK_EQ(spe_buffers_midr(&found, 0), first);
	CHECK_EQ(spe_buffers_midr(&found, 4), other);
	spe_buffers_deinit(&found);
	end();
}

/* Odd: the kernel writes it just now. */
TEST(aux_clocks_that_are_being_written_are_not_told)
{
	struct ring_map ring = { .base = k.page };
	struct ring_clock c;

	set_word(PERF_PAGE_CAPS, PERF_PAGE_CAP_TIME_ZERO | PERF_PAGE_CAP_TIME_SHORT);
	set_word(PERF_PAGE_TIME_MASK, 0xffff);
	CHECK(ring_map_clock(&ring, &c));
	CHECK(c.is_short);
	CHECK_EQ(c.mask, 0xffff);
	set_word(PERF_PAGE_LOCK, 1);
	CHECK(!ring_map_clock(&ring, &c));
	set_word(PERF_PAGE_LOCK, 2);
	set_word(PERF_PAGE_CAPS, PERF_PAGE_CAP_TIME_SHORT);
	CHECK(!ring_map_clock(&ring, &c));
}

TEST(aux_records_of_the_ring_are_counted_by_what_they_say)
{
	const uint64_t flags[] = { 0, PERF_AUX_TRUNCATED, PERF_AUX_TRUNCATED | PERF_AUX_COLLISION, PERF_AUX_PARTIAL };

	begin(NULL);
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		uint64_t v[] = { 0, 64, flags[i] };

		aux_note(it.rec.aux, &(struct perf_record){ .type = PERF_REC_AUX,
							   .body = { (const uint8_t *)v, sizeof(v) } });
	}
	aux_note(it.rec.aux, &(struct perf_record){ .type = PERF_REC_AUX, .body = { (const uint8_t *)flags, 8 } });
	CHECK_EQ(it.rec.aux->told.truncated, 2);
	CHECK_EQ(it.rec.aux->told.collided, 1);
	CHECK_EQ(it.rec.aux->told.partial, 1);
	end();
}
