/* Samples to a call tree of raw addresses. */
#include "analyse/batch.h"
#include "t.h"

enum { GROUP = 5, USER = 1, KERNEL = 2 };

static const struct sample_layout layout = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN };

static bool put(struct batch *b, uint64_t *chain, size_t n, uint64_t weight)
{
	uint64_t in[64] = { PERF_CONTEXT_USER };
	struct sample s = { .ip = n ? chain[0] : 0, .cpumode = PERF_MISC_USER, .period = weight, .n_chain = n + 1,
			    .chain = { (const uint8_t *)in, (n + 1) * 8 } };
	struct batch_sample bs = { &layout, &s, GROUP, USER, KERNEL, s.period };

	memcpy(in + 1, chain, n * 8);
	return batch_put(b, &bs);
}

#define PUT(b, weight, ...) \
	put(b, (uint64_t[]){ __VA_ARGS__ }, sizeof((uint64_t[]){ __VA_ARGS__ }) / 8, weight)

/* "weight*samples:outermost;...;innermost" of every node where samples end. */
static const char *text_of(const struct batch *b)
{
	static char text[1000];
	size_t n = 0;

	for (uint32_t i = 1; i < b->tree.nodes.n; i++) {
		const struct ct_node *v = b->tree.nodes.v;
		uint64_t path[16];
		size_t depth = 0;

		if (!v[i].samples)
			continue;
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%d*%u:", n ? " " : "", (int)v[i].self,
				      v[i].samples);
		for (uint32_t at = i; v[at].parent; at = v[at].parent)
			path[depth++] = b->places.v[v[at].key].ip;
		while (depth--)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%x%s", (int)path[depth], depth ? ";" : "");
	}
	return text;
}

TEST(batch_adds_up_equal_chains)
{
	struct batch b;

	CHECK(!batch_init(&b, 1 << 20, CHAIN_MAX));
	PUT(&b, 3, 0x30, 0x20, 0x10);
	PUT(&b, 4, 0x31, 0x20, 0x10);
	PUT(&b, 5, 0x30, 0x20, 0x10);
	PUT(&b, 6, 0x20, 0x10);
	batch_run(&b);
	/* A place that was interrupted is not one that called. */
	CHECK_STR(text_of(&b), "8*2:10;20;30 4*1:10;20;31 6*1:10;20");
	CHECK_EQ(b.places.n, 5);
	CHECK(!b.places.v[2].returns && b.places.v[0].returns && b.places.v[0].space == USER);
	CHECK_EQ(b.tree.nodes.v[1].key, GROUP);

	batch_clear(&b);
	CHECK_EQ(b.n, 0);
	PUT(&b, 1, 0x30, 0x20, 0x10);
	batch_run(&b);
	CHECK_STR(text_of(&b), "1*1:10;20;30");
	batch_deinit(&b);
}

TEST(batch_follows_no_more_frames_than_wanted)
{
	struct batch b;

	CHECK(!batch_init(&b, 1 << 20, 1));
	PUT(&b, 3, 0x30, 0x20, 0x10);
	PUT(&b, 4, 0x30, 0x21, 0x11);
	CHECK_EQ(b.n, 2 * (b.n / 2));
	CHECK(b.n < 20);   /* no chain was copied */
	batch_run(&b);
	CHECK_STR(text_of(&b), "7*2:30");
	batch_deinit(&b);
}

/* Two address spaces may have different things at one address. */
TEST(batch_tells_spaces_apart)
{
	struct sample s = { .ip = 0x40, .cpumode = PERF_MISC_USER, .period = 1 };
	struct batch_sample in = { &layout, &s, GROUP, USER, KERNEL, s.period };
	struct batch b;

	CHECK(!batch_init(&b, 1 << 20, CHAIN_MAX));
	CHECK(batch_put(&b, &in));
	in.user++;
	CHECK(batch_put(&b, &in));
	in.group++;
	CHECK(batch_put(&b, &in));
	batch_run(&b);
	CHECK_STR(text_of(&b), "1*1:40 1*1:40 1*1:40");
	CHECK_EQ(b.places.n, 2);
	batch_deinit(&b);
}

TEST(batch_is_full_and_goes_on_when_it_is_cleared)
{
	struct batch b;
	size_t n = 0, again = 0;

	CHECK(!batch_init(&b, 0, CHAIN_MAX));
	while (PUT(&b, 1, 0x40 + n, 0x30 + n % 1000, 0x20, 0x10))
		n++;
	CHECK(n > 100);
	batch_run(&b);
	CHECK(!b.failed);
	CHECK_EQ(b.tree.nodes.n, 1 + 1 + 2 + 1000 + n);
	batch_clear(&b);
	while (PUT(&b, 1, 0x40 + again, 0x30))
		again++;
	CHECK(again > n);
	batch_deinit(&b);
}
