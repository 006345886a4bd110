/* A recording on a kernel that is a table of answers: option to attribute, rings, wrap, losses, rounds. */
#include "arch/arch.h"
#include "cmd/record/want.h"
#include "event_env.h"
#include "record/newest.h"
#include "record/recording.h"

#include <poll.h>
#include <sys/uio.h>

enum { PAGE = 4096, OPENS_MAX = 128, FIRST_FD = 500 };

struct open_call {
	struct perf_attr attr;
	int pid, cpu, group;
	unsigned long flags;
};

/* The fake kernel. */
static struct {
	struct open_call calls[OPENS_MAX];
	int n_opens, n_open;         /* ever, now */
	size_t mappings, most_pages; /* now; a ring of more pages is EPERM, 0: any */
	size_t most_mapped;          /* bytes of all rings together, above it EPERM; 0: any */
	size_t mapped;
	int dead_tid, dead_output;
	unsigned enables, set_outputs, pauses;
	uint8_t *ring[8];            /* mapped pages by order */
	size_t ring_size[8], n_rings;
	short revents[OPENS_MAX];    /* of descriptor - FIRST_FD */
	uint64_t lost;               /* what a read tells */
	uint8_t file[65536];
	size_t n_file;
} k;

static int fake_perf(const struct sys *s UNUSED, struct perf_attr *a, int pid, int cpu, int group, unsigned long flags)
{
	if (pid == k.dead_tid && pid)
		return -ESRCH;
	k.calls[k.n_opens] = (struct open_call){ *a, pid, cpu, group, flags };
	k.n_open++;
	return FIRST_FD + k.n_opens++;
}

static int fake_close(const struct sys *s UNUSED, int fd)
{
	k.n_open -= fd >= FIRST_FD;
	return 0;
}

static int fake_ioctl(const struct sys *s UNUSED, int fd, unsigned long request, uintptr_t arg)
{
	uint64_t id = (uint64_t)fd;

	if (request == PERF_IOC_ID)
		memcpy((void *)arg, &id, sizeof(id));
	k.enables += request == PERF_IOC_ENABLE;
	k.set_outputs += request == PERF_IOC_SET_OUTPUT;
	k.pauses += request == PERF_IOC_PAUSE;
	return 0;
}

static int fake_mmap(const struct sys *s UNUSED, void **p, size_t n, int prot UNUSED, int flags UNUSED, int fd UNUSED,
		     uint64_t off UNUSED)
{
	uint64_t data_off = PAGE, size = n - PAGE;
	uint8_t *m;

	if ((k.most_pages && n / PAGE - 1 > k.most_pages) || (k.most_mapped && k.mapped + n > k.most_mapped))
		return -EPERM;
	m = aligned_alloc(PAGE, n);
	memset(m, 0, n);
	memcpy(m + PERF_PAGE_DATA_OFFSET, &data_off, 8);
	memcpy(m + PERF_PAGE_DATA_SIZE, &size, 8);
	k.ring[k.n_rings] = m;
	k.ring_size[k.n_rings++] = size;
	k.mappings++;
	k.mapped += n;
	*p = m;
	return 0;
}

static int fake_munmap(const struct sys *s UNUSED, void *p, size_t n)
{
	k.mappings--;
	k.mapped -= n;
	k.n_rings = k.mappings ? k.n_rings : 0;
	free(p);
	return 0;
}

static int fake_poll(const struct sys *s UNUSED, struct pollfd *fds, size_t n, int ms UNUSED)
{
	int ready = 0;

	for (size_t i = 0; i < n; i++) {
		fds[i].revents = fds[i].fd >= FIRST_FD ? k.revents[fds[i].fd - FIRST_FD] : 0;
		ready += fds[i].revents != 0;
	}
	return ready;
}

static long fake_page_size(const struct sys *s UNUSED)
{
	return PAGE;
}

static unsigned fake_uid(const struct sys *s UNUSED)
{
	return 1000;
}

static ssize_t fake_read(const struct sys *s UNUSED, int fd, void *p, size_t n)
{
	uint64_t v[5] = { 77, 0, 0, 0, 0 };

	CHECK(n <= sizeof(v));
	v[n / 8 - 1] = k.lost;
	v[n / 8 - 2] = (uint64_t)fd;
	memcpy(p, v, n);
	return (ssize_t)n;
}

