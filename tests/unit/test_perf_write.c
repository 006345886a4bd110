/* perf.data writer: read back by our reader, and by perf where it is installed. */
#include "perf/feature.h"

#include <unistd.h>

#include "perf/order.h"
#include "t.h"

#define SAMPLE_TYPE (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
		     PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

static const uint64_t ids[2][2] = { { 101, 102 }, { 201, 202 } };
static const uint8_t build_id[20] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };

static const struct perf_write_event events[2] = {
	{
		.attr = { .type = PERF_SOFTWARE, .config = PERF_SW_CPU_CLOCK,
			  .sample_period = 4000, .sample_type = SAMPLE_TYPE,
			  .read_format = PERF_FORMAT_ID, .sample_max_stack = 127,
			  .flags = PERF_ATTR_FREQ | PERF_ATTR_SAMPLE_ID_ALL | PERF_ATTR_MMAP |
				   PERF_ATTR_COMM },
		.ids = ids[0], .n_ids = 2, .name = "my-clock", .group_leader = 0,
	},
	{
		.attr = { .type = PERF_SOFTWARE, .config = PERF_SW_PAGE_FAULTS,
			  .sample_period = 1, .sample_type = SAMPLE_TYPE,
			  .read_format = PERF_FORMAT_ID, .flags = PERF_ATTR_SAMPLE_ID_ALL },
		.ids = ids[1], .n_ids = 2, .name = "page-faults:u", .group_leader = 0,
	},
};

static const struct perf_write_id trailer = { .sample_type = SAMPLE_TYPE, .time = 1000, .id = 101 };

static const struct perf_write_map kernel_map = {
	.pid = UINT32_MAX, .misc = PERF_MISC_KERNEL,
	.addr = 0xffff800080000000, .len = 0x1000000, .pgoff = 0xffff800080000000,
	.name = "[kernel.kallsyms]_text",
};

static const struct perf_write_map file_map = {
	.pid = 4711, .tid = 4711, .misc = PERF_MISC_USER, .addr = 0x400000, .len = 0x1000,
	.maj = 8, .min = 1, .ino = 99, .ino_generation = 7, .prot = 5, .flags = 2,
	.name = "/opt/nowhere/demo",
};

static const struct perf_write_map build_id_map = {
	.pid = 4711, .tid = 4711, .misc = PERF_MISC_USER, .addr = 0x500000, .len = 0x1000,
	.prot = 5, .flags = 2, .build_id = build_id, .build_id_size = 20,
	.name = "/opt/nowhere/libdemo.so",
};

/* As the kernel writes it: this part is not the writer's. */
static void write_sample(struct out *o, uint64_t id, uint64_t ip, uint64_t time)
{
	const struct perf_rec h = { PERF_REC_SAMPLE, PERF_MISC_USER, 56 };
	const uint64_t body[] = { id, ip, 4711 | UINT64_C(4712) << 32, time, 1, 1000 };

	out_bytes(o, &h, sizeof(h));
	out_bytes(o, body, sizeof(body));
}

static void write_records(struct out *o)
{
	const struct perf_write_index index[] = { { 101, 0, 0, UINT64_MAX },
						  { 202, 1, 1, UINT64_MAX } };

	perf_write_id_index(o, index, 2);
	perf_write_comm(o, &trailer, 4711, 4711, "demo");
	perf_write_fork(o, &trailer, &(struct perf_write_task){ 4711, 4711, 4712, 4711, 1000 });
	perf_write_comm(o, &trailer, 4711, 4712, "demo-thread");
	perf_write_mmap(o, &trailer, &kernel_map);
	perf_write_mmap2(o, &trailer, &file_map);
	perf_write_mmap2(o, &trailer, &build_id_map);
	perf_write_init_done(o);
	write_sample(o, 101, 0x400123, 2000);
	write_sample(o, 202, 0x500456, 3000);
	perf_write_lost(o, &trailer, 101, 55);
	perf_write_round(o);
	perf_write_exit(o, &trailer, &(struct perf_write_task){ 4711, 4711, 4712, 4711, 4000 });
}

static const struct perf_build_id build_ids[] = {
	{ .pid = -1, .cpumode = PERF_MISC_KERNEL, .size = 20, .id = { 0xaa, 0xbb },
	  .name = "[kernel.kallsyms]" },
	{ .pid = -1, .cpumode = PERF_MISC_USER, .size = 16, .id = { 0xcc, 0xdd },
	  .name = "/opt/nowhere/demo" },
};

