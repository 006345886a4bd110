/* pmus.c - fills the model of perf/pmu.h from sysfs. An unreadable file is skipped by itself. */
#include "machine/pmus.h"

#include <unistd.h>

#define DEVICES "/sys/bus/event_source/devices"

static const struct sys *sys_of(const struct pmus *p)
{
	return p->source_arg;
}

static bool has_file(const struct sys *sys, const char *pmu, const char *file)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), DEVICES "/%s/%s", pmu, file);
	return !sys->access(sys, path, F_OK);
}

/*
 * Core PMUs have `cpus`, shared ones `cpumask`; a lone x86 PMU and those of old arm64 kernels have neither, but count
 * cycles. SPE has a cpumask although it belongs to the cores, and is not a counter.
 */
static enum pmu_kind kind_of(const struct sys *sys, const char *name)
{
	static const char *const software[] = { "software", "tracepoint", "breakpoint", "kprobe", "uprobe" };

	for (size_t i = 0; i < ARRAY_SIZE(software); i++) {
		if (!strcmp(name, software[i]))
			return PMU_SOFTWARE;
	}
	if (sv_starts(sv_from(name), "arm_spe_"))
		return PMU_OTHER;
	if (has_file(sys, name, "cpus"))
		return PMU_CORE;
	if (has_file(sys, name, "cpumask"))
		return PMU_UNCORE;
	if (has_file(sys, name, "events/cpu_cycles") || has_file(sys, name, "events/cpu-cycles"))
		return PMU_CORE;
	return PMU_OTHER;
}

static int list_add(struct pmus *p, const char *name, enum pmu_kind kind)
{
	struct pmu *pmu = vec_add(&p->list);

	if (!pmu)
		return -ENOMEM;
	pmu->kind = kind;
	pmu->name = arena_dup(&p->arena, name, strlen(name));
	return pmu->name ? 0 : -ENOMEM;
}

/* Core PMUs first: two passes over the sorted names. */
static int list_fill(struct pmus *p, const struct sys_list *names, const enum pmu_kind *kinds)
{
	int r = 0;

	for (size_t i = 0; !r && i < names->n; i++)
		r = kinds[i] == PMU_CORE ? list_add(p, names->v[i], kinds[i]) : 0;
	for (size_t i = 0; !r && i < names->n; i++)
		r = kinds[i] != PMU_CORE ? list_add(p, names->v[i], kinds[i]) : 0;
	return r;
}

static int pmus_read_list(struct pmus *p, struct err *e)
{
	const struct sys *sys = sys_of(p);
	struct sys_list names;
	int r = sys_list_dir(sys, DEVICES, &names);

	if (r) {
		err_set(e, -r, "cannot list the PMUs in " DEVICES ": %s", err_name(-r));
		return r == -ENOENT ? err_hint(e, "is /sys mounted? mount -t sysfs sysfs /sys") : r;
	}

	enum pmu_kind *kinds = malloc((names.n + 1) * sizeof(*kinds));

	for (size_t i = 0; kinds && i < names.n; i++)
		kinds[i] = kind_of(sys, names.v[i]);
	r = kinds ? list_fill(p, &names, kinds) : -ENOMEM;
	free(kinds);
	sys_list_free(&names);
	if (r)
		p->list.n = 0;
	return r ? err_nomem(e) : 0;
}

/* The number in a line "CPU implementer\t: 0x41" of /proc/cpuinfo, or 0. */
static uint64_t cpuinfo_field(struct sv line, const char *key)
{
	struct sv rest = line, left;
	uint64_t v = 0;

	if (!sv_cut(&rest, ':', &left) || !sv_eq(sv_trim(left), key) || !rest.s || !str_u64(sv_trim(rest), 0, &v))
		return 0;
	return v;
}

/* Compose MIDR_EL1 from /proc/cpuinfo, for kernels before 4.15 or without the sysfs file. */
static uint64_t midr_cpuinfo(const struct sys *sys, unsigned cpu)
{
	uint64_t impl = 0, part = 0, midr = 0;
	char *text, start[32];
	size_t n;

	if (sys_read_all(sys, "/proc/cpuinfo", 1 << 20, &text, &n, NULL))
		return 0;
	snprintf(start, sizeof(start), "processor\t: %u\n", cpu);

	const char *at = strstr(text, start);
	struct sv rest = sv_from(at ? at : ""), line;

	while (sv_cut(&rest, '\n', &line) && line.n) {
		impl |= cpuinfo_field(line, "CPU implementer");
		part |= cpuinfo_field(line, "CPU part");
		midr |= cpuinfo_field(line, "CPU variant") << 20 | cpuinfo_field(line, "CPU revision");
	}
	free(text);
	return impl ? midr | impl << 24 | 0xf << 16 | part << 4 : 0;
}

static uint64_t midr_of(const struct sys *sys, const struct pmu *pmu)
{
	unsigned tries = 0;
	uint64_t midr = 0;
	int cpu = pmu->has_cpus ? cpus_next(&pmu->cpus, 0) : 0;

	/* An offline CPU has no such file: try the next one of the same type. */
	for (; cpu >= 0 && tries < 8; cpu = cpus_next(&pmu->cpus, (unsigned)cpu + 1), tries++) {
		if (!sys_read_u64(sys, &midr, "/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1", cpu))
			return midr;
		midr = midr_cpuinfo(sys, (unsigned)cpu);
		if (midr || !pmu->has_cpus)
			return midr;
	}
	return 0;
}

