/* A tree whose light branches were folded gives the same rows. */
#include "analyse/fold.h"

#include "analyse/hist.h"
#include "t.h"

enum { FRAMES = 60, OTHER = FRAMES, CHAINS = 4000, DEPTH = 12 };

static struct hist_frame frames[FRAMES + 1];
static const struct hist_group groups[2] = { { .comm = "one" }, { .comm = "two" } };

/* Frames of a few objects, some of them without symbols. */
static void name_frames(bool inlined)
{
	static const char *const dsos[] = { "libc", "app", "kernel" };
	static char names[FRAMES][8];

	for (size_t i = 0; i < FRAMES; i++) {
		snprintf(names[i], sizeof(names[i]), "f%zu", i);
		frames[i] = (struct hist_frame){ .inlined = inlined && i % 5 == 2,
						 .dso = dsos[i % 3], .dso_short = dsos[i % 3], .sym = names[i],
						 .label = names[i], .addr = i, .known = true };
	}
	frames[OTHER] = (struct hist_frame){ .dso = "[other]", .dso_short = "[other]", .sym = "[other]",
					     .label = "[other]" };
}

static uint32_t next(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1103515245 + 12345;
	return (*seed >> 16) % n;
}

/* Chains with recursion; most of them come once, some very often. */
static void add_chains(struct calltree *t, uint32_t *seed)
{
	for (size_t i = 0; i < CHAINS; i++) {
		uint32_t at = calltree_child(t, 0, next(seed, 2)), depth = 1 + next(seed, DEPTH);
		bool often = !next(seed, 4);

		for (uint32_t d = 0; d < depth; d++)
			at = calltree_child(t, at, often ? d * 3 % FRAMES : next(seed, FRAMES));
		calltree_add(t, at, 1000 + i, 1);
	}
}

static bool same_frame(const void *arg UNUSED, uint32_t a, uint32_t b)
{
	return a == b;
}

static bool is_inlined(const void *arg UNUSED, uint32_t frame)
{
	return frames[frame].inlined;
}

static bool same_dso(const void *arg UNUSED, uint32_t a, uint32_t b)
{
	return frames[a].dso == frames[b].dso;
}

/* Rows as lines, in their order. */
static char *rows_of(const struct calltree *t, const struct fold *f, unsigned keys, enum hist_mode mode)
{
	struct hist_input in = { t, groups, frames, ARRAY_SIZE(groups), FRAMES + 1, f };
	struct hist_want w = { .keys = keys, .mode = mode };
	struct hist h;
	size_t size = 200 * FRAMES, n = 0;
	char *text = calloc(1, size);

	CHECK(!hist_init(&h, &in, &w));

	uint32_t *order = hist_order(&h);

	for (size_t i = 0; i < h.rows.n && n < size; i++) {
		const struct hist_row *r = &h.rows.v[order[i]];

		n += (size_t)snprintf(text + n, size - n, "%s %s: %d %d of %d %d\n",
				      keys & HIST_COMM ? groups[r->group].comm : "",
				      keys & HIST_SYM ? frames[r->frame].sym : frames[r->frame].dso, (int)r->self,
				      (int)r->samples, (int)r->total, (int)r->total_samples);
	}
	free(order);
	hist_deinit(&h);
	return text;
}

