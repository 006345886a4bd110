/* sym/resolver: what an address is looked up by. There are no files to read: addresses are offsets in them. */
#include "t.h"

#include "abi/perf_event.h"
#include "arch/arch.h"
#include "sym/resolver.h"

enum { USER = PERF_MISC_USER };

static void map_at(struct resolver *r, uint32_t pid, uint64_t start, const char *name)
{
	struct sym_map m = { .pid = pid, .start = start, .len = 0x1000, .pgoff = 0x2000, .name = name };

	CHECK_EQ(resolver_mmap(r, &m), 0);
}

static bool place(struct resolver *r, uint32_t pid, uint8_t cpumode, uint64_t ip, struct resolver_place *at)
{
	struct resolver_spaces in = resolver_spaces(r, pid, 0);

	return resolver_place(r, &in, cpumode, ip, at);
}

TEST(a_file_in_two_processes_is_one_place)
{
	struct sym_want want = { .arch = &arch_aarch64 };
	struct resolver *r = resolver_new(&want, NULL);
	struct resolver_place a, b, other;

	map_at(r, 7, 0xaaaa0000, "/bin/p");
	map_at(r, 8, 0xcccc0000, "/bin/p");
	map_at(r, 8, 0xdddd0000, "/bin/q");
	CHECK(place(r, 7, USER, 0xaaaa0418, &a));
	CHECK(place(r, 8, 0, 0xcccc0418, &b));
	CHECK(place(r, 8, USER, 0xdddd0418, &other));
	CHECK_EQ(a.addr, 0x2418);
	CHECK(a.dso && a.dso == b.dso && a.addr == b.addr);
	CHECK(other.dso != a.dso);
	resolver_free(r);
}

TEST(where_nothing_is_mapped_is_no_place)
{
	struct sym_want want = { .arch = &arch_aarch64 };
	struct resolver *r = resolver_new(&want, NULL);
	struct resolver_place at;

	map_at(r, 7, 0xaaaa0000, "/bin/p");
	CHECK(!place(r, 7, USER, 0xbbbb0418, &at));
	CHECK(!place(r, 8, USER, 0xaaaa0418, &at));
	CHECK(!place(r, 7, PERF_MISC_HYPERVISOR, 0xaaaa0418, &at));
	CHECK(!place(r, 7, 0, UINT64_C(0xffff800080000000), &at));
	resolver_free(r);
}