static ssize_t fake_writev(const struct sys *s UNUSED, int fd UNUSED, const struct iovec *v, int n)
{
	size_t before = k.n_file;

	for (int i = 0; i < n; i++) {
		memcpy(k.file + k.n_file, v[i].iov_base, v[i].iov_len);
		k.n_file += v[i].iov_len;
	}
	return (ssize_t)(k.n_file - before);
}

static int fake_each(const struct sys *s UNUSED, const char *path UNUSED, int (*each)(void *, const char *) UNUSED,
		     void *arg UNUSED)
{
	return -ENOENT;
}

static int fake_path(const struct sys *s UNUSED, const char *path UNUSED, int mode UNUSED)
{
	return -ENOENT;
}

static int fake_open(const struct sys *s UNUSED, const char *path UNUSED, int flags UNUSED, unsigned mode UNUSED)
{
	return -ENOENT;
}

static uint64_t fake_now(const struct sys *s UNUSED, int clockid UNUSED)
{
	return 1;
}

static const struct sys fake = {
	.root = "",
	.now = fake_now,
	.perf_event_open = fake_perf,
	.close = fake_close,
	.ioctl = fake_ioctl,
	.mmap = fake_mmap,
	.munmap = fake_munmap,
	.poll = fake_poll,
	.page_size = fake_page_size,
	.uid = fake_uid,
	.read = fake_read,
	.writev = fake_writev,
	.each_entry = fake_each,
	.access = fake_path,
	.open = fake_open,
};

static struct record_want want;
static struct machine m;
static struct target target;
static struct recording rec;
static struct sink sink;
static struct err err;

/* Split at blanks: argv of the options. */
static int options(const char *text)
{
	static char copy[300];
	static char *words[40] = { copy };
	int n = 1;

	memset(&want, 0, sizeof(want));
	snprintf(copy, sizeof(copy), "%s", text);
	for (char *p = copy; *p; ) {
		words[n++] = p;
		p += strcspn(p, " ");
		if (*p)
			*p++ = '\0';
	}

	int r = opt_parse(record_opts, &want, n, words, &err);

	return r < 0 ? r : record_want_check(&want, &err);
}

/* Open what the options say on the fake kernel, for CPUs 0 and 2. */
static int open_all(const char *text, enum target_kind kind)
{
	struct recording_want rw = { .target = &target, .child = 42 };

	machine_init(&m, "biglittle");
	if (options(text))
		return -EINVAL;
	for (size_t i = 0; i < want.events.n; i++)
		CHECK_EQ(event_parse(&m.list, want.events.v[i].text, m.env, &err), 0);
	target.kind = kind;
	cpus_set(&target.cpus, 0);
	cpus_set(&target.cpus, 2);
	cpus_set(&target.online, 0);
	cpus_set(&target.online, 2);
	rw.sampling = want.sampling;
	rw.sampling.freq = want.pace.freq;
	rw.sampling.inherit = !want.target.no_inherit;
	if (kind == TARGET_COMMAND)
		rw.sampling.on_exec = want.target.delay ? SAMPLING_TRACKER_ON_EXEC : SAMPLING_ALL_ON_EXEC;
	rw.newest_only = want.ring.overwrite;
	rw.tracker = want.ring.overwrite ? (int)want.events.n - 1 : 0;
	rw.ring_bytes = want.ring.pages ? want.ring.pages * PAGE : want.ring.bytes;
	return recording_open(&rec, &fake, &m.list, &rw, &err);
}

static void close_all(void)
{
	recording_close(&rec);
	machine_deinit(&m);
	CHECK_EQ(k.n_open, 0);
	CHECK_EQ(k.mappings, 0);
}

/* "field value; ..." of the attribute of an event, without its size. Names of several words stand in braces. */
static const char *attr_text(size_t event)
{
	static char text[1200];
	struct mem_out o;
	struct sv rest, line;
	size_t n = 0;

	mem_out_init(&o);
	attr_print(&rec.attrs[event], &o.out);
	rest = sv_from(mem_out_str(&o));
	text[0] = '\0';
	while (sv_cut(&rest, '\n', &line)) {
		const char *gap;

		line = sv_trim(line);
		gap = line.n ? memmem(line.s, line.n, "  ", 2) : NULL;
		if (!gap && sv_starts(line, "{"))
			gap = (const char *)memchr(line.s, '}', line.n) + 1;
		if (!gap || sv_starts(line, "size"))
			continue;

		struct sv value = sv_trim((struct sv){ gap, line.n - (size_t)(gap - line.s) });

		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%.*s %.*s", n ? "; " : "", (int)(gap - line.s),
				      line.s, (int)value.n, value.s);
	}
	mem_out_deinit(&o);
	return text;
}

