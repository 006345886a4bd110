/* sym/resolver: records in, names out; files by a table of made-up ones. */
#include "sym_disk.h"

TEST(resolver_translates_by_the_segment_of_the_file)
{
	struct disk d = { 0 };
	struct resolver *r = new_of(&d);

	add_program(&d, "/bin/p", "work", NULL);
	map_at(r, 7, 0xaaaa0000, "/bin/p", NULL);

	const struct sym_loc *l = resolver_find(r, 7, USER, 0xaaaa0418);

	CHECK_STR(text_of(l), "work+0x8 p");
	CHECK_STR(l->dso, "/bin/p");
	CHECK_EQ(l->addr, 0x210418);
	CHECK_EQ(l->start, 0x210410);
	CHECK_EQ(l->len, 32);
	CHECK(!l->kernel);
	CHECK_STR(user(r, 7, 0xaaaa0430), "?+0x210430 p");
	CHECK_STR(user(r, 7, 0xbbbb0000), "?+0xbbbb0000 [unknown]");
	CHECK_STR(user(r, 8, 0xaaaa0418), "?+0xaaaa0418 [unknown]");
	CHECK_EQ(resolver_stats(r)->distinct, 4);
	CHECK_EQ(resolver_stats(r)->unmapped, 2);
	CHECK_EQ(resolver_stats(r)->no_symbol, 3);
	CHECK_STR(warnings(r), "");
	resolver_free(r);
	CHECK_EQ(d.maps, 1);
	CHECK_EQ(d.unmaps, 1);
}

TEST(resolver_extent_is_a_function_as_far_as_it_is_mapped)
{
	struct disk d = { 0 };
	struct resolver *r = new_of(&d);
	struct resolver_extent x = { 0 };
	struct resolver_spaces in;

	add_program(&d, "/bin/p", "work", NULL);
	map_at(r, 7, 0xaaaa0000, "/bin/p", NULL);
	in = resolver_spaces(r, 7, 0);
	CHECK(resolver_extent(r, &in, USER, 0xaaaa0418, &x));
	CHECK(x.from == 0xaaaa0410 && x.to == 0xaaaa0430 && x.to - x.bias == 0x210430);
	CHECK(!resolver_extent(r, &in, USER, 0xaaaa0430, &x));
	CHECK(!resolver_extent(r, &in, USER, 0xbbbb0000, &x));
	CHECK(!resolver_extent(r, &in, PERF_MISC_HYPERVISOR, 0xaaaa0418, &x));
	CHECK_EQ(resolver_mmap(r, &(struct sym_map){ .pid = 7, .start = 0xaaaa0420, .len = 16, .name = "//anon" }), 0);
	in = resolver_spaces(r, 7, 0);
	CHECK(resolver_extent(r, &in, USER, 0xaaaa0418, &x) && x.to == 0xaaaa0420);
	CHECK(!resolver_extent(r, &in, USER, 0xaaaa0424, &x));
	add_program(&d, "/bin/stripped", NULL, NULL);
	map_at(r, 7, 0xcccc0000, "/bin/stripped", NULL);
	in = resolver_spaces(r, 7, 0);
	CHECK(!resolver_extent(r, &in, USER, 0xcccc0418, &x));
	resolver_free(r);
}

TEST(resolver_gives_the_same_pointer_for_the_same_place)
{
	struct disk d = { 0 };
	struct resolver *r = new_of(&d);

	add_program(&d, "/bin/p", "work", NULL);
	add_program(&d, "/bin/q", "work", NULL);
	map_at(r, 7, 0xaaaa0000, "/bin/p", NULL);
	map_at(r, 8, 0xcccc0000, "/bin/p", NULL);
	map_at(r, 8, 0xdddd0000, "/bin/q", NULL);

	const struct sym_loc *a = resolver_find(r, 7, USER, 0xaaaa0418);
	const struct sym_loc *b = resolver_find(r, 8, USER, 0xdddd0418);

	CHECK(resolver_find(r, 8, USER, 0xcccc0418) == a);
	CHECK(resolver_find(r, 7, 0, 0xaaaa0418) == a);
	CHECK(a != b && a->sym == b->sym);
	CHECK_EQ(resolver_stats(r)->lookups, 4);
	CHECK_EQ(resolver_stats(r)->distinct, 2);
	CHECK_EQ(d.maps, 2);
	resolver_free(r);
}

