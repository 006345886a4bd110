/* obj/jitdump and sym/jitcode: what was where when, by a jit-PID.dump; and the resolver with them. */
#include "jitdump_build.h"
#include "sym/jitcode.h"
#include "sym/resolver.h"

enum { X86 = 62, USER = 2 };

static const char path[] = "/var/u/jit-7.dump";
static struct built_dump built;

static int map(void *arg UNUSED, const char *name, const uint8_t **p, size_t *n)
{
	if (strcmp(name, path) != 0)
		return -ENOENT;
	*p = built.n ? guard_dup(built.v, built.n) : NULL;
	*n = built.n;
	return 0;
}

static const uint8_t *big;
static size_t big_n;

static int map_big(void *arg UNUSED, const char *name UNUSED, const uint8_t **p, size_t *n)
{
	*p = big;
	*n = big_n;
	return 0;
}

static const struct image_files files = { .map = map };

/* "first" with lines, then "second"; "third" where "first" was, but shorter; "second" moves. */
static void build(bool swap, uint64_t flags)
{
	built = (struct built_dump){ .swap = swap };
	dump_head(&built, X86, 7, flags);
	dump_lines(&built, 0x7000);
	dump_load(&built, 100, 0x7000, 0x20, "first");
	dump_load(&built, 200, 0x7100, 0x20, "second(int, long)");
	dump_load(&built, 300, 0x7000, 0x10, "third");
	dump_move(&built, 400, 0x7100, 0x7200, 0x20);
	dump_load(&built, 500, 0x7100, 0x8, "x\x1b[31m\n");
}

static int open_code(struct jitcode *j, struct symtab *t)
{
	struct jitcode_want w = { .files = &files, .path = path, .is_monotonic = true };
	int r;

	*t = (struct symtab){ 0 };
	r = jitcode_open(j, t, &w);
	CHECK_EQ(symtab_finish(t, NULL), 0);
	return r;
}

static const char *at(const struct jitcode *j, const struct symtab *t, uint64_t addr, uint64_t time)
{
	uint64_t place = jitcode_place(j, addr, time);
	const struct sym *s = place ? symtab_find(t, place) : NULL;

	return s ? symtab_name(t, s) : "none";
}

static void close_code(struct jitcode *j, struct symtab *t)
{
	jitcode_close(j);
	symtab_deinit(t);
}

TEST(jitcode_knows_what_was_where_when)
{
	for (int swap = 0; swap < 2; swap++) {
		struct jitcode j;
		struct symtab t;

		build(swap, 0);
		CHECK_EQ(open_code(&j, &t), 0);
		CHECK_STR(at(&j, &t, 0x7000, 150), "first");
		CHECK_STR(at(&j, &t, 0x7000, 50), "first");
		CHECK_STR(at(&j, &t, 0x7000, 299), "first");
		CHECK_STR(at(&j, &t, 0x7000, 300), "third");
		CHECK_STR(at(&j, &t, 0x701f, 300), "first");
		CHECK_STR(at(&j, &t, 0x7020, 300), "none");
		CHECK_STR(at(&j, &t, 0x6fff, 300), "none");
		CHECK_STR(at(&j, &t, 0x7107, 499), "second(int, long)");
		CHECK_STR(at(&j, &t, 0x721f, 450), "second(int, long)");
		CHECK_STR(at(&j, &t, 0x7107, 500), "x\x1b[31m\n");
		CHECK(!j.is_broken && !j.is_cut && j.is_reused);
		close_code(&j, &t);
	}
}

TEST(jitcode_that_moves_stays_the_same)
{
	struct jitcode j;
	struct symtab t;

	build(false, 0);
	CHECK_EQ(open_code(&j, &t), 0);
	CHECK_EQ(jitcode_place(&j, 0x7104, 250), jitcode_place(&j, 0x7204, 450));
	close_code(&j, &t);
}

TEST(jitcode_epochs_are_as_long_as_no_place_is_used_again)
{
	static const struct { uint64_t time, epoch, since, until; } want[] = {
		{ 0, 0, 0, 300 }, { 299, 0, 0, 300 }, { 300, 1, 300, 500 }, { 499, 1, 300, 500 },
		{ 500, 2, 500, UINT64_MAX }, { UINT64_MAX, 2, 500, UINT64_MAX },
	};
	struct jitcode j;
	struct symtab t;
	uint64_t since, until;

	build(false, 0);
	CHECK_EQ(open_code(&j, &t), 0);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		CHECK_EQ(jitcode_epoch(&j, want[i].time, &since, &until), want[i].epoch);
		CHECK_EQ(since, want[i].since);
		CHECK_EQ(until, want[i].until);
	}
	close_code(&j, &t);
}

