/* A trace.dat as a session: stacks become call chains, functions have callers, times of function_graph are weights. */
#include "base/fmt.h"
#include "source/session.h"
#include "t.h"
#include "tracefs/dat/write.h"

#define COMMON \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define FUNC \
	"\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n" \
	"\tfield:int depth;\toffset:16;\tsize:4;\tsigned:1;\n"

static const char entry[] = "name: funcgraph_entry\nID: 11\nformat:\n" COMMON FUNC "\nprint fmt: \"\"\n";
static const char leave[] =
	"name: funcgraph_exit\nID: 10\nformat:\n" COMMON FUNC
	"\tfield:unsigned int overrun;\toffset:20;\tsize:4;\tsigned:0;\n"
	"\tfield:unsigned long long calltime;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long long rettime;\toffset:32;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n";
static const char user_stack[] =
	"name: user_stack\nID: 12\nformat:\n" COMMON
	"\tfield:unsigned int tgid;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n\nprint fmt: \"\"\n";
static const char marker[] =
	"name: mark\nID: 400\nformat:\n" COMMON
	"\tfield:u64 x;\toffset:8;\tsize:8;\tsigned:0;\n\nprint fmt: \"x=%llu\", REC->x\n";
static const char symbols[] =
	"ffff000000001000 T alpha\nffff000000002000 t beta\nffff000000003000 T gamma\nffff000000004000 T delta\t[mod]\n"
	"ffff000000005000 T omega\n";

#define AT(fn, off) (UINT64_C(0xffff000000000000) + (fn) * 0x1000 + (off))

enum { SWITCH = 250, STACK = 4, USER = 12, FUNCTION = 1, ENTRY = 11, EXIT = 10, MARK = 400, RINGS = 2 };
enum { WAKEUP = 252, FORK = 244, EXEC = 243, NEWTASK = 83, RENAME = 82 };

static struct {
	uint8_t page[4096];
	size_t n;
	uint64_t ts;
} ring[RINGS];
static uint8_t raw[128];

static void put(unsigned off, uint64_t v, unsigned size)
{
	memcpy(raw + off, &v, size);
}

/* An event of n bytes in raw, at a time that is not before the last one of its ring. */
static void event(unsigned cpu, uint64_t ts, uint16_t id, uint32_t pid, uint32_t n)
{
	uint64_t base = ring[cpu].n ? ring[cpu].ts : ts;
	uint32_t head = (uint32_t)(ts - base) << 5 | n / 4;

	put(0, id, 2);
	put(4, pid, 4);
	if (!ring[cpu].n) {
		memcpy(ring[cpu].page, &ts, 8);
		ring[cpu].n = 16;
	}
	memcpy(ring[cpu].page + ring[cpu].n, &head, 4);
	memcpy(ring[cpu].page + ring[cpu].n + 4, raw, n);
	ring[cpu].n += n + 4;
	ring[cpu].ts = ts;
	memset(raw, 0, sizeof(raw));
}

static void on_switch(unsigned cpu, uint64_t ts, uint32_t prev, uint32_t next)
{
	snprintf((char *)raw + 8, 16, "name%u", prev);
	put(24, prev, 4);
	snprintf((char *)raw + 40, 16, "name%u", next);
	put(56, next, 4);
	event(cpu, ts, SWITCH, prev, 64);
}

static void on_stack(unsigned cpu, uint64_t ts, uint16_t id, uint32_t pid, uint64_t a, uint64_t b)
{
	if (id == USER)
		put(8, 70, 4);
	put(16, a, 8);
	put(24, b, 8);
	event(cpu, ts, id, pid, 32);
}

static void on_mark(unsigned cpu, uint64_t ts, uint32_t pid, uint64_t x)
{
	put(8, x, 8);
	event(cpu, ts, MARK, pid, 16);
}

static void on_function(unsigned cpu, uint64_t ts, uint32_t pid, uint64_t ip, uint64_t parent)
{
	put(8, ip, 8);
	put(16, parent, 8);
	event(cpu, ts, FUNCTION, pid, 24);
}

static void on_entry(unsigned cpu, uint64_t ts, uint32_t pid, uint64_t func, uint32_t depth)
{
	put(8, func, 8);
	put(16, depth, 4);
	event(cpu, ts, ENTRY, pid, 20);
}

