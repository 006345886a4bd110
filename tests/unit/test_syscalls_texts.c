/* syscalls/texts: what programs have read finds its call, and what they have not is read from memory. */
#include "syscalls/texts.h"
#include "bpf_ring_fake.h"

enum { NR = 56 };

static struct {
	const char *memory;      /* of the thread, from address 1000 on; NULL: it is gone */
	unsigned reads;
	uint64_t now;            /* of what is told next */
} f;

static int open_memory(const struct sys *s UNUSED, const char *path, int flags UNUSED, unsigned mode UNUSED)
{
	CHECK_STR(path, "/proc/71/mem");
	return f.memory ? 9 : -ENOENT;
}

static ssize_t pread_memory(const struct sys *s UNUSED, int fd UNUSED, void *p, size_t n, uint64_t off)
{
	f.reads++;
	if (off < 1000 || off > 1000 + strlen(f.memory))
		return -EIO;
	n = MIN(n, strlen(f.memory + off - 1000) + 1);
	memcpy(p, f.memory + off - 1000, n);
	return (ssize_t)n;
}

static int close_memory(const struct sys *s UNUSED, int fd UNUSED)
{
	return 0;
}

static const struct sys sys = {
	.open = open_memory, .pread = pread_memory, .close = close_memory, .page_size = page_size, .mmap = map_ring,
	.munmap = unmap_ring,
};

/* The argument 1 of a call is a path. */
static const struct pointee path = { { .arg = 1, .how = ARGMEM_STRING }, POINTEE_PATH };

static void start(struct texts *t, bool programs, bool reads)
{
	memset(&f, 0, sizeof(f));
	f.now = 1;
	*t = (struct texts){ .sys = &sys, .programs = programs, .reads = reads,
			     .order = { TEXTS_BEFORE, TEXTS_BEFORE } };
	t->mem.lost = t->mem.map = -1;
	CHECK_EQ(bpf_ring_init(&t->mem.ring, &sys, 3, RING_BYTES), 0);
}

static void told(uint32_t tid, enum argmem_when when, uint64_t from, const char *text, int32_t got)
{
	struct argmem_rec rec = { .tid = tid, .nr = NR, .when = (uint16_t)when, .from = from, .got = got,
				  .time = f.now };
	size_t room = when == ARGMEM_LONG ? ARGMEM_STRINGS : ARGMEM_BYTES;

	if (got > 0)
		memcpy(rec.bytes, text, (size_t)got);
	write_ring(0, &rec, (uint32_t)(offsetof(struct argmem_rec, bytes) + room));
}

static struct texts_rec *take(struct texts *t, uint32_t tid, enum argmem_when when, uint64_t from)
{
	const uint64_t arg[6] = { 0, from };
	const struct texts_want w = { .tid = tid, .nr = NR, .when = when, .v = &path, .n = 1, .arg = arg,
				      .time = UINT64_MAX };

	return texts_take(t, &w);
}

static bool is(struct texts_rec *r, const char *text)
{
	bool same = r && r->got[0] == (int32_t)strlen(text) + 1 && !memcmp(r->bytes[0], text, strlen(text) + 1);

	texts_free(r);
	return same;
}

TEST(texts_find_their_calls)
{
	struct texts t;

	start(&t, true, false);
	told(71, ARGMEM_BEGIN, 500, "/a", 3);
	told(72, ARGMEM_BEGIN, 500, "/b", 3);
	told(71, ARGMEM_BEGIN, 600, "/c", 3);
	CHECK(is(take(&t, 72, ARGMEM_BEGIN, 500), "/b"));
	CHECK(is(take(&t, 71, ARGMEM_BEGIN, 500), "/a"));
	CHECK(is(take(&t, 71, ARGMEM_BEGIN, 600), "/c"));
	CHECK(!take(&t, 71, ARGMEM_BEGIN, 600));
	CHECK(!t.oldest && !t.bytes);
	texts_close(&t);
}

