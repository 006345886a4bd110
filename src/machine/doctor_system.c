/* doctor_system.c - kernel symbols and control groups. */
#include "machine/doctor_parts.h"

#include "image/kallsyms_text.h"

/* 0: no kallsyms, 1: addresses are hidden, 2: addresses are shown. */
static int kallsyms_shown(const struct doctor *d)
{
	char text[4096];
	struct kallsyms_line line;
	struct sv rest;

	if (sys_read_text(d->sys, "/proc/kallsyms", text, sizeof(text)) <= 0)
		return 0;
	/* On x86_64 the first symbols are really at 0 (per-CPU). */
	for (rest = sv_from(text); kallsyms_next(&rest, &line);)
		if (line.addr)
			return 2;
	return 1;
}

static void row_kallsyms(struct doctor *d)
{
	uint64_t kptr = 0;
	int shown = kallsyms_shown(d);
	char level[40] = "";

	if (!sys_read_u64(d->sys, &kptr, "/proc/sys/kernel/kptr_restrict"))
		snprintf(level, sizeof(level), "kptr_restrict is %llu", (unsigned long long)kptr);
	if (shown == 2) {
		doctor_add(d, "kernel symbols", DOCTOR_YES, "/proc/kallsyms shows addresses; %s", level);
	} else if (shown == 1) {
		doctor_add(d, "kernel symbols", DOCTOR_NO, "/proc/kallsyms hides addresses; %s", level);
		if (kptr > 1)
			doctor_do(d, "as root: sysctl kernel.kptr_restrict=1");
		else
			doctor_do(d, "run as root or with CAP_SYSLOG%s",
				  kptr ? "" : ", or: sysctl kernel.perf_event_paranoid=1");
	} else {
		doctor_add(d, "kernel symbols", DOCTOR_NO, "no /proc/kallsyms: kernel addresses stay numbers");
		doctor_do(d, "build the kernel with CONFIG_KALLSYMS");
	}
	doctor_how(d, "/proc/kallsyms");
}

struct cgroups {
	char v2[128], v1[128];   /* mount points; v1: of the controller perf_event */
	bool other_v1;
};

static bool has_option(struct sv options, const char *name)
{
	struct sv one;

	while (sv_cut(&options, ',', &one))
		if (sv_eq(one, name))
			return true;
	return false;
}

static void find_cgroups(const struct doctor *d, struct cgroups *c)
{
	char *text;
	size_t n;
	struct sv rest, line, word, at, type;

	memset(c, 0, sizeof(*c));
	if (sys_read_all(d->sys, "/proc/mounts", 4 << 20, &text, &n, NULL))
		return;
	for (rest = (struct sv){ text, n }; sv_cut(&rest, '\n', &line);) {
		sv_cut(&line, ' ', &word);
		sv_cut(&line, ' ', &at);
		sv_cut(&line, ' ', &type);
		sv_cut(&line, ' ', &word);
		if (sv_eq(type, "cgroup2"))
			str_copy(c->v2, sizeof(c->v2), at);
		else if (sv_eq(type, "cgroup") && has_option(word, "perf_event"))
			str_copy(c->v1, sizeof(c->v1), at);
		else
			c->other_v1 |= sv_eq(type, "cgroup");
	}
	free(text);
}

/* On v2 perf_event is implicitly enabled in every group, unless v1 has taken it. */
static void row_cgroups(struct doctor *d)
{
	struct cgroups c;

	find_cgroups(d, &c);
	if (c.v1[0])
		doctor_add(d, "per cgroup", DOCTOR_YES, "version 1, perf_event at %s", c.v1);
	else if (c.v2[0])
		doctor_add(d, "per cgroup", DOCTOR_YES, "version 2 at %s%s", c.v2,
			   c.other_v1 ? ", version 1 for others" : "");
	else
		doctor_add(d, "per cgroup", DOCTOR_NO, "%s", c.other_v1 ? "version 1 without the perf_event controller"
									 : "no cgroup file system is mounted");
	doctor_how(d, "/proc/mounts");
	if (c.v1[0] || c.v2[0])
		return;
	doctor_do(d, "as root: mount -t cgroup2 none /sys/fs/cgroup");
}

void doctor_system(struct doctor *d)
{
	d->topic = "System";
	row_kallsyms(d);
	row_cgroups(d);
}