static int read_base(const struct sys *sys, struct pmu *pmu, struct err *e)
{
	uint64_t type, slots = 0;
	char text[4096];
	int r = sys_read_u64(sys, &type, DEVICES "/%s/type", pmu->name);

	if (r)
		return err_set(e, -r, "cannot read the type of PMU %s: %s", pmu->name, err_name(-r));
	pmu->type = (uint32_t)type;
	if (sys_read_line(sys, text, sizeof(text), DEVICES "/%s/cpus", pmu->name) >= 0 ||
	    sys_read_line(sys, text, sizeof(text), DEVICES "/%s/cpumask", pmu->name) >= 0)
		pmu->has_cpus = !cpus_parse(&pmu->cpus, sv_from(text), NULL) && cpus_count(&pmu->cpus);
	if (pmu->kind != PMU_CORE)
		return 0;
	if (!sys_read_u64(sys, &slots, DEVICES "/%s/caps/slots", pmu->name))
		pmu->slots = (uint32_t)slots;
	pmu->midr = midr_of(sys, pmu);

	struct midr midr = midr_parse(pmu->midr);

	pmu->core = pmu->midr ? arch_core_find(midr.impl, midr.part) : NULL;
	return 0;
}

static int add_term(struct pmus *p, struct pmu *pmu, const char *name)
{
	struct pmu_term t = { 0 }, *to;
	char text[256];

	if (sys_read_line(sys_of(p), text, sizeof(text), DEVICES "/%s/format/%s", pmu->name, name) < 0 ||
	    pmu_term_parse(&t, sv_from(text), NULL))
		return 0;
	t.name = arena_dup(&p->arena, name, strlen(name));
	to = t.name ? vec_add(&pmu->terms) : NULL;
	if (!to)
		return -ENOMEM;
	*to = t;
	return 0;
}

/* Read "events/NAME" and its companion files. -ENOENT: not there. */
static int add_alias(struct pmus *p, struct pmu *pmu, struct sv name)
{
	const struct sys *sys = sys_of(p);
	struct pmu_alias a = { .unit = "", .scale = 1 }, *to;
	char file[NAME_MAX + 1], text[1024];
	ssize_t n;

	if (!name.n || name.n > NAME_MAX || name.s[0] == '.' || memchr(name.s, '/', name.n))
		return -ENOENT;
	str_copy(file, sizeof(file), name);
	n = sys_read_line(sys, text, sizeof(text), DEVICES "/%s/events/%s", pmu->name, file);
	if (n <= 0)
		return -ENOENT;
	a.name = arena_dup(&p->arena, file, name.n);
	a.terms = arena_dup(&p->arena, text, (size_t)n);
	if (sys_read_line(sys, text, sizeof(text), DEVICES "/%s/events/%s.scale", pmu->name, file) > 0)
		str_double(sv_from(text), &a.scale);
	n = sys_read_line(sys, text, sizeof(text), DEVICES "/%s/events/%s.unit", pmu->name, file);
	if (n > 0)
		a.unit = arena_dup(&p->arena, text, (size_t)n);
	to = a.name && a.terms && a.unit ? vec_add(&pmu->aliases) : NULL;
	if (!to)
		return -ENOMEM;
	*to = a;
	return 0;
}

static bool ends_with(struct sv name, const char *end)
{
	size_t n = strlen(end);

	return name.n > n && !memcmp(name.s + name.n - n, end, n);
}

/* Companion files with more about an event. */
static bool beside_event(struct sv name)
{
	return ends_with(name, ".scale") || ends_with(name, ".unit") || ends_with(name, ".snapshot") ||
	       ends_with(name, ".per-pkg");
}

static int pmus_read_alias(struct pmus *p, struct pmu *pmu, struct sv name)
{
	return beside_event(name) ? -ENOENT : add_alias(p, pmu, name);
}

static bool has_alias(const struct pmu *pmu, const char *name)
{
	for (size_t i = 0; i < pmu->aliases.n; i++) {
		if (!strcmp(pmu->aliases.v[i].name, name))
			return true;
	}
	return false;
}

static int add_entry(struct pmus *p, struct pmu *pmu, enum pmu_part part, const char *name)
{
	int r;

	if (part == PMU_TERMS)
		return add_term(p, pmu, name);
	if (has_alias(pmu, name))
		return 0;
	r = pmus_read_alias(p, pmu, sv_from(name));
	return r == -ENOENT ? 0 : r;
}

/* Read all of format/ or events/. A PMU may lack that directory. */
static int read_dir(struct pmus *p, struct pmu *pmu, enum pmu_part part, struct err *e)
{
	struct sys_list names;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), DEVICES "/%s/%s", pmu->name, part == PMU_TERMS ? "format" : "events");

	int r = sys_list_dir(sys_of(p), path, &names);

	if (r)
		return r == -ENOMEM ? err_nomem(e) : 0;
	for (size_t i = 0; !r && i < names.n; i++)
		r = add_entry(p, pmu, part, names.v[i]);
	sys_list_free(&names);
	return r ? err_nomem(e) : 0;
}

static int pmus_read_part(struct pmus *p, struct pmu *pmu, enum pmu_part part, struct err *e)
{
	return part == PMU_BASE ? read_base(sys_of(p), pmu, e) : read_dir(p, pmu, part, e);
}

static const struct pmus_source sysfs = {
	.list = pmus_read_list,
	.part = pmus_read_part,
	.alias = pmus_read_alias,
};

void pmus_init(struct pmus *p, const struct sys *sys)
{
	*p = (struct pmus){ .source = &sysfs, .source_arg = sys };
}

int pmus_load(struct pmus *p, const struct sys *sys, struct err *e)
{
	int r;

	pmus_init(p, sys);
	r = pmus_list(p, e);
	for (size_t i = 0; !r && i < p->list.n; i++)
		r = pmu_need(p, &p->list.v[i], PMU_ALL, e);
	if (r)
		pmus_deinit(p);
	return r;
}