/* Of calls whose events were lost: what is older is no call's any more. */
TEST(texts_pass_over_those_whose_event_is_lost)
{
	struct texts t;

	start(&t, true, false);
	told(71, ARGMEM_BEGIN, 500, "/lost", 6);
	told(71 + TEXTS_BUCKETS, ARGMEM_BEGIN, 500, "/other", 7);
	told(71, ARGMEM_BEGIN, 600, "/c", 3);
	CHECK(!take(&t, 71, ARGMEM_END, 600));
	CHECK(is(take(&t, 71, ARGMEM_BEGIN, 600), "/c"));
	CHECK(!take(&t, 71, ARGMEM_BEGIN, 500));
	CHECK(is(take(&t, 71 + TEXTS_BUCKETS, ARGMEM_BEGIN, 500), "/other"));
	CHECK(!t.oldest);
	texts_close(&t);
}

/* The same call again and again: each has what was read before its own event, though some have none. */
TEST(texts_are_of_their_time)
{
	const uint64_t arg[6] = { 0, 500 };
	struct texts_want w = { .tid = 71, .nr = NR, .v = &path, .n = 1, .arg = arg };
	struct texts t;

	start(&t, true, false);
	f.now = 10;
	told(71, ARGMEM_BEGIN, 500, "/ten", 5);
	f.now = 30;
	told(71, ARGMEM_BEGIN, 500, "/thirty", 8);
	w.time = 11;
	CHECK(is(texts_take(&t, &w), "/ten"));
	w.after = 11;
	w.time = 21;
	CHECK(!texts_take(&t, &w));
	w.after = 21;
	w.time = 31;
	CHECK(is(texts_take(&t, &w), "/thirty"));
	texts_close(&t);
}

/* Somebody traced the same calls before us. */
TEST(texts_of_programs_that_run_behind_the_events)
{
	const uint64_t arg[6] = { 0, 500 };
	struct texts_want w = { .tid = 71, .nr = NR, .v = &path, .n = 1, .arg = arg, .time = 10 };
	struct texts t;

	start(&t, true, false);
	t.order[0] = t.order[1] = TEXTS_UNTOLD;
	f.now = 11;
	told(71, ARGMEM_BEGIN, 500, "/eleven", 8);
	f.now = 3000000;
	told(71, ARGMEM_BEGIN, 500, "/later", 7);
	CHECK(is(texts_take(&t, &w), "/eleven"));
	CHECK_EQ(t.order[0], TEXTS_BEHIND);
	CHECK_EQ(t.order[1], TEXTS_UNTOLD);
	w.after = 20;
	w.time = 30;
	CHECK(is(texts_take(&t, &w), "/later"));
	/* It is known that they run before: what comes later is another call's. */
	t.order[0] = TEXTS_BEFORE;
	f.now = 41;
	told(71, ARGMEM_BEGIN, 500, "/other", 7);
	w.time = 40;
	CHECK(!texts_take(&t, &w));
	texts_close(&t);
}

TEST(texts_that_are_long_are_whole)
{
	char text[ARGMEM_STRINGS];
	struct texts_rec *r;
	struct texts t;

	start(&t, true, false);
	memset(text, 'x', sizeof(text));
	text[ARGMEM_BYTES - 1] = '\0';
	told(71, ARGMEM_BEGIN, 500, text, ARGMEM_BYTES);
	/* Of this length alone it is whole, too. */
	told(71, ARGMEM_LONG, 500, text, ARGMEM_BYTES);
	CHECK(is(take(&t, 71, ARGMEM_BEGIN, 500), text));
	told(71, ARGMEM_BEGIN, 500, text, ARGMEM_BYTES);
	text[ARGMEM_BYTES - 1] = 'x';
	text[1000] = '\0';
	told(71, ARGMEM_LONG, 500, text, 1001);
	CHECK(is(take(&t, 71, ARGMEM_BEGIN, 500), text));
	/* Nothing tells the rest: without a NUL it is known to be cut. */
	told(71, ARGMEM_BEGIN, 500, text, ARGMEM_BYTES);
	r = take(&t, 71, ARGMEM_BEGIN, 500);
	CHECK(r && r->got[0] == ARGMEM_BYTES - 1 && !memchr(r->bytes[0], '\0', ARGMEM_BYTES - 1));
	texts_free(r);
	texts_close(&t);
}