TEST(resolver_shows_names_as_people_write_them)
{
	static const char *const names[] = {
		[SYM_NAMES_SHORT] = "ns::K<long>::f",
		[SYM_NAMES_FULL] = "ns::K<long>::f(int) const",
		[SYM_NAMES_MANGLED] = "_ZNK2ns1KIlE1fEi",
	};
	struct disk d = { 0 };

	add_program(&d, "/bin/p", "_ZNK2ns1KIlE1fEi", NULL);
	add_program(&d, "/bin/q", "_ZNK2ns1KIlE", NULL);
	for (enum sym_names i = SYM_NAMES_SHORT; i <= SYM_NAMES_MANGLED; i++) {
		struct sym_want want = want_of(&d);
		struct resolver *r;

		want.names = i;
		r = resolver_new(&want, NULL);
		map_at(r, 7, 0xaaaa0000, "/bin/p", NULL);
		map_at(r, 7, 0xbbbb0000, "/bin/q", NULL);

		const struct sym_loc *one = resolver_find(r, 7, USER, 0xaaaa0418);

		CHECK_STR(one->sym, names[i]);
		CHECK(resolver_find(r, 7, USER, 0xaaaa041c)->sym == one->sym);
		CHECK_STR(resolver_find(r, 7, USER, 0xbbbb0418)->sym, "_ZNK2ns1KIlE");
		resolver_free(r);
	}
}

TEST(resolver_without_any_file_still_names_modules)
{
	struct sym_want want = { .arch = &arch_aarch64 };
	struct resolver *r = resolver_new(&want, NULL);

	map_at(r, 7, 0xaaaa0000, "/bin/p", NULL);
	map_at(r, 7, 0xbbbb0000, "[vdso]", NULL);
	map_at(r, 7, 0xcccc0000, "//anon", NULL);
	map_at(r, 7, 0xdddd0000, "[heap]", NULL);
	CHECK_STR(user(r, 7, 0xaaaa0418), "?+0x418 p");
	CHECK_STR(user(r, 7, 0xbbbb0010), "?+0x10 [vdso]");
	CHECK_STR(user(r, 7, 0xcccc0010), "?+0xcccc0010 [JIT] tid 7");
	CHECK_STR(user(r, 7, 0xdddd0010), "?+0xdddd0010 [heap]");
	CHECK_STR(kernel(r, 0xffff800080010000), "?+0xffff800080010000 [kernel.kallsyms]");
	CHECK(resolver_find(r, 7, KERNEL, 0xffff800080010000)->kernel);
	CHECK_STR(text_of(resolver_find(r, 7, PERF_MISC_GUEST_KERNEL, 5)), "?+0x5 [guest.kernel.kallsyms]");
	CHECK_STR(text_of(resolver_find(r, 7, PERF_MISC_HYPERVISOR, 5)), "?+0x5 [unknown]");
	resolver_free(r);
}

TEST(resolver_fork_copies_and_exec_replaces)
{
	struct disk d = { 0 };
	struct resolver *r = new_of(&d);

	add_program(&d, "/bin/p", "parent", NULL);
	add_program(&d, "/bin/c", "child", NULL);
	resolver_comm(r, 7, 7, "sh", false);
	map_at(r, 7, 0xaaaa0000, "/bin/p", NULL);
	map_at(r, 7, 0xeeee0000, "/bin/p", NULL);
	CHECK_EQ(resolver_fork(r, 8, 7, 8, 7), 0);
	CHECK_STR(user(r, 8, 0xaaaa0410), "parent+0x0 p");
	CHECK_STR(resolver_comm_of(r, 8, 8), "sh");
	resolver_comm(r, 8, 8, "ls", true);
	map_at(r, 8, 0xaaaa0000, "/bin/c", NULL);
	CHECK_STR(user(r, 8, 0xaaaa0410), "child+0x0 c");
	CHECK_STR(user(r, 8, 0xeeee0410), "?+0xeeee0410 [unknown]");
	CHECK_STR(user(r, 7, 0xaaaa0410), "parent+0x0 p");
	CHECK_STR(user(r, 7, 0xeeee0410), "parent+0x0 p");
	CHECK_STR(resolver_comm_of(r, 8, 8), "ls");
	CHECK_STR(resolver_comm_of(r, 7, 7), "sh");
	resolver_free(r);
}

TEST(resolver_fork_of_a_running_task_copies_no_maps)
{
	struct disk d = { 0 };
	struct resolver *r = new_of(&d);

	add_program(&d, "/bin/p", "parent", NULL);
	add_program(&d, "/bin/c", "child", NULL);
	map_at(r, 7, 0xaaaa0000, "/bin/p", NULL);
	CHECK_EQ(resolver_fork_running(r, 8, 8, 7), 0);
	map_at(r, 8, 0xbbbb0000, "/bin/c", NULL);
	CHECK_STR(user(r, 8, 0xaaaa0410), "?+0xaaaa0410 [unknown]");
	CHECK_STR(user(r, 8, 0xbbbb0410), "child+0x0 c");
	resolver_free(r);
}

