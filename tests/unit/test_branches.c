/* Chains of rows, beside those of each sample by itself. */
#include "t.h"

#include "analyse/branches.h"
#include "base/str.h"

enum { FRAMES = 12, DEPTH = 9, CHAINS = 600, TEXT = 64 };

static struct hist_frame frames[FRAMES];
static const struct hist_group groups[] = { { .comm = "one" }, { .comm = "two", .pid = 2 }, { .event = 1 } };

static uint32_t next(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1103515245 + 12345;
	return (*seed >> 16) % n;
}

/* With recursion, and what is inlined within what is inlined. Some weigh nothing. */
static void make_tree(struct calltree *t, bool inlined)
{
	static const char *const names[FRAMES] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l" };
	uint32_t seed = 7;

	for (uint32_t i = 0; i < FRAMES; i++)
		frames[i] = (struct hist_frame){
			.dso = i % 2 ? "odd" : "even", .sym = names[i], .inlined = inlined && i % 3 == 2,
		};
	CHECK_EQ(calltree_init(t), 0);
	for (int i = 0; i < CHAINS; i++) {
		uint32_t at = calltree_child(t, 0, next(&seed, ARRAY_SIZE(groups))), depth = 1 + next(&seed, DEPTH);

		for (uint32_t d = 0; d < depth; d++)
			at = calltree_child(t, at, next(&seed, 3) ? d % FRAMES : next(&seed, FRAMES));
		calltree_add(t, at, next(&seed, 40), 1);
	}
	CHECK_EQ(calltree_settle(t), 0);
}

/* --- the same of one sample after another --- */

struct chain {
	char text[TEXT];         /* a letter for each frame, from the root of what is shown */
	uint64_t weight;
	uint32_t samples;
};

struct chains {
	struct chain v[CHAINS];
	size_t n;
};

static void put(struct chains *c, const char *text, uint64_t weight, uint32_t samples)
{
	size_t i = 0;

	while (i < c->n && strcmp(c->v[i].text, text))
		i++;
	if (i == c->n)
		str_copy(c->v[c->n++].text, TEXT, sv_from(text));
	c->v[i].weight += weight;
	c->v[i].samples += samples;
}

static void put_leaf(const struct hist *h, uint32_t row, enum hist_chain how, uint32_t leaf, struct chains *c)
{
	const struct ct_node *v = h->in.tree->nodes.v;
	bool self = h->want.mode == HIST_SELF, ends = h->row_of[self ? leaf : hist_own(h, leaf)] == row;
	size_t n = 0, first = SIZE_MAX, last = 0, from, to, len = 0;
	char keys[TEXT], text[TEXT];

	for (uint32_t at = leaf; v[at].parent; at = v[at].parent) {
		if (h->row_of[at] == row)
			last = n;
		if (h->row_of[at] == row && first == SIZE_MAX)
			first = n;
		keys[n++] = (char)('a' + v[at].key);
	}
	if (!ends && (self || first == SIZE_MAX))
		return;
	from = how == HIST_CALLEE && !ends ? first : 0;
	to = how == HIST_CALLEE || ends ? n : last + 1;
	while (from < to)
		text[len++] = how == HIST_CALLEE ? keys[from++] : keys[--to];
	text[len] = '\0';
	put(c, text, v[leaf].self, v[leaf].samples);
}

/* What is no branch is its caller's own; *chain ends where it was cut. */
static void cut_light(const struct chains *c, uint64_t least, char *chain)
{
	size_t len = strlen(chain);

	for (size_t n = 1; n <= len; n++) {
		uint64_t sum = 0;

		for (size_t i = 0; i < c->n; i++)
			sum += strncmp(c->v[i].text, chain, n) ? 0 : c->v[i].weight;
		if (sum < least)
			chain[n - 1] = '\0';
		if (sum < least)
			return;
	}
}