TEST(texts_are_read_from_memory_where_programs_cannot)
{
	struct texts_rec *r;
	struct texts t;

	start(&t, true, true);
	f.memory = "/etc/passwd";
	told(71, ARGMEM_BEGIN, 1000, NULL, -EFAULT);
	CHECK(is(take(&t, 71, ARGMEM_BEGIN, 1000), "/etc/passwd"));
	CHECK_EQ(t.late, 1);
	/* There is no record, as without programs; and what is there is not asked for again. */
	CHECK(is(take(&t, 71, ARGMEM_BEGIN, 1004), "/passwd"));
	told(71, ARGMEM_BEGIN, 1000, "/x", 3);
	CHECK(is(take(&t, 71, ARGMEM_BEGIN, 1000), "/x"));
	CHECK_EQ(f.reads, 2);
	CHECK(!take(&t, 71, ARGMEM_BEGIN, 0));
	r = take(&t, 71, ARGMEM_BEGIN, 7);
	CHECK(r && r->got[0] < 0);
	texts_free(r);
	f.memory = NULL;
	r = take(&t, 71, ARGMEM_BEGIN, 1000);
	CHECK(r && r->got[0] < 0);
	texts_free(r);
	texts_close(&t);
}

TEST(texts_of_memory_are_as_long_as_is_said)
{
	static const struct pointee data = { { .arg = 1, .count = 2, .most = 4, .how = ARGMEM_COUNTED }, POINTEE_DATA };
	uint64_t arg[6] = { 0, 1000, 3 };
	struct texts_want w = { .tid = 71, .nr = NR, .v = &data, .n = 1, .arg = arg };
	struct texts_rec *r;
	struct texts t;

	start(&t, false, true);
	f.memory = "abcdefgh";
	r = texts_take(&t, &w);
	CHECK(r && r->got[0] == 3);
	texts_free(r);
	arg[2] = UINT64_MAX;
	r = texts_take(&t, &w);
	CHECK(r && r->got[0] == 4);
	texts_free(r);
	/* It has failed. */
	w.when = ARGMEM_END;
	w.ret = -EBADF;
	CHECK(!texts_take(&t, &w));
	texts_close(&t);
}

static void told_list(uint32_t tid, enum argmem_when when, uint64_t from, unsigned n, int32_t got)
{
	struct argmem_rec rec = { .tid = tid, .nr = NR, .when = (uint16_t)when, .from = from, .got = (int32_t)n,
				  .time = f.now };
	struct argmem_item it = { .from = 900, .got = got, .text = "word" };

	for (unsigned i = 0; i < MIN(n, (unsigned)ARGMEM_ITEMS); i++)
		memcpy(rec.bytes + i * sizeof(it), &it, sizeof(it));
	write_ring(0, &rec, (uint32_t)(offsetof(struct argmem_rec, bytes) + ARGMEM_ITEMS * sizeof(it)));
}

static struct argmem_item item_of(const struct texts_rec *r, unsigned arg, unsigned i)
{
	struct argmem_item it;

	memcpy(&it, r->bytes[arg] + i * sizeof(it), sizeof(it));
	return it;
}

static void told_env(uint32_t tid, uint64_t from, const uint64_t *v, int32_t n)
{
	struct argmem_rec rec = { .tid = tid, .nr = NR, .when = ARGMEM_ENV, .from = from, .got = 8 * n,
				  .time = f.now };

	memcpy(rec.bytes, v, 8 * (size_t)MIN(n, ARGMEM_VARS));
	write_ring(0, &rec, (uint32_t)(offsetof(struct argmem_rec, bytes) + 8 * ARGMEM_VARS));
}

