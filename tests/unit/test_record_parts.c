/* What a recording in parts needs: names of files, registers by name, side records as long as they matter. */
#include "arch/arch.h"
#include "base/fmt.h"
#include "cmd/record/cut.h"
#include "cmd/record/regs.h"
#include "perf/side.h"
#include "perf/write.h"
#include "record/sidelog.h"
#include "t.h"

#include <fcntl.h>
#include <time.h>

static struct err err;

/* --- names of parts --- */

static struct {
	char there[16][64];       /* files */
	int n;
	char gone[64];
	uint64_t now;
} disk;

static int at(const char *path)
{
	for (int i = 0; i < disk.n; i++)
		if (!strcmp(disk.there[i], path))
			return i;
	return -1;
}

static int fake_access(const struct sys *s UNUSED, const char *path, int mode UNUSED)
{
	return at(path) < 0 ? -ENOENT : 0;
}

static void write_file(const char *name)
{
	snprintf(disk.there[disk.n++], sizeof(disk.there[0]), "%s", name);
}

static int fake_open(const struct sys *s UNUSED, const char *path, int flags, unsigned mode UNUSED)
{
	CHECK_EQ(flags & (O_CREAT | O_EXCL), O_CREAT | O_EXCL);
	if (at(path) >= 0)
		return -EEXIST;
	write_file(path);
	return 3;
}

static int fake_close(const struct sys *s UNUSED, int fd UNUSED)
{
	return 0;
}

static int fake_rename(const struct sys *s UNUSED, const char *from, const char *to)
{
	int i = at(from);

	if (i < 0)
		return -ENOENT;
	if (at(to) >= 0)
		disk.there[at(to)][0] = '\0';
	snprintf(disk.there[i], sizeof(disk.there[i]), "%s", to);
	return 0;
}

static int fake_unlink(const struct sys *s UNUSED, const char *path)
{
	snprintf(disk.gone, sizeof(disk.gone), "%s", path);
	return 0;
}

static uint64_t fake_now(const struct sys *s UNUSED, int clockid)
{
	CHECK_EQ(clockid, CLOCK_REALTIME);
	return disk.now;
}

static const struct sys fake = {
	.root = "", .open = fake_open, .close = fake_close, .access = fake_access, .rename = fake_rename,
	.unlink = fake_unlink, .now = fake_now,
};

TEST(record_parts_are_named_by_their_time)
{
	struct record_cut_want want = { .on = true };
	struct record_cut cut = { 0 };

	memset(&disk, 0, sizeof(disk));
	/* 2026-11-26 22:05:36.07 UTC */
	disk.now = UINT64_C(1795730736) * 1000000000 + 79999999;
	write_file("p");
	CHECK_EQ(record_cut_end(&cut, &want, &fake, "p", &err), 0);
	CHECK_STR(disk.there[0], "p.2026112622053607");
	CHECK_STR(cut.name, "p.2026112622053607");
	/* In the same hundredth: nothing is written over. */
	write_file("p");
	CHECK_EQ(record_cut_end(&cut, &want, &fake, "p", &err), 0);
	CHECK_STR(cut.name, "p.2026112622053608");
	CHECK_EQ(cut.n, 2);
	CHECK_STR(disk.gone, "");
	CHECK_EQ(record_cut_end(&cut, &want, &fake, "other", &err), -ENOENT);
	CHECK_STR(err.text, "cannot give other its name with the time: No such file or directory");
	/* The name that was taken for it is free again. */
	CHECK_STR(disk.gone, "other.2026112622053607");
	record_cut_deinit(&cut);
}

TEST(record_parts_of_several_have_one_stem)
{
	struct record_cut_want want = { .on = true, .stem = "p" };
	struct record_cut a = { 0 }, b = { 0 };

	memset(&disk, 0, sizeof(disk));
	write_file("p.run-1");
	write_file("p.run-2");
	CHECK_EQ(record_cut_end(&a, &want, &fake, "p.run-1", &err), 0);
	CHECK_EQ(record_cut_end(&b, &want, &fake, "p.run-2", &err), 0);
	CHECK_STR(a.name, "p.1970010100000000");
	CHECK_STR(b.name, "p.1970010100000001");
	CHECK_STR(disk.there[0], a.name);
	CHECK_STR(disk.there[1], b.name);
	record_cut_deinit(&a);
	record_cut_deinit(&b);
}

