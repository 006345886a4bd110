/* Markers of the top buffer: which lines of its text are taken, and where they come between the events of a ring. */
#include "ftrace_tree.h"
#include "tracefs/ring/page_write.h"
#include "tracing/markers.h"

#include <fcntl.h>

#define STATS "entries: %d\noverrun: 0\nnow ts:    %s\nread events: 0\n"

static const struct tpage_layout page = { .commit_offset = 8, .commit_size = 8, .data_offset = 16, .data_size = 4080 };

static struct tfs top, ours;

static void put_stats(int entries, const char *time)
{
	char text[256];

	snprintf(text, sizeof(text), STATS, entries, time);
	tree_put(TRACING "per_cpu/cpu0/stats", text);
}

static void set_up(void)
{
	tree_begin(&top);
	tree_put("sys/devices/system/cpu/present", "0-1\n");
	tree_put("proc/kallsyms", "ffff800080001000 t tracing_mark_writer\nffff800080002000 t tracing_mark_write\n"
				  "ffff800080003000 T my_probe\t[mine]\n");
	tree_put(TRACING "per_cpu/cpu0/trace_pipe_raw", "");
	tree_put(TRACING "trace_marker", "");
	tree_put(TRACING "instances/other/trace_clock", "[local] global mono\n");
	tree_put(TRACING "events/ftrace/print/format",
		 "name: print\nID: 5\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		 "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		 "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		 "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		 "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
		 "\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n\n"
		 "print fmt: \"%ps: %s\", (void *)REC->ip, REC->buf\n");
	put_stats(1, "10.000000");
	CHECK_EQ(tfs_instance(&ours, &top, "other", NULL), 0);
}

/* Somebody has written a marker. */
static void see(struct markers *m, const char *text)
{
	tree_put(TRACING "trace", text);
	tree_put(TRACING "trace_marker", "x");
	m->next = 0;
	markers_look(m);
}

static void check_one(const struct markers *m, size_t i, uint64_t us, const char *text)
{
	CHECK(i < m->found.n);
	CHECK_EQ(m->found.v[i].ts, us * 1000);
	CHECK(sv_eq(m->found.v[i].text, text));
}

#define HEAD "# tracer: nop\n#\n#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
#define PRINTED(time, by, text) "           <...>-187     [000] ..... " time ": " by ": " text "\n"
#define LINE(time, text) PRINTED(time, "tracing_mark_write", text)

TEST(markers_of_the_time_of_the_recording)
{
	struct markers m;

	set_up();
	markers_begin(&m, &top, &ours);
	CHECK(m.top && !m.why[0]);
	put_stats(4, "12.000000");
	see(&m, HEAD LINE("9.999999", "before") LINE("10.500000", "one") "##### CPU 0 buffer started ####\n"
	    LINE("11.000000", "two\nlines") LINE("12.000001", "after"));
	markers_end(&m);
	CHECK_EQ(m.found.n, 2);
	check_one(&m, 0, 10500000, "one\n");
	check_one(&m, 1, 11000000, "two\nlines\n");
	CHECK_EQ(m.found.v[0].pid, 187);
	CHECK_EQ(m.lost, 1);
	markers_deinit(&m);
}

/* The end of a buffer that is being written may be shown with another time. */
TEST(markers_count_when_two_looks_agree)
{
	struct markers m;

	set_up();
	markers_begin(&m, &top, &ours);
	see(&m, LINE("10.500000", "one") LINE("10.700000", "one"));
	CHECK_EQ(m.found.n, 0);
	CHECK(markers_wait(&m) >= 0);
	see(&m, LINE("10.500000", "one") LINE("10.700000", "two") LINE("10.700000", "two"));
	CHECK_EQ(m.found.n, 1);
	put_stats(4, "12.000000");
	markers_end(&m);
	CHECK_EQ(m.found.n, 3);
	check_one(&m, 0, 10500000, "one\n");
	check_one(&m, 1, 10700000, "two\n");
	check_one(&m, 2, 10700000, "two\n");
	CHECK_EQ(m.lost, 0);
	markers_deinit(&m);
}

TEST(markers_that_went_unseen_are_counted)
{
	struct markers m;

	set_up();
	markers_begin(&m, &top, &ours);
	put_stats(11, "12.000000");
	see(&m, LINE("11.500000", "last"));
	markers_end(&m);
	CHECK_EQ(m.found.n, 1);
	CHECK_EQ(m.lost, 9);
	markers_deinit(&m);
}

TEST(markers_need_one_clock)
{
	struct markers m;

	set_up();
	tree_put(TRACING "instances/other/trace_clock", "local global [mono]\n");
	markers_begin(&m, &top, &ours);
	CHECK(strstr(m.why, "the clock local, and this recording mono"));
	put_stats(2, "12.000000");
	see(&m, LINE("11.500000", "last"));
	markers_end(&m);
	CHECK_EQ(m.found.n, 0);
	CHECK(m.why[0]);
	markers_deinit(&m);
	/* Nobody has written one: nothing to be told. */
	markers_begin(&m, &top, &ours);
	markers_end(&m);
	CHECK(!m.why[0]);
	markers_deinit(&m);
}

