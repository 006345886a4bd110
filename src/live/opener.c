/* opener.c - perf_event_open(2), retried with changes after errors that these may cure. */
#include "live/opener.h"

#include "perf/attr.h"
#include "sys/attr_dump.h"

/*
 * Bits that a kernel may not know yet, newest first: Linux 6.0, 5.14, 5.13, 5.12, 5.11, 5.7, 5.1, 4.12. EINVAL does not
 * say which bit is unknown, so they are dropped one after the other. None of them changes what is counted.
 */
static const struct rung {
	uint64_t flags, sample, read;
} rungs[] = {
	{ .read = PERF_FORMAT_LOST },
	{ .flags = PERF_ATTR_BUILD_ID },
	{ .sample = PERF_SAMPLE_WEIGHT_STRUCT },
	{ .sample = PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE },
	{ .flags = PERF_ATTR_TEXT_POKE },
	{ .flags = PERF_ATTR_CGROUP, .sample = PERF_SAMPLE_CGROUP },
	{ .flags = PERF_ATTR_BPF_EVENT },
	{ .flags = PERF_ATTR_KSYMBOL },
	{ .flags = PERF_ATTR_NAMESPACES },
	{ .flags = PERF_ATTR_EXCLUDE_GUEST },    /* depends on the PMU, not on the kernel, so it is not remembered */
};

void opener_init(struct opener *o, const struct sys *sys)
{
	*o = (struct opener){ .sys = sys, .anchors.sys = sys };
}

void opener_deinit(struct opener *o)
{
	anchors_close(&o->anchors);
}

static void drop(struct perf_attr *a, const struct rung *r)
{
	a->flags &= ~r->flags;
	a->sample_type &= ~r->sample;
	a->read_format &= ~r->read;
}

/* Has the attr any bit of this rung? If not, dropping it would change nothing. */
static bool has_rung(const struct perf_attr *a, const struct rung *r)
{
	return (a->flags & r->flags) || (a->sample_type & r->sample) || (a->read_format & r->read);
}

static bool step_down(struct perf_attr *a)
{
	/* PERF_SAMPLE_READ of inherited events: since Linux 6.12. */
	static const struct rung read_inherited = { .sample = PERF_SAMPLE_READ };

	for (size_t i = 0; i < ARRAY_SIZE(rungs); i++) {
		if (has_rung(a, &rungs[i])) {
			drop(a, &rungs[i]);
			return true;
		}
	}
	if (!(a->flags & PERF_ATTR_INHERIT) || !has_rung(a, &read_inherited))
		return false;
	drop(a, &read_inherited);
	return true;
}

/* After E2BIG the kernel has set a->size to the size that it knows. Possible if all bytes behind that are zero. */
static bool shrink(struct perf_attr *a, uint32_t before)
{
	static const uint8_t zero[sizeof(*a)];
	uint32_t size = a->size;

	if (size < PERF_ATTR_VER0 || size >= before || memcmp((const uint8_t *)a + size, zero, before - size)) {
		a->size = before;
		return false;
	}
	return true;
}

static bool leave_kernel_out(struct perf_attr *a)
{
	uint64_t flags = PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_HV | PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL;

	if ((a->flags & PERF_ATTR_EXCLUDE_KERNEL) || (a->flags & PERF_ATTR_EXCLUDE_USER))
		return false;
	a->flags |= flags;
	return true;
}

static void apply_known(const struct opener *o, struct perf_attr *a, const struct opener_want *w)
{
	struct rung known = { .flags = o->drop_flags, .sample = o->drop_sample, .read = o->drop_read };

	drop(a, &known);
	if (!a->size || a->size > sizeof(*a))
		a->size = sizeof(*a);
	if (o->max_size && o->max_size < a->size) {
		uint32_t before = a->size;

		a->size = o->max_size;
		shrink(a, before);
	}
	if (o->user_only && w->may_drop_kernel)
		leave_kernel_out(a);
}

static void remember(struct opener *o, const struct perf_attr *asked, const struct perf_attr *got)
{
	uint64_t flags = asked->flags & ~got->flags;

	/* If exclude_guest had to be dropped, the PMU was the cause: the kernel may know the bits dropped before. */
	if (!(flags & PERF_ATTR_EXCLUDE_GUEST)) {
		o->drop_flags |= flags;
		o->drop_sample |= asked->sample_type & ~got->sample_type;
		o->drop_read |= asked->read_format & ~got->read_format;
	}
	if (got->size < sizeof(*got))
		o->max_size = got->size;
	if (got->flags & ~asked->flags & PERF_ATTR_EXCLUDE_KERNEL)
		o->user_only = true;
}

