/* perf_event_attr in words, and the words for what the kernel refuses. */
#include "t.h"

#include "perf/attr.h"

static void printed(const struct perf_attr *a, const char *want)
{
	struct mem_out o;

	mem_out_init(&o);
	attr_print(a, &o.out);
	CHECK_STR(mem_out_str(&o), want);
	mem_out_deinit(&o);
}

/* What `perf record -vv -e cycles:pp` printed of what it opened. */
TEST(attr_prints_as_perf_does)
{
	struct perf_attr a = {
		.size = 128,
		.sample_period = 4000,
		.sample_type =
			PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_PERIOD,
		.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST,
		.flags = PERF_ATTR_DISABLED | PERF_ATTR_INHERIT | PERF_ATTR_MMAP | PERF_ATTR_COMM | PERF_ATTR_FREQ |
			 PERF_ATTR_ENABLE_ON_EXEC | PERF_ATTR_TASK | UINT64_C(2) << PERF_ATTR_PRECISE_SHIFT |
			 PERF_ATTR_SAMPLE_ID_ALL | PERF_ATTR_EXCLUDE_GUEST | PERF_ATTR_MMAP2 | PERF_ATTR_COMM_EXEC |
			 PERF_ATTR_KSYMBOL | PERF_ATTR_BPF_EVENT,
	};

	printed(&a,
		"  size                             128\n"
		"  { sample_period, sample_freq }   4000\n"
		"  sample_type                      IP|TID|TIME|ID|PERIOD\n"
		"  read_format                      ID|LOST\n"
		"  disabled                         1\n"
		"  inherit                          1\n"
		"  mmap                             1\n"
		"  comm                             1\n"
		"  freq                             1\n"
		"  enable_on_exec                   1\n"
		"  task                             1\n"
		"  precise_ip                       2\n"
		"  sample_id_all                    1\n"
		"  exclude_guest                    1\n"
		"  mmap2                            1\n"
		"  comm_exec                        1\n"
		"  ksymbol                          1\n"
		"  bpf_event                        1\n");
}

TEST(attr_prints_bits_it_does_not_know)
{
	struct perf_attr a = { .sample_type = PERF_SAMPLE_IP | PERF_BIT(40), .flags = PERF_BIT(63), .config3 = 5 };

	printed(&a, "  sample_type                      IP|0x10000000000\n"
		    "  unknown flags                    0x8000000000000000\n"
		    "  config3                          0x5\n");
	printed(&(struct perf_attr){ 0 }, "");
}

struct refusal {
	struct event ev;
	int code;
	struct attr_context c;
	const char *text, *hint;
};

static const struct pmu uncore = { .name = "arm_cmn_0", .kind = PMU_UNCORE, .type = 20 };
static const struct pmu little = {
	.name = "armv8_cortex_a53", .kind = PMU_CORE, .type = 8, .has_cpus = true, .cpus = {{0xf}}};

#define CYCLES .ev = { .name = "cycles", .attr = { .type = PERF_HARDWARE } }
#define ON_CPU .pid = -1, .cpu = 0
#define ON_TASK .pid = 0, .cpu = -1