TEST(resolver_names_threads)
{
	struct disk d = { 0 };
	struct resolver *r = new_of(&d);
	const char *a, *b;

	CHECK_STR(resolver_comm_of(r, 0, 0), "swapper");
	CHECK_STR(resolver_comm_of(r, 5, 6), ":6");
	CHECK_STR(resolver_comm_of(r, UINT32_MAX, UINT32_MAX), ":-1");
	resolver_comm(r, 5, 5, "main", false);
	resolver_fork(r, 5, 5, 6, 5);
	CHECK_STR(resolver_comm_of(r, 5, 6), "main");
	resolver_comm(r, 5, 6, "worker", false);
	resolver_comm(r, 9, 9, "worker", false);
	a = resolver_comm_of(r, 5, 6);
	b = resolver_comm_of(r, 9, 9);
	CHECK(a == b);
	CHECK_STR(a, "worker");
	resolver_exit(r, 9, 9);
	CHECK_STR(resolver_comm_of(r, 9, 9), "worker");
	resolver_fork(r, 9, 1, 9, 1);
	CHECK_STR(resolver_comm_of(r, 9, 9), ":9");
	resolver_free(r);
}

/* In order, far apart, and the last that there may be: each has its own, and those beside it have none. */
TEST(resolver_names_threads_whatever_their_ids)
{
	enum { MANY = 3000 };
	static const uint32_t steps[] = { 2, 14, 16, 18, 1431654 };
	struct disk d = { 0 };
	struct resolver *r = new_of(&d);
	char name[16];

	for (size_t s = 0; s < ARRAY_SIZE(steps); s++)
		for (uint32_t i = 0; i < MANY; i++) {
			snprintf(name, sizeof(name), "t%u", UINT32_MAX - i * steps[s]);
			CHECK_EQ(resolver_comm(r, 1, UINT32_MAX - i * steps[s], name, false), 0);
		}
	for (size_t s = 0; s < ARRAY_SIZE(steps); s++)
		for (uint32_t i = 0; i < MANY; i++) {
			uint32_t tid = UINT32_MAX - i * steps[s];

			snprintf(name, sizeof(name), "t%u", tid);
			CHECK_STR(resolver_comm_of(r, 1, tid), name);
			snprintf(name, sizeof(name), ":%d", (int)(tid - 1));
			CHECK_STR(resolver_comm_of(r, 1, tid - 1), name);
		}
	resolver_free(r);
}

TEST(resolver_without_spaces_knows_the_names_of_threads_and_the_kernel)
{
	struct disk d = { 0 };
	struct sym_want want = want_of(&d);
	struct resolver *r;

	want.no_spaces = true;
	r = resolver_new(&want, NULL);
	CHECK_EQ(resolver_comm(r, 5, 5, "sh", false), 0);
	CHECK_EQ(resolver_fork(r, 6, 5, 6, 5), 0);
	CHECK_STR(resolver_comm_of(r, 6, 6), "sh");
	CHECK_EQ(resolver_comm(r, 6, 6, "ls", true), 0);
	CHECK_EQ(resolver_fork_running(r, 7, 7, 6), 0);
	CHECK_EQ(resolver_exit(r, 6, 6), 0);
	CHECK_STR(resolver_comm_of(r, 5, 5), "sh");
	CHECK_STR(resolver_comm_of(r, 6, 6), "ls");
	CHECK_STR(resolver_comm_of(r, 7, 7), "ls");
	CHECK_STR(user(r, 6, 0xaaaa0410), "?+0xaaaa0410 [unknown]");
	CHECK_EQ(resolver_mmap(r, &(struct sym_map){ .pid = UINT32_MAX, .kernel = true, .start = 0xffff800008000000,
						     .len = 0x10000, .name = "[kernel.kallsyms]_text" }), 0);
	CHECK(resolver_find(r, 6, PERF_MISC_KERNEL, 0xffff800008000010)->kernel);
	resolver_free(r);
}