#define RATE(v) "{ sample_period, sample_freq } " v "; "
#define KEPT "IP|TID|TIME|"
#define READ "read_format ID|LOST; disabled 1; "
#define BEFORE "mmap 1; comm 1; "
#define FREQ "freq 1; "
#define STARTED "enable_on_exec 1; task 1; "
#define EXEC "sample_id_all 1; exclude_guest 1; mmap2 1; comm_exec 1"
#define BPF "; ksymbol 1; bpf_event 1"
#define AFTER EXEC BPF
#define CLOCK "type 1; " RATE("4000")
#define HEAD READ "inherit 1; " BEFORE FREQ STARTED
#define TAIL HEAD AFTER

/* The stack pointer's bit, see with_links. */
#define SP "^"

/* What call chains need where a call leaves its return address in a register, see with_links. */
#define CHAIN "CALLCHAIN|CPU|PERIOD|@IDENTIFIER; "
#define LINK "~"

/* Compared with what `perf record -vv` asks for; beside that every sample has CPU and IDENTIFIER. */
static const struct {
	const char *options, *text;
} lines[] = {
	{"-e cpu-clock", CLOCK "sample_type " KEPT "CPU|PERIOD|IDENTIFIER; " TAIL},
	{"-e cpu-clock -F 99", "type 1; " RATE("99") "sample_type " KEPT "CPU|PERIOD|IDENTIFIER; " TAIL},
	{"-e page-faults -c 1", "type 1; config 0x2; " RATE("1") "sample_type " KEPT "CPU|IDENTIFIER; " READ
								 "inherit 1; " BEFORE STARTED AFTER},
	{"-e cpu-clock -F 99 -c 5",
	 "type 1; " RATE("5") "sample_type " KEPT "CPU|IDENTIFIER; " READ "inherit 1; " BEFORE STARTED AFTER},
	{"-e cpu-clock/freq=7/ -c 5", "type 1; " RATE("7") "sample_type " KEPT "CPU|PERIOD|IDENTIFIER; " TAIL},
	{"-e cpu-clock -g", CLOCK "sample_type " KEPT CHAIN TAIL LINK},
	{"-e cpu-clock --call-graph fp --max-stack 16",
	 CLOCK "sample_type " KEPT CHAIN TAIL LINK "; sample_max_stack 16"},
	{"-e cpu-clock -g --call-graph no", CLOCK "sample_type " KEPT "CPU|PERIOD|IDENTIFIER; " TAIL},
	{"-e cpu-clock --user-callchains",
	 CLOCK "sample_type " KEPT CHAIN READ "inherit 1; " BEFORE FREQ STARTED
	       "sample_id_all 1; exclude_guest 1; exclude_callchain_kernel 1; mmap2 1; comm_exec 1" BPF LINK},
	{"-e cpu-clock:u -g", CLOCK
	 "sample_type " KEPT CHAIN READ "inherit 1; exclude_kernel 1; "
	 "exclude_hv 1; " BEFORE FREQ STARTED "sample_id_all 1; exclude_guest 1; exclude_callchain_kernel 1; mmap2 1; "
	 "comm_exec 1" BPF LINK},
	{"-e cpu-clock -d", CLOCK "sample_type " KEPT "ADDR|CPU|PERIOD|DATA_SRC|IDENTIFIER; " READ
				  "inherit 1; " BEFORE FREQ STARTED "mmap_data 1; " AFTER},
	{"-e cpu-clock -W --phys-data", CLOCK "sample_type " KEPT "CPU|PERIOD|WEIGHT|IDENTIFIER|PHYS_ADDR; " TAIL},
	{"-e cpu-clock -R", CLOCK "sample_type " KEPT "CPU|PERIOD|RAW|IDENTIFIER; " TAIL},
	{"-e cpu-clock -i", CLOCK "sample_type " KEPT "CPU|PERIOD|IDENTIFIER; " READ BEFORE FREQ STARTED AFTER},
	{"-e cpu-clock --per-thread",
	 CLOCK "sample_type " KEPT "CPU|PERIOD|IDENTIFIER; " READ BEFORE FREQ STARTED AFTER},
	{"-e cpu-clock -s",
	 CLOCK "sample_type " KEPT "CPU|PERIOD|IDENTIFIER; read_format TOTAL_TIME_ENABLED|"
	       "TOTAL_TIME_RUNNING|ID|LOST; disabled 1; inherit 1; " BEFORE FREQ "inherit_stat 1; " STARTED AFTER},
	{"-e cpu-clock -n", "type 1; sample_type " KEPT "CPU|PERIOD|IDENTIFIER; " TAIL},
	{"-e cpu-clock -c 5 -P", "type 1; " RATE("5") "sample_type " KEPT "CPU|PERIOD|IDENTIFIER; " READ
				 "inherit 1; " BEFORE STARTED AFTER},
	{"-e cpu-clock -k mono", CLOCK "sample_type " KEPT "CPU|PERIOD|IDENTIFIER; " HEAD EXEC "; use_clockid 1" BPF
				  "; clockid 1"},
	{"-e cpu-clock -b",
	 CLOCK "sample_type " KEPT "CPU|PERIOD|BRANCH_STACK|IDENTIFIER; " TAIL "; branch_sample_type 0x8"},
	{"-e cpu-clock -j u",
	 CLOCK "sample_type " KEPT "CPU|PERIOD|BRANCH_STACK|IDENTIFIER; " TAIL "; branch_sample_type 0x9"},
	{"-e cpu-clock --no-buffering",
	 CLOCK "sample_type " KEPT "CPU|PERIOD|IDENTIFIER; " TAIL "; { wakeup_events, wakeup_watermark } 1"},
	{"-e cpu-clock --switch-events --namespaces",
	 CLOCK "sample_type " KEPT "CPU|PERIOD|IDENTIFIER; " HEAD EXEC "; context_switch 1; namespaces 1" BPF},
	{"-e cpu-clock --switch-output=1h --control fd:1", CLOCK "sample_type " KEPT "CPU|PERIOD|IDENTIFIER; " TAIL},
	{"-e cpu-clock --user-regs=sp --intr-regs=sp",
	 CLOCK "sample_type " KEPT "CPU|PERIOD|REGS_USER|IDENTIFIER|REGS_INTR; " TAIL "; sample_regs_user " SP
	       "; sample_regs_intr " SP},
	{"-e cpu-clock --all-cgroups",
	 CLOCK "sample_type " KEPT "CPU|PERIOD|IDENTIFIER|CGROUP; " HEAD AFTER "; cgroup 1"},
	{"-e cpu-clock --no-bpf-event", CLOCK "sample_type " KEPT "CPU|PERIOD|IDENTIFIER; " HEAD EXEC "; ksymbol 1"},
};