static void on_return(unsigned cpu, uint64_t ts, uint32_t pid, uint64_t func, uint32_t depth, uint64_t calltime)
{
	put(8, func, 8);
	put(16, depth, 4);
	put(24, calltime, 8);
	put(32, ts, 8);
	event(cpu, ts, EXIT, pid, 40);
}

/* An event that tells the names of tasks, its format in data/kinds/6.12: bytes of a name and of a pid. */
static void on_name(uint64_t ts, uint16_t id, unsigned name_at, const char *name, unsigned pid_at, uint32_t pid)
{
	snprintf((char *)raw + name_at, 16, "%s", name);
	put(pid_at, pid, 4);
	event(0, ts, id, 1, 64);
}

/* --- the file ------------------------------------------------------------------------------------------------ */

static struct {
	uint8_t *v;
	size_t n, at;
} file;

static int append(void *arg UNUSED, const char *bytes, size_t n)
{
	file.v = realloc(file.v, file.n + n);
	memcpy(file.v + file.n, bytes, n);
	file.n += n;
	return 0;
}

static int patch(void *arg UNUSED, uint64_t off, const void *bytes, size_t n)
{
	CHECK(off + n <= file.n);
	memcpy(file.v + off, bytes, n);
	return 0;
}

static struct sv text_of(const char *path)
{
	size_t n;
	char *text = t_read(path, &n);

	return (struct sv){ text, n };
}

/* "sched/sched_wakeup" of a kernel's. */
static struct sv kind_of_6_12(const char *name)
{
	struct sv all = text_of("data/kinds/6.12");
	char head[64];
	const char *at, *end;

	snprintf(head, sizeof(head), "@@ %s\n", name);
	at = strstr(all.s, head);
	CHECK(at != NULL);
	at += strlen(head);
	end = strstr(at, "@@ ");
	return (struct sv){ at, end ? (size_t)(end - at) : strlen(at) };
}

static void write_file(void)
{
	static const char uname[] = "Linux box 6.12.1 #1 SMP aarch64", maps[] =
		"46 2 prog\n10000 12000 /bin/prog\n20000 24000 /bin/prog\n";
	struct tdat_option options[] = {
		{ .id = TDAT_UNAME, .data = { uname, sizeof(uname) } },
		{ .id = TDAT_PROCMAPS, .data = { maps, sizeof(maps) } },
	};
	struct tdat_write_buffer buffer = { .name = "", .clock = "local", .page_size = 4096 };
	struct tblob blob = { .machine = { .long_size = 8 }, .page_size = 4096,
			      .header_page = text_of("data/formats/header_page"), .header_event = SV("\n"),
			      .kallsyms = SV(symbols), .cmdlines = SV("7 seven\n9 nine\n") };
	struct tdat_write_want want = { .format = TDAT_V6, .blob = &blob, .patch = patch, .options = options,
					.n_options = ARRAY_SIZE(options), .buffers = &buffer, .n_buffers = 1,
					.ncpus = RINGS };
	struct tdat_writer w;
	char buf[512];
	struct out o = { .write = append, .buf = buf, .cap = sizeof(buf) };

	tblob_add(&blob, SV("ftrace"), text_of("data/formats/function"));
	tblob_add(&blob, SV("ftrace"), text_of("data/formats/kernel_stack"));
	tblob_add(&blob, SV("ftrace"), SV(entry));
	tblob_add(&blob, SV("ftrace"), SV(leave));
	tblob_add(&blob, SV("ftrace"), SV(user_stack));
	tblob_add(&blob, SV("sched"), text_of("data/formats/sched_switch"));
	tblob_add(&blob, SV("sched"), kind_of_6_12("sched/sched_wakeup"));
	tblob_add(&blob, SV("sched"), kind_of_6_12("sched/sched_process_fork"));
	tblob_add(&blob, SV("sched"), kind_of_6_12("sched/sched_process_exec"));
	tblob_add(&blob, SV("task"), kind_of_6_12("task/task_newtask"));
	tblob_add(&blob, SV("task"), kind_of_6_12("task/task_rename"));
	tblob_add(&blob, SV("mine"), SV(marker));
	CHECK_EQ(tdat_write_begin(&w, &want, &o, NULL), 0);
	CHECK_EQ(tdat_write_buffer(&w, NULL), 0);
	for (uint32_t i = 0; i < RINGS; i++) {
		uint64_t used = ring[i].n - 16;

		if (!ring[i].n)
			continue;
		memcpy(ring[i].page + 8, &used, 8);
		CHECK_EQ(tdat_write_cpu(&w, i, NULL), 0);
		tdat_write_data(&w, ring[i].page, sizeof(ring[i].page));
	}
	CHECK_EQ(tdat_write_end(&w, NULL), 0);
	tdat_write_deinit(&w);
	out_flush(&o);
}