static void fill_features(struct feature_set *s)
{
	static const char *const argv[] = { "sonde", "record", "-a" };
	static const struct feature_pmu pmus[] = { { 1, "software" }, { 8, "armv8_pmuv3_0" } };

	feature_build_ids(s, build_ids, 2);
	feature_pmus(s, pmus, 2);   /* not in the order of their numbers: the writer sorts */
	feature_string(s, PERF_FEAT_HOSTNAME, "board");
	feature_string(s, PERF_FEAT_OSRELEASE, "6.12.0");
	feature_string(s, PERF_FEAT_VERSION, "1.0");
	feature_string(s, PERF_FEAT_ARCH, "aarch64");
	feature_cpus(s, 8, 4);
	feature_string(s, PERF_FEAT_CPUDESC,
		       "Board of a rather long name, which needs more than sixty-four bytes");
	feature_string(s, PERF_FEAT_CPUID, "0x00000000410fd0c0");
	feature_u64(s, PERF_FEAT_TOTAL_MEM, 65536);
	feature_strings(s, PERF_FEAT_CMDLINE, argv, 3);
	feature_events(s, events, 2);
	feature_groups(s, events, 2);
	feature_sample_time(s, 2000, 3000);
	feature_u64(s, PERF_FEAT_CLOCKID, 1);
	feature_clock_data(s, 1, UINT64_C(1700000000000000000), 5000);
}

static struct bytes written_file(struct mem_out *m)
{
	struct feature_set s;
	struct perf_write_end end = { 0 };
	uint64_t data = perf_write_data_off(events, 2);

	perf_write_header(&m->out, events, 2);
	CHECK_EQ(m->out.total, data);
	write_records(&m->out);
	end.data_size = m->out.total - data;
	feature_set_init(&s);
	fill_features(&s);
	CHECK_EQ(feature_write_file(&s, &m->out, m->out.total), 0);
	memcpy(end.features, s.bits, sizeof(end.features));
	feature_set_deinit(&s);
	mem_out_str(m);
	perf_write_head((uint8_t *)m->v, events, 2, &end);
	return (struct bytes){ guard_dup(m->v, m->n), m->n };
}

static struct bytes written_pipe(struct mem_out *m)
{
	struct feature_set s;

	perf_write_pipe(&m->out);
	for (unsigned i = 0; i < 2; i++) {
		perf_write_attr(&m->out, &events[i]);
		perf_write_update_text(&m->out, PERF_UPDATE_NAME, ids[i][0], events[i].name);
	}
	feature_set_init(&s);
	fill_features(&s);
	CHECK_EQ(feature_write_pipe(&s, &m->out), 0);
	feature_set_deinit(&s);
	write_records(&m->out);
	perf_write_build_id(&m->out, &build_ids[0]);
	perf_write_build_id(&m->out, &build_ids[1]);
	mem_out_str(m);
	return (struct bytes){ guard_dup(m->v, m->n), m->n };
}

static void check_header(const struct perf_file *f)
{
	CHECK_EQ(f->head.notes.n, 0);
	CHECK_EQ(f->head.events.n, 2);
	CHECK_EQ(f->head.events.v[0].attr.size, f->pipe ? PERF_ATTR_VER8 : PERF_ATTR_VER5);
	CHECK_EQ(f->head.events.v[0].attr.sample_max_stack, 127);
	CHECK_EQ(f->head.events.v[1].group_leader, 0);
	CHECK_STR(f->head.events.v[0].label, "my-clock");
	CHECK_STR(f->head.events.v[1].label, "page-faults:u");
	CHECK_EQ(f->head.ids.n, 4);
	CHECK_STR(f->head.hostname, "board");
	CHECK_STR(f->head.release, "6.12.0");
	CHECK_STR(f->head.version, "1.0");
	CHECK_STR(f->head.arch, "aarch64");
	CHECK_STR(f->head.cpuid, "0x00000000410fd0c0");
	CHECK_STR(f->head.cpudesc,
		  "Board of a rather long name, which needs more than sixty-four bytes");
	CHECK_EQ(f->head.cpus_available, 8);
	CHECK_EQ(f->head.cpus_online, 4);
	CHECK_EQ(f->head.cmdline.n, 3);
	CHECK_STR(f->head.cmdline.v[2], "-a");
	CHECK_EQ(f->head.build_ids.n, 2);
	CHECK_STR(f->head.build_ids.v[1].name, "/opt/nowhere/demo");
	CHECK_EQ(f->head.build_ids.v[1].size, 16);
	CHECK_EQ(f->head.build_ids.v[1].id[1], 0xdd);
	CHECK_EQ(f->head.build_ids.v[1].pid, -1);
}

