/* test_calltree.c - call trees, chains out of samples, and the rows made of them. */
#include "t.h"

#include "perf/sample.h"
#include "analyse/branches.h"

/* --- tree ------------------------------------------------------------------------------------- */

TEST(equal_chains_are_one_node)
{
	struct calltree t;
	uint32_t a, b;

	CHECK_EQ(calltree_init(&t), 0);
	a = calltree_child(&t, calltree_child(&t, 0, 7), 9);
	b = calltree_child(&t, calltree_child(&t, 0, 7), 9);
	CHECK_EQ(a, b);
	CHECK(calltree_child(&t, 0, 9) != a);
	CHECK_EQ(t.nodes.n, 4);
	calltree_deinit(&t);
}

TEST(a_tree_finds_children_without_making_any)
{
	struct calltree t;
	uint32_t a;

	CHECK_EQ(calltree_init(&t), 0);
	CHECK_EQ(calltree_find(&t, 0, 7), CALLTREE_NONE);
	a = calltree_child(&t, 0, 7);
	CHECK_EQ(calltree_find(&t, 0, 7), a);
	CHECK_EQ(calltree_find(&t, a, 7), CALLTREE_NONE);
	/* What is told of a child beforehand changes nothing. */
	calltree_near(&t, a, 7);
	calltree_nearer(&t, a, 7);
	CHECK_EQ(t.nodes.n, 2);
	calltree_deinit(&t);
}

TEST(a_tree_of_many_nodes_finds_them_all_again)
{
	enum { N = 50000 };
	struct calltree t;
	uint32_t *node = calloc(N, sizeof(*node)), wrong = 0;

	CHECK_EQ(calltree_init(&t), 0);
	for (uint32_t i = 0; i < N; i++)
		node[i] = calltree_child(&t, i ? node[i / 3] : 0, i % 5 == 0 ? i : i * 2654435761u);
	CHECK_EQ(t.nodes.n, N + 1);
	for (uint32_t i = 0; i < N; i++)
		wrong += calltree_child(&t, i ? node[i / 3] : 0, i % 5 == 0 ? i : i * 2654435761u) != node[i];
	CHECK_EQ(wrong, 0);
	CHECK_EQ(t.nodes.n, N + 1);
	calltree_deinit(&t);
	free(node);
}

TEST(a_cleared_tree_is_empty_whether_it_was_small_or_large)
{
	struct calltree t;

	CHECK_EQ(calltree_init(&t), 0);
	for (uint32_t size = 3; size < 20000; size = size < 1000 ? size * 20 : size * 3) {
		uint32_t at = 0, first;

		for (uint32_t i = 0; i < size; i++)
			at = calltree_child(&t, i % 4 ? at : 0, i);
		calltree_clear(&t);
		CHECK_EQ(t.nodes.n, 1);
		first = calltree_child(&t, 0, 0);
		CHECK_EQ(first, 1);
		CHECK_EQ(t.nodes.v[first].samples, 0);
		CHECK_EQ(calltree_child(&t, first, 1), 2);
		calltree_clear(&t);
	}
	calltree_deinit(&t);
}

TEST(totals_are_self_and_everything_below)
{
	struct calltree t;
	struct ct_sum *s;
	uint32_t a, b, c;
	uint64_t children = 0;

	CHECK_EQ(calltree_init(&t), 0);
	a = calltree_child(&t, 0, 1);
	b = calltree_child(&t, a, 2);
	c = calltree_child(&t, a, 3);
	calltree_add(&t, a, 1, 1);
	calltree_add(&t, b, 10, 2);
	calltree_add(&t, c, 100, 3);
	s = calltree_sum(&t);
	CHECK_EQ(s[0].total, 111);
	CHECK_EQ(s[a].total, 111);
	CHECK_EQ(s[b].total, 10);
	for (uint32_t n = s[a].first; n; n = s[n].next)
		children += s[n].total;
	CHECK_EQ(children, 110);
	free(s);
	calltree_deinit(&t);
}

/* --- chains ----------------------------------------------------------------------------------- */

static size_t frames_of(const uint64_t *chain, size_t n, uint64_t ip, struct chain_frame *f, size_t max)
{
	struct sample_layout l = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN };
	struct sample s = {
		.ip = ip, .cpumode = PERF_MISC_KERNEL, .n_chain = n, .chain = { guard_dup(chain, n * 8), n * 8 },
	};

	return sample_frames(&l, &s, f, max);
}

