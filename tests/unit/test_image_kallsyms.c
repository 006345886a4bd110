/* image/kallsyms: which lines are functions, where they end, whose they are. */
#include "image/kallsyms.h"

#include "t.h"

static struct kallsyms parse(const char *text)
{
	struct kallsyms k;

	CHECK_EQ(kallsyms_init(&k, sv_from(text), NULL), 0);
	return k;
}

static const char *name_at(const struct kallsyms *k, uint64_t addr)
{
	const struct sym *s = kallsyms_find(k, addr);

	return s ? kallsyms_name(k, s) : "none";
}

static const char *module_at(const struct kallsyms *k, uint64_t addr)
{
	const struct sym *s = kallsyms_find(k, addr);
	const char *m = s ? kallsyms_module(k, s) : NULL;

	return m ? m : "-";
}

static const char arm64[] =
	"ffff800080000000 t $x\n"
	"ffff800080010000 T _text\n"
	"ffff800080010000 T _stext\n"
	"ffff800080010000 t bcm2835_handle_irq\n"
	"ffff800080010100 t .Lnot_this\n"
	"ffff800080010110 T .slowpath\n"
	"ffff800080010200 W weak_one\n"
	"ffff800080010300 d some_data\n"
	"ffff800080010400 T __pi_memcpy\n"
	"ffff800080010400 W memcpy\n"
	"ffff800080010400 T __memcpy\n"
	"ffff800080020800 T _etext\n"
	"ffff80007a81d000 t ext4_sync_file\t[ext4]\n"
	"ffff80007a81d100 T ext4_iget\t[ext4]\n"
	"ffff80007a820000 t nf_hook\t[nf_nat]\n"
	"ffff80007a830000 t bpf_prog_6deef7357e7b4530_sd_fw_egress\t[bpf]\n";

/* Longer than what is read before the rest of the text moves up: several times. */
TEST(kallsyms_of_a_long_text_are_all_there)
{
	enum { N = 60000, LINE = 64 };
	char *text = malloc((size_t)N * LINE), name[LINE];
	struct kallsyms k;
	size_t n = 0;

	for (unsigned i = 0; i < N; i++)
		n += (size_t)snprintf(text + n, LINE, "%016llx t function_%u_%.*s%s\n", 0xffffffff81000000ull + 16 * i,
				      i, (int)(i % 20), "abcdefghijklmnopqrst", i < N / 2 ? "" : "\t[some]");
	CHECK(n > 2 << 20);
	CHECK_EQ(kallsyms_init(&k, (struct sv){ text, n }, NULL), 0);
	free(text);
	CHECK_EQ(k.table.syms.n, N);
	for (unsigned i = 0; i < N; i++) {
		snprintf(name, sizeof(name), "function_%u_%.*s", i, (int)(i % 20), "abcdefghijklmnopqrst");
		CHECK_STR(name_at(&k, 0xffffffff81000000ull + 16 * i + 3), name);
		CHECK_STR(module_at(&k, 0xffffffff81000000ull + 16 * i), i < N / 2 ? "-" : "some");
	}
	kallsyms_deinit(&k);
}

static void check_same(const struct kallsyms *a, const struct kallsyms *b)
{
	CHECK(a->text == b->text && a->stext == b->stext && a->hidden == b->hidden);
	CHECK_EQ(a->data.syms.n, b->data.syms.n);
	CHECK_EQ(a->table.syms.n, b->table.syms.n);
	for (size_t i = 0; i < a->table.syms.n; i++) {
		const struct sym *s = &a->table.syms.v[i], *t = &b->table.syms.v[i];
		const char *of_s = kallsyms_module(a, s), *of_t = kallsyms_module(b, t);

		CHECK(s->addr == t->addr && s->size == t->size);
		CHECK_STR(kallsyms_name(a, s), kallsyms_name(b, t));
		CHECK_STR(of_s ? of_s : "-", of_t ? of_t : "-");
	}
}

/* Pieces of each length, so that each line is cut at each place, and none that ends with the text. */
TEST(kallsyms_in_pieces_are_those_of_the_whole_text)
{
	static const char *const texts[] = { arm64, "", "1000 T _text\n2000 t one\t[a]", "\n\n0 T hidden\n" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		size_t n = strlen(texts[i]);
		struct kallsyms whole = parse(texts[i]);

		for (size_t step = 1; step <= n + 1; step++) {
			struct kallsyms k = { 0 };

			for (size_t at = 0; at < n; at += step) {
				const uint8_t *piece = guard_dup(texts[i] + at, MIN(step, n - at));

				CHECK_EQ(kallsyms_feed(&k, (const char *)piece, MIN(step, n - at)), 0);
			}
			CHECK_EQ(kallsyms_end(&k), 0);
			check_same(&k, &whole);
			kallsyms_deinit(&k);
		}
		kallsyms_deinit(&whole);
	}
}

