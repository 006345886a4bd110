/* test_report_options.c - the texts of report's and script's options. */
#include "t.h"

#include "cmd/report/want.h"
#include "cmd/script/want.h"

static struct report_chains chains(const char *text)
{
	struct report_chains c = { .min_percent = 0.5 };

	CHECK_EQ(report_parse_chains(&c, text, NULL), 0);
	return c;
}

TEST(call_graph_takes_what_perf_takes)
{
	struct report_chains c = chains("graph,0.25,caller,function,percent");

	CHECK_EQ(c.graph, GRAPH_TREE);
	CHECK_EQ(c.order, ORDER_CALLER);
	CHECK(c.min_percent == 0.25);
	c = chains("caller");
	CHECK_EQ(c.graph, GRAPH_DEFAULT);
	CHECK_EQ(c.order, ORDER_CALLER);
	CHECK(c.min_percent == 0.5);
	CHECK_EQ(chains("none").graph, GRAPH_NONE);
	CHECK_EQ(chains("folded").graph, GRAPH_FOLDED);
	CHECK_EQ(chains("fractal,5,20").graph, GRAPH_FRACTAL);
	CHECK(chains("fractal,5,20").min_percent == 5);
}

TEST(call_graph_refuses_what_it_does_not_know)
{
	struct report_chains c = { 0 };
	struct err e = { 0 };

	CHECK_EQ(report_parse_chains(&c, "graph,sideways", &e), -EINVAL);
	CHECK(strstr(e.text, "sideways"));
	CHECK_EQ(report_parse_chains(&c, "-1", &e), -EINVAL);
}

static void check_cols(struct report_want w, enum hist_mode mode, const char *want)
{
	struct values none = { .n_events = 0 };
	struct report_cols cols;
	char text[200] = "";
	size_t n = 0;

	CHECK_EQ(report_parse_cols(&cols, &w, mode, &none, NULL), 0);
	for (size_t i = 0; i < cols.n; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", i ? " " : "", report_col_key(cols.v[i]));
	CHECK_STR(text, want);
}

TEST(columns)
{
	check_cols((struct report_want){ 0 }, HIST_SELF, "overhead comm dso symbol");
	check_cols((struct report_want){ .samples = true }, HIST_CHILDREN, "children overhead samples comm dso symbol");
	check_cols((struct report_want){ .sort = "sym,cpu" }, HIST_SELF, "overhead symbol cpu");
	check_cols((struct report_want){ .sort = "+cpu" }, HIST_SELF, "overhead comm dso symbol cpu");
	check_cols((struct report_want){ .fields = "sample,comm,overhead" }, HIST_CHILDREN, "samples comm overhead");
	check_cols((struct report_want){ .fields = "overhead", .sort = "pid,tid" }, HIST_SELF, "overhead pid tid");
	check_cols((struct report_want){ .sort = "comm,comm" }, HIST_SELF, "overhead comm");
}

TEST(unknown_key_offers_a_near_one)
{
	struct report_want w = { .sort = "symbl" };
	struct values none = { .n_events = 0 };
	struct report_cols cols;
	struct err e = { 0 };

	CHECK_EQ(report_parse_cols(&cols, &w, HIST_SELF, &none, &e), -EINVAL);
	CHECK(strstr(e.text, "'symbol'"));
}

TEST(script_fields_replace_or_change_the_default)
{
	struct script_fields f = script_default_fields(), d = f;
	struct err e = { 0 };

	CHECK_EQ(script_parse_fields(&f, "comm,ip,sym", NULL), 0);
	CHECK_EQ(f.v[SCRIPT_OTHER], FIELD_COMM | FIELD_IP | FIELD_SYM);
	f = d;
	CHECK_EQ(script_parse_fields(&f, "+addr,-period", NULL), 0);
	CHECK_EQ(f.v[SCRIPT_OTHER], (d.v[SCRIPT_OTHER] | FIELD_ADDR) & ~(uint64_t)FIELD_PERIOD);
	f = d;
	CHECK_EQ(script_parse_fields(&f, "trace:time,trace", NULL), 0);
	CHECK_EQ(f.v[PERF_TRACEPOINT], FIELD_TIME | FIELD_TRACE);
	CHECK_EQ(f.v[SCRIPT_OTHER], d.v[SCRIPT_OTHER]);
	CHECK_EQ(script_parse_fields(&f, "comm,colour", &e), -EINVAL);
	CHECK(strstr(e.hint, "period"));
}

TEST(script_leaves_out_what_was_not_recorded_unless_it_was_asked_for)
{
	struct script_want w = { .fields = script_default_fields() };
	struct perf_event ev = { .attr = { .type = PERF_SOFTWARE }, .label = "cpu-clock",
				 .layout = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME } };
	struct err e = { 0 };
	uint64_t fields;

	CHECK_EQ(script_fields_of(&w, &ev, &fields, &e), 0);
	CHECK(!(fields & FIELD_CPU));
	CHECK(fields & FIELD_PERIOD);
	CHECK(fields & FIELD_SYM);
	CHECK_EQ(script_parse_fields(&w.fields, "comm,cpu", NULL), 0);
	CHECK_EQ(script_fields_of(&w, &ev, &fields, &e), -EINVAL);
	CHECK(strstr(e.text, "'cpu'"));
}
