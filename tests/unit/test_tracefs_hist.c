/* Histograms as four kernels print them (5.10 of Debian is built without), and what is drawn of them. */
#include "show/histo.h"
#include "t.h"
#include "tracefs/grammar/hist.h"

/* The histogram whose trigger contains `what`, of tests/data/hist/KERNEL.txt. */
static struct thist find(const char *kernel, const char *what)
{
	char path[64];
	struct thist h;
	struct err e = { 0 };
	size_t n;
	int r;

	snprintf(path, sizeof(path), "data/hist/%s.txt", kernel);

	struct sv rest = { t_read(path, &n), 0 };

	rest.n = n;
	while ((r = thist_next(&h, &rest, &e)) > 0) {
		if (memmem(h.trigger.s, h.trigger.n, what, strlen(what)))
			return h;
		thist_deinit(&h);
	}
	t_fail(__FILE__, __LINE__, "no histogram of %s in %s: %s", what, kernel, e.text);
	return h;
}

static struct thist of(const char *text)
{
	size_t n = strlen(text);
	struct sv rest = { guard_dup(text, n), n };
	struct thist h;
	struct err e = { 0 };

	CHECK_EQ(thist_next(&h, &rest, &e), 1);
	CHECK_STR(e.text, "");
	return h;
}

static void check_cell(const struct thist *h, size_t row, const char *col, const char *text, uint64_t v)
{
	int i = thist_col(h, col);

	CHECK(i >= 0);
	if (i < 0 || row >= h->n_rows)
		return;

	const struct thist_cell *c = thist_at(h, row, (unsigned)i);

	CHECK(sv_eq(c->text, text));
	CHECK_EQ(c->v, v);
}

TEST(hist_every_kernels_texts_have_as_many_rows_as_they_say)
{
	static const char *const kernels[] = { "6.1", "6.1-rt", "6.12", "6.12-16k" };
	static const unsigned least[] = { 17, 17, 21, 21 };

	for (size_t k = 0; k < ARRAY_SIZE(kernels); k++) {
		char path[64];
		size_t n;
		unsigned found = 0;
		struct thist h;
		struct err e = { 0 };

		snprintf(path, sizeof(path), "data/hist/%s.txt", kernels[k]);

		char *text = t_read(path, &n);
		struct sv rest = { guard_dup(text, n), n };

		while (thist_next(&h, &rest, &e) > 0) {
			found++;
			CHECK_EQ(h.n_rows, h.entries);
			CHECK(!h.n_rows || (h.n_keys >= 1 && h.n_cols > h.n_keys));
			CHECK_EQ(h.cells.n, h.n_rows * h.n_cols);
			thist_deinit(&h);
		}
		CHECK_STR(e.text, "");
		CHECK(found >= least[k]);
	}
}

TEST(hist_each_form_of_a_key)
{
	struct thist h = find("6.12", "keys=next_comm,next_pid");

	CHECK_EQ(h.n_keys, 2);
	CHECK_EQ(h.n_cols, 4);
	CHECK_EQ(h.hits, 326);
	check_cell(&h, 0, "next_comm", "rcu_sched", 0);
	check_cell(&h, 0, "next_pid", "17", 17);
	check_cell(&h, 0, "hitcount", "79", 79);
	check_cell(&h, 0, "prev_prio", "9480", 9480);
	CHECK_EQ(h.cols[0].kind, THIST_TEXT);

	h = find("6.12", "keys=ptr.hex,bytes_req:");
	CHECK_EQ(h.cols[0].kind, THIST_HEX);
	check_cell(&h, 0, "ptr", "ffff03a342a65080", UINT64_C(0xffff03a342a65080));
	check_cell(&h, 0, "bytes_alloc", "2c0", 0x2c0);

	h = find("6.12", "keys=call_site.sym-offset,bytes_req.log2");
	check_cell(&h, 0, "call_site", "event_hist_open+0x80/0x158", UINT64_C(0xffffc5634ae4ade8));
	check_cell(&h, 2, "call_site", "p9_fcall_init+0x48/0xa8 [9pnet]", UINT64_C(0xffffc56331e875b0));
	check_cell(&h, 2, "bytes_req", "~ 2^7", 7);
	CHECK_EQ(h.cols[1].kind, THIST_LOG2);

	h = find("6.12", "keys=common_pid.execname,id.syscall");
	check_cell(&h, 2, "common_pid", "busybox", 202);
	check_cell(&h, 2, "id", "sys_clock_nanosleep", 115);

	h = find("6.12", "keys=bytes_req.buckets=64");
	CHECK_EQ(h.cols[0].kind, THIST_RANGE);
	check_cell(&h, 0, "bytes_req", "~ 320-383", 320);
	CHECK_EQ(thist_at(&h, 0, 0)->to, 383);
}