/* Both ways; the folded tree gets further chains, and is folded again. */
static void check_with(size_t nodes, unsigned keys, enum hist_mode mode,
		       bool (*same)(const void *arg, uint32_t a, uint32_t b), bool inlined)
{
	struct fold_want w = { .nodes = nodes, .frames = FRAMES + 1, .n_frames = FRAMES + 1, .other = OTHER };
	struct fold f = { .same = same, .inlined = inlined ? is_inlined : NULL };
	struct calltree whole, folded;
	uint32_t a = 1, b = 1;

	name_frames(inlined);
	CHECK(!calltree_init(&whole) && !calltree_init(&folded));
	for (int turn = 0; turn < 3; turn++) {
		add_chains(&whole, &a);
		add_chains(&folded, &b);
		CHECK(folded.nodes.n > w.nodes);
		CHECK(!fold_tree(&f, &folded, &w));
		CHECK(folded.nodes.n <= w.nodes);
	}
	CHECK(whole.nodes.n > 10 * folded.nodes.n && f.branches > 1000);
	CHECK(!calltree_settle(&whole) && !calltree_settle(&folded));

	char *want = rows_of(&whole, NULL, keys, mode), *got = rows_of(&folded, &f, keys, mode);

	CHECK(strlen(want) > 20);
	CHECK_STR(got, want);
	free(want);
	free(got);
	fold_deinit(&f);
	calltree_deinit(&whole);
	calltree_deinit(&folded);
}

/* With 40 nodes outermost frames go, too. */
static void check(unsigned keys, enum hist_mode mode, bool (*same)(const void *arg, uint32_t a, uint32_t b))
{
	check_with(2000, keys, mode, same, false);
	check_with(2000, keys, mode, same, true);
	check_with(40, keys, mode, same, false);
	check_with(40, keys, mode, same, true);
}

TEST(folded_trees_have_the_same_rows)
{
	check(HIST_SYM | HIST_COMM, HIST_SELF, same_frame);
	check(HIST_SYM, HIST_CHILDREN, same_frame);
	check(HIST_DSO | HIST_COMM, HIST_CHILDREN, same_dso);
	check(HIST_DSO, HIST_SELF, same_dso);
}

/* Nodes that are left can be found, and the heaviest are left. */
TEST(folding_keeps_the_heaviest)
{
	struct fold_want w = { .nodes = 500, .frames = FRAMES + 1, .n_frames = FRAMES + 1, .other = OTHER };
	struct fold f = { .same = same_frame };
	struct calltree t;
	uint32_t seed = 1, at, n;

	CHECK(!calltree_init(&t));
	at = calltree_child(&t, 0, 0);
	for (uint32_t d = 0; d < 5; d++)
		at = calltree_child(&t, at, 7);
	calltree_add(&t, at, 900, 900);
	add_chains(&t, &seed);
	CHECK(!fold_tree(&f, &t, &w));
	n = (uint32_t)t.nodes.n;
	at = calltree_child(&t, 0, 0);
	for (uint32_t d = 0; d < 5; d++)
		at = calltree_child(&t, at, 7);
	CHECK(t.nodes.v[at].samples >= 900);
	CHECK_EQ(t.nodes.n, n);
	fold_deinit(&f);
	calltree_deinit(&t);
}

enum { LIGHT = 2000, LEAF = 3 };

/* Samples of a frame: those that end in its nodes, and what was noted. */
static uint64_t samples_of(const struct calltree *t, const struct fold *f, uint32_t frame)
{
	uint64_t n = 0;

	for (size_t i = 1; i < t->nodes.n; i++)
		n += t->nodes.v[i].parent && t->nodes.v[i].key == frame ? t->nodes.v[i].samples : 0;
	for (size_t i = 0; i < f->rows.n; i++)
		n += f->rows.v[i].frame == frame ? f->rows.v[i].samples : 0;
	return n;
}

/*
 * One function, called each time from another address that nobody knows: it keeps all it had, wherever that is folded,
 * and the addresses are forgotten.
 */
