/*
 * doctor_rights.c - who is asking, and what perf_event_open permits them.
 *
 * Rules (linux/kernel/events/core.c): paranoid > 1 refuses the kernel side, > 0 whole CPUs, > -1 raw tracepoint data,
 * each unless CAP_PERFMON or CAP_SYS_ADMIN; Debian and Android kernels add: > 2 refuses everything without
 * CAP_SYS_ADMIN. On a live machine opening decides, in a copied tree the rules.
 */
#include "machine/doctor_parts.h"

static const struct { int cap; const char *name; } useful_caps[] = {
	{ SYS_CAP_SYS_ADMIN, "SYS_ADMIN" }, { SYS_CAP_PERFMON, "PERFMON" }, { SYS_CAP_BPF, "BPF" },
	{ SYS_CAP_SYSLOG, "SYSLOG" }, { SYS_CAP_SYS_PTRACE, "SYS_PTRACE" }, { SYS_CAP_IPC_LOCK, "IPC_LOCK" },
};

bool doctor_capable(const struct doctor *d, int cap)
{
	return d->caps >> cap & 1;
}

bool doctor_perfmon(const struct doctor *d)
{
	return doctor_capable(d, SYS_CAP_PERFMON) || doctor_capable(d, SYS_CAP_SYS_ADMIN);
}

/* A software event that never fires: it can only be refused for lack of permission. */
static struct perf_attr doctor_dummy(uint64_t flags)
{
	return (struct perf_attr){
		.type = PERF_SOFTWARE, .size = PERF_ATTR_VER5, .config = PERF_SW_DUMMY,
		.flags = flags | PERF_ATTR_DISABLED,
	};
}

int doctor_try(const struct doctor *d, const struct perf_attr *attr, int pid, int cpu)
{
	struct perf_attr a = *attr;
	int fd = d->sys->perf_event_open(d->sys, &a, pid, cpu, -1, 0);

	if (fd < 0)
		return fd;
	d->sys->close(d->sys, fd);
	return 0;
}

static bool status_number(const char *text, const char *key, int base, uint64_t *v)
{
	const char *at = strstr(text, key);
	struct sv rest = sv_from(at ? at + strlen(key) : ""), line = { 0 }, word = { 0 };

	sv_cut(&rest, '\n', &line);
	line = sv_trim(line);
	sv_cut(&line, '\t', &word);
	return str_u64(word, base, v);
}

static void row_user(struct doctor *d)
{
	char status[4096], names[128];
	size_t n = 0;

	if (sys_read_text(d->sys, "/proc/self/status", status, sizeof(status)) <= 0 ||
	    !status_number(status, "\nCapEff:", 16, &d->caps) || !status_number(status, "\nUid:", 10, &d->uid)) {
		doctor_add(d, "user", DOCTOR_UNKNOWN, "/proc/self/status is not readable");
		return;
	}
	names[0] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(useful_caps); i++)
		if (doctor_capable(d, useful_caps[i].cap) && n < sizeof(names))
			n += (size_t)snprintf(names + n, sizeof(names) - n, " %s", useful_caps[i].name);
	doctor_add(d, "user", DOCTOR_INFO, "uid %llu with %s%s", (unsigned long long)d->uid,
		   n ? "capabilities" : "none of the capabilities that tracing asks for", names);
	doctor_how(d, "/proc/self/status");
}

static void row_paranoid(struct doctor *d)
{
	static const char *const meaning[] = {
		"everything is open to all users", "all but raw tracepoint data", "own tasks, kernel side too",
		"own tasks, user side only", "nothing without privilege, by a patch of some distributions",
	};
	uint64_t v;

	d->paranoid = DOCTOR_NO_LEVEL;
	if (sys_read_u64(d->sys, &v, "/proc/sys/kernel/perf_event_paranoid")) {
		doctor_add(d, "perf events", DOCTOR_NO, "the kernel has no perf_event_open");
		doctor_do(d, "build the kernel with CONFIG_PERF_EVENTS");
	} else {
		d->paranoid = (int)MIN(MAX((int64_t)v, -1), 4);
		doctor_add(d, "perf events", DOCTOR_YES, "perf_event_paranoid is %lld: %s", (long long)v,
			   meaning[MIN(d->paranoid, 3) + 1]);
	}
	doctor_how(d, "/proc/sys/kernel/perf_event_paranoid");
}

/* A kind of use: the flags that it needs, the level at which the rules refuse it. */
struct use {
	const char *name, *what;
	uint64_t flags;
	int pid, refused_at;
};

static const struct use uses[] = {
	{ "own programs", "user side of one's own tasks", PERF_ATTR_EXCLUDE_KERNEL, 0, 3 },
	{ "kernel side", "what tasks do in the kernel", 0, 0, 2 },
	{ "all CPUs", "whole CPUs, every task", PERF_ATTR_EXCLUDE_KERNEL, -1, 1 },
};