TEST(record_parts_that_are_too_many_go)
{
	struct record_cut_want want = { .on = true, .max_files = 2 };
	struct record_cut cut = { 0 };

	memset(&disk, 0, sizeof(disk));
	for (int i = 0; i < 4; i++) {
		disk.now = (uint64_t)i * 1000000000;
		write_file("p");
		CHECK_EQ(record_cut_end(&cut, &want, &fake, "p", &err), 0);
		CHECK_STR(disk.gone, i < 2 ? "" : i < 3 ? "p.1970010100000000" : "p.1970010100000100");
	}
	CHECK_EQ(cut.kept.n, 2);
	record_cut_deinit(&cut);
}

TEST(record_parts_end_as_it_was_said)
{
	static const struct { const char *text; uint64_t size, ns; } good[] = {
		{ NULL, 0, 0 }, { "signal", 0, 0 }, { "100M", 100 << 20, 0 }, { "7B", 7, 0 }, { "1G", 1 << 30, 0 },
		{ "5K", 5 << 10, 0 }, { "3s", 0, UINT64_C(3000000000) }, { "2m", 0, UINT64_C(120000000000) },
		{ "1h", 0, UINT64_C(3600000000000) }, { "1d", 0, UINT64_C(86400000000000) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		struct record_cut_want w = { .size = 1, .ns = 1 };

		CHECK_EQ(record_cut_parse(&w, good[i].text, &err), 0);
		CHECK(w.on);
		CHECK_EQ(w.size, good[i].size);
		CHECK_EQ(w.ns, good[i].ns);
	}
}

/* --- registers --- */

TEST(record_registers_by_name)
{
	const struct arch *a = arch_native();
	uint64_t mask, sp = UINT64_C(1) << a->regs[a->reg_sp].perf_bit;

	CHECK_EQ(record_regs_parse(&mask, NULL, &err), 0);
	CHECK_EQ(mask, a->user_regs_mask);
	CHECK_EQ(record_regs_parse(&mask, "SP", &err), 0);
	CHECK_EQ(mask, sp);
	CHECK_EQ(record_regs_parse(&mask, "sp,sp", &err), 0);
	CHECK_EQ(mask, sp);
	CHECK_EQ(record_regs_parse(&mask, "?", &err), -EINVAL);
	CHECK(strstr(err.text, "'?' is no register; there are: "));
	CHECK(strstr(err.text, " sp"));
	CHECK_EQ(record_regs_parse(&mask, "", &err), -EINVAL);
}

/* --- the log of side records --- */

static struct sidelog slog;
static struct mem_out made;
static const struct perf_write_id no_id;

static void begin(void)
{
	slog = (struct sidelog){ 0 };
	mem_out_init(&made);
}

static void add(void)
{
	mem_out_str(&made);
	CHECK_EQ(sidelog_add(&slog, (struct bytes){ (const uint8_t *)made.v, made.n }), 0);
	mem_out_deinit(&made);
	mem_out_init(&made);
}

static void lives(uint32_t pid, uint32_t parent)
{
	perf_write_fork(&made.out, &no_id,
			&(struct perf_write_task){ .pid = pid, .ppid = parent, .tid = pid, .ptid = parent });
}

static void maps(uint32_t pid, const char *name)
{
	perf_write_mmap2(&made.out, &no_id, &(struct perf_write_map){
		.pid = pid, .tid = pid, .misc = PERF_MISC_USER, .addr = 0x1000, .len = 0x1000, .name = name });
}

static void dies(uint32_t pid)
{
	perf_write_exit(&made.out, &no_id, &(struct perf_write_task){ .pid = pid, .ppid = 1, .tid = pid, .ptid = 1 });
}

static void execs(uint32_t pid)
{
	uint16_t misc = PERF_MISC_COMM_EXEC;
	size_t at;

	mem_out_str(&made);
	at = made.n;
	perf_write_comm(&made.out, &no_id, pid, pid, "new");
	mem_out_str(&made);
	memcpy(made.v + at + offsetof(struct perf_rec, misc), &misc, sizeof(misc));
}

/* "/a /b": the names of what is mapped in it, in order. */
static const char *mapped(void)
{
	static char text[200];
	struct bytes all = { slog.bytes.v, slog.bytes.n };
	struct perf_record r;
	uint64_t off = 0;
	struct side d;
	size_t n = 0;

	text[0] = '\0';
	while (perf_record_next(all, false, &off, &r, &err) == 1)
		if (r.type == PERF_REC_MMAP2 && side_decode(&r, false, &d) == 1 && strncmp(d.map.name, "//", 2))
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", n ? " " : "", d.map.name);
	CHECK_EQ(off, all.n);
	return text;
}

/* So much of somebody who lives that all before it is long ago. */
static void fill(void)
{
	size_t half = slog.bytes.n + made.n;

	for (size_t i = 0; i < half / 64 + 2; i++)
		maps(9, "//filler");
	add();
	slog.bound = slog.bytes.n - 1;
}

TEST(sidelog_forgets_the_dead_and_what_was_before_exec)
{
	begin();
	lives(9, 1);
	lives(2, 1);
	maps(2, "/dead");
	dies(2);
	lives(3, 1);
	maps(3, "/before");
	execs(3);
	maps(3, "/after");
	fill();
	CHECK_EQ(sidelog_trim(&slog), 0);
	CHECK_STR(mapped(), "/after");
	CHECK_EQ(slog.dropped, 0);
	sidelog_deinit(&slog);
	mem_out_deinit(&made);
}

/* A daemon lives on with the maps that its dead parent had when it forked, not with later ones. */
TEST(sidelog_keeps_what_children_live_on_with)
{
	begin();
	lives(9, 1);
	lives(2, 1);
	maps(2, "/parent");
	lives(3, 2);
	maps(2, "/later");
	dies(2);
	lives(4, 1);
	maps(4, "/other");
	lives(5, 4);
	execs(5);
	dies(4);
	fill();
	CHECK_EQ(sidelog_trim(&slog), 0);
	CHECK_STR(mapped(), "/parent");
	sidelog_deinit(&slog);
	mem_out_deinit(&made);
}

/* The number was somebody else's; and who has just ended may have samples yet. */
TEST(sidelog_knows_numbers_that_come_again)
{
	begin();
	lives(9, 1);
	lives(2, 1);
	maps(2, "/first");
	dies(2);
	lives(2, 1);
	maps(2, "/second");
	fill();
	lives(6, 1);
	maps(6, "/just");
	dies(6);
	add();
	CHECK_EQ(sidelog_trim(&slog), 0);
	CHECK_STR(mapped(), "/second /just");
	sidelog_deinit(&slog);
	mem_out_deinit(&made);
}

TEST(sidelog_below_its_bound_stays)
{
	begin();
	lives(2, 1);
	maps(2, "/dead");
	dies(2);
	add();
	CHECK_EQ(sidelog_trim(&slog), 0);
	CHECK_STR(mapped(), "/dead");
	CHECK_EQ(slog.bound, SIDELOG_BOUND);
	sidelog_deinit(&slog);
	mem_out_deinit(&made);
}

/* All live: there is more room for them, and in the end the oldest go, which is told. */
TEST(sidelog_has_an_end)
{
	begin();
	lives(9, 1);
	for (int i = 0; i < 100; i++)
		maps(9, "//filler");
	add();
	slog.bound = slog.bytes.n / 4;
	CHECK_EQ(sidelog_trim(&slog), 0);
	CHECK_EQ(slog.dropped, 25);
	sidelog_deinit(&slog);
	mem_out_deinit(&made);
}
