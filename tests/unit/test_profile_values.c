/* test_profile_values.c - keys of tracepoints' fields, and the values that samples are told apart by. */
#include "analyse/hist.h"
#include "report/profile_values.h"
#include "t.h"

#define COMMON                                                                              \
	"format:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"     \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char switch_format[] =
	"name: sched_switch\nID: 1\n" COMMON
	"\tfield:char prev_comm[8];\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:int prev;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:long state;\toffset:24;\tsize:8;\tsigned:1;\n"
	"\tfield:__data_loc char[] file;\toffset:32;\tsize:4;\tsigned:0;\n"
	"\tfield:unsigned long flags;\toffset:40;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"prev_comm=%s prev=%d, state=%s%s ==> file=\\\"%s\\\"\", REC->prev_comm, REC->prev, "
	"__print_symbolic(REC->state & 1, { 0, \"R\" }, { 1, \"S\" }), REC->state & 2 ? \"+\" : \"\", "
	"__get_str(file)\n";

static const char wakeup_format[] =
	"name: sched_wakeup\nID: 2\n" COMMON
	"\tfield:int prev;\toffset:8;\tsize:4;\tsigned:1;\n\n"
	"print fmt: \"prev=%x\", REC->prev\n";

static const char wakeup_new_format[] =
	"name: sched_wakeup_new\nID: 3\n" COMMON
	"\tfield:u64 cookie;\toffset:8;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"%llu\", REC->cookie\n";

enum { SWITCH, WAKEUP, WAKEUP_NEW, CLOCK, EVENTS };

static struct tevents trace;
static struct perf_head head;
static struct session session = { .trace = &trace, .head = &head };
static struct values v;

static void begin(void)
{
	static const char *formats[] = { switch_format, wakeup_format, wakeup_new_format };

	tevents_init(&trace, (struct tmachine){ .long_size = 8 });
	for (size_t i = 0; i < EVENTS; i++) {
		struct perf_event *ev = vec_add(&head.events);

		ev->attr.type = i < CLOCK ? PERF_TRACEPOINT : PERF_SOFTWARE;
		ev->attr.config = i + 1;
		if (i < CLOCK)
			CHECK_EQ(tevents_add(&trace, SV("sched"), sv_from(formats[i]), NULL), 0);
	}
	CHECK_EQ(values_init(&v, &session, NULL), 0);
}

static void end(void)
{
	values_deinit(&v);
	vec_free(&head.events);
	tevents_deinit(&trace);
}

/* "next 'R'\0" as a sched_switch. */
struct record {
	uint8_t b[64];
};

static struct record record(const char *comm, int32_t prev, int64_t state, const char *file)
{
	struct record r = { { 1 } };
	uint32_t loc = 48 | (uint32_t)(strlen(file) + 1) << 16;
	uint64_t flags = 0x1f;

	memcpy(r.b + 8, comm, MIN(strlen(comm), 8u));
	memcpy(r.b + 16, &prev, 4);
	memcpy(r.b + 24, &state, 8);
	memcpy(r.b + 32, &loc, 4);
	memcpy(r.b + 40, &flags, 8);
	memcpy(r.b + 48, file, strlen(file));
	return r;
}

static struct bytes bytes_of(const struct record *r)
{
	return (struct bytes){ r->b, sizeof(r->b) };
}

/* All values with their kinds, '|' between them. */
static const char *joined(const char *values)
{
	static char text[400];
	size_t n = 0;

	for (; *values; values += strlen(values) + 1)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", n ? "|" : "", values);
	text[n] = '\0';
	return text;
}

static const char *values_raw(size_t event, struct bytes raw)
{
	struct sample smp = { .raw = raw };

	return values_of(&v, event, &smp);
}

static void check_values(const char *keys, struct record r, const char *want)
{
	struct sv rest = sv_from(keys), key;

	begin();
	while (sv_cut(&rest, ',', &key))
		CHECK(values_add(&v, key, NULL) > 0);
	CHECK_STR(joined(values_raw(SWITCH, bytes_of(&r))), want);
	end();
}