static bool rule_allows(const struct doctor *d, int refused_at)
{
	if (d->paranoid > 2 && !doctor_capable(d, SYS_CAP_SYS_ADMIN))
		return false;
	return d->paranoid < refused_at || doctor_perfmon(d);
}

void doctor_do_filter(struct doctor *d)
{
	doctor_do(d, "a container's seccomp filter or a security module refuses it: allow perf_event_open there");
}

static void advise_level(struct doctor *d, int refused_at, int code)
{
	bool patched = d->paranoid > 2;

	if (code == -EPERM && doctor_capable(d, SYS_CAP_SYS_ADMIN))
		doctor_do_filter(d);
	else
		doctor_do(d, "run as root, or with CAP_%s, or: sysctl kernel.perf_event_paranoid=%d",
			  patched ? "SYS_ADMIN" : "PERFMON", refused_at - 1);
}

static void row_use(struct doctor *d, const struct use *u)
{
	int cpu = u->pid < 0 ? MAX(cpus_next(&d->online, 0), 0) : -1;
	struct perf_attr a = doctor_dummy(u->flags | PERF_ATTR_EXCLUDE_HV);
	int r = d->copied ? (rule_allows(d, u->refused_at) ? 0 : -EACCES) : doctor_try(d, &a, u->pid, cpu);

	d->perf_refused |= u == &uses[0] && r;
	if (!r)
		doctor_add(d, u->name, DOCTOR_YES, "%s", u->what);
	else
		doctor_add(d, u->name, DOCTOR_NO, "%s: refused, %s", u->what, err_name(-r));
	doctor_how(d, "%s", d->copied ? "perf_event_paranoid and capabilities; not tried" : "opened a dummy event");
	if (r)
		advise_level(d, u->refused_at, r);
}

static void row_raw(struct doctor *d)
{
	if (rule_allows(d, 0)) {
		doctor_add(d, "tracepoint data", DOCTOR_YES, "fields of tracepoints in samples");
	} else {
		doctor_add(d, "tracepoint data", DOCTOR_NO, "fields of tracepoints in samples: refused");
		advise_level(d, 0, 0);
	}
	doctor_how(d, "perf_event_paranoid and capabilities");
}

static void row_confidential(struct doctor *d)
{
	doctor_add(d, "not locked down", DOCTOR_NO, "confidentiality: tracefs, kprobes and registers are refused");
	doctor_do(d, "boot with lockdown=none on the kernel's command line, or with Secure Boot off");
}

/*
 * lockdown=confidentiality refuses registers in samples to everyone, whatever the permissions, and allows the same
 * event without: that detects it even if securityfs is not mounted.
 */
static void lockdown_by_trying(struct doctor *d)
{
	struct perf_attr a = doctor_dummy(PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_HV);
	int plain = doctor_try(d, &a, 0, -1), regs;

	a.sample_type = PERF_SAMPLE_REGS_INTR;
	a.sample_regs_intr = 1;
	regs = doctor_try(d, &a, 0, -1);
	d->confidential = !plain && regs == -EPERM;
	if (d->confidential) {
		row_confidential(d);
	} else if (!regs) {
		doctor_add(d, "not locked down", DOCTOR_YES, "no confidentiality lockdown");
	} else {
		doctor_add(d, "not locked down", DOCTOR_UNKNOWN, "the trial was refused for another reason: %s",
			   err_name(-regs));
	}
	doctor_how(d, "asked perf for interrupt registers; no /sys/kernel/security/lockdown");
}

static void row_lockdown(struct doctor *d)
{
	char level[32];

	sys_lockdown(d->sys, level, sizeof(level));
	if (!level[0] && !d->copied) {
		lockdown_by_trying(d);
		return;
	}
	d->confidential = !strcmp(level, "confidentiality");
	if (d->confidential) {
		row_confidential(d);
	} else if (!strcmp(level, "integrity")) {
		doctor_add(d, "not locked down", DOCTOR_PARTLY, "integrity: debugfs is closed, tracing works");
	} else if (level[0]) {
		doctor_add(d, "not locked down", DOCTOR_YES, "%s", level);
	} else {
		doctor_add(d, "not locked down", DOCTOR_UNKNOWN,
			   "cannot tell: the security file system is not mounted or has no such file");
	}
	doctor_how(d, "/sys/kernel/security/lockdown");
}

void doctor_rights(struct doctor *d)
{
	d->topic = "Rights";
	row_user(d);
	row_paranoid(d);
	if (d->paranoid != DOCTOR_NO_LEVEL) {
		for (size_t i = 0; i < ARRAY_SIZE(uses); i++)
			row_use(d, &uses[i]);
		row_raw(d);
	}
	row_lockdown(d);
}