TEST(folding_forgets_light_frames)
{
	struct fold_want w = { .nodes = 300, .frames = 10, .n_frames = LEAF + 1, .other = 0 };
	struct fold f = { .same = same_frame };
	static uint32_t used[LEAF + 1 + 3 * LIGHT];
	struct calltree t;
	uint64_t self = 0, kept = 0;

	CHECK(!calltree_init(&t));
	for (uint32_t i = 0; i < 3 * LIGHT; i++) {
		uint32_t at = calltree_child(&t, calltree_child(&t, calltree_child(&t, 0, 1), 1), 2);

		at = calltree_child(&t, calltree_child(&t, at, LEAF + 1 + i), LEAF);
		calltree_add(&t, at, 1000 + i % 10, 1);
		self += 1000 + i % 10;
		w.n_frames++;
		if (i % LIGHT == LIGHT - 1)
			CHECK(!fold_tree(&f, &t, &w));
	}
	CHECK_EQ(samples_of(&t, &f, LEAF), 3 * LIGHT);
	CHECK_EQ(samples_of(&t, &f, 1), 0);
	CHECK_EQ(samples_of(&t, &f, 2), 0);
	for (size_t i = 0; i < t.nodes.n; i++)
		self -= t.nodes.v[i].self;
	CHECK_EQ(self, 0);
	CHECK(f.rows.n < 10);

	fold_used(&f, &t, used);
	for (uint32_t i = 0; i < ARRAY_SIZE(used); i++)
		kept += used[i];
	CHECK(used[LEAF] && kept < w.nodes + w.frames);
	for (uint32_t i = 0, n = 0; i < ARRAY_SIZE(used); i++)
		used[i] = used[i] ? 5000 + n++ : 0;
	CHECK(!fold_renumber(&f, &t, used));
	CHECK_EQ(samples_of(&t, &f, used[LEAF]), 3 * LIGHT);
	fold_deinit(&f);
	calltree_deinit(&t);
}

/* The same where nothing is known of what called it, either. */
TEST(folding_forgets_light_outermost_frames)
{
	struct fold_want w = { .nodes = 300, .frames = 10, .n_frames = LEAF + 1, .other = 0 };
	struct fold f = { .same = same_frame };
	struct calltree t;
	uint64_t self = 0, total = 0;

	CHECK(!calltree_init(&t));
	for (uint32_t i = 0; i < 3 * LIGHT; i++) {
		uint32_t at = calltree_child(&t, calltree_child(&t, 0, i % 2), LEAF + 1 + i);

		calltree_add(&t, calltree_child(&t, at, LEAF), 1000 + i % 10, 1);
		self += 1000 + i % 10;
		w.n_frames++;
		if (i % LIGHT == LIGHT - 1)
			CHECK(!fold_tree(&f, &t, &w));
	}
	CHECK(t.nodes.n <= w.nodes && f.rows.n < 10);
	CHECK_EQ(samples_of(&t, &f, LEAF), 3 * LIGHT);
	CHECK_EQ(samples_of(&t, &f, 0), 0);
	for (size_t i = 0; i < t.nodes.n; i++)
		self -= t.nodes.v[i].self;
	CHECK_EQ(self, 0);
	for (size_t i = 0; i < f.rows.n; i++)
		total += f.rows.v[i].frame == LEAF ? f.rows.v[i].total_samples : 0;
	CHECK(total > 2 * LIGHT && total <= 3 * LIGHT);
	fold_deinit(&f);
	calltree_deinit(&t);
}

/* Who came first and has had little makes room for whoever has had more since. */
TEST(folding_forgets_what_has_become_light)
{
	enum { LEAVES = 8, CALLERS = 1 + 2 * LEAVES, EACH = 100 };
	struct fold_want w = { .nodes = 60, .frames = 10, .n_frames = CALLERS, .other = 0 };
	struct fold f = { .same = same_frame };
	struct calltree t;

	CHECK(!calltree_init(&t));
	for (uint32_t turn = 0; turn < 2; turn++) {
		for (uint32_t i = 0; i < LEAVES * EACH * (turn + 1); i++) {
			uint32_t at = calltree_child(&t, calltree_child(&t, 0, 0), (uint32_t)w.n_frames++);

			calltree_add(&t, calltree_child(&t, at, 1 + turn * LEAVES + i % LEAVES), 10, 1);
		}
		CHECK(!fold_tree(&f, &t, &w));
	}
	for (uint32_t leaf = 1 + LEAVES; leaf < CALLERS; leaf++)
		CHECK_EQ(samples_of(&t, &f, leaf), 2 * EACH);
	fold_deinit(&f);
	calltree_deinit(&t);
}
