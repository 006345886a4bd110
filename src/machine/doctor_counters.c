/* doctor_counters.c - core PMUs, SPE, system PMUs, breakpoints, and access to counters from user space. */
#include "machine/doctor_counters.h"

#include "machine/pmus.h"

enum { BREAKPOINTS_MAX = 32, BREAKPOINT_WRITE = 2, UNITS_MAX = 64 };

static void row_limits(struct doctor *d)
{
	uint64_t rate, kib;

	if (sys_read_u64(d->sys, &rate, "/proc/sys/kernel/perf_event_max_sample_rate") ||
	    sys_read_u64(d->sys, &kib, "/proc/sys/kernel/perf_event_mlock_kb"))
		return;
	doctor_add(d, "limits", DOCTOR_INFO, "%llu samples a second; rings of %llu KiB per CPU for each user",
		   (unsigned long long)rate, (unsigned long long)kib);
	doctor_how(d, "sysctl kernel.perf_event_max_sample_rate, kernel.perf_event_mlock_kb");
}

/* arm64: a sysctl; x86: a file of the PMU: 1 allows it to programs that map an event, 2 always. */
static void row_user_access(struct doctor *d)
{
	uint64_t v;
	bool x86 = !strcmp(d->arch, "x86_64");
	const char *how = x86 ? "/sys/bus/event_source/devices/cpu/rdpmc" : "/proc/sys/kernel/perf_user_access";

	if (sys_read_u64(d->sys, &v, "%s", how)) {
		doctor_add(d, "user access", DOCTOR_NO, "user space cannot read counters: a system call per reading");
	} else if (!v) {
		doctor_add(d, "user access", DOCTOR_NO, "user space may not read counters");
		doctor_do(d, x86 ? "as root: echo 1 > %s" : "as root: sysctl kernel.perf_user_access=1", how);
	} else {
		doctor_add(d, "user access", DOCTOR_YES, "a program reads its own counters without a system call");
	}
	doctor_how(d, "%s", how);
}

/* Arm's own cores before Neoverse N1 predate SPE, as do Cortex-A77 and A76AE. Others are unknown. */
static bool cores_may_have_spe(const struct doctor *d)
{
	enum { ARM = 0x41, NEOVERSE_N1 = 0xd0c, FIRST_LATER = 0xd40 };

	for (size_t i = 0; i < d->n_cores; i++) {
		struct midr m = midr_parse(d->core[i].midr);

		if (m.impl != ARM || m.part == NEOVERSE_N1 || m.part >= FIRST_LATER)
			return true;
	}
	return false;
}

static void row_spe(struct doctor *d, struct pmus *pmus)
{
	char list[256];

	for (size_t i = 0; i < pmus->list.n; i++) {
		const struct pmu *p = &pmus->list.v[i];

		if (!sv_starts(sv_from(p->name), "arm_spe_") || pmu_need(pmus, p, PMU_BASE, NULL))
			continue;
		doctor_add(d, "SPE", DOCTOR_YES, "%s, precise samples of single instructions: CPU %s", p->name,
			   cpus_text(&p->cpus, list, sizeof(list)));
		doctor_how(d, "event_source/devices in sysfs");
		return;
	}
	bool possible = !d->vm[0] && cores_may_have_spe(d);

	doctor_add(d, "SPE", DOCTOR_NO, "%s", d->vm[0] ? "hypervisors seldom give it to a guest" :
		   possible ? "neither firmware nor driver offers it" : "these cores do not have it");
	doctor_how(d, "no arm_spe_* in event_source/devices");
	if (possible)
		doctor_do(d, "modprobe arm_spe_pmu; if that does not help, kpti=off on the kernel's command line");
}

/* Length of a PMU's name without its last number, which distinguishes instances: arm_cmn_0 and arm_cmn_1. */
static size_t family(const char *name)
{
	size_t n = strlen(name);

	while (n && name[n - 1] >= '0' && name[n - 1] <= '9')
		n--;
	return n;
}

