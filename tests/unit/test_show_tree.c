/*
 * Call trees. The weights are the counts of a recording of 1044 samples, and the wanted texts what
 * perf 6.1 printed for it (`perf report --stdio --no-children -g graph,0.5,caller`, `-g
 * fractal,5,callee -s comm`).
 */
#include "show/tree.h"
#include "tests/t.h"

static const char *print(const struct tree_node *v, const struct tree_want *w, unsigned width,
			 struct mem_out *m)
{
	mem_out_init(m);
	m->out.width = width;
	tree_print(v, w, &m->out);
	return mem_out_str(m);
}

TEST(tree_of_callers_is_as_perf_prints_it)
{
	const struct tree_node v[] = {
		{ "", 878, 1, 0 },
		{ "__libc_start_call_main", 878, 2, 0 },
		{ "main", 782, 4, 3 }, { "leaf", 96, 0, 0 },
		{ "c", 589, 6, 5 }, { "leaf", 193, 0, 0 },
		{ "leaf", 405, 0, 7 }, { "b", 184, 8, 0 },
		{ "leaf", 184, 0, 0 },
	};
	const struct tree_want want = { .total = 1044, .min_percent = 0.5, .margin = 12 };
	struct mem_out m;

	CHECK_STR(print(v, &want, 0, &m),
		  "            |\n"
		  "            ---__libc_start_call_main\n"
		  "               |          \n"
		  "               |--74.90%--main\n"
		  "               |          |          \n"
		  "               |          |--56.42%--c\n"
		  "               |          |          |          \n"
		  "               |          |          |--38.79%--leaf\n"
		  "               |          |          |          \n"
		  "               |          |           --17.62%--b\n"
		  "               |          |                     leaf\n"
		  "               |          |          \n"
		  "               |           --18.49%--leaf\n"
		  "               |          \n"
		  "                --9.20%--leaf\n");
	mem_out_deinit(&m);
}

static const struct tree_node callees[] = {
	{ "", 1044, 4, 0 },
	{ "other", 10, 0, 0 },
	{ "b", 98, 5, 3 }, { "c", 58, 6, 1 }, { "leaf", 878, 7, 2 },
	{ "main", 98, 0, 0 }, { "main", 58, 0, 0 },
	{ "c", 405, 0, 8 }, { "main", 193, 0, 9 }, { "b", 184, 0, 10 }, { "libc", 96, 0, 0 },
};

TEST(tree_of_fractions_tells_the_rest)
{
	const struct tree_want want = { .style = TREE_FRACTAL, .min_percent = 5 };
	struct mem_out m;

	CHECK_STR(print(callees, &want, 0, &m),
		  "|          \n"
		  "|--84.10%--leaf\n"
		  "|          |          \n"
		  "|          |--46.13%--c\n"
		  "|          |          \n"
		  "|          |--21.98%--main\n"
		  "|          |          \n"
		  "|          |--20.96%--b\n"
		  "|          |          \n"
		  "|           --10.93%--libc\n"
		  "|          \n"
		  "|--9.39%--b\n"
		  "|          main\n"
		  "|          \n"
		  "|--5.56%--c\n"
		  "|          main\n"
		  " --0.96%--[...]\n");
	mem_out_deinit(&m);
}

TEST(tree_leaves_light_branches_out)
{
	const struct tree_want want = { .min_percent = 50 };
	struct mem_out m;

	CHECK_STR(print(callees, &want, 0, &m), "|          \n --84.10%--leaf\n");
	mem_out_deinit(&m);
	CHECK_STR(print(callees, &(struct tree_want){ .min_percent = 90 }, 0, &m), "");
	mem_out_deinit(&m);
	CHECK_STR(print(&(struct tree_node){ "", 0, 0, 0 }, &want, 0, &m), "");
	mem_out_deinit(&m);
}