TEST(kallsyms_have_an_end)
{
	struct kallsyms k = { 0 };

	CHECK_EQ(kallsyms_feed(&k, "1000 T _text\n", 13), 0);
	CHECK_EQ(kallsyms_feed(&k, "", KALLSYMS_TEXT_MAX), -EFBIG);
	kallsyms_deinit(&k);
}

TEST(kallsyms_finds_functions_by_address)
{
	struct kallsyms k = parse(arm64);

	CHECK_STR(name_at(&k, 0xffff800080010000), "bcm2835_handle_irq");
	CHECK_STR(name_at(&k, 0xffff8000800101ff), "bcm2835_handle_irq");
	CHECK_STR(name_at(&k, 0xffff800080010200), "weak_one");
	CHECK_STR(name_at(&k, 0xffff8000800103ff), "weak_one");
	CHECK_STR(name_at(&k, 0xffff80008000ffff), "none");
	CHECK_STR(module_at(&k, 0xffff800080010000), "-");
	CHECK_EQ(k.text, 0xffff800080010000);
	CHECK_EQ(k.stext, 0xffff800080010000);
	CHECK(!k.hidden);
	kallsyms_deinit(&k);
}

TEST(kallsyms_prefers_the_plain_name_of_an_alias)
{
	struct kallsyms k = parse("1000 T __pi_clear_page\n1000 t __clear_page\n1000 t clear_page\n"
				  "2000 T cleanup_module\n2000 t ext4_exit\n3000 t __pi_$x\n"
				  "3000 t __pi_kaslr_init\n4000 T __do_softirq\n"
				  "4000 T __softirqentry_text_start\n");

	CHECK_STR(name_at(&k, 0x1abc), "clear_page");
	CHECK_STR(name_at(&k, 0x2abc), "ext4_exit");
	CHECK_STR(name_at(&k, 0x3abc), "__pi_kaslr_init");
	CHECK_STR(name_at(&k, 0x4abc), "__do_softirq");
	kallsyms_deinit(&k);
}

TEST(kallsyms_knows_modules_and_ends_their_last_function)
{
	struct kallsyms k = parse(arm64);

	CHECK_STR(name_at(&k, 0xffff80007a81d0ff), "ext4_sync_file");
	CHECK_STR(module_at(&k, 0xffff80007a81d0ff), "ext4");
	CHECK_STR(module_at(&k, 0xffff80007a820000), "nf_nat");
	CHECK_STR(module_at(&k, 0xffff80007a830000), "bpf");
	/* The last of ext4 may fill its page and another one, not the 12 KiB to the next module. */
	CHECK_STR(name_at(&k, 0xffff80007a81dfff), "ext4_iget");
	CHECK_STR(name_at(&k, 0xffff80007a81f000), "none");
	CHECK_STR(name_at(&k, 0xffff80007a8311ff), "none");
	CHECK_STR(name_at(&k, 0xffff800080022000), "none");
	kallsyms_deinit(&k);
}