/* --- its session --------------------------------------------------------------------------------------------- */

static struct session session;
static struct mem_out told;

static ssize_t fake_read(const struct sys *s UNUSED, int fd UNUSED, void *p, size_t n)
{
	size_t take = MIN(n, file.n - file.at);

	memcpy(p, file.v + file.at, take);
	file.at += take;
	return (ssize_t)take;
}

static int fake_open(const struct sys *s UNUSED, const char *path UNUSED, int flags UNUSED, unsigned mode UNUSED)
{
	return -ENOENT;
}

static int fake_access(const struct sys *s UNUSED, const char *path UNUSED, int mode UNUSED)
{
	return -ENOENT;
}

static const struct sys fake = { .root = "", .read = fake_read, .open = fake_open, .access = fake_access };

/* "TIME CPU COMM PID/TID EVENT PERIOD: frame;frame" */
static void tell(const struct perf_event *ev, const struct sample *smp)
{
	out_printf(&told.out, "%llu %u %s %u/%u %s %llu:", (unsigned long long)smp->time, smp->cpu,
		   resolver_comm_of(session.resolver, smp->pid, smp->tid), smp->pid, smp->tid, ev->label,
		   (unsigned long long)smp->period);
	for (uint64_t i = 0; i < smp->n_chain; i++) {
		uint64_t ip = sample_chain(&ev->layout, smp, i);
		const struct sym_loc *l;

		if (ip >= PERF_CONTEXT_MAX) {
			out_str(&told.out, ip == PERF_CONTEXT_USER ? " user" : " kernel");
			continue;
		}
		l = resolver_find(session.resolver, smp->pid, 0, ip);
		if (l->sym)
			out_printf(&told.out, " %s+%llu", l->sym, (unsigned long long)(l->addr - l->start));
		else
			out_printf(&told.out, " %s+%llx", l->dso_short, (unsigned long long)l->offset);
	}
	out_char(&told.out, '\n');
}

static void say(void *arg UNUSED, const char *line)
{
	out_printf(&told.out, "- %s\n", line);
}

static const char *run(void)
{
	struct session_want w = { .path = "-" };
	struct session_item it;
	struct err e = { 0 };
	int r;

	write_file();
	mem_out_init(&told);
	CHECK_EQ(session_open(&session, &fake, &w, &e), 0);
	CHECK_STR(e.text, "");
	while ((r = session_next(&session, &it, &e)) == 1)
		tell(it.event, &it.sample);
	CHECK_EQ(r, 0);
	CHECK_EQ(session_next(&session, &it, &e), 0);
	session_footer(&session, SESSION_ALL, say, NULL);
	return mem_out_str(&told);
}

TEST(session_dat_stacks_are_the_chains_of_their_events)
{
	on_switch(0, 1000, 7, 8);
	on_mark(1, 1001, 9, 1);                               /* of another ring in between */
	on_stack(0, 1002, STACK, 7, AT(1, 4), AT(2, 8));
	on_stack(0, 1003, USER, 7, 0x10100, 0x20040);
	on_mark(1, 1004, 9, 2);
	on_switch(0, 1005, 8, 7);
	CHECK_STR(run(), "1000 0 name7 70/7 sched:sched_switch 1: kernel alpha+4 beta+8 user prog+100 prog+10040\n"
			 "1001 1 nine 9/9 mine:mark 1:\n"
			 "1004 1 nine 9/9 mine:mark 1:\n"
			 "1005 0 name8 8/8 sched:sched_switch 1:\n");
	CHECK_EQ(session.stats.samples, 4);
	CHECK_EQ(session.head->events.n, 4);
	CHECK_STR(session.head->release, "6.12.1");
	CHECK_STR(session.head->hostname, "box");
	CHECK_STR(session.arch->name, "aarch64");
	CHECK(session.head->events.v[0].attr.sample_type & PERF_SAMPLE_CALLCHAIN);
	CHECK(!(session.head->events.v[session.head->events.n - 1].attr.sample_type & PERF_SAMPLE_CALLCHAIN) ||
	      session.head->events.n == 4);
}