TEST(resolver_keeps_maps_of_the_dead_for_a_while_and_not_for_ever)
{
	struct disk d = { 0 };
	struct resolver *r = new_of(&d);

	add_program(&d, "/bin/p", "late", NULL);
	map_at(r, 10, 0xaaaa0000, "/bin/p", NULL);
	map_at(r, 11, 0xaaaa0000, "/bin/p", NULL);
	resolver_exit(r, 10, 10);
	resolver_exit(r, 11, 11);
	CHECK_STR(user(r, 10, 0xaaaa0410), "late+0x0 p");
	for (uint32_t pid = 100; pid < 1000; pid++) {
		map_at(r, pid, 0xaaaa0000, "/bin/p", NULL);
		resolver_exit(r, pid, pid);
	}
	/* 10 was seen after its exit (another thread lives), 11 was not. */
	CHECK_STR(user(r, 10, 0xaaaa0410), "late+0x0 p");
	CHECK_STR(user(r, 11, 0xaaaa0410), "?+0xaaaa0410 [unknown]");
	resolver_free(r);
}

TEST(resolver_does_not_use_a_file_that_changed)
{
	struct disk d = { 0 };
	struct resolver *r = new_of(&d);

	add_program(&d, "/bin/p", "new", id_b);
	add_program(&d, "/bin/q", "same", id_a);
	add_program(&d, "/bin/none", "bare", NULL);
	resolver_build_id(r, "/bin/p", id_a, 20);
	map_at(r, 7, 0xaaaa0000, "/bin/p", NULL);
	map_at(r, 7, 0xbbbb0000, "/bin/q", id_a);
	map_at(r, 7, 0xcccc0000, "/bin/none", id_a);
	CHECK_STR(user(r, 7, 0xaaaa0410), "?+0x410 p");
	CHECK_STR(user(r, 7, 0xbbbb0410), "same+0x0 q");
	CHECK_STR(user(r, 7, 0xcccc0410), "?+0x410 none");
	CHECK_EQ(resolver_stats(r)->files, 1);
	CHECK_EQ(resolver_stats(r)->stale_files, 2);
	CHECK_STR(warnings(r), "/bin/p changed since the recording: its symbols are not used\n"
			       "/bin/none changed since the recording: its symbols are not used\n");
	resolver_free(r);
	CHECK_EQ(d.maps, d.unmaps);
}

TEST(resolver_does_not_use_a_file_of_another_machine)
{
	struct disk d = { 0 };
	struct resolver *r = new_of(&d);
	struct build *b = program("x86", NULL, NULL);

	build_put(b, b->v + 18, ELF_X86_64, 2);
	disk_add(&d, "/bin/p", b->v, b->n);
	map_at(r, 7, 0xaaaa0000, "/bin/p", NULL);
	CHECK_STR(user(r, 7, 0xaaaa0410), "?+0x410 p");
	CHECK_EQ(resolver_stats(r)->stale_files, 1);
	resolver_free(r);
}

TEST(resolver_finds_debug_files_by_build_id)
{
	struct disk d = { 0 };
	struct sym_want want = want_of(&d);
	struct resolver *r;

	want.symfs = "/fs";
	add_program(&d, "/fs/bin/p", NULL, id_a);
	add_program(&d, "/fs/usr/lib/debug/.build-id/aa/0102030405060708090a0b0c0d0e0f10111213.debug", "debug", id_a);
	add_program(&d, "/fs/bin/q", NULL, id_b);
	add_program(&d, "/fs/usr/lib/debug/.build-id/bb/0102030405060708090a0b0c0d0e0f10111213.debug", "wrong", id_a);
	r = resolver_new(&want, NULL);
	map_at(r, 7, 0xaaaa0000, "/bin/p", NULL);
	map_at(r, 7, 0xbbbb0000, "/bin/q", NULL);
	CHECK_STR(user(r, 7, 0xaaaa0411), "debug+0x1 p");
	CHECK_STR(user(r, 7, 0xbbbb0411), "?+0x210411 q");
	resolver_free(r);
	CHECK_EQ(d.maps, d.unmaps);
}

TEST(resolver_finds_debug_files_by_link_and_checks_their_sum)
{
	struct disk d = { 0 };
	struct resolver *r = new_of(&d);
	struct build *b = program("linked", NULL, NULL);
	uint32_t crc = crc32_of(0, b->v, b->n);
	char link[] = "p.debug\0....", bad[] = "p.debug\0....";

	memcpy(link + 8, &crc, 4);
	disk_add(&d, "/usr/lib/debug/bin/p.debug", b->v, b->n);
	disk_add(&d, "/opt/.debug/p.debug", b->v, b->n);
	b = program(NULL, NULL, link);
	disk_add(&d, "/bin/p", b->v, b->n);
	b = program(NULL, NULL, bad);
	disk_add(&d, "/opt/q", b->v, b->n);
	map_at(r, 7, 0xaaaa0000, "/bin/p", NULL);
	map_at(r, 7, 0xbbbb0000, "/opt/q", NULL);
	CHECK_STR(user(r, 7, 0xaaaa0411), "linked+0x1 p");
	CHECK_STR(user(r, 7, 0xbbbb0411), "?+0x210411 q");
	resolver_free(r);
	CHECK_EQ(d.maps, d.unmaps);
}

