/* Records that are no samples, laid out as linux/perf_event.h has them; each also cut at every byte. */
#include "t.h"

#include "abi/perf_event.h"
#include "perf/side.h"

static uint8_t body[256];
static size_t n;

static void put(uint64_t v, size_t size)
{
	memcpy(body + n, &v, size);
	n += size;
}

static void put_text(const char *text)
{
	memcpy(body + n, text, strlen(text) + 1);
	n += strlen(text) + 1;
}

/* The record in memory that ends where it does. Every piece of it that is shorter is refused. */
static struct side decode(uint32_t type, uint16_t misc)
{
	struct perf_record r = { .type = type, .misc = misc };
	struct side s = { 0 };

	for (size_t cut = 0; cut < n; cut++) {
		r.body = (struct bytes){ guard_dup(body, cut), cut };
		CHECK_EQ(side_decode(&r, false, &s), -EBADMSG);
	}
	r.body = (struct bytes){ guard_dup(body, n), n };
	CHECK_EQ(side_decode(&r, false, &s), 1);
	CHECK_EQ(s.type, type);
	n = 0;
	return s;
}

TEST(side_comm)
{
	struct side s;

	put(7, 4), put(8, 4), put_text("name");
	s = decode(PERF_REC_COMM, PERF_MISC_COMM_EXEC);
	CHECK_EQ(s.pid, 7);
	CHECK_EQ(s.tid, 8);
	CHECK_STR(s.comm.name, "name");
	CHECK(s.comm.exec);
}

TEST(side_fork_and_exit)
{
	struct side s;

	put(7, 4), put(1, 4), put(8, 4), put(2, 4);
	s = decode(PERF_REC_FORK, PERF_MISC_FORK_EXEC);
	CHECK_EQ(s.pid, 7);
	CHECK_EQ(s.tid, 8);
	CHECK_EQ(s.task.ppid, 1);
	CHECK_EQ(s.task.ptid, 2);
	CHECK(s.task.made_up);
	put(7, 4), put(1, 4), put(8, 4), put(2, 4);
	CHECK(!decode(PERF_REC_EXIT, 0).task.made_up);
}

TEST(side_maps)
{
	struct side s;

	put(UINT32_MAX, 4), put(0, 4), put(0x1000, 8), put(0x200, 8), put(0x30, 8), put_text("[kernel.kallsyms]_text");
	s = decode(PERF_REC_MMAP, PERF_MISC_KERNEL);
	CHECK_EQ(s.pid, UINT32_MAX);
	CHECK_EQ(s.tid, 0);
	CHECK_EQ(s.map.start, 0x1000);
	CHECK_EQ(s.map.len, 0x200);
	CHECK_EQ(s.map.pgoff, 0x30);
	CHECK_STR(s.map.name, "[kernel.kallsyms]_text");
	CHECK(s.map.kernel && !s.map.data && !s.map.has_build_id);

	put(7, 4), put(8, 4), put(0x1000, 8), put(0x200, 8), put(0x30, 8);
	put(253, 4), put(1, 4), put(42, 8), put(43, 8), put(5, 4), put(2, 4), put_text("/bin/x");
	s = decode(PERF_REC_MMAP2, PERF_MISC_USER | PERF_MISC_MMAP_DATA);
	CHECK_EQ(s.map.major, 253);
	CHECK_EQ(s.map.minor, 1);
	CHECK_EQ(s.map.ino, 42);
	CHECK_EQ(s.map.ino_generation, 43);
	CHECK_EQ(s.map.prot, 5);
	CHECK_EQ(s.map.flags, 2);
	CHECK_EQ(s.map.build_id_size, 0);
	CHECK_STR(s.map.name, "/bin/x");
	CHECK(s.map.data && !s.map.kernel);
}

/* A size that is too large is that of the room there is. */
TEST(side_map_with_a_build_id)
{
	static const uint8_t sizes[] = { 0, 16, 20, 21, 255 }, want[] = { 0, 16, 20, 20, 20 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct side s;

		put(7, 4), put(8, 4), put(0x1000, 8), put(0x200, 8), put(0, 8);
		put(sizes[i], 1), put(0, 3);
		for (unsigned j = 0; j < 20; j++)
			put(0xa0 + j, 1);
		put(5, 4), put(2, 4), put_text("/bin/x");
		s = decode(PERF_REC_MMAP2, PERF_MISC_USER | PERF_MISC_MMAP_BUILD_ID);
		CHECK_EQ(s.map.build_id_size, want[i]);
		CHECK_EQ(s.map.build_id[0], 0xa0);
		CHECK_EQ(s.map.build_id[19], 0xb3);
		CHECK_EQ(s.map.ino, 0);
		CHECK_EQ(s.map.prot, 5);
		CHECK_STR(s.map.name, "/bin/x");
	}
}

TEST(side_ksymbol)
{
	struct side s;

	put(0xffff800008000000, 8), put(64, 4), put(1, 2), put(1, 2), put_text("bpf_prog_1");
	s = decode(PERF_REC_KSYMBOL, 0);
	CHECK_EQ(s.ksymbol.addr, 0xffff800008000000);
	CHECK_EQ(s.ksymbol.len, 64);
	CHECK(s.ksymbol.gone);
	CHECK_STR(s.ksymbol.name, "bpf_prog_1");
}

TEST(side_code_and_groups)
{
	struct side s;

	put(1, 2), put(0, 2), put(42, 4), put(0x8877665544332211, 8);
	s = decode(PERF_REC_BPF_EVENT, 0);
	CHECK_EQ(s.bpf.type, 1);
	CHECK_EQ(s.bpf.id, 42);
	CHECK_EQ(s.bpf.tag[0], 0x11);
	CHECK_EQ(s.bpf.tag[7], 0x88);
	put(7, 8), put_text("/a/b");
	s = decode(PERF_REC_CGROUP, 0);
	CHECK_EQ(s.cgroup.id, 7);
	CHECK_STR(s.cgroup.path, "/a/b");
	put(0xffff800008000000, 8), put(4, 2), put(4, 2), put(0xd503201f, 4), put(0x14000001, 4);
	s = decode(PERF_REC_TEXT_POKE, 0);
	CHECK_EQ(s.poke.addr, 0xffff800008000000);
	CHECK_EQ(s.poke.before.n, 4);
	CHECK_EQ(s.poke.before.p[0], 0x1f);
	CHECK_EQ(s.poke.after.p[3], 0x14);
}

TEST(side_losses)
{
	put(5, 8), put(17, 8);
	CHECK_EQ(decode(PERF_REC_LOST, 0).lost, 17);
	put(18, 8);
	CHECK_EQ(decode(PERF_REC_LOST_SAMPLES, 0).lost, 18);
}

TEST(side_of_foreign_order_and_others)
{
	static const uint8_t big[] = { 0, 0, 0, 7, 0, 0, 0, 8, 'x', 0 };
	struct perf_record r = { .type = PERF_REC_COMM, .body = { big, sizeof(big) } };
	struct side s;

	CHECK_EQ(side_decode(&r, true, &s), 1);
	CHECK_EQ(s.pid, 7);
	CHECK_EQ(s.tid, 8);
	r.type = PERF_REC_THROTTLE;
	CHECK_EQ(side_decode(&r, false, &s), 0);
	CHECK_EQ(s.type, PERF_REC_THROTTLE);
}
