/* sym/file2: functions in the section FILE2 of recordings, and damaged sections. */
#include "sym_disk.h"
#include "file2_build.h"

static const char *name_at(struct file2_file *f, uint64_t addr)
{
	const struct symtab *t = file2_functions(f);
	const struct sym *s = symtab_find(t, addr);

	return s ? symtab_name(t, s) : "-";
}

TEST(told_functions_have_addresses_and_names)
{
	struct told_made m = { 0 };
	struct file2 t = { 0 };

	TOLD(&m, "/bin/p", FILE2_ELF, 0x210400, 0x400, { 0x210440, 16, "second" }, { 0x210410, 32, "first" });
	TOLD(&m, "[kernel.kallsyms]", FILE2_KERNEL, 0, 0, { 0xffff800080010000, 64, "schedule" });
	CHECK_EQ(file2_init(&t, told_section(&m)), 0);
	CHECK_EQ(t.files.n, 2);
	CHECK(!file2_find(&t, "/bin/q"));
	CHECK_EQ(file2_find(&t, "/bin/p")->bias, 0x210000);
	CHECK_EQ(file2_find(&t, "/bin/p")->type, FILE2_ELF);
	CHECK_STR(name_at(file2_find(&t, "/bin/p"), 0x21042f), "first");
	CHECK_STR(name_at(file2_find(&t, "/bin/p"), 0x210430), "-");
	CHECK_STR(name_at(file2_find(&t, "/bin/p"), 0x210440), "second");
	CHECK_STR(name_at(file2_find(&t, "[kernel.kallsyms]"), 0xffff80008001003f), "schedule");
	file2_deinit(&t);
	pb_deinit(&m.section);
}

/* What simpleperf's writer makes: lengths of one byte, fields in the order of their numbers, defaults left out. */
TEST(told_reads_what_other_writers_make)
{
	static const uint8_t bytes[] = {
		31, 0, 0, 0,
		0x0a, 4, '/', 'l', '/', 'a', 0x10, 2, 0x18, 0x80, 0x20,
		0x22, 8, 0x08, 0x90, 0x20, 0x10, 4, 0x1a, 1, 'f',
		0x32, 0, 0x5d, 1, 2, 3, 4, 0x61, 0,
	};
	static const uint8_t whole[] = {
		24, 0, 0, 0,
		0x0a, 4, '/', 'l', '/', 'a', 0x10, 2, 0x18, 0x80, 0x20,
		0x22, 9, 0x08, 0x90, 0x20, 0x10, 4, 0x1a, 2, 'f', 'g',
		0x32, 0,
	};
	struct file2 t = { 0 };

	CHECK_EQ(file2_init(&t, cur_from(guard_dup(bytes, sizeof(bytes)), sizeof(bytes))), 0);
	CHECK_EQ(t.files.n, 0);
	file2_deinit(&t);
	t = (struct file2){ 0 };
	CHECK_EQ(file2_init(&t, cur_from(guard_dup(whole, sizeof(whole)), sizeof(whole))), 0);
	CHECK_EQ(t.files.n, 1);
	CHECK_EQ(file2_find(&t, "/l/a")->bias, 0x1000);
	CHECK_STR(name_at(file2_find(&t, "/l/a"), 0x1013), "fg");
	file2_deinit(&t);
}

TEST(told_sections_of_the_other_byte_order_are_read)
{
	struct told_made m = { 0 };
	struct file2 t = { 0 };
	struct cursor c;

	TOLD(&m, "/bin/p", FILE2_ELF, 0, 0, { 16, 16, "f" });
	for (size_t i = 0; i < 2; i++) {
		uint8_t *v = m.section.bytes.v, low = v[i];

		v[i] = v[3 - i];
		v[3 - i] = low;
	}
	c = told_section(&m);
	c.swap = true;
	CHECK_EQ(file2_init(&t, c), 0);
	CHECK_STR(name_at(file2_find(&t, "/bin/p"), 16), "f");
	file2_deinit(&t);
	pb_deinit(&m.section);
}

TEST(told_sections_that_are_cut_end_at_the_last_whole_message)
{
	struct told_made m = { 0 };
	size_t first, n;

	TOLD(&m, "/bin/p", FILE2_ELF, 0, 0, { 16, 16, "f" });
	first = m.section.bytes.n;
	TOLD(&m, "/bin/q", FILE2_ELF, 0, 0, { 16, 16, "g" });
	n = m.section.bytes.n;
	for (m.section.bytes.n = 0; m.section.bytes.n < n; m.section.bytes.n++) {
		struct cursor c = told_section(&m), walk = c;
		struct file2 t = { 0 };
		struct file2_file f;
		int r;

		CHECK_EQ(file2_init(&t, c), 0);
		CHECK_EQ(t.files.n, m.section.bytes.n >= first);
		while ((r = file2_next(&walk, &f)) > 0)
			;
		CHECK_EQ(r, m.section.bytes.n && m.section.bytes.n != first ? -EBADMSG : 0);
		file2_deinit(&t);
	}
	pb_deinit(&m.section);
}