TEST(markers_set_the_mode_and_only_callers_return)
{
	const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0xffff1, 0xffff2, PERF_CONTEXT_USER, 0x11, 0x12 };
	struct chain_frame f[8];

	CHECK_EQ(frames_of(chain, ARRAY_SIZE(chain), 0xffff1, f, 8), 4);
	CHECK_EQ(f[0].ip, 0xffff1);
	CHECK(!f[0].returns && f[1].returns && !f[2].returns && f[3].returns);
	CHECK_EQ(f[1].cpumode, PERF_MISC_KERNEL);
	CHECK_EQ(f[2].cpumode, PERF_MISC_USER);
	CHECK_EQ(f[3].ip, 0x12);
}

TEST(a_chain_that_does_not_begin_at_the_sampled_place_gets_it_in_front)
{
	const uint64_t chain[] = { PERF_CONTEXT_USER, 0x11, 0x12 };
	struct chain_frame f[8];

	CHECK_EQ(frames_of(chain, ARRAY_SIZE(chain), 0xffff1, f, 8), 3);
	CHECK_EQ(f[0].ip, 0xffff1);
	CHECK_EQ(f[0].cpumode, PERF_MISC_KERNEL);
	CHECK_EQ(f[1].ip, 0x11);
	CHECK_EQ(f[1].cpumode, PERF_MISC_USER);
	CHECK(!f[1].returns);
}

TEST(recursion_to_the_sampled_address_stays_in_the_chain)
{
	const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0x11, 0x11, 0x11 };
	struct chain_frame f[8];

	CHECK_EQ(frames_of(chain, ARRAY_SIZE(chain), 0x11, f, 8), 3);
}

TEST(a_sample_without_chain_is_its_address_and_long_chains_are_cut)
{
	uint64_t chain[100];
	struct chain_frame f[8];

	for (size_t i = 0; i < ARRAY_SIZE(chain); i++)
		chain[i] = i + 1;
	CHECK_EQ(frames_of(chain, 0, 0x55, f, 8), 1);
	CHECK_EQ(f[0].ip, 0x55);
	CHECK_EQ(frames_of(chain, ARRAY_SIZE(chain), 1, f, 8), 8);
	CHECK_EQ(frames_of(chain, ARRAY_SIZE(chain), 1, f, 0), 0);
}

/* --- rows ------------------------------------------------------------------------------------- */

/*
 * Frames: 0 main, 1 left, 2 right, 3 leaf, all of one program, and 4 unknown; 5 and 6 are inlined. Groups: one command
 * on CPU 0 and on CPU 1.
 */
static const struct hist_frame frames[] = {
	{ .dso = "/bin/p", .dso_short = "p", .sym = "main", .addr = 1 },
	{ .dso = "/bin/p", .dso_short = "p", .sym = "left", .addr = 2 },
	{ .dso = "/bin/p", .dso_short = "p", .sym = "right", .addr = 3 },
	{ .dso = "/bin/p", .dso_short = "p", .sym = "leaf", .addr = 4 },
	{ .dso = "[unknown]", .dso_short = "[unknown]", .addr = 5 },
	{ .dso = "/bin/p", .dso_short = "p", .sym = "in", .inlined = true },
	{ .dso = "/bin/p", .dso_short = "p", .sym = "deep", .inlined = true },
};
enum { MAIN, LEFT, RIGHT, LEAF, NOWHERE, IN, DEEP };

static struct hist_group groups[] = {
	{ .comm = "p", .cpu = 0 }, { .comm = "p", .cpu = 1 }, { .comm = "other", .event = 1 },
};

static void add(struct calltree *t, uint32_t group, const char *path, uint64_t weight)
{
	uint32_t at = calltree_child(t, 0, group);

	for (; *path; path++)
		at = calltree_child(t, at, (uint32_t)(*path - '0'));
	calltree_add(t, at, weight, 1);
}

static void sample_tree(struct calltree *t)
{
	CHECK_EQ(calltree_init(t), 0);
	add(t, 0, "013", 60);
	add(t, 1, "013", 15);
	add(t, 0, "023", 25);
	add(t, 0, "0", 5);
	add(t, 0, "03133", 7);   /* recursion: left and leaf twice */
	add(t, 2, "4", 1000);    /* another event */
	CHECK_EQ(calltree_settle(t), 0);
}

static struct hist_input input_of(const struct calltree *t)
{
	return (struct hist_input){ t, groups, frames, ARRAY_SIZE(groups), ARRAY_SIZE(frames) };
}

static const struct hist_row *row_named(const struct hist *h, uint32_t frame)
{
	for (size_t i = 0; i < h->rows.n; i++)
		if (h->rows.v[i].frame == frame)
			return &h->rows.v[i];
	t_fail(__FILE__, __LINE__, "no row of frame %u", frame);
	return NULL;
}