static void expect(const struct hist *h, uint32_t row, enum hist_chain how, uint64_t least, struct chains *to)
{
	const struct calltree *t = h->in.tree;
	struct chains all = { .n = 0 };

	to->n = 0;
	memset(to->v, 0, sizeof(to->v));
	for (uint32_t i = 1; i < t->nodes.n; i++)
		if (t->nodes.v[i].samples && h->row_of[i] != HIST_NO_ROW)
			put_leaf(h, row, how, i, &all);
	for (size_t i = 0; i < all.n; i++) {
		char text[TEXT];

		str_copy(text, sizeof(text), sv_from(all.v[i].text));
		cut_light(&all, least, text);
		put(to, text, all.v[i].weight, all.v[i].samples);
	}
}

/* --- compare --- */

static void check_row(struct branches *b, const struct hist *h, uint32_t row, enum hist_chain how, uint64_t least)
{
	static struct chains want;
	const struct calltree *t = &b->tree;
	size_t found = 0;

	expect(h, row, how, least, &want);
	CHECK_EQ(branches_find(b, h, row, how, least), 0);
	for (uint32_t i = 0; i < t->nodes.n; i++) {
		char text[TEXT];
		size_t n = sizeof(text) - 1, k = 0;

		CHECK(!i || t->nodes.v[i].parent < i);
		text[n] = '\0';
		for (uint32_t at = i; at; at = t->nodes.v[at].parent)
			text[--n] = (char)('a' + t->nodes.v[at].key);
		if (!t->nodes.v[i].samples)
			continue;
		while (k < want.n && strcmp(want.v[k].text, text + n))
			k++;
		found++;
		CHECK(k < want.n);
		CHECK_EQ(t->nodes.v[i].self, want.v[k].weight);
		CHECK_EQ(t->nodes.v[i].samples, want.v[k].samples);
	}
	CHECK_EQ(found, want.n);
}

static void check_all(unsigned keys, enum hist_mode mode, bool inlined)
{
	struct hist_want w = { .keys = keys, .mode = mode };
	struct branches b = { 0 };
	struct calltree t;
	struct hist h;

	make_tree(&t, inlined);

	struct hist_input in = { &t, groups, frames, ARRAY_SIZE(groups), FRAMES };

	CHECK_EQ(hist_init(&h, &in, &w), 0);
	CHECK(h.rows.n > 1);
	for (uint64_t least = 0; least < 800; least = least * 3 + 20) {
		CHECK_EQ(hist_index(&h, least), 0);
		for (uint32_t row = 0; row < h.rows.n; row++) {
			if ((mode == HIST_SELF ? h.rows.v[row].self : h.rows.v[row].total) < least)
				continue;
			check_row(&b, &h, row, HIST_CALLER, least);
			check_row(&b, &h, row, HIST_CALLEE, least);
		}
	}
	branches_deinit(&b);
	hist_deinit(&h);
	calltree_deinit(&t);
}

TEST(branches_of_a_row_are_the_chains_of_its_samples)
{
	for (int inlined = 0; inlined < 2; inlined++) {
		check_all(HIST_COMM | HIST_SYM, HIST_SELF, inlined);
		check_all(HIST_COMM | HIST_SYM, HIST_CHILDREN, inlined);
		check_all(HIST_DSO, HIST_SELF, inlined);
		check_all(HIST_DSO, HIST_CHILDREN, inlined);
		check_all(HIST_SYM, HIST_CHILDREN, inlined);
	}
}

/* Totals of a row are those of its samples, each once however often the row is in its chain. */
TEST(totals_count_a_sample_once)
{
	static struct chains got;
	struct hist_want w = { .keys = HIST_DSO | HIST_COMM, .mode = HIST_CHILDREN };
	struct calltree t;
	struct hist h;

	make_tree(&t, true);

	struct hist_input in = { &t, groups, frames, ARRAY_SIZE(groups), FRAMES };

	CHECK_EQ(hist_init(&h, &in, &w), 0);
	for (uint32_t row = 0; row < h.rows.n; row++) {
		uint64_t weight = 0, samples = 0;

		expect(&h, row, HIST_CALLER, 0, &got);
		for (size_t i = 0; i < got.n; i++) {
			weight += got.v[i].weight;
			samples += got.v[i].samples;
		}
		CHECK_EQ(h.rows.v[row].total, weight);
		CHECK_EQ(h.rows.v[row].total_samples, samples);
	}
	hist_deinit(&h);
	calltree_deinit(&t);
}