TEST(told_sections_may_be_filled_up_with_zeros_to_eight_bytes)
{
	static const uint8_t ends[][4] = { { 0 }, { 0, 0 }, { 0, 0, 0 }, { 0, 1, 0 } };
	struct told_made m = { 0 };
	size_t whole;

	TOLD(&m, "/bin/p", FILE2_ELF, 0, 0, { 16, 16, "f" });
	whole = m.section.bytes.n;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		struct file2_file f;
		struct cursor c;

		CHECK_EQ(vec_reserve(&m.section.bytes, sizeof(ends[i])), 0);
		memcpy(m.section.bytes.v + whole, ends[i], sizeof(ends[i]));
		m.section.bytes.n = whole + MIN(i + 1, 3u);
		c = told_section(&m);
		CHECK_EQ(file2_next(&c, &f), 1);
		CHECK_EQ(file2_next(&c, &f), ends[i][1] ? -EBADMSG : 0);
	}
	pb_deinit(&m.section);
}

TEST(told_of_two_messages_of_one_path_the_first_counts)
{
	struct told_made m = { 0 };
	struct file2 t = { 0 };

	TOLD(&m, "/bin/p", FILE2_ELF, 0, 0, { 16, 16, "f" });
	TOLD(&m, "/bin/p", FILE2_ELF, 0, 0, { 16, 16, "g" });
	CHECK_EQ(file2_init(&t, told_section(&m)), 0);
	CHECK_EQ(t.files.n, 1);
	CHECK_STR(name_at(file2_find(&t, "/bin/p"), 16), "f");
	file2_deinit(&t);
	pb_deinit(&m.section);
}

TEST(told_messages_without_a_path_are_of_no_file)
{
	static const uint8_t empty[8];
	struct file2 t = { 0 };

	CHECK_EQ(file2_init(&t, cur_from(guard_dup(empty, sizeof(empty)), sizeof(empty))), 0);
	CHECK_EQ(t.files.n, 0);
	file2_deinit(&t);
}

TEST(told_functions_without_a_name_are_none)
{
	struct told_made m = { 0 };
	struct file2 t = { 0 };

	TOLD(&m, "/bin/p", FILE2_ELF, 0, 0, { 16, 16, "" }, { UINT64_MAX, UINT64_MAX, "end" });
	CHECK_EQ(file2_init(&t, told_section(&m)), 0);
	CHECK_STR(name_at(file2_find(&t, "/bin/p"), 16), "-");
	CHECK_EQ(file2_functions(file2_find(&t, "/bin/p"))->syms.n, 1);
	file2_deinit(&t);
	pb_deinit(&m.section);
}

/* --- what the recording itself tells --- */

static struct resolver *told_of(struct disk *d, struct told_made *m)
{
	struct sym_want want = want_of(d);
	struct resolver *r;

	want.file2 = told_section(m);
	r = resolver_new(&want, NULL);
	pb_deinit(&m->section);
	return r;
}

TEST(resolver_takes_the_recordings_names_where_there_is_no_file)
{
	struct told_made m = { 0 };
	struct disk d = { 0 };
	struct resolver *r;

	TOLD(&m, "/bin/p", FILE2_ELF, 0x210400, 0x400, { 0x210410, 32, "_ZN1a1fEv" });
	TOLD(&m, "/tmp/perf-7.map", FILE2_JIT, 0, 0, { 0xcccc0000, 32, "made" });
	TOLD(&m, "/bin/q", FILE2_KERNEL, 0, 0, { 0x10, 32, "nothing of a program" });
	r = told_of(&d, &m);
	map_at(r, 7, 0xaaaa0000, "/bin/p", id_a);
	map_at(r, 7, 0xbbbb0000, "/bin/q", NULL);
	map_at(r, 7, 0xcccc0000, "//anon", NULL);
	CHECK_STR(user(r, 7, 0xaaaa0418), "a::f+0x8 p");
	CHECK_EQ(resolver_find(r, 7, USER, 0xaaaa0418)->start, 0x210410);
	CHECK_EQ(resolver_find(r, 7, USER, 0xaaaa0418)->offset, 0x418);
	CHECK_STR(user(r, 7, 0xbbbb0010), "?+0x10 q");
	CHECK_STR(user(r, 7, 0xcccc0010), "made+0x10 [JIT] tid 7");
	CHECK_STR(warnings(r), "");
	resolver_free(r);
}

TEST(resolver_takes_the_file_that_is_proven_and_the_recordings_names_for_the_rest)
{
	struct told_made m = { 0 };
	struct disk d = { 0 };
	struct resolver *r;

	add_program(&d, "/bin/p", "file", id_a);
	TOLD(&m, "/bin/p", FILE2_ELF, 0x210400, 0x400, { 0x210410, 32, "told" }, { 0x210430, 16, "stripped_here" });
	r = told_of(&d, &m);
	map_at(r, 7, 0xaaaa0000, "/bin/p", id_a);
	CHECK_STR(user(r, 7, 0xaaaa0410), "file+0x0 p");
	CHECK_STR(user(r, 7, 0xaaaa0434), "stripped_here+0x4 p");
	CHECK(resolver_find(r, 7, USER, 0xaaaa0434)->module);
	resolver_free(r);
}

