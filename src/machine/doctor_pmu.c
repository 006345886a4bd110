/*
 * doctor_pmu.c - one core PMU: does it count, does it interrupt, how many events fit at once, which events it has.
 *
 * The number of counters is found by a group that grows until the kernel refuses another member: an arm64 PMU checks at
 * open that the whole group fits. Nothing is enabled meanwhile.
 */
#include "machine/doctor_counters.h"

enum { GROUP_MAX = 64, SPIN = 200000 };

/* Events that most work with counters needs; PMUv3 numbers are the same on all cores. */
static const char *const useful[] = {
	"cpu_cycles", "inst_retired", "br_mis_pred", "l1d_cache", "l1d_cache_refill", "l1i_cache_refill",
	"l2d_cache", "l2d_cache_refill", "ll_cache_miss_rd", "mem_access", "bus_access", "stall_frontend",
	"stall_backend", "dtlb_walk", "itlb_walk", "inst_spec", "br_retired",
};

static bool is_armv8(const struct pmu *p)
{
	return !strncmp(p->name, "armv", 4);
}

static struct perf_attr cycles_of(const struct pmu *p)
{
	/* The raw number of PMUv3: the generic event could be opened on any core. */
	bool raw = is_armv8(p);

	return (struct perf_attr){
		.type = raw ? p->type : PERF_HARDWARE, .size = PERF_ATTR_VER5, .config = raw ? 0x11 : PERF_HW_CYCLES,
		.flags = PERF_ATTR_DISABLED | PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_HV,
	};
}

static size_t group_size(const struct doctor *d, const struct pmu *p, int *why)
{
	int fds[GROUP_MAX];
	size_t n = 0;

	for (*why = 0; n < GROUP_MAX; n++) {
		struct perf_attr a = cycles_of(p);

		/* The kernel does not check disabled members of a group, but does check those with enable_on_exec. */
		a.flags |= PERF_ATTR_ENABLE_ON_EXEC;
		fds[n] = d->sys->perf_event_open(d->sys, &a, 0, -1, n ? fds[0] : -1, 0);
		if (fds[n] < 0) {
			*why = fds[n];
			break;
		}
	}
	for (size_t i = n; i--;)
		d->sys->close(d->sys, fds[i]);
	return n;
}

/* Work done on the CPU while counting; its value is not used. */
static void spin(void)
{
	for (volatile unsigned i = 0; i < SPIN; i++)
		;
}

/* Cycles of a short loop, or -errno. 0: the counter stands still, or the loop ran on another type of core. */
static int64_t count_cycles(const struct doctor *d, const struct pmu *p)
{
	struct perf_attr a = cycles_of(p);
	uint64_t v = 0;
	int fd = d->sys->perf_event_open(d->sys, &a, 0, -1, -1, 0);

	if (fd < 0)
		return fd;
	d->sys->ioctl(d->sys, fd, PERF_IOC_ENABLE, 0);
	spin();

	ssize_t n = d->sys->read(d->sys, fd, &v, sizeof(v));

	d->sys->close(d->sys, fd);
	return n == sizeof(v) ? (int64_t)(v & INT64_MAX) : n < 0 ? n : -EIO;
}

static void explain(struct doctor *d, int code)
{
	if (code == -EACCES)
		doctor_do(d, "run as root, or: sysctl kernel.perf_event_paranoid=%d", d->paranoid > 2 ? 2 : 1);
	else if (code == -EPERM)
		doctor_do_filter(d);
	else if (code == -EBUSY)
		doctor_do(d, "another user holds the counters: look for a running profiler, or the NMI watchdog "
			     "(sysctl kernel.nmi_watchdog=0)");
}

static void row_counting(struct doctor *d, const struct pmu *p, const char *on)
{
	int64_t n = count_cycles(d, p);

	if (n > 0)
		doctor_add(d, "counting", DOCTOR_YES, "cycles advance%s", on);
	else if (n < 0)
		doctor_add(d, "counting", DOCTOR_NO, "cycles cannot be opened%s: %s", on, err_name((int)-n));
	else
		doctor_add(d, "counting", DOCTOR_UNKNOWN,
			   "no cycles were counted%s: not on such a core, or it stands still", on);
	doctor_how(d, "counted a short loop");
	explain(d, n < 0 ? (int)n : 0);
}