TEST(hist_stacks_before_and_behind_other_keys)
{
	struct thist h = find("6.12", "keys=common_pid,common_stacktrace");

	CHECK_EQ(h.cols[1].kind, THIST_STACK);
	CHECK_EQ(h.n_keys, 2);
	CHECK(sv_starts(thist_at(&h, 0, 1)->text, "__kmalloc_noprof+0x2a8/0x3d0\n"));
	check_cell(&h, 0, "common_pid", "228", 228);

	h = find("6.12", "keys=common_stacktrace,bytes_req");
	CHECK_EQ(h.n_keys, 2);
	CHECK_EQ(h.cols[0].kind, THIST_STACK);
	check_cell(&h, 0, "bytes_req", "32", 32);
	check_cell(&h, 0, "bytes_alloc", "32", 32);

	h = find("6.1", "keys=common_pid,stacktrace");
	CHECK_EQ(h.cols[1].kind, THIST_STACK);
	CHECK_STR(h.cols[1].name, "stacktrace");
}

TEST(hist_what_save_keeps_becomes_columns)
{
	struct thist h = find("6.12", "onmax($d).save(next_comm,prev_pid,prev_comm)");

	CHECK_EQ(h.n_cols, 6);
	check_cell(&h, 1, "max", "199", 199);
	check_cell(&h, 1, "next_comm", "migration/0", 0);
	check_cell(&h, 1, "prev_pid", "0", 0);
	check_cell(&h, 1, "prev_comm", "swapper/0", 0);
}

TEST(hist_snapshot_and_percents)
{
	struct thist h = find("6.12", "onmax($d).snapshot()");

	CHECK(sv_starts(h.snapshot, "triggering value { onmax($d) }:      50504"));
	h = find("6.12", "hitcount.percent");
	CHECK_EQ(h.n_cols, 4);
	check_cell(&h, 0, "hitcount (%)", "0.42", 0);
	CHECK_EQ(h.cols[2].kind, THIST_FRACTION);
	check_cell(&h, 0, "next_prio", "", 0);
	check_cell(&h, 9, "next_prio", "#", 0);
	h = find("6.12", "nohitcount");
	CHECK_EQ(h.n_cols, 2);
	check_cell(&h, 2, "next_prio", "240", 240);
}

TEST(hist_names_that_look_like_something_else_stay_names)
{
	struct thist h = of(
		"# trigger info: hist:keys=comm,pid:vals=hitcount [active]\n\n"
		"{ comm: a, pid: 7 } x:                                     , pid:          1 } hitcount:          2\n"
		"{ comm: 12                                                , pid:          2 } hitcount:          3\n"
		"{ comm: b [   3]                                          , pid:         -3 } hitcount:          3\n");

	CHECK_EQ(h.n_rows, 3);
	CHECK_EQ(h.cols[0].kind, THIST_TEXT);
	CHECK_EQ(thist_at(&h, 1, 0)->kind, THIST_TEXT);
	check_cell(&h, 2, "comm", "b [   3]", 0);
	check_cell(&h, 2, "pid", "-3", (uint64_t)-3);
	check_cell(&h, 0, "hitcount", "2", 2);
}

TEST(hist_dropped_is_told_and_bad_entries_are_errors)
{
	static const char *const bad[] = { "{ comm } hitcount: 1\n", "{ a: 1 } hitcount\n", "{ a: 1\n" };
	struct thist h = of("# trigger info: hist:keys=a:vals=hitcount [active]\n\n{ a: 1 } hitcount: 1\n\nTotals:\n"
			    "    Hits: 10\n    Entries: 1\n    Dropped: 9\n");

	CHECK_EQ(h.dropped, 9);
	CHECK_EQ(h.hits, 10);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		char text[200];
		struct err e = { 0 };
		int n = snprintf(text, sizeof(text), "# trigger info: hist:keys=a:vals=hitcount [active]\n%s", bad[i]);
		struct sv rest = { guard_dup(text, (size_t)n), (size_t)n };

		CHECK_EQ(thist_next(&h, &rest, &e), -EBADMSG);
		CHECK(strstr(e.text, "cannot be understood") != NULL);
		thist_deinit(&h);
	}
}

