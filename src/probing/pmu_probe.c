/* pmu_probe.c - a definition as an attr. */
#include "probing/pmu_probe.h"

static const char *const names[] = { [PMU_PROBE_KERNEL] = "kprobe", [PMU_PROBE_USER] = "uprobe" };

int pmu_probe_type(const struct sys *sys, enum pmu_probe_kind kind, struct err *e)
{
	uint64_t type;

	if (sys_read_u64(sys, &type, "/sys/bus/event_source/devices/%s/type", names[kind]) || type > INT_MAX)
		return err_set(e, EOPNOTSUPP, "this kernel has no PMU '%s'", names[kind]);
	return (int)type;
}

int pmu_probe_attr(struct perf_attr *attr, const struct sys *sys, const struct subject *s, const struct defined *d,
		   struct err *e)
{
	int type = pmu_probe_type(sys, s->is_kernel ? PMU_PROBE_KERNEL : PMU_PROBE_USER, e);
	char path[96];

	if (type < 0)
		return type;
	attr->type = (uint32_t)type;
	attr->config = d->is_return;
	if (s->is_kernel) {
		/* By address where it is known: a name is read again for each new task, from that task's memory. */
		attr->config1 = d->addr ? 0 : (uintptr_t)d->func;
		attr->config2 = d->addr ? d->addr : d->offset;
		return 0;
	}
	attr->config1 = (uintptr_t)s->program.code.path;
	attr->config2 = d->file_offset;
	if (!d->semaphore)
		return 0;
	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/uprobe/format/ref_ctr_offset");
	if (!sys_exists(sys, path))
		return err_set(e, EOPNOTSUPP, "this kernel's PMU 'uprobe' does not count semaphores");
	attr->config |= d->semaphore << 32;
	return 0;
}