/* An expected text with what CHAIN and LINK mean on this machine. */
static const char *with_links(const char *text)
{
	static char buf[1024];
	const struct arch *a = arch_native();
	bool has = a->frame;
	size_t n = 0;

	for (; *text; text++) {
		const char *put = *text == '@' ? "REGS_USER|" : *text == '~' ? "; sample_regs_user 0x40000000" : NULL;

		if (put)
			n += (size_t)snprintf(buf + n, sizeof(buf) - n, "%s", has ? put : "");
		else if (*text == '^')
			n += (size_t)snprintf(buf + n, sizeof(buf) - n, "0x%llx",
					      1ull << a->regs[a->reg_sp].perf_bit);
		else
			buf[n++] = *text;
	}
	buf[n] = '\0';
	return buf;
}

TEST(recording_options_become_attributes)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		int r = open_all(lines[i].options, TARGET_COMMAND);

		CHECK_EQ(r, 0);
		if (r)
			continue;
		CHECK_STR(attr_text(0), with_links(lines[i].text));
		close_all();
	}
}

TEST(recording_refuses_what_it_cannot_do)
{
	static const char *const bad[] = {
		"-F 0", "-F x", "-c 0", "-m 0", "-m 1x", "-m 9999999999",
		"--call-graph dwarf,65529",
		"--call-graph lbr",
		"--call-graph fpx",
		"--switch-output=5",
		"--switch-output=0M",
		"--switch-output=soon",
		"--switch-output=99999999999d",
		"--switch-output -o -",
		"--timestamp-filename -o -",
		"--switch-max-files 3",
		"--overwrite --switch-output=1M",
		"-S",
		"--user-regs=?",
		"--intr-regs=pc,lr,q0",
		"--kcore",
		"-k moon",
		"-j sideways",
		"--synth some",
		"--max-stack 1025",
		"--timeout 99999999999",
		"--all-user --all-kernel",
		"--user-callchains --kernel-callchains",
		"-D -1",
		"--filter x",
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		err.text[0] = '\0';
		CHECK_EQ(options(bad[i]), -EINVAL);
		CHECK(err.text[0]);
	}
}