/* Every record's size is a multiple of 8, and its trailer is where it belongs. */
static void check_records(const struct perf_file *f)
{
	static const uint8_t want[] = {
		PERF_REC_ID_INDEX, PERF_REC_COMM,   PERF_REC_FORK,  PERF_REC_COMM,
		PERF_REC_MMAP,	   PERF_REC_MMAP2,  PERF_REC_MMAP2, PERF_REC_FINISHED_INIT,
		PERF_REC_SAMPLE,   PERF_REC_SAMPLE, PERF_REC_LOST,  PERF_REC_FINISHED_ROUND,
		PERF_REC_EXIT,
	};
	struct perf_record r;
	struct sample s;
	struct err e;
	size_t n = 0;

	for (uint64_t off = f->data_off; perf_file_next(f, &off, &r, &e) > 0; ) {
		CHECK_EQ(off % 8, 0);
		if (n == ARRAY_SIZE(want) || r.type != want[n])
			continue;   /* pipe: header records, build ids */
		n++;
		if (r.type >= PERF_REC_USER || r.type == PERF_REC_SAMPLE)
			continue;
		CHECK_EQ(sample_decode_trailer(&f->head.events.v[0].layout, r.body, &s, &e), 0);
		CHECK_EQ(s.time, 1000);
		CHECK_EQ(s.id, 101);
	}
	CHECK_EQ(n, ARRAY_SIZE(want));
}

static void check_both(struct bytes (*written)(struct mem_out *m))
{
	struct mem_out m;
	struct perf_file f;
	struct err e = { 0 };

	mem_out_init(&m);

	int err = perf_file_init(&f, written(&m), NULL, &e);

	CHECK_EQ(err, 0);
	if (!err) {
		check_header(&f);
		check_records(&f);
		perf_file_deinit(&f);
	}
	mem_out_deinit(&m);
}

TEST(perf_write_file_is_read_back)
{
	check_both(written_file);
}

TEST(perf_write_pipe_is_read_back)
{
	check_both(written_pipe);
}

TEST(perf_write_attr_size_is_the_oldest_that_has_all)
{
	struct perf_write_event ev[2] = { 0 };

	CHECK_EQ(perf_write_attr_size(ev, 2), PERF_ATTR_VER0);
	ev[1].attr.config1 = 1;
	CHECK_EQ(perf_write_attr_size(ev, 2), PERF_ATTR_VER0);
	ev[1].attr.config2 = 1;
	CHECK_EQ(perf_write_attr_size(ev, 2), PERF_ATTR_VER1);
	ev[0].attr.sample_regs_intr = 1;
	CHECK_EQ(perf_write_attr_size(ev, 2), PERF_ATTR_VER4);
	ev[0].attr.sample_max_stack = 1;
	CHECK_EQ(perf_write_attr_size(ev, 2), PERF_ATTR_VER5);
	ev[0].attr.config3 = 1;
	CHECK_EQ(perf_write_attr_size(ev, 2), PERF_ATTR_VER8);
}

/* Behind a shorter one perf 6.1 takes ids for what its own attributes have there, and falls. */
TEST(perf_write_attr_of_a_pipe_has_all_bytes)
{
	const uint64_t id[] = { 7, 8 };
	struct perf_write_event ev = { .ids = id, .n_ids = 2 };
	struct mem_out m;
	struct perf_rec head;
	struct perf_attr attr;

	mem_out_init(&m);
	perf_write_attr(&m.out, &ev);
	mem_out_str(&m);
	CHECK_EQ(m.n, sizeof(head) + PERF_ATTR_VER8 + sizeof(id));
	memcpy(&head, m.v, sizeof(head));
	memcpy(&attr, m.v + sizeof(head), sizeof(attr));
	CHECK_EQ(head.size, m.n);
	CHECK_EQ(attr.size, PERF_ATTR_VER8);
	CHECK(!memcmp(m.v + sizeof(head) + PERF_ATTR_VER8, id, sizeof(id)));
	mem_out_deinit(&m);
}

