/*
 * doctor_probes.c - kprobes, uprobes and their supported arguments, BPF and BTF. perf's PMUs kprobe and uprobe make
 * probes that vanish with their descriptor; those of tracefs can have arguments.
 */
#include "machine/doctor_parts.h"

/* Probes through perf need CAP_PERFMON at every paranoid level. */
static bool perf_probes_allowed(const struct doctor *d)
{
	return doctor_perfmon(d) && !d->perf_refused;
}

static void row_probe(struct doctor *d, const char *kind, const char *what, const char *config)
{
	char path[128];
	bool pmu, file = false;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", kind);
	pmu = doctor_has(d, path);
	if (d->tracefs) {
		snprintf(path, sizeof(path), "%s/%s_events", d->tracefs, kind);
		file = doctor_has(d, path);
	}
	snprintf(path, sizeof(path), "%ss", kind);

	const char *name = arena_dup(&d->report->arena, path, strlen(path));

	d->nomem |= !name;
	if (d->confidential && (pmu || file))
		doctor_add(d, name, DOCTOR_NO, "%s: refused by the lockdown", what);
	else if (pmu && !perf_probes_allowed(d))
		doctor_add(d, name, DOCTOR_NO, "%s: not for this user", what);
	else if (pmu && file)
		doctor_add(d, name, DOCTOR_YES, "%s: through perf, and through tracefs with arguments", what);
	else if (pmu)
		doctor_add(d, name, DOCTOR_PARTLY, "%s: through perf only, without arguments", what);
	else if (file)
		doctor_add(d, name, DOCTOR_PARTLY, "%s: through tracefs only; they outlive a killed tracer", what);
	else
		doctor_add(d, name, DOCTOR_NO, "%s", what);
	doctor_how(d, "PMU %s, %s_events in tracefs", kind, kind);
	if (!pmu && !file)
		doctor_do(d, "build the kernel with CONFIG_%s", config);
	else if (!perf_probes_allowed(d))
		doctor_do(d, "run as root%s",
			  d->perf_refused ? "" : " or, for probes without arguments, with CAP_PERFMON");
	else if (!file && !d->confidential)
		doctor_do(d, "open the tracing file system: see the row tracefs");
}

/* Phrases of the README that show support for a kind of argument or dynamic event, oldest first. */
static const struct { const char *in_readme, *name; } fetch[] = {
	{ "$arg<N>", "$argN" }, { "ustring", "ustring" }, { "imm-value", "immediates" },
	{ "ref_ctr_offset", "USDT counters" }, { "%return", "%return" }, { "e[:[", "event probes" },
	{ "symstr", "symstr" }, { "f[:[", "fprobes" }, { "t[:[", "tracepoint probes" },
	{ "<argname>[->field", "arguments by name" }, { "%pd/%pD", "file names" },
};

static void row_fetch(struct doctor *d)
{
	char have[256] = "", lack[256] = "";
	size_t n_have = 0, n_lack = 0;

	for (size_t i = 0; i < ARRAY_SIZE(fetch); i++) {
		bool there = strstr(d->readme, fetch[i].in_readme);
		size_t *n = there ? &n_have : &n_lack;

		/* Both buffers have room for the whole table. */
		*n += (size_t)snprintf((there ? have : lack) + *n, sizeof(have) - *n, "%s%s", *n ? ", " : "",
				       fetch[i].name);
	}
	doctor_add(d, "probe arguments", n_lack ? DOCTOR_PARTLY : DOCTOR_YES, "%s%s%s", n_have ? have : "none",
		   n_lack ? "; not " : "", lack);
	doctor_how(d, "tracing README");
}

static void row_btf(struct doctor *d)
{
	if (doctor_has(d, "/sys/kernel/btf/vmlinux")) {
		doctor_add(d, "kernel types", DOCTOR_YES, "BTF of the running kernel");
	} else {
		doctor_add(d, "kernel types", DOCTOR_NO, "no BTF: probe arguments by register, $argN or offset only");
		doctor_do(d, "build the kernel with CONFIG_DEBUG_INFO_BTF");
	}
	doctor_how(d, "/sys/kernel/btf/vmlinux");
}

static void row_bpf(struct doctor *d)
{
	uint64_t off = 0, jit = 0;
	int r = sys_read_u64(d->sys, &off, "/proc/sys/kernel/unprivileged_bpf_disabled");

	sys_read_u64(d->sys, &jit, "/proc/sys/net/core/bpf_jit_enable");
	if (r) {
		doctor_add(d, "BPF", DOCTOR_NO, "the kernel has no bpf system call");
		doctor_do(d, "build the kernel with CONFIG_BPF_SYSCALL and CONFIG_BPF_EVENTS");
	} else if (!doctor_capable(d, SYS_CAP_SYS_ADMIN) && !(doctor_capable(d, SYS_CAP_BPF) && doctor_perfmon(d))) {
		doctor_add(d, "BPF", DOCTOR_NO, "tracing programs need CAP_BPF and CAP_PERFMON");
		doctor_do(d, "run as root");
	} else if (d->confidential) {
		doctor_add(d, "BPF", DOCTOR_NO, "lockdown keeps programs from reading the kernel's memory");
	} else {
		doctor_add(d, "BPF", DOCTOR_YES, "%s%s", off ? "privileged users only" : "open to all users",
			   jit ? ", compiled" : ", interpreted");
	}
	doctor_how(d, "sysctl kernel.unprivileged_bpf_disabled, net.core.bpf_jit_enable; no program was loaded");
}

void doctor_probes(struct doctor *d)
{
	d->topic = "Probes";
	row_probe(d, "kprobe", "kernel functions", "KPROBES and CONFIG_KPROBE_EVENTS");
	row_probe(d, "uprobe", "user functions", "UPROBES and CONFIG_UPROBE_EVENTS");
	if (d->readme)
		row_fetch(d);
	row_btf(d);
	row_bpf(d);
}