TEST(recording_ring_sizes)
{
	CHECK_EQ(options("-m 128,64"), 0);
	CHECK_EQ(want.ring.pages, 128);
	CHECK_EQ(options("-m 64K"), 0);
	CHECK_EQ(want.ring.bytes, 65536);
	CHECK_EQ(want.ring.pages, 0);
	CHECK_EQ(open_all("-e cpu-clock -m 3", TARGET_CPUS), 0);
	CHECK_EQ(rec.ring_pages, 4);
	close_all();
	CHECK_EQ(open_all("-e cpu-clock -m 1", TARGET_CPUS), 0);
	CHECK_EQ(rec.ring_pages, 1);
	close_all();
	CHECK_EQ(open_all("-e cpu-clock", TARGET_CPUS), 0);
	CHECK_EQ(rec.ring_pages, 128);
	CHECK_EQ(rec.rings.n, 2);
	close_all();
}

/* The first CPU's ring fits, the second one's does not: both become smaller. */
TEST(recording_rings_shrink_together_below_the_limit_of_locked_memory)
{
	k.most_mapped = 600 * 1024;
	CHECK_EQ(open_all("-e cpu-clock", TARGET_CPUS), 0);
	CHECK_EQ(rec.ring_pages, 64);
	CHECK_EQ(rec.rings.n, 2);
	CHECK(rec.pages_reduced);
	close_all();
	k.most_mapped = 10 * 1024;
	CHECK_EQ(open_all("-e cpu-clock", TARGET_CPUS), -EPERM);
	CHECK_EQ(k.n_open, 0);
	CHECK_EQ(k.mappings, 0);
}

TEST(recording_a_ring_of_the_size_asked_for_or_none)
{
	k.most_pages = 8;
	CHECK_EQ(open_all("-e cpu-clock -m 16", TARGET_CPUS), -EPERM);
	CHECK_EQ(k.n_open, 0);
	CHECK_EQ(open_all("-e cpu-clock -m 8", TARGET_CPUS), 0);
	close_all();
}

TEST(recording_one_ring_per_cpu_shared_by_events_and_tasks)
{
	static int tids[] = { 7, 8, 9 };

	k.dead_tid = 8;
	target.tids.v = tids;
	target.tids.n = 3;
	CHECK_EQ(open_all("-e cpu-clock -e page-faults", TARGET_TASKS), 0);
	CHECK_EQ(k.n_opens, 2 * 2 * 2);
	CHECK_EQ(rec.rings.n, 2);
	CHECK_EQ(k.set_outputs, 2 * 2 * 2 - 2);
	CHECK_EQ(k.calls[0].pid, 7);
	CHECK_EQ(k.calls[1].pid, 9);
	CHECK_EQ(k.calls[2].cpu, 2);
	close_all();
}

/* As perf 6.12 and later: a task of CPU 1 may have been on CPU 0 when it was named and its files were mapped. */
TEST(recording_side_records_come_from_all_cpus)
{
	cpus_set(&target.online, 1);
	CHECK_EQ(open_all("-C 0,2 -e dummy -e cpu-clock", TARGET_CPUS), 0);
	CHECK_EQ(k.n_opens, 3 + 2);
	CHECK_EQ(rec.rings.n, 3);
	CHECK_EQ(k.calls[1].cpu, 1);
	close_all();
	/* Nobody's: they are what was asked for. */
	k.n_opens = 0;
	CHECK_EQ(open_all("-C 0,2 -e dummy", TARGET_CPUS), 0);
	CHECK_EQ(k.n_opens, 2);
	close_all();
}

TEST(recording_tasks_that_are_all_gone)
{
	static int tid = 8;

	k.dead_tid = 8;
	target.tids.v = &tid;
	target.tids.n = 1;
	CHECK_EQ(open_all("-e cpu-clock", TARGET_TASKS), -ESRCH);
	CHECK_STR(err.text, "the tasks to watch have all ended");
}