TEST(rows_of_self_weights)
{
	struct calltree t;
	struct hist h;

	sample_tree(&t);

	struct hist_input in = input_of(&t);

	CHECK_EQ(hist_init(&h, &in, &(struct hist_want){ .keys = HIST_COMM | HIST_DSO | HIST_SYM }), 0);
	CHECK_EQ(h.rows.n, 2);
	CHECK_EQ(h.weight, 112);
	CHECK_EQ(h.samples, 5);
	CHECK_EQ(row_named(&h, LEAF)->self, 107);
	CHECK_EQ(row_named(&h, LEAF)->samples, 4);
	CHECK_EQ(row_named(&h, MAIN)->self, 5);

	uint32_t *order = hist_order(&h);

	CHECK_EQ(h.rows.v[order[0]].frame, LEAF);
	free(order);
	hist_deinit(&h);
	calltree_deinit(&t);
}

TEST(callers_get_what_they_called_once_however_deep_the_recursion)
{
	struct calltree t;
	struct hist h;

	sample_tree(&t);

	struct hist_input in = input_of(&t);
	struct hist_want w = { .keys = HIST_COMM | HIST_DSO | HIST_SYM, .mode = HIST_CHILDREN, .ties = HIST_BY_DEPTH };

	CHECK_EQ(hist_init(&h, &in, &w), 0);
	CHECK_EQ(h.rows.n, 4);
	CHECK_EQ(row_named(&h, MAIN)->total, 112);
	CHECK_EQ(row_named(&h, LEFT)->total, 82);
	CHECK_EQ(row_named(&h, RIGHT)->total, 25);
	CHECK_EQ(row_named(&h, LEAF)->total, 107);
	CHECK_EQ(row_named(&h, LEFT)->self, 0);
	hist_deinit(&h);
	calltree_deinit(&t);
}

/*
 * Three rows of total 10: of the command p main, two deep and nothing itself, and leaf, all itself; of q left, half of
 * it itself. By what they are themselves leaf comes before left and left before main, by depth main before leaf.
 */
TEST(rows_of_equal_weight_are_in_one_order_whoever_came_first)
{
	static const struct hist_group two[] = { { .comm = "p" }, { .comm = "q" } };
	static const struct { uint32_t group; const char *path; uint64_t weight; } chains[] = {
		{ 0, "3", 10 }, { 0, "02", 4 }, { 0, "01", 6 }, { 1, "1", 5 }, { 1, "12", 5 },
	};
	enum { N = ARRAY_SIZE(chains) };
	struct hist_want w = { .keys = HIST_COMM | HIST_DSO | HIST_SYM, .mode = HIST_CHILDREN, .ties = HIST_BY_DEPTH };

	for (size_t i = 0; i < 2 * N; i++) {
		struct calltree t;
		struct hist h;

		CHECK_EQ(calltree_init(&t), 0);
		for (size_t k = 0; k < N; k++) {
			size_t c = i < N ? (i + k) % N : (i + N - k) % N;

			add(&t, chains[c].group, chains[c].path, chains[c].weight);
		}
		CHECK_EQ(calltree_settle(&t), 0);

		struct hist_input in = { &t, two, frames, ARRAY_SIZE(two), ARRAY_SIZE(frames) };

		CHECK_EQ(hist_init(&h, &in, &w), 0);

		uint32_t *order = hist_order(&h);

		CHECK_EQ(h.rows.n, 6);
		CHECK_EQ(h.rows.v[order[0]].frame, MAIN);
		CHECK_EQ(h.rows.v[order[1]].frame, LEAF);
		CHECK_EQ(h.rows.v[order[2]].frame, LEFT);
		CHECK_EQ(h.rows.v[order[2]].total, 10);
		free(order);
		hist_deinit(&h);
		calltree_deinit(&t);
	}
}

TEST(keys_decide_what_is_one_row)
{
	struct calltree t;
	struct hist h;
	const struct { unsigned keys; uint32_t event; size_t rows;
	} cases[] = {
		{ HIST_COMM, 0, 1 },
		{ HIST_CPU, 0, 2 },
		{ HIST_DSO, 0, 1 },
		{ HIST_SYM, 0, 2 },
		{ HIST_SYM | HIST_CPU, 0, 3 },
		{ 0, 0, 1 },
		{ HIST_COMM | HIST_SYM, 1, 1 },
		{ HIST_SYM, 2, 0 },
	};

	sample_tree(&t);

	struct hist_input in = input_of(&t);

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CHECK_EQ(hist_init(&h, &in, &(struct hist_want){ .keys = cases[i].keys, .event = cases[i].event }), 0);
		CHECK_EQ(h.rows.n, cases[i].rows);
		hist_deinit(&h);
	}
	calltree_deinit(&t);
}

