/*
 * test_doctor.c - the examination of small copied machines (tests/data/root), and of a "live" one: the same files
 * without the root prefix, whose perf_event_open is played here.
 */
#include "machine/doctor.h"
#include "t.h"

#include <fcntl.h>
#include <sys/utsname.h>

struct machine {
	struct sys files;       /* the copied tree */
	unsigned counters;      /* members that a group of cycles may have, as the PMU's driver checks it */
	bool confidential, no_interrupt;
	int refuse_all;         /* -errno for every open */
	int64_t cycles;
	unsigned group, opened, closed, enabled;
};

enum { FAKE_FD = 1000 };

static struct machine *of(const struct sys *s)
{
	return s->arg;
}

static int fake_open(const struct sys *s, const char *path, int flags, unsigned mode)
{
	CHECK_EQ(flags & (O_ACCMODE | O_CREAT | O_TRUNC), O_RDONLY);
	return of(s)->files.open(&of(s)->files, path, flags, mode);
}

static int fake_close(const struct sys *s, int fd)
{
	if (fd < FAKE_FD)
		return of(s)->files.close(&of(s)->files, fd);
	of(s)->closed++;
	return 0;
}

static ssize_t fake_read(const struct sys *s, int fd, void *p, size_t n)
{
	if (fd < FAKE_FD)
		return of(s)->files.read(&of(s)->files, fd, p, n);
	memcpy(p, &of(s)->cycles, sizeof(of(s)->cycles));
	return sizeof(of(s)->cycles);
}

static ssize_t fake_write(const struct sys *s UNUSED, int fd UNUSED, const void *p UNUSED, size_t n UNUSED)
{
	t_fail(__FILE__, __LINE__, "the doctor writes");
	return -EROFS;
}

static int fake_access(const struct sys *s, const char *path, int mode)
{
	return of(s)->files.access(&of(s)->files, path, mode);
}

static int fake_each(const struct sys *s, const char *path, int (*each)(void *, const char *), void *arg)
{
	return of(s)->files.each_entry(&of(s)->files, path, each, arg);
}

static int fake_uname(const struct sys *s UNUSED, struct utsname *u)
{
	memset(u, 0, sizeof(*u));
	str_copy(u->machine, sizeof(u->machine), SV("aarch64"));
	return 0;
}

static int fake_ioctl(const struct sys *s, int fd UNUSED, unsigned long request, uintptr_t arg UNUSED)
{
	CHECK_EQ(request, PERF_IOC_ENABLE);
	of(s)->enabled++;
	return 0;
}

static int fake_perf(const struct sys *s, struct perf_attr *a, int pid UNUSED, int cpu UNUSED, int group,
		     unsigned long flags UNUSED)
{
	struct machine *m = of(s);

	CHECK(a->flags & PERF_ATTR_DISABLED);
	if (m->refuse_all)
		return m->refuse_all;
	if (m->confidential && (a->sample_type & PERF_SAMPLE_REGS_INTR))
		return -EPERM;
	if (m->no_interrupt && a->sample_period && a->type != PERF_SOFTWARE)
		return -EOPNOTSUPP;
	m->group = group < 0 ? 1 : m->group + 1;
	/* Linux drivers/perf/arm_pmu.c, validate_event(): events that are off and wait for nothing take no counter. */
	if ((a->flags & PERF_ATTR_ENABLE_ON_EXEC) && m->group > m->counters)
		return -EINVAL;
	m->opened++;
	return FAKE_FD + (int)m->opened;
}

static struct sys live(struct machine *m, const char *root)
{
	struct sys s = sys_live;

	m->files = sys_with_root(root);
	s.arg = m;
	s.open = fake_open;
	s.close = fake_close;
	s.read = fake_read;
	s.write = fake_write;
	s.access = fake_access;
	s.each_entry = fake_each;
	s.uname = fake_uname;
	s.ioctl = fake_ioctl;
	s.perf_event_open = fake_perf;
	return s;
}

static const struct doctor_row *row(const struct doctor_report *r, const char *name)
{
	static const struct doctor_row none = { .value = "", .advice = "", .how = "" };

	for (size_t i = 0; i < r->rows.n; i++)
		if (!strcmp(r->rows.v[i].name, name))
			return &r->rows.v[i];
	t_fail(__FILE__, __LINE__, "no row '%s'", name);
	return &none;
}

static struct doctor_report examine(const struct sys *s)
{
	struct doctor_report r;

