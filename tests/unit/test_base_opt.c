/* The option parser: every way of writing an option, and the errors. */
#include "base/opt.h"
#include "t.h"

struct inner {
	bool all;
	const char *cpus;
};

struct want {
	bool g, children;
	unsigned v;
	uint64_t freq, size;
	const char *out, *interval, *graph;
	struct opt_list events;
	struct inner in;
	bool interval_seen, graph_seen;
};

static int set_interval(void *field, const char *value, struct err *e UNUSED)
{
	struct want *w = field;

	w->interval = value;
	w->interval_seen = true;
	return 0;
}

static int set_graph(void *field, const char *value, struct err *e)
{
	struct want *w = field;

	w->graph = value;
	w->graph_seen = true;
	return value && !strcmp(value, "bad") ? err_set(e, EINVAL, "'%s' is no style", value) : 0;
}

static const struct opt inner_opts[] = {
	OPT_FLAG('a', "all-cpus", struct inner, all, "everything"),
	OPT_STR('C', "cpu", struct inner, cpus, "<list>", "some"),
	OPT_END,
};

static const struct opt opts[] = {
	OPT_HEAD("Things"),
	OPT_FLAG('g', "graph-all", struct want, g, "graph"),
	OPT_FLAG(0, "children", struct want, children, "children"),
	OPT_COUNT('v', "verbose", struct want, v, "more"),
	OPT_U64('F', "freq", struct want, freq, "<hz>", "frequency"),
	OPT_SIZE('m', "mmap", struct want, size, "<size>", "size"),
	OPT_STR('o', "output", struct want, out, "<file>", "file"),
	OPT_LIST('e', "event", struct want, events, "<ev>", "events"),
	OPT_CALL_WANT('I', "interval", OPT_OPTIONAL, set_interval, "<ms>", "interval"),
	OPT_CALL_WANT('G', "call-graph", OPT_LAST_DEFAULT, set_graph, "<style>", "graph style"),
	OPT_SUB(inner_opts, struct want, in),
	OPT_REFUSED('B', "branches", 0, "none", "there are 100% none", "do without"),
	OPT_REFUSED(0, "threads", OPT_OPTIONAL, "", "one is enough", "do nothing"),
	OPT_END,
};

static struct want w;
static struct err e;

static int parse(const char *line)
{
	static char buf[512];
	static char name[] = "cmd";
	char *argv[32] = { name };
	struct sv rest, word;
	int n = 1;

	snprintf(buf, sizeof(buf), "%s", line);
	rest = sv_from(buf);
	while (rest.n && sv_cut(&rest, ' ', &word)) {
		((char *)(uintptr_t)word.s)[word.n] = '\0';
		argv[n++] = (char *)(uintptr_t)word.s;
	}
	w = (struct want){ .children = true };
	e = (struct err){ 0 };
	return opt_parse(opts, &w, n, argv, &e);
}

TEST(opt_values_attached_separate_and_with_equals)
{
	CHECK_EQ(parse("-F 99 -o x"), 5);
	CHECK_EQ(w.freq, 99);
	CHECK_EQ(parse("-F99 -ox"), 3);
	CHECK_EQ(w.freq, 99);
	CHECK_STR(w.out, "x");
	CHECK_EQ(parse("--freq=0x10 --output y -m 4K"), 6);
	CHECK_EQ(w.freq, 16);
	CHECK_EQ(w.size, 4096);
}

TEST(opt_joined_letters_and_counts)
{
	CHECK_EQ(parse("-agvvF 5"), 3);
	CHECK(w.in.all && w.g);
	CHECK_EQ(w.v, 2);
	CHECK_EQ(w.freq, 5);
}

TEST(opt_stops_at_the_first_word_and_after_two_dashes)
{
	CHECK_EQ(parse("-g sleep -F 5"), 2);
	CHECK_EQ(w.freq, 0);
	CHECK_EQ(parse("-g -- -x"), 3);
	CHECK_EQ(parse("-g -"), 2);
}

TEST(opt_no_prefix_negates)
{
	CHECK(parse("--no-children") > 0 && !w.children);
	CHECK(parse("--no-graph-all") > 0 && !w.g);
	CHECK(parse("-vvv --no-verbose") > 0 && !w.v);
}

TEST(opt_unique_prefixes_work_and_others_are_refused)
{
	CHECK(parse("--out z") > 0);
	CHECK_STR(w.out, "z");
	CHECK_EQ(parse("--c"), -EINVAL);
	CHECK(strstr(e.text, "more than one") != NULL);
}

TEST(opt_optional_values_must_be_attached)
{
	CHECK_EQ(parse("-I 100"), 2);
	CHECK(w.interval_seen && !w.interval);
	CHECK(parse("-I100") > 0);
	CHECK_STR(w.interval, "100");
	CHECK(parse("--interval=7") > 0);
	CHECK_STR(w.interval, "7");
}

TEST(opt_last_default_takes_the_next_word_unless_it_is_an_option)
{
	CHECK(parse("-G caller -g") > 0);
	CHECK_STR(w.graph, "caller");
	CHECK(parse("-G -g") > 0);
	CHECK(w.graph_seen && !w.graph && w.g);
	CHECK(parse("-G") > 0 && w.graph_seen);
}

TEST(opt_lists_keep_their_order)
{
	CHECK(parse("-e a --event b -ec") > 0);
	CHECK_EQ(w.events.n, 3);
	CHECK_STR(w.events.v[0], "a");
	CHECK_STR(w.events.v[2], "c");
}

TEST(opt_errors_name_the_option_and_offer_near_names)
{
	CHECK_EQ(parse("--outptu x"), -EINVAL);
	CHECK(strstr(e.text, "did you mean 'output'") != NULL);
	CHECK_EQ(parse("-Z"), -EINVAL);
	CHECK(strstr(e.text, "-Z") != NULL);
	CHECK_EQ(parse("-F"), -EINVAL);
	CHECK(strstr(e.text, "--freq") && strstr(e.text, "needs a value"));
	CHECK_EQ(parse("-F many"), -EINVAL);
	CHECK(strstr(e.text, "'many' is not a number") != NULL);
	CHECK_EQ(parse("--graph-all=1"), -EINVAL);
	CHECK_EQ(parse("-G bad"), -EINVAL);
	CHECK(strstr(e.text, "--call-graph: 'bad' is no style") != NULL);
}

TEST(opt_refused_ones_say_why_and_what_to_do_unless_it_is_done_anyway)
{
	CHECK_EQ(parse("-B some"), -EINVAL);
	CHECK_STR(e.text, "--branches: there are 100% none");
	CHECK_STR(e.hint, "do without");
	CHECK_EQ(parse("--branches none --no-branches x"), 4);
	CHECK_EQ(parse("--threads=2"), -EINVAL);
	CHECK_EQ(parse("--threads"), -EINVAL);
	CHECK_EQ(parse("--no-threads"), 2);
}

TEST(opt_help_is_asked_for_anywhere)
{
	CHECK_EQ(parse("-g --help"), -ECANCELED);
	CHECK_EQ(parse("-h"), -ECANCELED);
}
