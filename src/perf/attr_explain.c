/* attr_explain.c - the errno values of perf_event_open in words, with what to do about them. */
#include "perf/attr.h"

enum { PARANOID_UNKNOWN = INT_MIN };

static const char *name_of(const struct event *ev)
{
	return ev->name ? ev->name : "this event";
}

static bool is_hardware(const struct event *ev)
{
	if (ev->pmu)
		return ev->pmu->kind == PMU_CORE;
	return ev->attr.type == PERF_HARDWARE || ev->attr.type == PERF_HW_CACHE || ev->attr.type == PERF_RAW;
}

static const char *counter_name(const struct event *ev)
{
	if (ev->pmu)
		return ev->pmu->name;
	return is_hardware(ev) ? "this machine's PMU" : "this kernel";
}

/* Does the event count in kernel mode? */
static bool wants_kernel(const struct event *ev)
{
	return !(ev->attr.flags & PERF_ATTR_EXCLUDE_KERNEL);
}

/* The highest kernel.perf_event_paranoid at which the open would have been allowed without CAP_PERFMON. */
static int level_needed(const struct event *ev, const struct attr_context *c)
{
	if (ev->attr.type == PERF_TRACEPOINT && ev->attr.sample_type & PERF_SAMPLE_RAW)
		return -1;
	if (c->cpu >= 0 && c->pid < 0)
		return 0;
	return wants_kernel(ev) || ev->attr.sample_type & PERF_SAMPLE_PHYS_ADDR ? 1 : 2;
}

/* What level 1 allows and level 2 does not, and how to do without it. */
static const char *what_of_kernel(const struct event *ev)
{
	return wants_kernel(ev) ? "the kernel" : "physical addresses";
}

static const char *without_kernel(const struct event *ev)
{
	return wants_kernel(ev) ? "; or user space only: -e EVENT:u" : "; or without --phys-data";
}

static int no_permission(const struct event *ev, int code, const struct attr_context *c, struct err *e)
{
	int need = level_needed(ev, c);
	const char *const whats[] = { "tracepoint data", "a whole CPU", what_of_kernel(ev), "a process" };

	if (strcmp(c->lockdown ? c->lockdown : "", "confidentiality") == 0) {
		err_set(e, code, "%s: no permission: the kernel is locked down (confidentiality)", name_of(ev));
		return err_hint(e, "lockdown ends only with another boot: lockdown= on the kernel command line, "
				   "secure boot off");
	}
	/* Kernels of Debian and Android have a level above 2: it refuses every event, even with CAP_PERFMON. */
	if (c->paranoid > 2 && !c->sys_admin) {
		err_set(e, code,
			"%s: no permission: kernel.perf_event_paranoid is %d, which only CAP_SYS_ADMIN passes",
			name_of(ev), c->paranoid);
		return err_hint(e, "run as root, or: sysctl kernel.perf_event_paranoid=%d", need);
	}
	if (!c->perfmon && c->paranoid != PARANOID_UNKNOWN && c->paranoid > need) {
		err_set(e, code, "%s: no permission: kernel.perf_event_paranoid is %d, and measuring %s needs %d",
			name_of(ev), c->paranoid, whats[need + 1], need);
		return err_hint(e, "run as root or with CAP_PERFMON, or: sysctl kernel.perf_event_paranoid=%d%s",
				need, need == 1 ? without_kernel(ev) : "");
	}
	if (c->pid > 0) {
		err_set(e, code, "%s: no permission to look into process %d", name_of(ev), c->pid);
		return err_hint(e, "it belongs to another user or is protected: run as root, or with CAP_SYS_PTRACE");
	}
	err_set(e, code, "%s: no permission (%s)", name_of(ev), err_name(code));
	return err_hint(e, "a container's seccomp profile or a security module may forbid perf_event_open");
}

static int not_supported(const struct event *ev, int code, const struct attr_context *c, struct err *e)
{
	if (is_hardware(ev) && !c->n_core_pmus) {
		err_set(e, code, "%s: not supported: the machine shows no hardware counters", name_of(ev));
		if (c->looks_virtual)
			return err_hint(e, "the hypervisor gives this guest no PMU (qemu: -cpu host,pmu=on); "
					   "cpu-clock works without");
		return err_hint(e, "the device tree or the firmware does not describe a PMU with its interrupts; "
				   "cpu-clock works without");
	}
	if (ev->attr.type == PERF_BREAKPOINT) {
		err_set(e, code, "%s: not supported: no hardware breakpoint for this address, length or access",
			name_of(ev));
		return err_hint(e, "the address must be a multiple of the length; a length of 1, 2, 4 or 8");
	}
	if (ev->attr.type == PERF_TRACEPOINT)
		return err_set(e, code, "%s: not supported: this tracepoint is not for perf", name_of(ev));
	if (ev->pmu && ev->pmu->has_cpus && c->cpu >= 0 && !cpus_has(&ev->pmu->cpus, (unsigned)c->cpu))
		return err_set(e, code, "%s: not supported on CPU %d: that is not one of PMU %s", name_of(ev), c->cpu,
			       ev->pmu->name);
	err_set(e, code, "%s: not supported by %s", name_of(ev), counter_name(ev));
	if (is_hardware(ev))
		return err_hint(e, "`sonde list` shows what the PMU counts");
	return -code;
}