/* /bin/x of process 7 is /inside7/bin/x on the disk. */
static int disk_map_inside(void *arg, const struct image_inside *in, const char *path, const uint8_t **p, size_t *n)
{
	char full[100];

	snprintf(full, sizeof(full), "/inside%u%s", in->pid, path);
	return in->ino == 404 ? -ESTALE : disk_map(arg, full, p, n);
}

static void map_file_at(struct resolver *r, uint32_t pid, uint64_t start, const char *name, uint64_t ino)
{
	struct sym_map m = { .pid = pid, .start = start, .len = 0x1000, .name = name, .ino = ino };

	CHECK_EQ(resolver_mmap(r, &m), 0);
}

TEST(resolver_takes_the_file_that_the_process_sees)
{
	struct disk d = { .kernel_id = id_b };
	struct sym_want want = want_of(&d);
	struct resolver *r;

	want.files.map_inside = disk_map_inside;
	add_program(&d, "/bin/p", "ours", NULL);
	add_program(&d, "/inside7/bin/p", "seven", NULL);
	add_program(&d, "/inside8/bin/p", "eight", NULL);
	add_program(&d, "/inside8/bin/q", NULL, id_a);
	add_program(&d, "/inside8/usr/lib/debug/.build-id/aa/0102030405060708090a0b0c0d0e0f10111213.debug", "debug",
		    id_a);
	r = resolver_new(&want, NULL);
	map_file_at(r, 7, 0xaaaa0000, "/bin/p", 70);
	map_file_at(r, 8, 0xaaaa0000, "/bin/p", 80);
	map_file_at(r, 9, 0xaaaa0000, "/bin/p", 90);
	map_file_at(r, 8, 0xbbbb0000, "/bin/p", 404);
	map_file_at(r, 8, 0xcccc0000, "/bin/q", 0);
	CHECK_STR(user(r, 7, 0xaaaa0411), "seven+0x1 p");
	CHECK_STR(user(r, 8, 0xaaaa0411), "eight+0x1 p");
	CHECK_STR(user(r, 9, 0xaaaa0411), "ours+0x1 p");
	CHECK_STR(user(r, 8, 0xbbbb0411), "ours+0x1 p");
	CHECK_STR(user(r, 8, 0xcccc0411), "debug+0x1 q");
	resolver_free(r);
	CHECK_EQ(d.maps, d.unmaps);
}

TEST(resolver_asks_no_process_of_this_machine_for_the_files_of_another)
{
	struct disk d = { .kernel_id = id_b };
	struct sym_want want = want_of(&d);
	struct resolver *r;

	want.files.map_inside = disk_map_inside;
	add_program(&d, "/bin/p", "ours", NULL);
	add_program(&d, "/inside7/bin/p", "seven", NULL);
	r = resolver_new(&want, NULL);
	resolver_build_id(r, "[kernel.kallsyms]", id_a, 20);
	map_file_at(r, 7, 0xaaaa0000, "/bin/p", 70);
	CHECK_STR(user(r, 7, 0xaaaa0411), "ours+0x1 p");
	resolver_free(r);
}

static const char kallsyms[] =
	"ffff800080010000 T _text\n"
	"ffff800080010000 T _stext\n"
	"ffff800080010000 t first\n"
	"ffff800080010100 T vfs_read\n"
	"ffff800080010200 T _etext\n"
	"ffff80007a810000 t ext4_read\t[ext4]\n"
	"ffff80007a820000 t nf_hook\t[nf_nat]\n";

static void map_kernel(struct resolver *r, uint64_t start, uint64_t len, uint64_t pgoff, const char *name)
{
	CHECK_EQ(resolver_mmap(r, &(struct sym_map){
		.pid = UINT32_MAX, .kernel = true, .start = start, .len = len, .pgoff = pgoff, .name = name,
	}), 0);
}