TEST(session_dat_stack_of_nothing_is_told_as_such)
{
	on_stack(0, 1000, STACK, 7, AT(1, 4), 0);
	on_mark(0, 1001, 7, 5);
	on_stack(0, 1002, STACK, 9, AT(2, 4), 0);             /* another task's */
	CHECK_STR(run(), "1000 0 seven 7/7 ftrace:kernel_stack 1: kernel alpha+4\n"
			 "1001 0 seven 7/7 mine:mark 1:\n"
			 "1002 0 nine 9/9 ftrace:kernel_stack 1: kernel beta+4\n");
}

TEST(session_dat_function_and_its_caller)
{
	on_function(1, 50, 7, AT(1, 0), AT(4, 12));
	CHECK_STR(run(), "50 1 seven 7/7 ftrace:function 1: kernel alpha+0 delta+12\n");
}

TEST(session_dat_graph_has_callers_and_own_times)
{
	uint32_t exit_event = 0;

	on_entry(0, 100, 7, AT(1, 0), 0);
	on_entry(0, 110, 7, AT(2, 0), 1);
	on_return(0, 140, 7, AT(2, 0), 1, 110);
	on_return(0, 150, 7, AT(1, 0), 0, 100);
	CHECK_STR(run(), "100 0 seven 7/7 ftrace:funcgraph_entry 1: kernel alpha+0\n"
			 "110 0 seven 7/7 ftrace:funcgraph_entry 1: kernel beta+0 alpha+1\n"
			 "140 0 seven 7/7 ftrace:funcgraph_exit 30: kernel beta+0 alpha+1\n"
			 "150 0 seven 7/7 ftrace:funcgraph_exit 20: kernel alpha+0\n");
	for (uint32_t i = 0; i < session.head->events.n; i++)
		if (!strcmp(session.head->events.v[i].label, "ftrace:funcgraph_exit"))
			exit_event = i;
	CHECK_EQ(session.timed, exit_event);
}

TEST(session_dat_learns_the_names_of_tasks)
{
	on_name(10, WAKEUP, 8, "woken", 24, 20);
	on_mark(0, 11, 20, 0);
	put(24, 20, 4);
	snprintf((char *)raw + 8, 16, "parent");
	on_name(20, FORK, 28, "child", 44, 21);
	on_mark(0, 21, 20, 0);
	on_mark(0, 22, 21, 0);
	on_name(30, NEWTASK, 12, "made", 8, 22);
	on_mark(0, 31, 22, 0);
	snprintf((char *)raw + 12, 16, "made");
	on_name(40, RENAME, 28, "renamed", 8, 22);
	on_mark(0, 41, 22, 0);
	put(8, 20 | 13 << 16, 4);
	on_name(50, EXEC, 20, "/usr/bin/cat", 12, 23);
	on_mark(0, 51, 23, 0);
	CHECK_STR(run(), "10 0 :1 1/1 sched:sched_wakeup 1:\n"
			 "11 0 woken 20/20 mine:mark 1:\n"
			 "20 0 :1 1/1 sched:sched_process_fork 1:\n"
			 "21 0 parent 20/20 mine:mark 1:\n"
			 "22 0 child 21/21 mine:mark 1:\n"
			 "30 0 :1 1/1 task:task_newtask 1:\n"
			 "31 0 made 22/22 mine:mark 1:\n"
			 "40 0 :1 1/1 task:task_rename 1:\n"
			 "41 0 renamed 22/22 mine:mark 1:\n"
			 "50 0 :1 1/1 sched:sched_process_exec 1:\n"
			 "51 0 cat 23/23 mine:mark 1:\n");
}

/* More events of other rings behind one that waits than may wait: it goes without its stack, and nothing is lost. */
TEST(session_dat_waiting_is_bounded)
{
	size_t lines = 0;
	const char *text;

	on_mark(0, 1, 7, 1);
	on_stack(0, 2, STACK, 7, AT(1, 4), 0);
	on_mark(0, 3, 7, 2);
	for (unsigned i = 0; i < 150; i++)
		on_mark(1, 4 + i, 9, i);
	on_stack(0, 1000, STACK, 7, AT(2, 4), 0);
	text = run();
	for (; *text; text++)
		lines += *text == '\n';
	CHECK_EQ(lines, 152);
	CHECK(strstr(mem_out_str(&told), "3 0 seven 7/7 mine:mark 1: kernel beta+4\n") != NULL);
}