static void row_sampling(struct doctor *d, const struct pmu *p, const char *on)
{
	struct perf_attr a = cycles_of(p);

	a.sample_period = 1000000;
	a.sample_type = PERF_SAMPLE_IP;

	int r = doctor_try(d, &a, 0, -1);

	if (!r)
		doctor_add(d, "sampling", DOCTOR_YES, "cycles raise overflow interrupts%s", on);
	else if (r == -EOPNOTSUPP || r == -EINVAL)
		doctor_add(d, "sampling", DOCTOR_NO, "the PMU has no interrupt%s: sampling falls back to cpu-clock",
			   on);
	else
		doctor_add(d, "sampling", DOCTOR_NO, "cycles cannot be opened%s: %s", on, err_name(-r));
	doctor_how(d, "opened cycles with a period");
	if (r == -EOPNOTSUPP || r == -EINVAL)
		doctor_do(d, "name the PMU's interrupts in the device tree (node of the PMU, property interrupts)");
	else
		explain(d, r);
}

static void row_group(struct doctor *d, const struct pmu *p, const char *on)
{
	int why;
	size_t n = group_size(d, p, &why);

	if (!n)
		return;
	if (why == -EINVAL || why == -ENOSPC)
		doctor_add(d, "counters", DOCTOR_YES, "%zu%s; more events than that take turns", n, on);
	else
		doctor_add(d, "counters", DOCTOR_UNKNOWN, "%zu or more%s: %s", n, on,
			   why ? err_name(-why) : "no limit was found");
	doctor_how(d, "grew a group of cycles until it was refused");
}

static bool has_event(const struct sys_list *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->v[i], name))
			return true;
	return false;
}

/* The driver only lists events that PMCEID reports as implemented. */
static void row_events(struct doctor *d, const struct pmu *p, const char *on)
{
	char path[256], lack[400] = "";
	struct sys_list l;
	size_t n = 0, at = 0;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/events", p->name);
	if (sys_list_dir(d->sys, path, &l))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(useful); i++) {
		bool there = has_event(&l, useful[i]);

		n += there;
		if (!there && at < sizeof(lack))
			at += (size_t)snprintf(lack + at, sizeof(lack) - at, "%s%s", at ? ", " : "", useful[i]);
	}
	doctor_add(d, "events", at ? DOCTOR_PARTLY : DOCTOR_YES, "%zu%s, %zu of the %zu most used%s%s", l.n, on, n,
		   ARRAY_SIZE(useful), at ? "; not " : "", lack);
	doctor_how(d, "events/ of %s in sysfs", p->name);
	sys_list_free(&l);
}

static void row_slots(struct doctor *d, const struct pmu *p, const char *on)
{
	char path[256];

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/events/stall_slot", p->name);

	bool there = p->slots && doctor_has(d, path);

	if (there)
		doctor_add(d, "top-down", DOCTOR_YES, "%u slots per cycle%s", p->slots, on);
	else
		doctor_add(d, "top-down", DOCTOR_NO, "the core%s counts no slots", on);
	doctor_how(d, "caps/slots, events/stall_slot");
}

void doctor_core_pmu(struct doctor *d, const struct pmu *p)
{
	char core[96], list[256], on[80] = "";

	doctor_add(d, "core PMU", DOCTOR_YES, "%s%s%s: CPU %s", p->name, p->midr ? ", " : "",
		   p->midr ? doctor_core_name(p->midr, core, sizeof(core)) : "",
		   cpus_text(cpus_count(&p->cpus) ? &p->cpus : &d->online, list, sizeof(list)));
	doctor_how(d, "event_source/devices in sysfs");
	if (d->n_cores > 1)
		snprintf(on, sizeof(on), " on %.60s", p->name);
	if (!d->copied) {
		row_counting(d, p, on);
		row_sampling(d, p, on);
		row_group(d, p, on);
	}
	if (is_armv8(p)) {
		row_events(d, p, on);
		row_slots(d, p, on);
	}
}