TEST(resolver_takes_no_file_that_another_build_id_or_other_names_speak_against)
{
	struct told_made m = { 0 };
	struct disk d = { 0 };
	struct resolver *r;

	add_program(&d, "/bin/p", "new", id_b);
	add_program(&d, "/bin/q", "other", NULL);
	add_program(&d, "/bin/same", "same", NULL);
	TOLD(&m, "/bin/p", FILE2_ELF, 0x210400, 0x400, { 0x210410, 32, "told" });
	TOLD(&m, "/bin/q", FILE2_ELF, 0x210400, 0x400, { 0x210410, 32, "told" });
	TOLD(&m, "/bin/same", FILE2_ELF, 0x210400, 0x400, { 0x210410, 32, "same" }, { 0x210430, 16, "fn_0x210430" });
	r = told_of(&d, &m);
	map_at(r, 7, 0xaaaa0000, "/bin/p", id_a);
	map_at(r, 7, 0xbbbb0000, "/bin/q", NULL);
	map_at(r, 7, 0xcccc0000, "/bin/same", NULL);
	CHECK_STR(user(r, 7, 0xaaaa0410), "told+0x0 p");
	CHECK_STR(user(r, 7, 0xbbbb0410), "told+0x0 q");
	CHECK_STR(user(r, 7, 0xcccc0410), "same+0x0 same");
	CHECK(!resolver_find(r, 7, USER, 0xbbbb0410)->module);
	CHECK(resolver_find(r, 7, USER, 0xcccc0410)->module);
	CHECK_STR(user(r, 7, 0xcccc0434), "fn_0x210430+0x4 same");
	CHECK_STR(warnings(r), "");
	resolver_free(r);
}

TEST(resolver_takes_the_recordings_names_of_the_kernel_before_any_other_kernels)
{
	struct told_made m = { 0 };
	struct disk d = { .kallsyms = "ffff800080010000 T _text\nffff800080020000 T running\n"
				      "ffff800080030000 T _etext\n",
			  .kernel_id = id_b };
	struct sym_map kernel_map = { .pid = UINT32_MAX, .kernel = true, .start = 0xffff800080010000, .len = 0x100000,
				      .pgoff = 0xffff800080010000, .name = "[kernel.kallsyms]_text" };
	struct sym_map module_map = { .pid = UINT32_MAX, .kernel = true, .start = 0xffff800070000000, .len = 0x1000,
				      .name = "[mod]" };
	struct resolver *r;

	TOLD(&m, "[kernel.kallsyms]", FILE2_KERNEL, 0, 0, { 0xffff800080020000, 64, "recorded" });
	TOLD(&m, "[mod]", FILE2_MODULE, 0, 0, { 0x100, 64, "in_module" });
	r = told_of(&d, &m);
	resolver_build_id(r, "[kernel.kallsyms]", id_a, 20);
	resolver_mmap(r, &kernel_map);
	resolver_mmap(r, &module_map);
	CHECK_STR(kernel(r, 0xffff800080020010), "recorded+0x10 [kernel.kallsyms]");
	CHECK_STR(kernel(r, 0xffff800070000104), "in_module+0x4 [mod]");
	CHECK_EQ(resolver_find(r, 0, KERNEL, 0xffff800070000104)->base, 0xffff800070000000);
	CHECK_STR(warnings(r), "");
	/* Of what was not hit when it was recorded nothing is told: another kernel has no say. */
	CHECK_STR(kernel(r, 0xffff800080020040), "?+0xffff800080020040 [kernel.kallsyms]");
	resolver_free(r);
}

TEST(told_names_are_found_where_the_file_lacks_the_only_one)
{
	static const char *const only[] = { "first", "work", "none" };
	static const char *const want[] = { "first+0x8 p", "work+0x8 p", "?+0x210418 p" };

	for (size_t i = 0; i < ARRAY_SIZE(only); i++) {
		struct told_made m = { 0 };
		struct disk d = { 0 };
		struct sym_want w = want_of(&d);
		struct resolver *r;

		TOLD(&m, "/bin/p", FILE2_ELF, 0x210400, 0x400, { 0x210410, 32, "first" });
		add_program(&d, "/bin/p", i == 1 ? "work" : "of_the_file", i == 1 ? id_a : NULL);
		w.file2 = told_section(&m);
		w.only = only[i];
		r = resolver_new(&w, NULL);
		map_at(r, 7, 0xaaaa0000, "/bin/p", i == 1 ? id_a : NULL);
		CHECK_STR(user(r, 7, 0xaaaa0418), want[i]);
		resolver_free(r);
		pb_deinit(&m.section);
	}
}