TEST(values_are_shown_as_the_text_shows_them)
{
	struct record r = record("go", 7, 3, "/bin/ls");

	check_values("prev_comm", r, "\"go");
	/* "prev" is no part of "prev_comm=", and the comma is the text's. */
	check_values("prev", r, "#7");
	check_values("state", r, "\"S+");
	check_values("file", r, "\"\"/bin/ls\"");
	check_values("common_pid", r, "#0");
	check_values("trace", r, "%prev_comm=go prev=7, state=S+ ==> file=\"/bin/ls\"");
	check_values("prev,trace,state", r, "#7|%prev_comm=go prev=7, state=S+ ==> file=\"/bin/ls\"|\"S+");
}

TEST(values_keep_spaces_of_their_own)
{
	check_values("prev_comm", record("Web Con", 1, 0, ""), "\"Web Con");
	check_values("file,state", record("x", 1, 0, "a b=c"), "\"\"a b=c\"|\"R");
}

TEST(values_raw_are_the_numbers)
{
	struct record r = record("12", -5, -3, "f");

	check_values("prev/raw,state/raw,file/raw", r, "#-5|#-3|\"f");
	/* No "flags=" in the text: in hex, as unsigned longs are. A name that is a number stays a text. */
	check_values("flags,prev_comm", r, "\"0x1f|\"12");
	check_values("sched_switch.*", r, "\"12|#-5|\"S|\"\"f\"|\"0x1f");
	check_values("trace_fields/raw", r, "\"12|#-5|#-3|\"f|\"0x1f");
}

static int fields_of(size_t event)
{
	return (int)v.events[event].fields.n;
}