	CHECK_EQ(doctor_init(&r, s, NULL), 0);
	return r;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

TEST(doctor_counts_the_members_of_a_group)
{
	struct machine m = { .counters = 7, .cycles = 12345 };
	struct sys s = live(&m, "tests/data/root/biglittle");
	struct doctor_report r = examine(&s);

	CHECK(begins(row(&r, "counters")->value, "7 on armv8_cortex_a53;"));
	CHECK_EQ(row(&r, "counters")->status, DOCTOR_YES);
	CHECK_EQ(row(&r, "counting")->status, DOCTOR_YES);
	CHECK_EQ(row(&r, "sampling")->status, DOCTOR_YES);
	CHECK_EQ(m.opened, m.closed);
	/* One event per core PMU counts for a moment; nothing else is ever switched on. */
	CHECK_EQ(m.enabled, 2);
	doctor_deinit(&r);
}

TEST(doctor_sees_a_pmu_without_interrupt)
{
	struct machine m = { .counters = 7, .cycles = 1, .no_interrupt = true };
	struct sys s = live(&m, "tests/data/root/n1");
	struct doctor_report r = examine(&s);

	CHECK_EQ(row(&r, "counting")->status, DOCTOR_YES);
	CHECK_EQ(row(&r, "sampling")->status, DOCTOR_NO);
	CHECK(strstr(row(&r, "sampling")->value, "cpu-clock"));
	CHECK(strstr(row(&r, "sampling")->advice, "interrupts"));
	doctor_deinit(&r);
}

TEST(doctor_does_not_call_a_counter_that_stands_still_good)
{
	struct machine m = { .counters = 7, .cycles = 0 };
	struct sys s = live(&m, "tests/data/root/n1");
	struct doctor_report r = examine(&s);

	CHECK_EQ(row(&r, "counting")->status, DOCTOR_UNKNOWN);
	doctor_deinit(&r);
}

TEST(doctor_finds_lockdown_without_securityfs)
{
	struct machine m = { .counters = 7, .confidential = true };
	struct sys s = live(&m, "tests/data/root/pi4");
	struct doctor_report r = examine(&s);

	CHECK_EQ(row(&r, "not locked down")->status, DOCTOR_NO);
	CHECK(begins(row(&r, "not locked down")->value, "confidentiality"));
	CHECK(row(&r, "not locked down")->advice);
	CHECK_EQ(row(&r, "kprobes")->status, DOCTOR_NO);
	doctor_deinit(&r);

	m = (struct machine){ .counters = 7 };
	s = live(&m, "tests/data/root/pi4");
	r = examine(&s);
	CHECK_EQ(row(&r, "not locked down")->status, DOCTOR_YES);
	doctor_deinit(&r);
}

TEST(doctor_does_not_take_missing_rights_for_lockdown)
{
	struct machine m = { .refuse_all = -EACCES };
	struct sys s = live(&m, "tests/data/root/pi4");
	struct doctor_report r = examine(&s);

	CHECK_EQ(row(&r, "not locked down")->status, DOCTOR_UNKNOWN);
	CHECK_EQ(row(&r, "own programs")->status, DOCTOR_NO);
	CHECK_EQ(row(&r, "kprobes")->status, DOCTOR_NO);
	doctor_deinit(&r);
}

TEST(doctor_says_why_a_board_has_no_pmu)
{
	struct sys s = sys_with_root("tests/data/root/pi4");
	struct doctor_report r = examine(&s);

	CHECK_EQ(row(&r, "core PMU")->status, DOCTOR_NO);
	CHECK(strstr(row(&r, "core PMU")->value, "device tree has no node"));
	CHECK(strstr(row(&r, "core PMU")->advice, "arm,armv8-pmuv3"));
	CHECK(strstr(row(&r, "sampling")->value, "cpu-clock"));
	doctor_deinit(&r);
}

TEST(doctor_tells_the_reasons_for_no_pmu_apart)
{
	static const struct { const char *root, *why; } machines[] = {
		{ "tests/data/root/pmu_disabled", "status 'disabled'" },
		{ "tests/data/root/pmu_no_irq", "/soc/pmu has no interrupts" },
		{ "tests/data/root/pmu_no_driver", "driver is not" },
		{ "tests/data/root/pmu_refused", "did not take" },
		{ "tests/data/root/vm", "virtual machine" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		struct sys s = sys_with_root(machines[i].root);
		struct doctor_report r = examine(&s);

		CHECK_EQ(row(&r, "core PMU")->status, DOCTOR_NO);
		if (!strstr(row(&r, "core PMU")->value, machines[i].why))
			t_fail(__FILE__, __LINE__, "%s: %s", machines[i].root, row(&r, "core PMU")->value);
		doctor_deinit(&r);
	}
}

TEST(doctor_names_each_kind_of_core)
{
	struct sys s = sys_with_root("tests/data/root/biglittle");
	struct doctor_report r = examine(&s);
	const struct doctor_row *a53 = row(&r, "cores");

	CHECK_STR(a53->value, "Arm Cortex-A53 r0p4: CPU 0-3");
	CHECK_STR(a53[1].value, "Arm Cortex-A73 r0p2: CPU 4-7");
	doctor_deinit(&r);
}

TEST(doctor_reads_cores_from_cpuinfo_when_sysfs_has_no_midr)
{
	struct sys s = sys_with_root("tests/data/root/vm");
	struct doctor_report r = examine(&s);

	CHECK_STR(row(&r, "cores")->value, "Arm Cortex-A57 r1p0: CPU 0-1");
	doctor_deinit(&r);
}

TEST(doctor_knows_no_machine_in_an_empty_folder)
{
	struct sys s = sys_with_root("tests/data/root/none");
	struct doctor_report r = examine(&s);

	CHECK_EQ(row(&r, "kernel")->status, DOCTOR_UNKNOWN);
	CHECK_EQ(row(&r, "cores")->status, DOCTOR_UNKNOWN);
	CHECK_EQ(row(&r, "perf events")->status, DOCTOR_NO);
	CHECK_EQ(row(&r, "tracefs")->status, DOCTOR_NO);
	doctor_deinit(&r);
}

TEST(doctor_gives_every_no_that_can_be_helped_its_advice)
{
	/* These have no remedy: the hardware is what it is. */
	static const char *const final[] = { "SPE", "top-down" };
	struct sys s = sys_with_root("tests/data/root/pi4");
	struct doctor_report r = examine(&s);

	for (size_t i = 0; i < r.rows.n; i++) {
		const struct doctor_row *w = &r.rows.v[i];
		bool helpless = w->status != DOCTOR_NO;

		for (size_t j = 0; j < ARRAY_SIZE(final); j++)
			helpless |= !strcmp(w->name, final[j]);
		if (!helpless && !w->advice)
			t_fail(__FILE__, __LINE__, "row '%s' says no and leaves it at that", w->name);
		CHECK(w->how != NULL);
	}
	doctor_deinit(&r);
}