/* "key:weight" of each chain that ends somewhere, as text. */
static void chains_text(const struct calltree *t, char *buf, size_t size)
{
	size_t n = 0;

	*buf = '\0';
	for (uint32_t i = 1; i < t->nodes.n; i++) {
		char path[32];
		size_t depth = sizeof(path) - 1;

		if (!t->nodes.v[i].samples)
			continue;
		path[depth] = '\0';
		for (uint32_t at = i; at; at = t->nodes.v[at].parent)
			path[--depth] = (char)('0' + t->nodes.v[at].key);
		n += (size_t)snprintf(buf + n, size - n, "%s:%d ", path + depth, (int)t->nodes.v[i].self);
	}
}

static void inlined_tree(struct calltree *t)
{
	CHECK_EQ(calltree_init(t), 0);
	add(t, 0, "0156", 10);    /* in left */
	add(t, 0, "015", 20);
	add(t, 0, "01", 30);
	add(t, 0, "01563", 40);   /* what is inlined calls leaf */
	CHECK_EQ(calltree_settle(t), 0);
}

static void check_chains_of(void (*make)(struct calltree *t), enum hist_mode mode, uint32_t frame, enum hist_chain how,
			    const char *want)
{
	struct branches b = { 0 };
	struct calltree t;
	struct hist h;
	char text[200];

	make(&t);

	struct hist_input in = input_of(&t);

	CHECK_EQ(hist_init(&h, &in, &(struct hist_want){ .keys = HIST_COMM | HIST_SYM, .mode = mode }), 0);
	CHECK_EQ(hist_index(&h, 0), 0);
	CHECK_EQ(branches_find(&b, &h, (uint32_t)(row_named(&h, frame) - h.rows.v), how, 0), 0);
	chains_text(&b.tree, text, sizeof(text));
	CHECK_STR(text, want);
	branches_deinit(&b);
	hist_deinit(&h);
	calltree_deinit(&t);
}

static void check_chains(enum hist_mode mode, uint32_t frame, enum hist_chain how, const char *want)
{
	check_chains_of(sample_tree, mode, frame, how, want);
}

TEST(chains_of_a_row_from_either_end)
{
	check_chains(HIST_SELF, LEAF, HIST_CALLEE, "310:75 320:25 33130:7 ");
	check_chains(HIST_SELF, LEAF, HIST_CALLER, "013:75 023:25 03133:7 ");
	check_chains(HIST_SELF, MAIN, HIST_CALLEE, "0:5 ");
}

TEST(chains_of_a_caller_are_what_is_below_it_or_above_it)
{
	check_chains(HIST_CHILDREN, LEFT, HIST_CALLER, "13:75 133:7 ");
	check_chains(HIST_CHILDREN, LEFT, HIST_CALLEE, "10:75 130:7 ");
	check_chains(HIST_CHILDREN, LEAF, HIST_CALLER, "013:75 023:25 03133:7 ");
}

TEST(what_is_inlined_has_nothing_of_its_own)
{
	static const struct {
		uint32_t frame;
		uint64_t self, total;
	} want[] = { { MAIN, 0, 100 }, { LEFT, 60, 100 }, { IN, 0, 70 }, { DEEP, 0, 50 }, { LEAF, 40, 40 } };
	struct calltree t;
	struct hist h;

	inlined_tree(&t);

	struct hist_input in = input_of(&t);

	CHECK_EQ(hist_init(&h, &in, &(struct hist_want){ .keys = HIST_SYM, .mode = HIST_CHILDREN }), 0);
	CHECK_EQ(h.rows.n, ARRAY_SIZE(want));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		CHECK_EQ(row_named(&h, want[i].frame)->self, want[i].self);
		CHECK_EQ(row_named(&h, want[i].frame)->total, want[i].total);
	}
	hist_deinit(&h);
	CHECK_EQ(hist_init(&h, &in, &(struct hist_want){ .keys = HIST_SYM }), 0);
	CHECK_EQ(h.rows.n, 2);
	CHECK_EQ(row_named(&h, LEFT)->self, 60);
	CHECK_EQ(row_named(&h, LEAF)->self, 40);
	hist_deinit(&h);
	calltree_deinit(&t);
}

TEST(chains_have_what_is_inlined_in_a_row)
{
	check_chains_of(inlined_tree, HIST_SELF, LEFT, HIST_CALLEE, "10:30 510:20 6510:10 ");
	check_chains_of(inlined_tree, HIST_SELF, LEFT, HIST_CALLER, "01:30 015:20 0156:10 ");
	check_chains_of(inlined_tree, HIST_CHILDREN, LEFT, HIST_CALLER, "01:30 015:20 0156:10 1563:40 ");
	check_chains_of(inlined_tree, HIST_CHILDREN, IN, HIST_CALLER, "5:20 56:10 563:40 ");
	check_chains_of(inlined_tree, HIST_CHILDREN, LEAF, HIST_CALLEE, "36510:40 ");
}