TEST(tree_labels_are_cut_to_the_terminal)
{
	const struct tree_node v[] = {
		{ "", 2, 1, 0 }, { "short\x1b", 1, 0, 2 },
		{ "a_name_that_does_not_fit_in_it", 1, 0, 0 },
	};
	const struct tree_want want = { .margin = 2 };
	struct mem_out m;

	CHECK_STR(print(v, &want, 30, &m),
		  "  |          \n"
		  "  |--50.00%--short?\n"
		  "  |          \n"
		  "   --50.00%--a_name_that_does\xe2\x80\xa6\n");
	mem_out_deinit(&m);
}

TEST(tree_sort_puts_the_heaviest_first)
{
	enum { N = 1000 };
	static struct tree_node v[N + 1];
	static char label[N + 1][8];
	const struct tree_want all = { .style = TREE_GRAPH, .total = 1000 };
	uint64_t seen = 0;

	v[0].child = 1;
	for (uint32_t i = 1; i <= N; i++) {
		snprintf(label[i], sizeof(label[i]), "%u", i);
		v[i] = (struct tree_node){ label[i], i * 7919u % 101, 0, i < N ? i + 1 : 0 };
	}
	tree_sort(v, N + 1, &all);
	for (uint32_t i = v[0].child; i; i = v[i].next) {
		uint32_t next = v[i].next;

		seen++;
		CHECK(!next || v[i].weight > v[next].weight ||
		      (v[i].weight == v[next].weight && strcmp(v[i].label, v[next].label) < 0));
	}
	CHECK_EQ(seen, N);
}

/* What is too light stands behind the others, as it came; nothing is lost. */
TEST(tree_sort_leaves_light_ones_behind)
{
	enum { N = 100, LIMIT = 50 };
	const struct tree_want w = { .style = TREE_GRAPH, .total = 1000, .min_percent = LIMIT / 10.0 };
	struct tree_node v[N + 1] = { { .child = 1 } };
	uint64_t before = UINT64_MAX, seen = 0;
	uint32_t last = 0;

	for (uint32_t i = 1; i <= N; i++)
		v[i] = (struct tree_node){ i * 37 % 101 < LIMIT ? NULL : "x", i * 37 % 101, 0, i < N ? i + 1 : 0 };
	tree_sort(v, N + 1, &w);
	for (uint32_t i = v[0].child; i; i = v[i].next) {
		CHECK(before < LIMIT ? v[i].weight < LIMIT && i > last : v[i].weight < before);
		before = v[i].weight;
		last = i;
		seen++;
	}
	CHECK_EQ(seen, N);
	CHECK(tree_hides(&w, 0, LIMIT - 1) && !tree_hides(&w, 0, LIMIT));
}

/* Each node has a child and a weight of its own, so each level is a branch. */
TEST(tree_deeper_than_the_limit_is_cut)
{
	enum { N = 200 };
	static struct tree_node v[N];
	struct mem_out m;
	unsigned lines = 0;
	const char *s;

	for (uint32_t i = 0; i < N; i++)
		v[i] = (struct tree_node){ "f", N - i, i + 1 < N ? i + 1 : 0, 0 };
	s = print(v, &(struct tree_want){ 0 }, 0, &m);
	for (const char *p = s; (p = strstr(p, "--f\n")); p++)
		lines++;
	CHECK_EQ(lines, 64);
	CHECK(strstr(s, "  [...]\n"));
	mem_out_deinit(&m);
}

TEST(tree_of_one_long_chain_is_printed_whole)
{
	enum { N = 50000 };
	struct tree_node *v = calloc(N, sizeof(*v));
	struct mem_out m;

	for (uint32_t i = 0; i < N; i++)
		v[i] = (struct tree_node){ "f", 1, i + 1 < N ? i + 1 : 0, 0 };
	CHECK_EQ(strlen(print(v, &(struct tree_want){ 0 }, 0, &m)),
		 strlen("|\n") + (N - 1) * strlen("   f\n"));
	mem_out_deinit(&m);
	free(v);
}