TEST(recording_groups_are_opened_on_their_leader)
{
	CHECK_EQ(open_all("-e {cpu-clock,page-faults}:S", TARGET_CPUS), 0);
	CHECK_EQ(k.calls[0].group, -1);
	CHECK_EQ(k.calls[2].group, FIRST_FD);
	CHECK_EQ(k.calls[3].group, FIRST_FD + 1);
	CHECK_EQ(k.calls[2].attr.sample_period, 0);
	CHECK(k.calls[0].attr.flags & PERF_ATTR_DISABLED);
	CHECK(!(k.calls[2].attr.flags & PERF_ATTR_DISABLED));
	close_all();
}

/* The A53 are CPUs 0 to 3: of the chosen 0 and 2 both, of the A73's none. */
TEST(recording_an_event_of_other_cores_is_not_opened)
{
	CHECK_EQ(open_all("-e armv8_cortex_a53/cpu_cycles/", TARGET_CPUS), 0);
	CHECK_EQ(k.n_opens, 2);
	close_all();
	CHECK_EQ(open_all("-e armv8_cortex_a73/cpu_cycles/", TARGET_CPUS), -ENODEV);
	CHECK_EQ(k.n_open, 0);
}

/* --- the rings --- */

/* Write a record of n bytes into ring r at the free-running position pos, as the kernel does: across its end. */
static uint64_t put(size_t r, uint64_t pos, uint32_t type, uint16_t misc, const void *body, size_t n)
{
	uint8_t bytes[512] = { 0 };
	struct perf_rec h = { .type = type, .misc = misc, .size = (uint16_t)(sizeof(h) + n) };

	memcpy(bytes, &h, sizeof(h));
	memcpy(bytes + sizeof(h), body, n);
	for (size_t i = 0; i < h.size; i++)
		k.ring[r][PAGE + ((pos + i) & (k.ring_size[r] - 1))] = bytes[i];
	return pos + h.size;
}

static void set_head(size_t r, uint64_t head)
{
	memcpy(k.ring[r] + PERF_PAGE_DATA_HEAD, &head, 8);
}

static uint64_t tail_of(size_t r)
{
	uint64_t v;

	memcpy(&v, k.ring[r] + PERF_PAGE_DATA_TAIL, 8);
	return v;
}

static void open_rings(void)
{
	CHECK_EQ(open_all("-e cpu-clock -m 1", TARGET_CPUS), 0);
	sink = (struct sink){ .sys = &fake, .path = "x", .fd = 1 };
	k.n_file = 0;
}

static uint64_t put_sample(size_t r, uint64_t pos, uint64_t time)
{
	uint64_t body[7] = { 500, 0x1000, 42, time, 0, 1, 2 };

	return put(r, pos, PERF_REC_SAMPLE, PERF_MISC_USER, body, sizeof(body));
}

TEST(recording_joins_what_wraps_and_releases_it)
{
	uint64_t pos = 0;

	open_rings();
	/* 63 * 64 bytes, then one record over the end at 4096 that begins at 4064. */
	pos = put(0, pos, PERF_REC_THROTTLE, 0, (uint64_t[]){ 0, 0, 0 }, 24);
	for (int i = 0; i < 63; i++)
		pos = put_sample(0, pos, 1000 + (uint64_t)i);
	set_head(0, pos);
	CHECK_EQ(recording_drain(&rec, &sink, &err), 1);
	CHECK_EQ(k.n_file, pos + 8);
	CHECK_EQ(tail_of(0), pos);
	CHECK_EQ(pos, 4064);
	pos = put_sample(0, pos, 99);
	set_head(0, pos);
	k.n_file = 0;
	CHECK_EQ(recording_drain(&rec, &sink, &err), 1);
	CHECK_EQ(k.n_file, 64 + 8);

	uint64_t words[9];

	memcpy(words, k.file, sizeof(words));
	CHECK_EQ(words[1], 500);
	CHECK_EQ(words[4], 99);
	CHECK_EQ(words[7], 2);
	CHECK_EQ(rec.stats.samples, 64);
	CHECK_EQ(rec.stats.throttled, 1);
	CHECK_EQ(rec.stats.first_time, 99);
	CHECK_EQ(rec.stats.last_time, 1062);
	close_all();
}