/* --- drawing --- */

static const char *draw(const struct thist *h, struct histo_want w)
{
	static struct mem_out m;
	struct err e = { 0 };

	mem_out_init(&m);
	CHECK_EQ(histo_print(h, &w, &m.out, &e), 0);
	return mem_out_str(&m);
}

static const char log2_text[] =
	"# trigger info: hist:keys=us.log2:vals=hitcount:sort=hitcount:size=2048 [active]\n\n"
	"{ us: ~ 2^5  } hitcount:          1\n{ us: ~ 2^0  } hitcount:         20\n"
	"{ us: ~ 2^3  } hitcount:         12\n\nTotals:\n    Hits: 33\n    Entries: 3\n    Dropped: 0\n";

TEST(histo_powers_of_two_fill_the_empty_ones_in)
{
	struct thist h = of(log2_text);

	CHECK_STR(draw(&h, (struct histo_want){ 0 }),
		  "     us   hitcount\n"
		  " 0 - 1          20 |########################|\n"
		  " 2 - 2           0 |                        |\n"
		  " 3 - 4           0 |                        |\n"
		  " 5 - 8          12 |##############          |\n"
		  " 9 - 16          0 |                        |\n"
		  "17 - 32          1 |#                       |\n"
		  "\n33 hits, 3 entries\n");
}

TEST(histo_rows_as_csv_and_json)
{
	struct thist h = of(log2_text);

	CHECK_STR(draw(&h, (struct histo_want){.table.form = TABLE_CSV}),
		  "us,us_to,hitcount\n0,1,20\n5,8,12\n17,32,1\n");
	CHECK_STR(
		draw(&h,
		     (struct histo_want){.table.form = TABLE_JSON, .sort = "hitcount", .order = HISTO_SMALLEST_FIRST}),
		"[\n{\"us\":17,\"us_to\":32,\"hitcount\":1},\n{\"us\":5,\"us_to\":8,\"hitcount\":12},\n"
		"{\"us\":0,\"us_to\":1,\"hitcount\":20}\n]\n");
}

TEST(histo_table_by_weight_with_bars)
{
	struct thist h =
		of("# trigger info: hist:keys=id,common_pid.execname:vals=hitcount [active]\n\n"
		   "{ id: 18446744073709551615, common_pid: sh              [       174] } hitcount:          3\n"
		   "{ id:          2, common_pid: cat             [       175] } hitcount:          9\n"
		   "\nTotals:\n    Hits: 12\n    Entries: 2\n    Dropped: 0\n");

	CHECK(strstr(draw(&h, (struct histo_want){ .is_signed = 1 }),
		     " 2  cat                   175         9  75.00%  ########################\n"
		     "-1  sh                    174         3  25.00%  ########\n") != NULL);
	CHECK(strstr(draw(&h, (struct histo_want){ .is_signed = 1, .rows = 1 }), "2 entries, not all shown\n") != NULL);
}

TEST(histo_far_ranges_are_parted_by_dots)
{
	struct thist h =
		of("# trigger info: hist:keys=n.buckets=10:vals=hitcount [active]\n\n{ n: ~ 0-9 } hitcount: 4\n"
		   "{ n: ~ 20-29 } hitcount: 1\n{ n: ~ 1000-1009 } hitcount: 4\n");
	const char *text = draw(&h, (struct histo_want){ 0 });

	CHECK(strstr(text, "  10 - 19            0 |") != NULL);
	CHECK(strstr(text, "  20 - 29            1 |######                  |\n...\n1000 - 1009          4 |") != NULL);
}

TEST(histo_unknown_column_offers_the_nearest)
{
	struct thist h = of(log2_text);
	struct histo_want w = { .sort = "hitcont" };
	struct mem_out m;
	struct err e = { 0 };

	mem_out_init(&m);
	CHECK_EQ(histo_print(&h, &w, &m.out, &e), -EINVAL);
	CHECK_STR(e.text, "the histogram has no column 'hitcont', did you mean 'hitcount'?");
	mem_out_deinit(&m);
}