TEST(jitcode_at_the_end_of_time_is_in_an_epoch)
{
	struct jitcode j;
	struct symtab t;
	uint64_t since, until;

	build(false, 0);
	dump_load(&built, UINT64_MAX, 0x7000, 0x20, "last");
	CHECK_EQ(open_code(&j, &t), 0);
	CHECK_EQ(jitcode_epoch(&j, UINT64_MAX, &since, &until), 3);
	CHECK_EQ(until, UINT64_MAX);
	CHECK_STR(at(&j, &t, 0x7000, until - 1), "last");
	close_code(&j, &t);
}

TEST(jitcode_of_ticks_has_the_last_of_each_place)
{
	struct jitcode j;
	struct symtab t;

	build(false, 1);
	CHECK_EQ(open_code(&j, &t), 0);
	CHECK(!j.is_timed);
	CHECK_EQ(j.reused.n, 0);
	CHECK_STR(at(&j, &t, 0x7000, 1), "third");
	close_code(&j, &t);
}

TEST(jitcode_lines_move_with_their_code)
{
	struct jitcode j;
	struct symtab t;
	struct jitdump_line l;

	build(false, 0);
	dump_move(&built, 600, 0x7000, 0x7300, 0x20);
	dump_lines(&built, 0x7400);
	dump_load(&built, 700, 0x7400, 0x20, "fourth");
	dump_move(&built, 800, 0x7400, 0x7500, 0x20);
	CHECK_EQ(open_code(&j, &t), 0);
	CHECK(jitcode_line(&j, jitcode_place(&j, 0x7007, 150), &l));
	CHECK_EQ(l.line, 10);
	CHECK(jitcode_line(&j, jitcode_place(&j, 0x7008, 150), &l));
	CHECK_EQ(l.line, 12);
	CHECK_STR(l.file, "/src/a.js");
	CHECK(jitcode_line(&j, jitcode_place(&j, 0x751f, 900), &l));
	CHECK_EQ(l.line, 12);
	CHECK(!jitcode_line(&j, jitcode_place(&j, 0x7000, 350), &l));
	CHECK(!jitcode_line(&j, 0x7000, &l));
	close_code(&j, &t);
}

TEST(jitcode_of_another_process_or_machine_is_refused)
{
	struct jitcode j;
	struct symtab t;

	built = (struct built_dump){ 0 };
	dump_head(&built, X86, 8, 0);
	CHECK_EQ(open_code(&j, &t), -ESTALE);
	close_code(&j, &t);
	build(false, 0);
	built.v[0] ^= 1;
	CHECK_EQ(open_code(&j, &t), -EBADMSG);
	close_code(&j, &t);

	struct jitcode_want w = { .files = &files, .path = path, .arch = &arch_aarch64 };

	build(false, 0);
	CHECK_EQ(jitcode_open(&j, &t, &w), -ESTALE);
	built.n = 0;
	CHECK_EQ(open_code(&j, &t), -EBADMSG);
	close_code(&j, &t);
}

/* Wherever it is cut, what stands before has its names, and that it was cut is known. */
TEST(jitcode_that_breaks_off_is_read_as_far_as_it_goes)
{
	size_t n_unbroken = 0;

	build(false, 0);
	for (size_t n = built.n; n > 40; n--) {
		struct jitcode j;
		struct symtab t;

		built.n = n;
		CHECK_EQ(open_code(&j, &t), 0);
		n_unbroken += !j.is_broken;
		close_code(&j, &t);
	}
	CHECK_EQ(n_unbroken, 6);   /* behind each record */
}

/* Each reaches from its own address to the end of all: in the ranges of all that come behind it. */
TEST(jitcode_that_overlaps_again_and_again_is_bounded)
{
	enum { MANY = 4096, RECORD = 16 + 40 + 2, ROOM = MANY * (RECORD + MANY) };
	uint8_t *all = calloc(1, ROOM);
	struct image_files of = { .map = map_big };
	struct jitcode_want w = { .files = &of, .path = path, .is_monotonic = true };
	struct symtab t = { 0 };
	struct jitcode j;

	built = (struct built_dump){ 0 };
	dump_head(&built, X86, 7, 0);
	memcpy(all, built.v, big_n = built.n);
	for (uint32_t i = 0; i < MANY; i++) {
		built.n = 0;
		dump_load(&built, i, 0x100000 + i, 1, "f");
		memcpy(all + big_n, built.v, RECORD);
		memcpy(all + big_n + 4, &(uint32_t){ RECORD + MANY - i }, 4);
		memcpy(all + big_n + 40, &(uint64_t){ MANY - i }, 8);
		big_n += RECORD + MANY - i;
	}
	big = all;
	CHECK_EQ(jitcode_open(&j, &t, &w), 0);
	CHECK(j.is_cut);
	CHECK(j.loads.n > 1000 && j.loads.n < MANY);
	CHECK_EQ(jitcode_place(&j, 0x100000 + 500, 400) - j.pieces.v[400].place, 100);
	CHECK_EQ(jitcode_place(&j, 0x100000 + MANY - 1, MANY) - j.pieces.v[j.loads.n - 1].place, MANY - j.loads.n);
	CHECK_EQ(symtab_finish(&t, NULL), 0);
	close_code(&j, &t);
	free(all);
}