static const struct refusal refusals[] = {
	{CYCLES, .code = ENOENT, .c = {ON_TASK}, .text = "not supported: the machine shows no hardware counters",
	 .hint = "cpu-clock"},
	{CYCLES, .code = ENOENT, .c = {ON_TASK, .looks_virtual = true}, .text = "not supported", .hint = "hypervisor"},
	{CYCLES, .code = ENOENT, .c = {ON_TASK, .n_core_pmus = 1}, .text = "not supported by this machine's PMU",
	 .hint = "list"},
	{CYCLES, .code = EACCES, .c = {ON_CPU, .paranoid = 2, .n_core_pmus = 1},
	 .text = "no permission: kernel.perf_event_paranoid is 2, and measuring a whole CPU needs 0",
	 .hint = "sysctl kernel.perf_event_paranoid=0"},
	{CYCLES, .code = EACCES, .c = {ON_TASK, .paranoid = 2}, .text = "measuring the kernel needs 1", .hint = ":u"},
	{CYCLES, .code = EACCES, .c = {ON_TASK, .paranoid = 3, .perfmon = true},
	 .text = "which only CAP_SYS_ADMIN passes", .hint = "root"},
	{CYCLES, .code = EACCES, .c = {ON_TASK, .paranoid = -1}, .text = "no permission (Permission denied)",
	 .hint = "seccomp"},
	{CYCLES, .code = EACCES, .c = {.pid = 42, .cpu = -1, .paranoid = -1}, .text = "process 42",
	 .hint = "CAP_SYS_PTRACE"},
	{CYCLES, .code = EACCES, .c = {.pid = 42, .cpu = -1, .paranoid = 3, .perfmon = true}, .text = "CAP_SYS_ADMIN",
	 .hint = "root"},
	{CYCLES, .code = EACCES, .c = {.pid = 42, .cpu = -1, .paranoid = 2, .perfmon = true}, .text = "process 42",
	 .hint = "CAP_SYS_PTRACE"},
	{CYCLES, .code = EPERM, .c = {ON_TASK, .lockdown = "confidentiality", .paranoid = 2}, .text = "locked down",
	 .hint = "boot"},
	{.ev = {.name = "sched:sched_switch", .attr = {.type = PERF_TRACEPOINT, .sample_type = PERF_SAMPLE_RAW}},
	 .code = EPERM,
	 .c = {ON_TASK, .paranoid = 1},
	 .text = "measuring tracepoint data needs -1",
	 .hint = "kernel.perf_event_paranoid=-1"},
	{.ev = {.name = "x", .attr = {.flags = PERF_ATTR_EXCLUDE_KERNEL, .sample_type = PERF_SAMPLE_PHYS_ADDR}},
	 .code = EACCES,
	 .c = {ON_TASK, .paranoid = 2},
	 .text = "measuring physical addresses needs 1",
	 .hint = "without --phys-data"},
	{CYCLES, .code = EMFILE, .c = {ON_TASK}, .text = "too many open files", .hint = "ulimit -n"},
	{.ev = {.name = "c", .attr = {.flags = PERF_ATTR_FREQ, .sample_period = 200000}},
	 .code = EINVAL,
	 .c = {ON_TASK, .max_sample_rate = 100000},
	 .text = "200000 samples per second are more than the kernel allows (100000)",
	 .hint = "-F 100000"},
	{.ev = {.name = "x", .pmu = &uncore},
	 .code = EINVAL,
	 .c = {ON_TASK},
	 .text = "arm_cmn_0 counts for whole CPUs",
	 .hint = "-a"},
	{.ev = {.name = "x", .pmu = &uncore, .attr = {.sample_period = 1}},
	 .code = EOPNOTSUPP,
	 .c = {ON_CPU},
	 .text = "arm_cmn_0 can count it, but not sample it",
	 .hint = "cpu-clock"},
	{.ev = {.name = "x", .pmu = &little},
	 .code = ENOENT,
	 .c = {.pid = -1, .cpu = 5, .n_core_pmus = 2},
	 .text = "not supported on CPU 5: that is not one of PMU armv8_cortex_a53",
	 .hint = ""},
	{CYCLES, .code = ENODEV, .c = {.pid = -1, .cpu = 3}, .text = "not counted on CPU 3", .hint = ""},
	{CYCLES, .code = ESRCH, .c = {.pid = 7, .cpu = -1}, .text = "process 7 is gone", .hint = ""},
	{CYCLES, .code = EIO, .c = {ON_TASK}, .text = "cannot be opened: ", .hint = ""},
};

TEST(attr_explains_each_errno)
{
	for (size_t i = 0; i < ARRAY_SIZE(refusals); i++) {
		const struct refusal *r = &refusals[i];
		struct err e = { 0 };

		CHECK_EQ(attr_explain(&r->ev, r->code, &r->c, &e), -r->code);
		CHECK_EQ(e.code, r->code);
		if (!sv_starts(sv_from(e.text), r->ev.name) || !strstr(e.text, r->text) || !strstr(e.hint, r->hint) ||
		    (!r->hint[0] && e.hint[0]))
			t_fail(__FILE__, __LINE__, "case %zu: \"%s\", hint \"%s\"", i, e.text, e.hint);
	}
}