TEST(markers_that_the_kernel_copies_are_its_business)
{
	struct markers m;

	set_up();
	tree_put(TRACING "instances/other/options/copy_trace_marker", "1\n");
	markers_begin(&m, &top, &ours);
	CHECK_EQ(markers_wait(&m), -1);
	put_stats(9, "12.000000");
	see(&m, LINE("11.000000", "copied") PRINTED("11.500000", "tracing_mark", "by the kernel"));
	markers_end(&m);
	CHECK_EQ(m.found.n, 1);
	check_one(&m, 0, 11500000, "by the kernel\n");
	CHECK_EQ(m.lost, 0);
	markers_deinit(&m);
}

#define EVENTS TRACING "available_events"
#define FORMATS TRACING "printk_formats"
#define STRINGS "0xffff800081a63b70 : \"CPU_OFF\"\n"

static void end_with(struct markers *m, int entries, const char *text)
{
	put_stats(entries, "12.000000");
	tree_put(TRACING "trace", text);
	markers_end(m);
}

/* Nobody tells of them: what was written since shows that there may be some. */
TEST(markers_of_the_kernel_at_the_end)
{
	struct markers m;

	set_up();
	tree_put(FORMATS, STRINGS);
	markers_begin(&m, &top, &ours);
	CHECK_EQ(markers_wait(&m), -1);
	end_with(&m, 3, PRINTED("11.000000", "my_probe", "a: b") PRINTED("11.500000", "0xffff80007a0b1234", "gone"));
	CHECK_EQ(m.found.n, 2);
	check_one(&m, 0, 11000000, "a: b\n");
	CHECK(sv_eq(m.found.v[0].from, "my_probe"));
	CHECK_EQ(m.lost, 0);
	markers_deinit(&m);
}

/* Where it has trace_printk it is asked meanwhile, too, how much was written. */
TEST(markers_of_the_kernel_meanwhile)
{
	struct markers m;

	set_up();
	tree_put(FORMATS, STRINGS "0xffff800081a63b80 : \"took %d\\n\"\n");
	markers_begin(&m, &top, &ours);
	CHECK_EQ(markers_wait(&m), 0);
	markers_look(&m);
	CHECK(!m.pending && markers_wait(&m) > 0);
	put_stats(2, "11.500000");
	tree_put(TRACING "trace", PRINTED("11.000000", "my_probe", "took 5"));
	markers_look(&m);
	CHECK(!m.pending);
	m.count_at = 0;
	markers_look(&m);
	CHECK(m.pending);
	m.next = 0;
	markers_look(&m);
	CHECK_EQ(m.found.n, 1);
	end_with(&m, 9, "");
	CHECK_EQ(m.found.n, 1);
	CHECK_EQ(m.lost, 7);
	markers_deinit(&m);
}

/* An event's line has its name where a function's would be; a stack and what is gone have none. */
TEST(markers_are_no_events)
{
	struct markers m;

	set_up();
	tree_put(EVENTS, "bpf_trace:bpf_trace_printk\nsched:sched_switch\n");
	tree_put(TRACING "set_event", "sched:sched_switch\n");
	tree_put(FORMATS, STRINGS "0xffff800081a63b80 : \"took %d\\n\"\n");
	markers_begin(&m, &top, &ours);
	CHECK_EQ(markers_wait(&m), -1);
	end_with(&m, 7, PRINTED("10.500000", "my_probe", "one")
		 "           <...>-187     [000] .....  10.600000: <stack trace>\n => __trace_bprintk\n => my_probe\n"
		 PRINTED("10.700000", "bpf_trace_printk", "printed 0")
		 "           <...>-187     [000] .....  10.800000: Unknown type 1500\n"
		 PRINTED("10.900000", "sched_switch", "prev_comm=a") LINE("11.000000", "two"));
	CHECK_EQ(m.found.n, 2);
	check_one(&m, 0, 10500000, "one\n");
	check_one(&m, 1, 11000000, "two\n");
	CHECK_EQ(m.lost, 0);
	markers_deinit(&m);
	/* Among many events of others, where neither a marker nor trace_printk is, nothing is looked for. */
	tree_put(FORMATS, STRINGS);
	put_stats(1, "10.000000");
	markers_begin(&m, &top, &ours);
	end_with(&m, 50009, PRINTED("10.500000", "my_probe", "one"));
	CHECK_EQ(m.found.n, 0);
	markers_deinit(&m);
	put_stats(1, "10.000000");
	markers_begin(&m, &top, &ours);
	end_with(&m, 9, PRINTED("10.500000", "my_probe", "one"));
	CHECK_EQ(m.found.n, 1);
	CHECK_EQ(m.lost, 0);
	markers_deinit(&m);
}