/* Change something for another attempt. False: nothing can be changed, the error is final. */
static bool can_retry(struct opener *o, struct perf_attr *a, const struct opener_want *w, int code, uint32_t size)
{
	switch (code) {
	case E2BIG:
		return shrink(a, size);
	case EINVAL:
	case EOPNOTSUPP:
		return step_down(a);
	case EACCES:
	case EPERM:
		return w->may_drop_kernel && leave_kernel_out(a);
	case EMFILE:
		if (o->fds_raised)
			return false;
		o->fds_raised = true;
		return !o->sys->raise_fd_limit(o->sys);
	}
	return false;
}

int opener_open(struct opener *o, struct perf_attr *attr, const struct opener_want *w)
{
	struct perf_attr asked = *attr, try = *attr;
	int fd;

	apply_known(o, &try, w);
	if (!(w->flags & PERF_FLAG_PID_CGROUP))
		anchors_hold(&o->anchors, attr, w->pid);
	for (;;) {
		uint32_t size = try.size;

		fd = o->sys->perf_event_open(o->sys, &try, w->pid, w->cpu, w->group, w->flags);
		if (fd >= 0)
			break;
		/* This ends: sizes only shrink, bits are only dropped, and the limit is raised once. */
		if (!can_retry(o, &try, w, -fd, size))
			return fd;
	}
	if (!asked.size)
		asked.size = sizeof(asked);
	remember(o, &asked, &try);
	*attr = try;
	attr_dump(o->sys, &(struct attr_dump){ fd, w->group, w->cpu, w->pid, w->flags | PERF_FLAG_CLOEXEC }, attr);
	return fd;
}

/* By the CPU flag "hypervisor" on x86; on arm64 by firmware: a device-tree node, or DMI strings of QEMU and others. */
static bool looks_virtual(const struct sys *s)
{
	char text[4096];

	if (!s->access(s, "/proc/device-tree/hypervisor", 0) || !s->access(s, "/sys/hypervisor/type", 0))
		return true;
	if (sys_read_line(s, text, sizeof(text), "/sys/class/dmi/id/sys_vendor") > 0 &&
	    (str_contains(sv_from(text), SV("qemu")) || str_contains(sv_from(text), SV("vmware")) ||
	     str_contains(sv_from(text), SV("xen"))))
		return true;
	return sys_read_line(s, text, sizeof(text), "/proc/cpuinfo") > 0 && strstr(text, " hypervisor");
}

static int paranoid_level(const struct sys *s)
{
	char text[32];
	int64_t level;

	if (sys_read_line(s, text, sizeof(text), "/proc/sys/kernel/perf_event_paranoid") <= 0 ||
	    !str_i64(sv_from(text), 10, &level))
		return INT_MIN;
	return (int)level;
}

int opener_no_filter(const struct event *ev, int code, struct err *e)
{
	err_set(e, code, "the kernel refused the filter '%s' of %s: %s", ev->filter, ev->name, err_name(code));
	return err_hint(e, "'sonde list -v %s' shows the fields; operators are == != < > <= >= & ~ && || and ()",
			ev->name);
}

struct core_search {
	const struct sys *sys;
	size_t n;
};

/* Count core PMUs: they have a file `cpus`, or, on x86, the name "cpu". */
static int count_core(void *arg, const char *name)
{
	struct core_search *c = arg;
	char path[300];

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%.200s/cpus", name);
	if (!strcmp(name, "cpu") || !c->sys->access(c->sys, path, 0))
		c->n++;
	return 0;
}

int opener_explain(const struct opener *o, const struct event *ev, int code, const struct opener_want *w, struct err *e)
{
	char lockdown[32];
	struct core_search cores = { .sys = o->sys };
	bool admin = sys_capable(o->sys, SYS_CAP_SYS_ADMIN);
	uint64_t rate = 0;
	struct event tried = *ev;

	/* The last attempt was without kernel mode, and was refused, too. */
	if (w->may_drop_kernel && !(tried.attr.flags & PERF_ATTR_EXCLUDE_USER))
		tried.attr.flags |= PERF_ATTR_EXCLUDE_KERNEL;
	o->sys->each_entry(o->sys, "/sys/bus/event_source/devices", count_core, &cores);
	sys_read_u64(o->sys, &rate, "/proc/sys/kernel/perf_event_max_sample_rate");

	struct attr_context c = {
		.paranoid = paranoid_level(o->sys),
		.uid = o->sys->uid(o->sys),
		.perfmon = admin || sys_capable(o->sys, SYS_CAP_PERFMON),
		.sys_admin = admin,
		.lockdown = sys_lockdown(o->sys, lockdown, sizeof(lockdown)),
		.n_core_pmus = cores.n,
		.looks_virtual = looks_virtual(o->sys),
		.pid = w->pid,
		.cpu = w->cpu,
		.max_sample_rate = rate,
	};

	return attr_explain(&tried, code < 0 ? -code : code, &c, e);
}
