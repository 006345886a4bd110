/* test_prof_blocks.c - blocks from events without a source: what is held, what is doubtful, what does not fit. */
#include "prof/blocks.h"
#include "t.h"

static const char format[] =
	"name: block\nID: 77\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:u64 ptr;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 bytes_alloc;\toffset:16;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"%llx\", REC->ptr\n";

struct record {
	uint16_t type;
	uint8_t pad[6];
	uint64_t ptr, bytes_alloc;
};

enum { ALLOC, ASK, GET, FREE, TAPS };

struct tried {
	struct prof prof;
	struct prof_want want;
	struct prof_kind kind;
	struct sys sys;
	struct tevents events;
	struct spec specs[TAPS];
	struct blocks blocks;
	uint64_t time;
};

static bool frees(const struct prof *p UNUSED, const struct spec *s)
{
	return !strcmp(s->event, "free");
}

/* The first `n` of the taps are there. */
static int begin(struct tried *t, const struct spec *specs, struct err *e)
{
	*t = (struct tried){ .prof = { .kind = &t->kind, .want = &t->want } };
	t->want.from.input = "none";
	t->prof.feed.want = &t->prof.feed_want;
	t->prof.feed_want.session.path = "none";
	memcpy(t->specs, specs, sizeof(t->specs));
	tevents_init(&t->events, (struct tmachine){ .long_size = 8 });
	CHECK(!tevents_add(&t->events, SV("mem"), SV(format), e));
	for (size_t i = 0; i < TAPS; i++) {
		struct tap *tap = vec_add(&t->prof.feed.taps);

		*tap = (struct tap){ .spec = &t->specs[i], .index = (uint32_t)i, .name = t->specs[i].event,
				     .event = tevents_by_id(&t->events, 77) };
	}
	return blocks_open(&t->blocks, &t->prof, frees, e);
}

static void end(struct tried *t)
{
	blocks_close(&t->blocks);
	tevents_deinit(&t->events);
	arena_deinit(&t->prof.feed.arena);
	vec_free(&t->prof.feed.taps);
}

static const struct spec usual[TAPS] = {
	{ .text = "alloc", .event = "alloc" }, { .text = "ask", .event = "ask", .size = "bytes_alloc" },
	{ .text = "get", .event = "get", .ptr = "ptr" }, { .text = "free", .event = "free" },
};

static void hit(struct tried *t, unsigned tap, uint32_t tid, uint64_t ptr, uint64_t bytes)
{
	struct record r = { .type = 77, .ptr = ptr, .bytes_alloc = bytes };
	struct hit h = { .tap = &t->prof.feed.taps.v[tap], .time = ++t->time, .tid = tid, .pid = tid,
			 .raw = { (const uint8_t *)&r, sizeof(r) }, .event = t->prof.feed.taps.v[tap].event };

	CHECK_EQ(blocks_hit(&t->blocks, &h), 0);
}

static struct blocks_held held(const struct tried *t, uint64_t older)
{
	struct blocks_held *v = blocks_held(&t->blocks, t->time, older), sum = { 0 };

	CHECK(v != NULL);
	for (size_t i = 0; v && i < t->blocks.rows.n; i++) {
		sum.n += v[i].n;
		sum.bytes += v[i].bytes;
		sum.doubtful += v[i].doubtful;
	}
	free(v);
	return sum;
}

TEST(blocks_that_are_not_freed_are_held)
{
	struct tried t;
	struct err e = { 0 };

	CHECK_SAY(!begin(&t, usual, &e), "%s", e.text);
	hit(&t, ALLOC, 1, 0x1000, 64);
	hit(&t, ALLOC, 1, 0x2000, 32);
	hit(&t, ALLOC, 2, 0x3000, 16);
	hit(&t, FREE, 2, 0x1000, 0);
	CHECK_EQ(held(&t, 0).n, 2);
	CHECK_EQ(held(&t, 0).bytes, 48);
	/* The oldest of the two is two events old. */
	CHECK_EQ(held(&t, 2).bytes, 32);
	CHECK_EQ(held(&t, 3).n, 0);
	CHECK_EQ(t.blocks.rows.v[0].allocs, 3);
	CHECK_EQ(t.blocks.rows.v[0].free_bytes, 64);
	blocks_next(&t.blocks);
	CHECK_EQ(t.blocks.rows.v[0].allocs, 0);
	CHECK_EQ(held(&t, 0).n, 2);
	end(&t);
}

TEST(blocks_from_before_a_loss_are_doubtful)
{
	struct tried t;
	struct err e = { 0 };

	CHECK(!begin(&t, usual, &e));
	hit(&t, ALLOC, 1, 0x1000, 64);
	CHECK(!blocks_lost(&t.blocks, 3));
	hit(&t, ALLOC, 1, 0x2000, 32);
	CHECK_EQ(held(&t, 0).n, 2);
	CHECK_EQ(held(&t, 0).doubtful, 1);
	end(&t);
}

TEST(blocks_that_do_not_fit_are_counted)
{
	struct tried t;
	struct err e = { 0 };

	CHECK(!begin(&t, usual, &e));
	hit(&t, FREE, 1, 0x1000, 0);
	hit(&t, FREE, 1, 0, 0);
	hit(&t, ALLOC, 1, 0, 8);
	hit(&t, ALLOC, 1, 0x1000, 64);
	hit(&t, ALLOC, 1, 0x1000, 32);
	CHECK_EQ(t.blocks.stats.unknown, 1);
	CHECK_EQ(t.blocks.stats.failed, 1);
	CHECK_EQ(t.blocks.stats.twice, 1);
	CHECK_EQ(held(&t, 0).bytes, 32);
	end(&t);
}

TEST(blocks_of_calls_and_returns_belong_to_one_thread_the_newest_first)
{
	struct tried t;
	struct err e = { 0 };

	/* This event has both fields: halves are made by hand. */
	CHECK(!begin(&t, usual, &e));
	t.blocks.role[ASK] = BLOCKS_ASK;
	t.blocks.role[GET] = BLOCKS_GET;
	hit(&t, ASK, 1, 1, 100);
	hit(&t, ASK, 2, 1, 200);
	hit(&t, ASK, 1, 1, 10);
	hit(&t, GET, 1, 0x1000, 0);
	CHECK_EQ(held(&t, 0).bytes, 10);
	hit(&t, GET, 2, 0x2000, 0);
	CHECK_EQ(held(&t, 0).bytes, 210);
	hit(&t, GET, 1, 0x3000, 0);
	CHECK_EQ(held(&t, 0).bytes, 310);
	hit(&t, GET, 1, 0x4000, 0);
	CHECK_EQ(t.blocks.stats.unsized, 1);
	hit(&t, ASK, 1, 1, 7);
	CHECK(!blocks_lost(&t.blocks, 0));
	hit(&t, GET, 1, 0x5000, 0);
	CHECK_EQ(t.blocks.stats.unsized, 2);
	CHECK_EQ(held(&t, 0).n, 3);
	end(&t);
}