static int bad_value(const struct event *ev, int code, const struct attr_context *c, struct err *e)
{
	const struct perf_attr *a = &ev->attr;

	if (a->flags & PERF_ATTR_FREQ && c->max_sample_rate && a->sample_period > c->max_sample_rate) {
		err_set(e, code, "%s: %llu samples per second are more than the kernel allows (%llu)", name_of(ev),
			(unsigned long long)a->sample_period, (unsigned long long)c->max_sample_rate);
		return err_hint(e, "use -F %llu, or: sysctl kernel.perf_event_max_sample_rate=%llu",
				(unsigned long long)c->max_sample_rate, (unsigned long long)a->sample_period);
	}
	if (ev->pmu && ev->pmu->kind == PMU_UNCORE && c->cpu < 0) {
		err_set(e, code, "%s: not supported for one process: PMU %s counts for whole CPUs", name_of(ev),
			ev->pmu->name);
		return err_hint(e, "count it system-wide: -a");
	}
	err_set(e, code, "%s: the kernel refuses this combination%s%s", name_of(ev), ev->pmu ? " for PMU " : "",
		ev->pmu ? ev->pmu->name : "");
	return err_hint(e, "a group takes events of one PMU, no more than it has counters; modifiers must suit it");
}

static int cannot_do(const struct event *ev, int code, struct err *e)
{
	const struct perf_attr *a = &ev->attr;

	if (a->sample_type & PERF_SAMPLE_BRANCH_STACK) {
		err_set(e, code, "%s: not supported: this machine records no branches", name_of(ev));
		return err_hint(e, "on arm64 that needs BRBE and Linux 6.17");
	}
	if (a->sample_period) {
		err_set(e, code, "%s: not supported: %s can count it, but not sample it", name_of(ev),
			counter_name(ev));
		return err_hint(e, "count it with stat, or sample another event: -e cpu-clock");
	}
	return err_set(e, code, "%s: not supported with these modifiers", name_of(ev));
}

int attr_explain(const struct event *ev, int code, const struct attr_context *c, struct err *e)
{
	switch (code) {
	case EACCES:
	case EPERM:
		return no_permission(ev, code, c, e);
	case ENOENT:
		return not_supported(ev, code, c, e);
	case EINVAL:
		return bad_value(ev, code, c, e);
	case EOPNOTSUPP:
		return cannot_do(ev, code, e);
	case ENODEV:
		if (c->cpu >= 0)
			return err_set(e, code, "%s: not counted on CPU %d: it is offline, or its PMU cannot do this",
				       name_of(ev), c->cpu);
		return not_supported(ev, code, c, e);
	case ENOSYS:
		err_set(e, code, "%s: not supported: the kernel has no perf events, or no dumps of user stacks",
			name_of(ev));
		return err_hint(e, "CONFIG_PERF_EVENTS=y, CONFIG_HAVE_PERF_USER_STACK_DUMP=y");
	case EMFILE:
	case ENFILE:
		err_set(e, code, "%s: too many open files: each event needs one per CPU and thread", name_of(ev));
		return err_hint(e, "raise the limit: ulimit -n 65536, or measure fewer events, CPUs or threads");
	case ESRCH:
		return err_set(e, code, "%s: process %d is gone", name_of(ev), c->pid);
	case EBUSY:
		err_set(e, code, "%s: the PMU is taken by another user of it", name_of(ev));
		return err_hint(e, "another profiler, the NMI watchdog or a debugger holds the counters for itself");
	case E2BIG:
		return err_set(e, code, "%s: not supported: the kernel is too old for what this event asks",
			       name_of(ev));
	case ENOSPC:
		err_set(e, code, "%s: not counted: no hardware breakpoint is free", name_of(ev));
		return err_hint(e, "arm64 has 2 to 16 for each CPU, and debuggers use them too");
	}
	return err_set(e, code, "%s: cannot be opened: %s", name_of(ev), err_name(code));
}