TEST(resolver_uses_the_running_kernel_when_it_is_the_recorded_one)
{
	struct disk d = { .kallsyms = kallsyms, .kernel_id = id_a };
	struct resolver *r = new_of(&d);

	resolver_build_id(r, "[kernel.kallsyms]", id_a, 20);
	map_kernel(r, 0xffff800080010000, 0x100000, 0xffff800080010000, "[kernel.kallsyms]_text");
	map_kernel(r, 0xffff80007a810000, 0x4000, 0, "[ext4]");
	map_kernel(r, 0xffff80007a820000, 0x4000, 0, "/lib/modules/6.1/kernel/net/nf-nat.ko.xz");
	CHECK_STR(kernel(r, 0xffff800080010108), "vfs_read+0x8 [kernel.kallsyms]");
	CHECK_STR(kernel(r, 0xffff80007a810010), "ext4_read+0x10 [ext4]");
	CHECK_STR(kernel(r, 0xffff80007a820010), "nf_hook+0x10 [nf_nat]");
	CHECK_STR(kernel(r, 0xffff900000000000), "?+0xffff900000000000 [unknown]");
	CHECK_STR(text_of(resolver_find(r, 7, 0, 0xffff800080010108)), "vfs_read+0x8 [kernel.kallsyms]");
	CHECK_STR(warnings(r), "");
	resolver_free(r);
}

TEST(resolver_does_not_use_another_running_kernel)
{
	struct disk d = { .kallsyms = kallsyms, .kernel_id = id_b };
	struct resolver *r = new_of(&d);

	resolver_build_id(r, "[kernel.kallsyms]", id_a, 20);
	map_kernel(r, 0xffff800080010000, 0x100000, 0xffff800080010000, "[kernel.kallsyms]_text");
	CHECK_STR(kernel(r, 0xffff800080010108), "?+0xffff800080010108 [kernel.kallsyms]");
	CHECK_STR(warnings(r), "recorded on another kernel than the running one: kernel functions have no names\n");
	resolver_free(r);
}

TEST(resolver_moves_symbols_of_the_same_kernel_after_another_boot)
{
	struct disk d = { .kallsyms = kallsyms, .kernel_id = id_a };
	struct resolver *r = new_of(&d);

	resolver_build_id(r, "[kernel.kallsyms]", id_a, 20);
	map_kernel(r, 0xffff800090010000, 0x100000, 0xffff800090010000, "[kernel.kallsyms]_text");
	map_kernel(r, 0xffff80008a810000, 0x4000, 0, "[ext4]");

	const struct sym_loc *l = resolver_find(r, 1, KERNEL, 0xffff800090010108);

	CHECK_STR(text_of(l), "vfs_read+0x8 [kernel.kallsyms]");
	CHECK_EQ(l->start, 0xffff800090010100);
	/* Modules are elsewhere after each boot. */
	CHECK_STR(kernel(r, 0xffff80008a810010), "?+0xffff80008a810010 [ext4]");
	resolver_free(r);
}

TEST(resolver_believes_an_unnamed_kernel_only_at_the_same_address)
{
	struct disk d = { .kallsyms = kallsyms, .kernel_id = id_a };
	struct resolver *r = new_of(&d);

	map_kernel(r, 0xffff800080010000, 0x100000, 0xffff800080010000, "[kernel.kallsyms]_stext");
	CHECK_STR(kernel(r, 0xffff800080010108), "vfs_read+0x8 [kernel.kallsyms]");
	CHECK(strstr(warnings(r), "does not tell its kernel's build id"));
	resolver_free(r);
	r = new_of(&d);
	map_kernel(r, 0xffff800090010000, 0x100000, 0xffff800090010000, "[kernel.kallsyms]_stext");
	CHECK_STR(kernel(r, 0xffff800090010108), "?+0xffff800090010108 [kernel.kallsyms]");
	CHECK(strstr(warnings(r), "recorded on another kernel"));
	resolver_free(r);
}

TEST(resolver_tells_hidden_kernel_addresses)
{
	struct disk d = { .kallsyms = "0 T _text\n0 T vfs_read\n", .kernel_id = id_a };
	struct resolver *r = new_of(&d);

	CHECK_STR(kernel(r, 0xffff800080010108), "?+0xffff800080010108 [kernel.kallsyms]");
	CHECK_STR(warnings(r), "kernel addresses are hidden (kptr_restrict): kernel functions have no names\n");
	resolver_free(r);
}

/* Kernel image linked at 0x200000, where `_text` is, with the function of `program` at +0x10410. */
static void add_vmlinux(struct disk *d, const char *path, const uint8_t *id)
{
	struct build *b = program(NULL, id, NULL);

	b->n = b->section[b->n_sections].offset;   /* the names, which build_finish makes again */
	b->n_sections--;
	build_symbol(b, "_text", (struct elf_symbol){ .bind = ELF_GLOBAL, .section = 1, .value = 0x210400 });
	build_symbol(b, "start_kernel", (struct elf_symbol){
		.type = ELF_FUNC, .bind = ELF_GLOBAL, .section = 1, .value = 0x210410, .size = 32,
	});
	build_symbols(b, ELF_SYMTAB);
	build_finish(b);
	disk_add(d, path, b->v, b->n);
}