TEST(values_keys_find_their_events)
{
	static const struct {
		const char *key;
		int in_switch, in_wakeup, in_new;
	} cases[] = {
		{ "prev", 1, 1, 0 },
		{ "sched_wakeup.prev", 0, 1, 0 },       /* exactly, though a part of the other, too */
		{ "sched:sched_wakeup.prev", 0, 1, 0 },
		{ "switch.prev", 1, 0, 0 },
		{ "_new.cookie", 0, 0, 1 },
		{ "sched_w*.*", 0, 1, 1 },
		{ "sched:*.prev", 1, 1, 0 },
		{ "sched_switch.*", 5, 0, 0 },
		{ "sched_switch.prev*", 2, 0, 0 },
		{ "trace_fields", 5, 1, 1 },
		{ "trace", 1, 1, 1 },
		{ "common_pid", 1, 1, 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int sum = cases[i].in_switch + cases[i].in_wakeup + cases[i].in_new;

		begin();
		CHECK_EQ(values_add(&v, sv_from(cases[i].key), NULL), sum + fields_of(CLOCK));
		CHECK_EQ(fields_of(SWITCH), cases[i].in_switch);
		CHECK_EQ(fields_of(WAKEUP), cases[i].in_wakeup);
		CHECK_EQ(fields_of(WAKEUP_NEW), cases[i].in_new);
		end();
	}
}

TEST(values_of_what_is_no_tracepoint)
{
	begin();
	CHECK_STR(values_raw(CLOCK, (struct bytes){ 0 }), "");
	CHECK(values_add(&v, SV("trace"), NULL) > 0);
	CHECK_STR(values_raw(CLOCK, (struct bytes){ 0 }), "%N/A");
}

TEST(values_a_key_twice_is_one_column)
{
	begin();
	CHECK(values_add(&v, SV("prev"), NULL) > 0);
	CHECK(values_add(&v, SV("trace_fields"), NULL) > 0);
	CHECK_EQ(fields_of(SWITCH), 5);
	CHECK_EQ(v.events[SWITCH].fields.v[0].key, 0);
	CHECK_EQ(v.events[SWITCH].fields.v[1].key, 1);
	CHECK(values_add(&v, SV("prev/raw"), NULL) > 0);
	CHECK_EQ(fields_of(SWITCH), 6);
	CHECK_STR(v.events[SWITCH].fields.v[5].name, "prev/raw");
}

static void check_refused(const char *key, const char *why)
{
	struct err e = { 0 };

	begin();
	CHECK_EQ(values_add(&v, sv_from(key), &e), -EINVAL);
	CHECK(strstr(e.text, why));
	if (!strstr(e.text, why))
		CHECK_STR(e.text, why);
}

TEST(values_keys_that_are_none)
{
	char longest[200];

	begin();
	CHECK_EQ(values_add(&v, SV("previous"), NULL), 0);
	CHECK_EQ(values_add(&v, SV("trace/raw"), NULL), 0);
	check_refused("wakeup.prev", "both sched:sched_wakeup and sched:sched_wakeup_new");
	check_refused("shed_switch.prev", "did you mean 'sched_switch'");
	check_refused("sched_switch.pref", "did you mean 'prev'");
	check_refused("x*.prev", "no tracepoint 'x*'");
	memset(longest, 'a', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	check_refused(longest, "letters");
}

TEST(values_of_equal_records_are_one_pointer)
{
	struct record a = record("go", 7, 3, "x"), b = record("go", 7, 1, "x");

	begin();
	CHECK(values_add(&v, SV("prev"), NULL) > 0);
	CHECK(values_raw(SWITCH, bytes_of(&a)) == values_raw(SWITCH, bytes_of(&b)));
}

TEST(values_beyond_the_limit_are_others)
{
	struct record r[4];

	begin();
	v.max = 2;
	CHECK(values_add(&v, SV("sched_switch.prev"), NULL) > 0);
	CHECK(values_add(&v, SV("state"), NULL) > 0);
	for (int i = 0; i < 4; i++) {
		r[i] = record("go", i, 1, "x");
		values_raw(SWITCH, bytes_of(&r[i]));
	}
	CHECK_EQ(v.others, 2);
	CHECK_STR(joined(values_raw(SWITCH, bytes_of(&r[1]))), "#1|\"S");
	CHECK_EQ(v.others, 2);
	CHECK_STR(joined(values_raw(SWITCH, bytes_of(&r[3]))), "*[other]|*[other]");
	CHECK_EQ(v.others, 3);
	CHECK_EQ(v.known.list.n, 3);
}

TEST(values_bytes_are_bounded)
{
	begin();
	v.max_bytes = 1 << 16;
	CHECK(values_add(&v, SV("prev"), NULL) > 0);
	for (int i = 0; i < 100000; i++) {
		struct record r = record("go", i, 1, "x");

		CHECK(values_raw(SWITCH, bytes_of(&r)) != NULL);
	}
	CHECK(v.others > 50000);
	CHECK(v.known.arena.total < 1 << 18);
}

TEST(values_of_one_event_leave_room_for_the_others)
{
	struct record r = record("go", 3, 1, "x");

	begin();
	v.max = 4;
	CHECK(values_add(&v, SV("prev"), NULL) > 0);
	for (int i = 0; i < 10; i++) {
		struct record s = record("go", i, 1, "x");

		values_raw(SWITCH, bytes_of(&s));
	}
	CHECK_EQ(v.others, 8);
	/* In hex, by its text: no number, whatever its digits. */
	r.b[8] = 0x10;
	r.b[9] = 0;
	CHECK_STR(joined(values_raw(WAKEUP, bytes_of(&r))), "\"10");
	CHECK_EQ(v.others, 8);
}

TEST(values_of_cut_records_stay_inside_them)
{
	struct record r = record("go", 7, 3, "/bin/ls");

	begin();
	CHECK(values_add(&v, SV("trace_fields"), NULL) > 0);
	CHECK(values_add(&v, SV("trace_fields/raw"), NULL) > 0);
	CHECK(values_add(&v, SV("trace"), NULL) > 0);
	for (size_t n = 0; n <= sizeof(r.b); n++) {
		const char *values = values_raw(SWITCH, (struct bytes){ guard_dup(r.b, n), n });

		CHECK(*hist_value(values, 10) == HIST_TRACE);
		CHECK(!*hist_value(values, 11));
	}
}

/* Rows of equal weight, in their order. */
static void check_order(const char *const *values, size_t n, const char *want)
{
	struct hist_group groups[8] = { 0 };
	struct hist_frame frame = { .dso = "d", .dso_short = "d", .sym = "s" };
	struct calltree t;
	struct hist h;
	char got[64] = "";

	CHECK_EQ(calltree_init(&t), 0);
	for (uint32_t i = 0; i < n; i++) {
		groups[i].comm = "";
		groups[i].values = values[i];
		calltree_add(&t, calltree_child(&t, calltree_child(&t, 0, i), 0), 1, 1);
	}
	CHECK_EQ(calltree_settle(&t), 0);

	struct hist_input in = { &t, groups, &frame, n, 1 };

	CHECK_EQ(hist_init(&h, &in, &(struct hist_want){ .keys = HIST_VALUES }), 0);
	CHECK_EQ(h.rows.n, n);

	uint32_t *order = hist_order(&h);

	for (size_t i = 0; i < n; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s ",
			 groups[h.rows.v[order[i]].group].values + 1);
	CHECK_STR(got, want);
	free(order);
	hist_deinit(&h);
	calltree_deinit(&t);
}

TEST(values_order_rows_of_equal_weight)
{
	static const char *const numbers[] = { "#9\0", "#-10\0", "#100\0", "#-2\0", "#10\0", "#0\0" };
	static const char *const texts[] = { "\"b\0", "\"aa\0", "\"c\0" };
	static const char *const traces[] = { "%b\0", "%aa\0", "%c\0" };

	check_order(numbers, ARRAY_SIZE(numbers), "100 10 9 0 -2 -10 ");
	check_order(texts, ARRAY_SIZE(texts), "c b aa ");
	check_order(traces, ARRAY_SIZE(traces), "aa b c ");
}

TEST(values_that_every_sample_has)
{
	struct sample smp = { .time = 12345678901, .weight = 7 | UINT64_C(9) << 32 };

	begin();
	CHECK(values_add(&v, sv_from("time"), NULL) > 0);
	CHECK(values_add(&v, sv_from("local_weight"), NULL) > 0);
	v.session->head->events.v[CLOCK].layout.sample_type = PERF_SAMPLE_WEIGHT_STRUCT;
	CHECK_STR(joined(values_of(&v, CLOCK, &smp)), "\"12.300000|#7");
	v.quantum = 1000;
	CHECK_STR(joined(values_of(&v, CLOCK, &smp)), "\"12.345678|#7");
	v.session->head->events.v[CLOCK].layout.sample_type = PERF_SAMPLE_WEIGHT;
	CHECK_STR(joined(values_of(&v, CLOCK, &smp)), "\"12.345678|#38654705671");
	end();
}

/* --- where data came from ------------------------------------------------------------------------------------ */

static const char *of_access(uint64_t source, uint64_t weight)
{
	struct sample s = { .data_src = source, .weight = weight };

	return values_of(&v, CLOCK, &s);
}

TEST(values_of_accesses_are_made_once)
{
	const char *first;

	begin();
	CHECK_EQ(values_add(&v, SV("mem"), NULL), 1);
	CHECK_EQ(values_add(&v, SV("local_weight"), NULL), 1);
	first = of_access(2 | 1 << 8 | 1 << 6, 7);
	CHECK_STR(first + 1, "L1 hit");
	CHECK(of_access(2 | 1 << 8 | 1 << 6, 7) == first);
	CHECK(of_access(2 | 1 << 8 | 1 << 6, 8) != first);
	CHECK(of_access(2 | 1 << 10 | 1 << 6, 7) != first);
	/* Bits that the text does not tell of make no other value. */
	CHECK(of_access(2 | 1 << 8 | 1 << 6 | 1 << 20, 7) == first);
	end();
}

TEST(values_of_accesses_beyond_the_limit_are_counted_each)
{
	begin();
	CHECK_EQ(values_add(&v, SV("local_weight"), NULL), 1);
	v.max = 2 * v.n_asked;
	for (uint64_t i = 0; i < 10; i++)
		for (uint64_t weight = 1; weight <= 3; weight++)
			of_access(0, weight);
	CHECK_EQ(v.others, 10);
	end();
}

TEST(values_of_page_sizes_are_perfs)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} sizes[] = { { 4096, "4K" }, { 2 << 20, "2M" }, { 1 << 30, "1G" }, { 0, "N/A" }, { 512, "512B" } };

	begin();
	CHECK_EQ(values_add(&v, SV("data_page_size"), NULL), 1);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		CHECK_STR(values_of(&v, CLOCK, &(struct sample){ .data_page = sizes[i].bytes }) + 1, sizes[i].text);
	end();
}