TEST(perf_write_unfinished_file_still_gives_its_records)
{
	struct mem_out m;
	struct perf_file f;
	struct err e;

	mem_out_init(&m);
	perf_write_header(&m.out, events, 2);
	write_records(&m.out);
	mem_out_str(&m);
	CHECK_EQ(perf_file_init(&f, (struct bytes){ guard_dup(m.v, m.n), m.n }, NULL, &e), 0);
	CHECK_EQ(f.head.notes.n, 1);
	check_records(&f);
	perf_file_deinit(&f);
	mem_out_deinit(&m);
}

TEST(perf_write_cuts_names_that_do_not_fit)
{
	static char name[70000];
	struct mem_out m;

	memset(name, 'x', sizeof(name) - 1);
	mem_out_init(&m);
	perf_write_comm(&m.out, &(struct perf_write_id){ 0 }, 1, 1, name);
	CHECK_EQ(m.out.total, 8 + 8 + 4096);
	mem_out_deinit(&m);
}

/* --- perf as the reader ----------------------------------------------------------------------- */

/* Output of a command line in which %s is the written file; errors included. */
static char *run(const char *command, struct bytes (*written)(struct mem_out *m))
{
	static char text[16384];
	char path[] = "/tmp/perf_write_XXXXXX", line[512];
	int fd = mkstemp(path);
	struct mem_out m;

	mem_out_init(&m);

	struct bytes b = written(&m);

	if (fd < 0 || write(fd, b.p, b.n) != (ssize_t)b.n)
		t_fail(__FILE__, __LINE__, "cannot write %s", path);
	close(fd);
	mem_out_deinit(&m);
	snprintf(line, sizeof(line), command, path);

	FILE *p = popen(line, "r");
	size_t n = p ? fread(text, 1, sizeof(text) - 1, p) : 0;

	if (p)
		pclose(p);
	unlink(path);
	text[n] = '\0';
	return text;
}

static void need_perf(void)
{
	if (system("perf --version >/dev/null 2>&1"))
		SKIP("perf is not installed");
}

static void check_line(const char *text, const char *line)
{
	if (!strstr(text, line))
		t_fail(__FILE__, __LINE__, "perf does not say \"%s\" but\n%s", line, text);
}

TEST(perf_write_file_is_what_perf_reads)
{
	need_perf();

	char *text = run("perf script -F comm,pid,tid,cpu,time,event,ip,dso --ns -i %s 2>&1",
			 written_file);

	check_line(text, "demo-thread  4711/4712  [001]     0.000002000:      my-clock:            "
			 "400123 (/opt/nowhere/demo)");
	check_line(text, "demo-thread  4711/4712  [001]     0.000003000: page-faults:u:            "
			 "500456 (/opt/nowhere/libdemo.so)");
	check_line(run("perf evlist -g -i %s 2>&1", written_file), "{my-clock,page-faults:u}");
	text = run("perf evlist -v -i %s 2>&1", written_file);
	check_line(text, "my-clock: type: 1, size: 112");
	check_line(text, "sample_type: IP|TID|TIME|CPU|PERIOD|IDENTIFIER");
	text = run("perf buildid-list -i %s 2>&1", written_file);
	check_line(text, "aabb000000000000000000000000000000000000 [kernel.kallsyms]\n");
	check_line(text, "ccdd0000000000000000000000000000         /opt/nowhere/demo\n");
	check_line(run("perf report --stats -i %s 2>&1", written_file), "LOST events:          1");
}

TEST(perf_write_features_are_what_perf_reads)
{
	need_perf();

	char *text = run("perf report --header-only -i %s 2>&1", written_file);

	check_line(text, "# hostname : board\n# os release : 6.12.0\n# perf version : 1.0\n# arch "
			 ": aarch64\n"
			 "# nrcpus online : 4\n# nrcpus avail : 8\n");
	check_line(text, "# cpuid : 0x00000000410fd0c0\n# total memory : 65536 kB\n# cmdline : "
			 "sonde record -a \n");
	check_line(text, "# event : name = my-clock, , id = { 101, 102 }, type = 1, size = 112");
	check_line(text, "# pmu mappings: software = 1, armv8_pmuv3_0 = 8");
	check_line(text, "# group: {my-clock,page-faults:u}");
	check_line(text, "# time of first sample : 0.000002\n# time of last sample : 0.000003");
	check_line(text, "# clockid frequency: 1000 MHz\n");
	check_line(text, " = 1700000000.000000 (TOD) = 0.000005000 (monotonic)");
}