TEST(texts_count_the_variables_of_an_environment)
{
	static const struct pointee list = { { .arg = 2, .how = ARGMEM_LIST }, POINTEE_STRINGS };
	static const uint64_t some[8] = { 1, 1, 1, 0, 1 };
	const uint64_t arg[6] = { 0, 500, 700, 900 };
	const struct texts_want w = { .tid = 71, .nr = NR, .v = &list, .n = 1, .arg = arg, .time = UINT64_MAX };
	const struct { int32_t n; uint32_t vars; } cases[] = { { 8, 4 }, { 0, 0 }, { 2, 0 }, { ARGMEM_VARS, 257 } };
	uint64_t many[ARGMEM_VARS];
	struct texts_rec *r;
	struct texts t;

	memset(many, 1, sizeof(many));
	start(&t, true, false);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		told_list(71, ARGMEM_LIST_BEGIN, 700, 2, 5);
		told_env(71, 900, cases[i].n == ARGMEM_VARS ? many : some, cases[i].n);
		r = texts_take(&t, &w);
		CHECK(r && r->env == 900);
		CHECK_EQ(r->vars, cases[i].vars);
		texts_free(r);
	}
	/* More than it has room for; of another thread, or of nobody. */
	told_list(71, ARGMEM_LIST_BEGIN, 700, 2, 5);
	told_env(71, 900, many, 1 << 20);
	told_env(72, 900, some, 8);
	r = texts_take(&t, &w);
	CHECK(r && !r->vars);
	texts_free(r);
	CHECK(!t.oldest && !t.bytes);
	texts_close(&t);
}

TEST(texts_have_lists_beside_what_else_a_call_has)
{
	static const struct pointee both[] = {
		{ { .arg = 1, .how = ARGMEM_STRING }, POINTEE_PATH },
		{ { .arg = 2, .how = ARGMEM_LIST }, POINTEE_STRINGS },
	};
	const uint64_t arg[6] = { 0, 500, 700 };
	struct texts_want w = { .tid = 71, .nr = NR, .v = both, .n = 2, .arg = arg, .time = UINT64_MAX };
	struct texts_rec *r;
	struct texts t;

	start(&t, true, false);
	told(71, ARGMEM_BEGIN, 500, "/a", 3);
	told_list(71, ARGMEM_LIST_BEGIN, 700, 2, 5);
	r = texts_take(&t, &w);
	CHECK(r && r->got[0] == 3 && r->got[1] == 2 * (int32_t)sizeof(struct argmem_item));
	CHECK_STR((const char *)item_of(r, 1, 1).text, "word");
	texts_free(r);
	/* More than it has room for, of both counts. */
	told(71, ARGMEM_BEGIN, 500, "/a", 3);
	told_list(71, ARGMEM_LIST_BEGIN, 700, 2, 1000);
	r = texts_take(&t, &w);
	CHECK(r && item_of(r, 1, 0).got == -EFAULT);
	texts_free(r);
	told(71, ARGMEM_BEGIN, 500, "/a", 3);
	told_list(71, ARGMEM_LIST_BEGIN, 700, 1000, 5);
	r = texts_take(&t, &w);
	CHECK(r && !r->got[1]);
	texts_free(r);
	/* The ring had no room for the list: the rest is there; and a list alone, of a call that has no more. */
	told(71, ARGMEM_BEGIN, 500, "/a", 3);
	r = texts_take(&t, &w);
	CHECK(r && r->got[0] == 3 && r->got[1] < 0);
	texts_free(r);
	told_list(71, ARGMEM_LIST_END, 700, 1, 5);
	w.v = both + 1;
	w.n = 1;
	w.when = ARGMEM_END;
	r = texts_take(&t, &w);
	CHECK(r && item_of(r, 0, 0).got == 5);
	texts_free(r);
	CHECK(!t.oldest && !t.bytes);
	texts_close(&t);
}

static uint64_t words[64];

static ssize_t pread_words(const struct sys *s UNUSED, int fd UNUSED, void *p, size_t n, uint64_t off)
{
	if (off < 1000 || off + n > 1000 + sizeof(words))
		return -EIO;
	memcpy(p, (const char *)words + off - 1000, n);
	return (ssize_t)n;
}