static void row_unit(struct doctor *d, const struct pmus *pmus, size_t first)
{
	const char *name = pmus->list.v[first].name, *unit = arch_uncore_name(name);
	size_t n = 0, len = family(name);

	for (size_t i = first; i < pmus->list.n; i++) {
		const char *other = pmus->list.v[i].name;

		n += family(other) == len && !strncmp(other, name, len);
	}
	if (n > 1)
		doctor_add(d, "system PMU", DOCTOR_YES, "%s and %zu more: %s", name, n - 1,
			   unit ? unit : "unknown unit");
	else
		doctor_add(d, "system PMU", DOCTOR_YES, "%s: %s", name, unit ? unit : "unknown unit");
	doctor_how(d, "event_source/devices in sysfs");
}

static void rows_uncore(struct doctor *d, const struct pmus *pmus)
{
	const char *seen[UNITS_MAX];
	size_t n_seen = 0;

	for (size_t i = 0; i < pmus->list.n && n_seen < UNITS_MAX; i++) {
		const char *name = pmus->list.v[i].name;
		bool again = pmus->list.v[i].kind != PMU_UNCORE || sv_starts(sv_from(name), "arm_spe_");

		for (size_t j = 0; j < n_seen && !again; j++)
			again = family(seen[j]) == family(name) && !strncmp(seen[j], name, family(name));
		if (again)
			continue;
		seen[n_seen++] = name;
		row_unit(d, pmus, i);
	}
}

/* Open disabled watchpoints on our own memory until the debug registers are exhausted. */
static size_t count_breakpoints(const struct doctor *d, int *why)
{
	uint64_t word = 0;
	int fds[BREAKPOINTS_MAX];
	size_t n = 0;

	for (*why = 0; n < BREAKPOINTS_MAX; n++) {
		struct perf_attr a = {
			.type = PERF_BREAKPOINT, .size = PERF_ATTR_VER5, .bp_type = BREAKPOINT_WRITE,
			.config1 = (uintptr_t)&word, .config2 = sizeof(word),
			.flags = PERF_ATTR_DISABLED | PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_HV,
		};

		fds[n] = d->sys->perf_event_open(d->sys, &a, 0, -1, -1, 0);
		if (fds[n] < 0) {
			*why = fds[n];
			break;
		}
	}
	for (size_t i = n; i--;)
		d->sys->close(d->sys, fds[i]);
	return n;
}

static void row_breakpoints(struct doctor *d)
{
	int why = 0;
	size_t n = d->copied ? 0 : count_breakpoints(d, &why);

	if (d->copied)
		doctor_add(d, "breakpoints",
			   doctor_has(d, "/sys/bus/event_source/devices/breakpoint") ? DOCTOR_YES : DOCTOR_NO,
			   "hardware breakpoints on data (mem:ADDR)");
	else if (n)
		doctor_add(d, "breakpoints", DOCTOR_YES, "%zu on data at a time (mem:ADDR)", n);
	else
		doctor_add(d, "breakpoints", DOCTOR_NO, "mem:ADDR: %s", err_name(-why));
	doctor_how(d, "%s", d->copied ? "event_source/devices in sysfs" : "opened breakpoints until one was refused");
}

void doctor_counters(struct doctor *d)
{
	struct pmus pmus;
	size_t n_core;

	d->topic = "Counters";
	if (d->paranoid == DOCTOR_NO_LEVEL)
		return;
	pmus_init(&pmus, d->sys);
	n_core = pmus_n_core(&pmus);
	for (size_t i = 0; i < n_core; i++)
		if (!pmu_need(&pmus, &pmus.list.v[i], PMU_BASE, NULL))
			doctor_core_pmu(d, &pmus.list.v[i]);
	if (!n_core)
		doctor_no_pmu(d);
	if (d->copied) {
		doctor_add(d, "trials", DOCTOR_UNKNOWN,
			   "a copy of a machine: nothing was opened, number of counters not known");
		doctor_how(d, "--sysroot");
	}
	rows_uncore(d, &pmus);
	if (!strcmp(d->arch, "aarch64"))
		row_spe(d, &pmus);
	row_breakpoints(d);
	if (n_core)
		row_user_access(d);
	row_limits(d);
	pmus_deinit(&pmus);
}