static const char *by_vmlinux(struct disk *d, struct sym_want *want)
{
	struct resolver *r = resolver_new(want, NULL);
	const char *text;

	(void)d;
	resolver_build_id(r, "[kernel.kallsyms]", id_a, 20);
	map_kernel(r, 0xffff800090010000, 0x100000, 0xffff800090010000, "[kernel.kallsyms]_text");
	text = kernel(r, 0xffff800090010014);
	warnings(r);
	resolver_free(r);
	return text;
}

TEST(resolver_moves_vmlinux_to_the_recorded_address)
{
	struct disk d = { 0 };
	struct sym_want want = want_of(&d);

	add_vmlinux(&d, "/opt/vmlinux", id_a);
	want.vmlinux = "/opt/vmlinux";
	CHECK_STR(by_vmlinux(&d, &want), "start_kernel+0x4 [kernel.kallsyms]");
	CHECK_EQ(d.maps, d.unmaps);
}

TEST(resolver_finds_vmlinux_by_release_and_build_id)
{
	struct disk d = { 0 };
	struct sym_want want = want_of(&d);

	add_vmlinux(&d, "/boot/vmlinux-6.1.0-arm64", id_b);
	want.release = "6.1.0-arm64";
	CHECK_STR(by_vmlinux(&d, &want), "?+0xffff800090010014 [kernel.kallsyms]");
	add_vmlinux(&d, "/usr/lib/debug/boot/vmlinux-6.1.0-arm64", id_a);
	CHECK_STR(by_vmlinux(&d, &want), "start_kernel+0x4 [kernel.kallsyms]");
	want.release = NULL;
	CHECK_STR(by_vmlinux(&d, &want), "?+0xffff800090010014 [kernel.kallsyms]");
	add_vmlinux(&d, "/usr/lib/debug/.build-id/aa/0102030405060708090a0b0c0d0e0f10111213.debug", id_a);
	CHECK_STR(by_vmlinux(&d, &want), "start_kernel+0x4 [kernel.kallsyms]");
	CHECK_EQ(d.maps, d.unmaps);
}

TEST(resolver_refuses_the_wrong_vmlinux_and_says_so)
{
	struct disk d = { 0 };
	struct sym_want want = want_of(&d);
	struct resolver *r;

	add_vmlinux(&d, "/opt/vmlinux", id_b);
	want.vmlinux = "/opt/vmlinux";
	r = resolver_new(&want, NULL);
	resolver_build_id(r, "[kernel.kallsyms]", id_a, 20);
	CHECK_STR(kernel(r, 0x210414), "?+0x210414 [kernel.kallsyms]");
	CHECK(strstr(warnings(r), "/opt/vmlinux is not the recorded kernel: not used\n"));
	resolver_free(r);
}

TEST(resolver_takes_a_kallsyms_file_that_is_given)
{
	struct disk d = { 0 };
	struct sym_want want = want_of(&d);
	struct resolver *r;

	disk_add(&d, "/tmp/ks", kallsyms, sizeof(kallsyms) - 1);
	want.kallsyms = "/tmp/ks";
	r = resolver_new(&want, NULL);
	CHECK_STR(kernel(r, 0xffff800080010108), "vfs_read+0x8 [kernel.kallsyms]");
	/* No map was recorded: kallsyms tells the module. */
	CHECK_STR(kernel(r, 0xffff80007a810010), "ext4_read+0x10 [ext4]");
	CHECK(resolver_find(r, 1, KERNEL, 0xffff80007a810010)->kernel);
	resolver_free(r);
	want.kallsyms = "/tmp/none";
	r = resolver_new(&want, NULL);
	CHECK_STR(kernel(r, 0xffff800080010108), "?+0xffff800080010108 [kernel.kallsyms]");
	CHECK_STR(warnings(r), "no symbols in /tmp/none\n");
	resolver_free(r);
}

static int map_empty(void *arg UNUSED, const char *path UNUSED, const uint8_t **p, size_t *n)
{
	*p = NULL;
	*n = 0;
	return 0;
}