/* words[40] on are texts. */
TEST(texts_of_memory_have_lists_too)
{
	static const struct pointee list = { { .arg = 1, .how = ARGMEM_LIST }, POINTEE_STRINGS };
	static const struct pointee vector = { { .arg = 1, .count = 2, .how = ARGMEM_VECTOR }, POINTEE_IOVEC };
	static const struct pointee message = { { .arg = 1, .how = ARGMEM_MESSAGE }, POINTEE_MSGHDR };
	struct sys own = sys;
	uint64_t arg[6] = { 0, 1000, 2 };
	struct texts_want w = { .tid = 71, .nr = NR, .v = &list, .n = 1, .arg = arg, .time = UINT64_MAX };
	struct texts_rec *r;
	struct texts t;

	start(&t, false, true);
	own.pread = pread_words;
	t.sys = &own;
	f.memory = "";
	memset(words, 0, sizeof(words));
	words[0] = words[1] = 1000 + 8 * 40;
	memcpy(&words[40], "text", 5);
	r = texts_take(&t, &w);
	CHECK(r && r->got[0] == 2 * (int32_t)sizeof(struct argmem_item) && item_of(r, 0, 1).got == 5);
	texts_free(r);
	words[1] = 3;
	words[2] = 7;
	words[3] = 9;
	w.v = &vector;
	r = texts_take(&t, &w);
	CHECK(r && item_of(r, 0, 0).got == 3 && item_of(r, 0, 0).len == 3 && item_of(r, 0, 1).got < 0);
	texts_free(r);
	words[12] = 1000;
	words[13] = UINT64_MAX;
	arg[1] = 1000 + 8 * 10;
	w.v = &message;
	r = texts_take(&t, &w);
	CHECK(r && r->got[0] == ARGMEM_ITEMS * (int32_t)sizeof(struct argmem_item));
	texts_free(r);
	/* What the message says is not there. */
	words[12] = 5;
	r = texts_take(&t, &w);
	CHECK(r && !r->got[0]);
	texts_free(r);
	texts_close(&t);
}

TEST(texts_of_memory_have_what_a_pack_points_to)
{
	static const struct pointee pack = { { .arg = 1, .most = 16, .how = ARGMEM_ARGPACK }, POINTEE_SIGPACK };
	static const struct { uint64_t at; int32_t got; } cases[] = { { 1000 + 8 * 40, 24 }, { 0, 16 }, { 7, 16 } };
	const uint64_t arg[6] = { 0, 1000 };
	const struct texts_want w = { .tid = 71, .nr = NR, .v = &pack, .n = 1, .arg = arg, .time = UINT64_MAX };
	struct sys own = sys;
	struct texts t;

	start(&t, false, true);
	own.pread = pread_words;
	t.sys = &own;
	f.memory = "";
	memset(words, 0, sizeof(words));
	words[1] = 8;
	words[40] = 0x200;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct texts_rec *r;

		words[0] = cases[i].at;
		r = texts_take(&t, &w);
		CHECK(r && r->got[0] == cases[i].got && !memcmp(r->bytes[0], words, 16));
		CHECK(!r || r->got[0] < 24 || !memcmp(r->bytes[0] + 16, &words[40], 8));
		texts_free(r);
	}
	texts_close(&t);
}

TEST(texts_are_bounded)
{
	char text[ARGMEM_STRINGS];
	struct texts t;

	start(&t, true, false);
	memset(text, 'x', sizeof(text));
	/* As many as one ring has at a time; each round is collected by somebody who is not there. */
	for (unsigned i = 0; i < 90000; i++) {
		told(1000 + i % 5000, ARGMEM_BEGIN, 500, text, ARGMEM_BYTES);
		if (i % 40 == 39)
			CHECK(!take(&t, 71, ARGMEM_BEGIN, 500));
	}
	CHECK(t.bytes <= TEXTS_BYTES);
	CHECK(t.dropped > 0);
	texts_close(&t);
	CHECK(!t.oldest && !t.newest && !t.bytes);
}