TEST(kallsyms_names_data_where_anything_is_meant)
{
	struct kallsyms k = parse("1000 T _text\n1000 t one\n2000 T __hyp_text_end\n52000 D __start_rodata\n"
				  "52000 d first_ops\n52540 d proc_iter_file_ops\n52600 r text\n52600 d $d\n"
				  "60000 t init_one\n70000 b counter\n80000 d ext4_ops\t[ext4]\n90000 A absolute\n");
	static const struct { uint64_t addr; const char *name; } all[] = {
		{ 0x1010, "one" }, { 0x2010, "__hyp_text_end" }, { 0x52000, "first_ops" },
		{ 0x52540, "proc_iter_file_ops" }, { 0x525ff, "proc_iter_file_ops" }, { 0x52600, "text" },
		{ 0x60010, "init_one" }, { 0x70000, "counter" }, { 0x80010, "ext4_ops" }, { 0x90000, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		const struct sym *s = kallsyms_find_any(&k, all[i].addr);

		CHECK_STR(s ? kallsyms_name(&k, s) : "none", all[i].name ? all[i].name : "none");
	}
	CHECK_STR(kallsyms_module(&k, kallsyms_find_any(&k, 0x80010)), "ext4");
	CHECK_STR(name_at(&k, 0x52540), "__hyp_text_end");
	kallsyms_deinit(&k);
}

TEST(kallsyms_hidden_by_kptr_restrict_is_told_and_gives_no_symbols)
{
	struct kallsyms k = parse("0000000000000000 T _text\n0000000000000000 t vfs_read\n");

	CHECK(k.hidden);
	CHECK_EQ(k.table.syms.n, 0);
	kallsyms_deinit(&k);
	k = parse("");
	CHECK(!k.hidden);
	kallsyms_deinit(&k);
}

TEST(kallsyms_skips_lines_that_are_none)
{
	struct kallsyms k = parse("\n\nhello world\n12345678901234567 T too_long\n1000\n1000 T\n1000 T \n"
				  "2000 T good\n3000 T last");

	CHECK_EQ(k.table.syms.n, 2);
	CHECK_STR(name_at(&k, 0x2fff), "good");
	CHECK_STR(name_at(&k, 0x3000), "last");
	kallsyms_deinit(&k);
}

TEST(kallsyms_sorts_what_is_out_of_order)
{
	struct kallsyms k = parse("3000 T c\n1000 T a\n5000 T e\n2000 T b\n4000 T d\n");

	CHECK_EQ(k.table.syms.n, 5);
	CHECK_STR(name_at(&k, 0x1fff), "a");
	CHECK_STR(name_at(&k, 0x2fff), "b");
	CHECK_STR(name_at(&k, 0x3fff), "c");
	CHECK_STR(name_at(&k, 0x4fff), "d");
	kallsyms_deinit(&k);
}

static struct sv aliases(void)
{
	return SV("0 A absolute\n1000 T _text\n1000 T __one\n1000 t one\n1800 t $d\n2000 t two\n2000 T __pi_two\n"
		  "3000 d data\n2400 t cold\t[b]\n9000 T init_module\t[a]\n9000 t start\t[a]\n9100 t last\t[a]\n"
		  "f000 t bpf_prog_1\t[bpf]\n20000 t end");
}

TEST(kallsyms_text_names_functions_as_the_table_does)
{
	struct sv text = aliases();
	struct kallsyms k;
	unsigned named = 0;

	CHECK_EQ(kallsyms_init(&k, text, NULL), 0);
	for (uint64_t addr = 0; addr < 0x30000; addr += 0x80) {
		const struct sym *s = kallsyms_find(&k, addr);
		struct kallsyms_line l;
		uint64_t size;
		bool found = kallsyms_function_at(text, addr, &l, &size);

		CHECK_EQ(found, s != NULL);
		if (!found || !s)
			continue;
		named++;
		CHECK(sv_eq(l.name, kallsyms_name(&k, s)));
		CHECK(sv_eq(l.module, kallsyms_module(&k, s) ? kallsyms_module(&k, s) : ""));
		CHECK_EQ(l.addr, s->addr);
		CHECK_EQ(size, s->size);
	}
	CHECK(named > 100);
	kallsyms_deinit(&k);
}

TEST(kallsyms_text_gives_lines_by_name)
{
	struct sv text = SV("1000 T a\n2000 T ab\n3000 T b\n4000 t a\t[m]\n5000 T a b\n6000 T [a]\n7000 t ba\n"
			    "8000 d a");
	static const uint64_t wanted[] = { 0x1000, 0x4000, 0x5000, 0x8000 };
	struct kallsyms_line l;

	CHECK_EQ(kallsyms_address(text, SV("ab")), 0x2000);
	CHECK_EQ(kallsyms_address(text, SV("c")), 0);
	CHECK_EQ(kallsyms_address(text, SV("")), 0);
	CHECK_EQ(kallsyms_address((struct sv){ "", 0 }, SV("a")), 0);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		CHECK(kallsyms_next_named(&text, SV("a"), &l));
		CHECK_EQ(l.addr, wanted[i]);
	}
	CHECK(!kallsyms_next_named(&text, SV("a"), &l));
	CHECK_EQ(text.n, 0);
}

/* The address of a line digit by digit, whatever its first 16 bytes are. */
static bool slow_address(const char *s, size_t n, uint64_t *addr)
{
	*addr = 0;
	for (size_t i = 0; i < n; i++) {
		const char *digits = "0123456789abcdef", *d = s[i] ? strchr(digits, s[i]) : NULL;

		if (!d)
			return false;
		*addr = *addr << 4 | (uint64_t)(d - digits);
	}
	return true;
}

static bool is_symbol(struct kallsyms_line *l, const char *line, size_t n)
{
	struct sv text = { line, n };

	return kallsyms_next(&text, l);
}

TEST(kallsyms_takes_no_other_byte_for_a_digit)
{
	static char line[] = "ffff80008001a0c9 T name";

	for (size_t at = 0; at < 16; at++) {
		char was = line[at];

		for (int byte = 0; byte < 256; byte++) {
			struct kallsyms_line l;
			uint64_t addr;

			if (byte == ' ' || byte == '\n')   /* a shorter address, and another type; another line */
				continue;
			line[at] = (char)byte;
			CHECK_EQ(is_symbol(&l, line, sizeof(line) - 1), slow_address(line, 16, &addr));
			CHECK(!slow_address(line, 16, &addr) || l.addr == addr);
		}
		line[at] = was;
	}
}

TEST(kallsyms_takes_addresses_of_any_length_up_to_16_digits)
{
	for (size_t n = 1; n < 20; n++) {
		const char *digits = "123456789abcdef0123";
		struct kallsyms_line l;
		uint64_t addr;
		char line[40];
		int size = snprintf(line, sizeof(line), "%.*s T name", (int)n, digits);

		CHECK(slow_address(digits, MIN(n, (size_t)16), &addr));
		CHECK_EQ(is_symbol(&l, guard_dup(line, (size_t)size), (size_t)size), n <= 16);
		CHECK(n > 16 || l.addr == addr);
	}
}