/* --- the resolver --- */

static int kernel_id(void *arg UNUSED, uint8_t id[20])
{
	memset(id, 0, 20);
	return -ENOENT;
}

static void put(struct resolver *r, uint32_t pid, uint64_t start, const char *name)
{
	struct sym_map m = { .pid = pid, .start = start, .len = 0x1000, .name = name };

	CHECK_EQ(resolver_mmap(r, &m), 0);
}

static struct resolver *made(bool is_monotonic)
{
	struct sym_want want = {
		.files = { .map = map, .kernel_build_id = kernel_id }, .is_monotonic = is_monotonic,
	};

	return resolver_new(&want, NULL);
}

static const char *shown(struct resolver *r, uint32_t pid, uint64_t ip, uint64_t time)
{
	static char buf[200];
	struct resolver_spaces in = resolver_spaces(r, pid, time);
	const struct sym_loc *l = resolver_find_in(r, &in, USER, ip);

	snprintf(buf, sizeof(buf), "%s %s+%llx", l->dso_short, l->sym ? l->sym : "?",
		 (unsigned long long)(l->sym ? l->addr - l->start : 0));
	return buf;
}

TEST(resolver_names_made_code_by_its_time)
{
	struct resolver *r = made(true);

	build(false, 0);
	put(r, 7, 0x7000, "//anon");
	put(r, 7, 0x10000, path);
	put(r, 7, 0x8000, "/memfd:code (deleted)");
	CHECK_STR(shown(r, 7, 0x7004, 150), "[JIT] tid 7 first+4");
	CHECK_STR(shown(r, 7, 0x7004, 350), "[JIT] tid 7 third+4");
	CHECK_STR(shown(r, 7, 0x7004, 150), "[JIT] tid 7 first+4");
	CHECK_STR(shown(r, 7, 0x7204, 450), "[JIT] tid 7 second(int, long)+4");
	CHECK_STR(shown(r, 7, 0x7900, 450), "[JIT] tid 7 ?+0");
	CHECK_STR(shown(r, 7, 0x8900, 450), "[JIT] tid 7 ?+0");
	resolver_free(r);
}

TEST(resolver_gives_each_time_of_made_code_a_generation)
{
	struct resolver *r = made(true);

	build(false, 0);
	put(r, 7, 0x10000, path);
	put(r, 7, 0x7000, "//anon");
	CHECK_EQ(resolver_fork(r, 9, 7, 9, 7), 0);

	struct resolver_spaces a = resolver_spaces(r, 7, 150), b = resolver_spaces(r, 7, 350),
			       c = resolver_spaces(r, 7, 299), d = resolver_spaces(r, 9, 350);

	CHECK(a.user.generation != b.user.generation);
	CHECK_EQ(a.user.generation, c.user.generation);
	CHECK_EQ(b.user.since, 300);
	CHECK_EQ(b.user.until, 500);
	CHECK(d.user.generation != a.user.generation);
	CHECK_STR(shown(r, 9, 0x7004, 150), "[JIT] tid 7 first+4");
	CHECK_STR(shown(r, 9, 0x7004, 350), "[JIT] tid 7 third+4");
	put(r, 7, 0x9000, "/bin/x");
	CHECK(resolver_spaces(r, 7, 150).user.generation != a.user.generation);
	resolver_free(r);
}

static char said[600];

static void keep(void *arg UNUSED, const char *line)
{
	str_copy(said, sizeof(said), sv_from(line));
}

TEST(resolver_warns_when_made_code_has_another_clock)
{
	struct resolver *r = made(false);

	build(false, 0);
	put(r, 7, 0x10000, path);
	put(r, 7, 0x7000, "//anon");
	CHECK_STR(shown(r, 7, 0x7004, 150), "[JIT] tid 7 third+4");
	resolver_warnings(r, keep, NULL);
	CHECK(strstr(said, "/var/u/jit-7.dump has times of another clock"));
	resolver_free(r);
}

TEST(resolver_tells_lines_of_made_code)
{
	struct resolver *r = made(true);
	struct sym_spot spot[SYM_SPOTS_MAX];
	const struct sym_loc *l;
	struct resolver_spaces in;

	build(false, 0);
	put(r, 7, 0x10000, path);
	put(r, 7, 0x7000, "//anon");
	in = resolver_spaces(r, 7, 150);
	l = resolver_find_in(r, &in, USER, 0x7008);
	CHECK_EQ(resolver_spots(r, l, false, SYM_SPOTS_FILES, spot), 1);
	CHECK_EQ(spot[0].line, 12);
	CHECK_STR(spot[0].file, "/src/a.js");
	CHECK_EQ(resolver_spots(r, l, true, SYM_SPOTS_FILES, spot), 1);
	CHECK_EQ(spot[0].line, 10);
	resolver_free(r);
}