TEST(perf_write_pipe_is_what_perf_reads)
{
	need_perf();

	char *text =
		run("perf script -F comm,tid,time,event,ip,dso --ns -i - < %s 2>&1", written_pipe);

	check_line(text, "demo-thread  4712     0.000002000:      my-clock:            400123 "
			 "(/opt/nowhere/demo)");
	check_line(text, "demo-thread  4712     0.000003000: page-faults:u:            500456 "
			 "(/opt/nowhere/libdemo.so)");
	check_line(run("perf report --header --stdio -i - < %s 2>&1", written_pipe),
		   "# hostname : board");
}

/* One sched_switch with a recorded machine's formats; without EVENT_DESC the name is theirs. */
struct switched {
	struct perf_file from;
	struct perf_write_event ev;
	uint64_t id;
};

static void switched_init(struct switched *w)
{
	struct err e;
	size_t n;
	char *p = t_read("data/perf/multi.data", &n);

	CHECK_EQ(perf_file_init(&w->from, (struct bytes){ (uint8_t *)p, n }, NULL, &e), 0);
	w->id = 301;
	w->ev = (struct perf_write_event){
		.attr = { .type = PERF_TRACEPOINT, .config = w->from.head.events.v[1].attr.config,
			  .sample_period = 1, .flags = PERF_ATTR_SAMPLE_ID_ALL,
			  .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID |
					 PERF_SAMPLE_TIME | PERF_SAMPLE_RAW },
		.ids = &w->id, .n_ids = 1,
	};
}

static void write_switch(struct out *o, const struct switched *w)
{
	const struct perf_rec h = { PERF_REC_SAMPLE, PERF_MISC_KERNEL, 8 + 24 + 4 + 68 };
	const uint64_t body[] = { w->id, 4711 | UINT64_C(4711) << 32, 5000 };
	const uint32_t size = 68;
	uint8_t raw[68] = { 0 };

	memcpy(raw, &w->ev.attr.config, 2);
	memcpy(raw + 8, "before", 6);
	memcpy(raw + 40, "after", 5);
	out_bytes(o, &h, sizeof(h));
	out_bytes(o, body, sizeof(body));
	out_bytes(o, &size, sizeof(size));
	out_bytes(o, raw, sizeof(raw));
}

static struct bytes written_switch(struct mem_out *m)
{
	struct switched w;
	struct feature_set s;
	struct perf_write_end end = { 0 };

	switched_init(&w);
	perf_write_header(&m->out, &w.ev, 1);
	write_switch(&m->out, &w);
	end.data_size = m->out.total - perf_write_data_off(&w.ev, 1);
	feature_set_init(&s);
	feature_string(&s, PERF_FEAT_HOSTNAME, "board");
	feature_tracing(&s, w.from.head.tracing);
	CHECK_EQ(feature_write_file(&s, &m->out, m->out.total), 0);
	memcpy(end.features, s.bits, sizeof(end.features));
	feature_set_deinit(&s);
	mem_out_str(m);
	perf_write_head((uint8_t *)m->v, &w.ev, 1, &end);
	return (struct bytes){ guard_dup(m->v, m->n), m->n };
}

static struct bytes piped_switch(struct mem_out *m)
{
	struct switched w;

	switched_init(&w);
	perf_write_pipe(&m->out);
	perf_write_attr(&m->out, &w.ev);
	perf_write_tracing(&m->out, w.from.head.tracing);
	write_switch(&m->out, &w);
	mem_out_str(m);
	return (struct bytes){ guard_dup(m->v, m->n), m->n };
}

static void check_switch(struct bytes (*written)(struct mem_out *m))
{
	struct mem_out m;
	struct perf_file f;
	struct err e;

	mem_out_init(&m);
	CHECK_EQ(perf_file_init(&f, written(&m), NULL, &e), 0);
	CHECK_STR(f.head.events.v[0].label, "sched:sched_switch");
	perf_file_deinit(&f);
	mem_out_deinit(&m);
}

TEST(perf_write_tracing_data_is_read_back)
{
	check_switch(written_switch);
	check_switch(piped_switch);
}

TEST(perf_write_tracing_data_is_what_perf_reads)
{
	need_perf();
	check_line(run("perf script -F event,trace -i %s 2>&1", written_switch),
		   "sched:sched_switch: prev_comm=before");
	check_line(run("perf script -F event,trace -i - < %s 2>&1", piped_switch),
		   "sched:sched_switch: prev_comm=before");
}