/* They are an event of our buffer, too, whoever has read these. */
TEST(markers_among_what_bpf_programs_print)
{
	struct markers m;

	set_up();
	tree_put(EVENTS, "bpf_trace:bpf_trace_printk\n");
	tree_put(TRACING "set_event", "bpf_trace:bpf_trace_printk\n");
	tree_put(TRACING "instances/other/trace_clock", "local global [mono]\n");
	markers_begin(&m, &top, &ours);
	end_with(&m, 50, PRINTED("11.500000", "my_probe", "by another clock"));
	CHECK_EQ(m.found.n, 0);
	CHECK(!m.why[0]);
	CHECK_EQ(m.lost, 0);
	markers_deinit(&m);
	tree_put(TRACING "instances/other/trace_clock", "[local] global mono\n");
	put_stats(1, "10.000000");
	markers_begin(&m, &top, &ours);
	end_with(&m, 50, PRINTED("11.000000", "bpf_trace_printk", "printed 0") PRINTED("11.500000", "my_probe", "one"));
	CHECK_EQ(m.found.n, 1);
	check_one(&m, 0, 11500000, "one\n");
	CHECK_EQ(m.lost, 0);
	markers_deinit(&m);
}

/* Counts begin anew. */
TEST(markers_of_a_buffer_that_was_emptied)
{
	struct markers m;

	set_up();
	put_stats(100, "10.000000");
	markers_begin(&m, &top, &ours);
	end_with(&m, 1, LINE("11.500000", "one"));
	CHECK_EQ(m.found.n, 1);
	CHECK_EQ(m.lost, 0);
	markers_deinit(&m);
}

static void put_page(int fd, const uint64_t *us, size_t n)
{
	uint8_t bytes[4096], raw[16] = { 77 };
	struct tpage_writer w = { .layout = page, .bytes = bytes };

	for (size_t i = 0; i < n; i++)
		CHECK(tpage_put(&w, &(struct tpage_event){ .ts = us[i] * 1000, .raw = raw, .n = 16 }, 0));
	CHECK(tpage_put_end(&w));
	CHECK_EQ(write(fd, bytes, sizeof(bytes)), (ssize_t)sizeof(bytes));
}

/* "77@us" for an event of the ring, "text/ip@us" for a marker. */
static void list(const struct ringfile *f, char *to, size_t size)
{
	uint8_t bytes[4096];
	struct tpage_event ev;
	struct tpage p;
	size_t n = 0;

	for (uint64_t at = 0; at < f->size; at += sizeof(bytes)) {
		CHECK_EQ(pread(f->fd, bytes, sizeof(bytes), (off_t)at), (ssize_t)sizeof(bytes));
		CHECK_EQ(tpage_init(&p, &page, false, bytes, sizeof(bytes)), 0);
		while (tpage_next(&p, &ev) && n < size) {
			unsigned long long ip, us = ev.ts / 1000;

			memcpy(&ip, ev.raw + 8, sizeof(ip));
			if (ev.raw[0] == 5)
				n += (size_t)snprintf(to + n, size - n, "%s/%llx@%llu ", (char *)ev.raw + 16, ip, us);
			else
				n += (size_t)snprintf(to + n, size - n, "77@%llu ", us);
		}
		n += (size_t)snprintf(to + n, size - n, "| ");
	}
}

TEST(markers_come_between_the_events_of_their_ring)
{
	static const uint64_t first[] = { 10100000, 10200000 }, second[] = { 10900000, 11000000 };
	struct ringfile f = { .fd = -1 };
	struct markers_form form;
	struct markers m;
	char got[512] = "";

	set_up();
	CHECK_EQ(ringfile_make(&f, &sys_live, tree_path("rec.dat"), "", NULL), 0);
	put_page(f.fd, first, 2);
	put_page(f.fd, second, 2);
	f.size = 8192;
	markers_begin(&m, &top, &ours);
	put_stats(5, "12.000000");
	see(&m, LINE("10.050000", "a") LINE("10.150000", "b") LINE("10.500000", "c")
	    PRINTED("10.600000", "removed", "by a module") LINE("11.500000", "d"));
	markers_end(&m);
	CHECK_EQ(m.found.n, 5);
	CHECK_EQ(markers_form_init(&form, &m, &page, NULL), 0);
	m.top = &top;
	tree_sys.root = "";
	CHECK_EQ(markers_merge(&m, &form, &f, NULL), 0);
	list(&f, got, sizeof(got));
	CHECK_STR(got, "a\n/ffff800080002000@10050000 77@10100000 b\n/ffff800080002000@10150000 77@10200000 "
		       "c\n/ffff800080002000@10500000 removed: by a module\n/0@10600000 77@10900000 77@11000000 "
		       "d\n/ffff800080002000@11500000 | ");
	CHECK_EQ(form.origins.n, 2);
	markers_form_deinit(&form);
	markers_deinit(&m);
	ringfile_drop(&f, &sys_live);
}
