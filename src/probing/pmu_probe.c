/* pmu_probe.c - converts a definition to an attr. */
#include "probing/pmu_probe.h"

static const char *const names[] = { [PMU_PROBE_KERNEL] = "kprobe", [PMU_PROBE_USER] = "uprobe" };

int pmu_probe_type(const struct sys *sys, enum pmu_probe_kind kind, struct err *e)
{
	uint64_t type;

	if (sys_read_u64(sys, &type, "/sys/bus/event_source/devices/%s/type", names[kind]) || type > INT_MAX)
		return err_set(e, EOPNOTSUPP, "this kernel has no PMU '%s'", names[kind]);
	return (int)type;
}

struct pmu_probe pmu_probe_of(const struct subject *s, const struct defined *d)
{
	struct pmu_probe p = { .is_return = d->is_return };

	if (!s->is_kernel) {
		p.kind = PMU_PROBE_USER;
		p.name = s->program.code.path;
		p.at = d->file_offset;
		p.semaphore = d->semaphore;
		return p;
	}
	/* Prefer the address: the kernel reads the name again for each new task, from that task's memory. */
	p.name = d->addr ? NULL : d->func;
	p.at = d->addr ? d->addr : d->offset;
	return p;
}

int pmu_probe_attr(struct perf_attr *attr, const struct sys *sys, const struct pmu_probe *p, struct err *e)
{
	int type = pmu_probe_type(sys, p->kind, e);

	if (type < 0)
		return type;
	attr->type = (uint32_t)type;
	attr->config = p->is_return | p->semaphore << 32;
	attr->config1 = (uintptr_t)p->name;
	attr->config2 = p->at;
	if (p->semaphore && !sys_exists(sys, "/sys/bus/event_source/devices/uprobe/format/ref_ctr_offset"))
		return err_set(e, EOPNOTSUPP, "this kernel's PMU 'uprobe' does not count semaphores");
	return 0;
}