/* An empty file is mapped as nothing: there is nothing to copy, which the sanitizers' build holds. */
TEST(resolver_takes_an_empty_kallsyms_file)
{
	struct disk d = { .kernel_id = id_a };
	struct sym_want want = want_of(&d);
	struct resolver *r;

	want.kallsyms = "/tmp/empty";
	want.files.map = map_empty;
	want.files.unmap = NULL;
	r = resolver_new(&want, NULL);
	CHECK_STR(kernel(r, 0xffff800080010108), "?+0xffff800080010108 [kernel.kallsyms]");
	CHECK_STR(warnings(r), "no symbols in /tmp/empty\n");
	resolver_free(r);
}

TEST(resolver_checks_the_module_at_a_place)
{
	struct disk d = { .kallsyms = kallsyms, .kernel_id = id_a };
	struct resolver *r = new_of(&d);

	map_kernel(r, 0xffff80007a810000, 0x4000, 0, "[xfs]");
	CHECK_STR(kernel(r, 0xffff80007a810010), "?+0xffff80007a810010 [xfs]");
	resolver_free(r);
}

TEST(resolver_shows_bpf_programs_while_they_are_loaded)
{
	struct disk d = { 0 };
	struct resolver *r = new_of(&d);
	const char *name = "bpf_prog_6deef7357e7b4530_main";

	CHECK_EQ(resolver_ksymbol(r, 0xffff800000001000, 0x100, name, false), 0);
	CHECK_STR(kernel(r, 0xffff800000001010), "bpf_prog_6deef7357e7b4530_main+0x10 bpf_prog_6deef7357e7b4530_main");
	CHECK_EQ(resolver_ksymbol(r, 0xffff800000001000, 0x100, name, true), 0);
	CHECK_STR(kernel(r, 0xffff800000001020), "?+0xffff800000001020 [unknown]");
	resolver_free(r);
}

TEST(resolver_reads_the_vdso_of_the_running_kernel_only)
{
	struct build *b = program("__kernel_clock_gettime", NULL, NULL);
	struct disk d = { .kernel_id = id_a, .vdso = guard_dup(b->v, b->n), .vdso_size = b->n };
	struct resolver *r = new_of(&d);

	map_at(r, 7, 0xaaaa0000, "[vdso]", NULL);
	CHECK_STR(user(r, 7, 0xaaaa0414), "__kernel_clock_gettime+0x4 [vdso]");
	resolver_free(r);
	r = new_of(&d);
	resolver_build_id(r, "[kernel.kallsyms]", id_b, 20);
	map_at(r, 7, 0xaaaa0000, "[vdso]", NULL);
	CHECK_STR(user(r, 7, 0xaaaa0414), "?+0x414 [vdso]");
	resolver_free(r);
	CHECK_EQ(d.unmaps, 0);
}

TEST(resolver_ignores_ranges_that_cannot_be)
{
	struct disk d = { 0 };
	struct resolver *r = new_of(&d);
	struct sym_map m = { .pid = 7, .start = UINT64_MAX - 5, .len = 100, .name = "/bin/p" };

	CHECK_EQ(resolver_mmap(r, &m), 0);
	m.len = 0;
	CHECK_EQ(resolver_mmap(r, &m), 0);
	m.kernel = true;
	CHECK_EQ(resolver_mmap(r, &m), 0);
	CHECK_STR(user(r, 7, UINT64_MAX - 4), "?+0xfffffffffffffffb [unknown]");
	resolver_free(r);
}

TEST(resolver_reads_no_names_of_files_that_lack_the_only_one)
{
	struct disk d = { 0 };
	struct resolver *r = new_of(&d);
	struct resolver_extent x;
	struct resolver_spaces in;

	add_program(&d, "/bin/p", "work", NULL);
	add_program(&d, "/bin/q", "other", NULL);
	resolver_only(r, "work");
	map_at(r, 7, 0xaaaa0000, "/bin/p", NULL);
	map_at(r, 7, 0xbbbb0000, "/bin/q", NULL);
	CHECK_STR(user(r, 7, 0xaaaa0418), "work+0x8 p");
	CHECK_STR(user(r, 7, 0xbbbb0418), "?+0x210418 q");
	in = resolver_spaces(r, 7, 0);
	CHECK(resolver_extent(r, &in, USER, 0xaaaa0418, &x));
	CHECK(x.from == 0xaaaa0410 && x.to == 0xaaaa0430);
	CHECK(resolver_extent(r, &in, USER, 0xbbbb0418, &x));
	CHECK(x.from == 0xbbbb0000 && x.to == 0xbbbb1000);
	CHECK_EQ(d.maps, 2);
	CHECK_STR(warnings(r), "");
	resolver_free(r);
}