TEST(recording_ends_each_round_that_had_something)
{
	struct perf_rec last;

	open_rings();
	CHECK_EQ(recording_drain(&rec, &sink, &err), 0);
	CHECK_EQ(k.n_file, 0);
	set_head(0, put_sample(0, 0, 5));
	set_head(1, put_sample(1, 0, 4));
	CHECK_EQ(recording_drain(&rec, &sink, &err), 1);
	CHECK_EQ(k.n_file, 64 + 64 + 8);
	memcpy(&last, k.file + k.n_file - 8, 8);
	CHECK_EQ(last.type, PERF_REC_FINISHED_ROUND);
	CHECK_EQ(last.size, 8);
	CHECK_EQ(recording_drain(&rec, &sink, &err), 0);
	close_all();
}

TEST(recording_counts_losses_of_both_kinds_and_those_the_kernel_kept)
{
	uint64_t pos, body[8] = { 500, 3 };

	open_rings();
	pos = put(0, 0, PERF_REC_LOST, 0, body, 48);
	body[0] = 4;
	pos = put(0, pos, PERF_REC_LOST_SAMPLES, 0, body, 40);
	set_head(0, pos);
	CHECK_EQ(recording_drain(&rec, &sink, &err), 1);
	CHECK_EQ(rec.stats.lost, 7);
	CHECK_EQ(rec.stats.records, 2);
	k.lost = 11;
	CHECK_EQ(recording_lost(&rec, &rec.fds.v[0]), 11);
	close_all();
	CHECK_EQ(open_all("-e cpu-clock -s", TARGET_CPUS), 0);
	CHECK_EQ(recording_lost(&rec, &rec.fds.v[0]), 11);
	close_all();
}

TEST(recording_rejects_bytes_that_are_no_records)
{
	static const struct perf_rec bad[] = { { .size = 0 }, { .size = 4 }, { .size = 12 }, { .size = 4096 } };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		open_rings();
		memcpy(k.ring[0] + PAGE, &bad[i], 8);
		set_head(0, 64);
		CHECK_EQ(recording_drain(&rec, &sink, &err), -EBADMSG);
		CHECK_EQ(k.n_file, 0);
		close_all();
	}
	open_rings();
	set_head(0, 8192);
	CHECK_EQ(recording_drain(&rec, &sink, &err), -EBADMSG);
	close_all();
}

/* pid, tid, addr, len, pgoff, device, inode, generation, protection, name. */
static uint64_t put_mmap2(uint64_t pos, uint16_t misc, uint64_t ino, const char *name)
{
	uint64_t body[16] = { 42, 0x1000, 0x1000, 0, 0, ino };

	memcpy(&body[8], name, strlen(name));
	return put(0, pos, PERF_REC_MMAP2, misc, body, sizeof(body));
}

TEST(recording_notes_mapped_files_once_and_which_one_it_was)
{
	uint64_t pos;

	open_rings();
	pos = put_mmap2(0, PERF_MISC_USER, 11, "/bin/a");
	pos = put_mmap2(pos, PERF_MISC_USER, 11, "/bin/a");
	pos = put_mmap2(pos, PERF_MISC_USER, 12, "/bin/b");
	pos = put_mmap2(pos, PERF_MISC_USER, 13, "/bin/b");
	pos = put_mmap2(pos, PERF_MISC_USER | PERF_MISC_MMAP_DATA, 14, "/lib/data");
	pos = put_mmap2(pos, PERF_MISC_USER, 0, "//anon");
	pos = put_mmap2(pos, PERF_MISC_USER, 0, "[vdso]");
	set_head(0, pos);
	CHECK_EQ(recording_drain(&rec, &sink, &err), 1);
	CHECK_EQ(rec.dsos.seen.n, 2);
	CHECK_EQ(rec.dsos.seen.v[0].ino, 11);
	CHECK_EQ(rec.dsos.seen.v[0].pid, 42);
	CHECK(!rec.dsos.seen.v[0].ambiguous);
	CHECK(rec.dsos.seen.v[1].ambiguous);
	close_all();
}

static bool poll_lives(void)
{
	fake_poll(NULL, rec.polls, rec.rings.n + 1, 0);
	return recording_lives(&rec);
}

TEST(recording_polls_another_task_when_one_ends)
{
	static int tids[] = { 7, 8 };

	target.tids.v = tids;
	target.tids.n = 2;
	CHECK_EQ(open_all("-e cpu-clock", TARGET_TASKS), 0);
	CHECK_EQ(rec.polls[1].fd, FIRST_FD);
	k.revents[0] = POLLHUP;
	CHECK(poll_lives());
	CHECK_EQ(rec.polls[1].fd, FIRST_FD + 1);
	k.revents[1] = k.revents[2] = k.revents[3] = POLLHUP;
	poll_lives();
	CHECK(!poll_lives());
	CHECK_EQ(rec.polls[1].fd, -1);
	close_all();
}

/* --- rings that are written over --- */

/* Two events, of which the second has the side records. */
static void open_newest(void)
{
	CHECK_EQ(open_all("-e cpu-clock -e dummy --switch-events --overwrite -m 1", TARGET_CPUS), 0);
	sink = (struct sink){ .sys = &fake, .path = "x", .fd = 1 };
	k.n_file = 0;
}

TEST(recording_of_the_newest_has_rings_of_both_kinds)
{
	open_newest();
	CHECK_EQ(rec.rings.n, 4);
	CHECK(rec.rings.v[0].newest_only && !rec.rings.v[2].newest_only);
	CHECK(k.calls[0].attr.flags & PERF_ATTR_WRITE_BACKWARD);
	CHECK(!(k.calls[2].attr.flags & PERF_ATTR_WRITE_BACKWARD));
	CHECK(k.calls[0].attr.flags & PERF_ATTR_CONTEXT_SWITCH);
	CHECK(!(k.calls[2].attr.flags & PERF_ATTR_CONTEXT_SWITCH));
	CHECK_EQ(rec.polls[1].events, 0);
	CHECK_EQ(rec.polls[3].events, POLLIN);
	CHECK_EQ(rec.polls[5].fd, -1);
	close_all();
}

/* The kernel writes each record before the one that came last. */
static uint64_t put_before(size_t r, uint64_t head, uint64_t time)
{
	put_sample(r, head - 64, time);
	return head - 64;
}

static uint64_t time_at(size_t at)
{
	uint64_t v;

	memcpy(&v, k.file + at + SAMPLING_TIME_OFFSET, sizeof(v));
	return v;
}

TEST(recording_of_the_newest_is_in_order_of_time)
{
	static const uint32_t comm[] = { 42, 42, 'x', 0 };
	uint64_t head = 0;

	open_newest();
	for (uint64_t t = 1; t <= 3; t++)
		head = put_before(0, head, t);
	set_head(0, head);
	set_head(2, put(2, 0, PERF_REC_COMM, 0, comm, sizeof(comm)));
	CHECK_EQ(newest_drain(&rec, &err), 1);
	CHECK_EQ(newest_drain(&rec, &err), 0);
	CHECK_EQ(k.n_file, 0);
	CHECK_EQ(newest_write(&rec, &sink, &err), 0);
	/* Three samples, a name, the end of a round. */
	CHECK_EQ(k.n_file, 3 * 64 + 24 + 8);
	CHECK_EQ(k.pauses, 2 * 2);
	for (size_t i = 0; i < 3; i++)
		CHECK_EQ(time_at(i * 64), i + 1);
	CHECK_EQ(rec.stats.samples, 3);
	CHECK_EQ(rec.stats.last_time, 3);
	close_all();
}

/* 70 samples in a ring for 64: the one that is written over in part is none. Then only what is new. */
TEST(recording_of_the_newest_leaves_out_what_was_written_over)
{
	uint64_t head = 0;

	open_newest();
	head -= 40;
	put(0, head, PERF_REC_THROTTLE, 0, (uint64_t[]){ 0, 0, 0, 0 }, 32);
	for (uint64_t t = 1; t <= 70; t++)
		head = put_before(0, head, t);
	set_head(0, head);
	CHECK_EQ(newest_write(&rec, &sink, &err), 0);
	CHECK_EQ(rec.stats.samples, 64);
	CHECK_EQ(time_at(0), 7);
	CHECK_EQ(time_at(63 * 64), 70);
	head = put_before(0, head, 71);
	set_head(0, head);
	k.n_file = 0;
	CHECK_EQ(newest_write(&rec, &sink, &err), 0);
	CHECK_EQ(k.n_file, 64 + 8);
	CHECK_EQ(time_at(0), 71);
	k.n_file = 0;
	CHECK_EQ(newest_write(&rec, &sink, &err), 0);
	CHECK_EQ(k.n_file, 8);
	close_all();
}
