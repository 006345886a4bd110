/* places.c - topology of CPUs (Linux Documentation/ABI/stable/sysfs-devices-system-cpu, -node). */
#include "machine/places.h"

enum { NODES_MAX = 1024 };

#define CPU_DIR "/sys/devices/system/cpu/cpu%d/"
#define NODE_DIR "/sys/devices/system/node/node%u"

static unsigned topology(const struct sys *s, int cpu, const char *file)
{
	uint64_t v;

	if (sys_read_u64(s, &v, CPU_DIR "topology/%s", cpu, file) || v > 0xfffff)
		return 0;
	return (unsigned)v;
}

static unsigned node_of(const struct sys *s, int cpu)
{
	char path[96];

	for (unsigned node = 0; node < NODES_MAX; node++) {
		snprintf(path, sizeof(path), CPU_DIR "node%u", cpu, node);
		if (!s->access(s, path, 0))
			return node;
		/* Node numbers may have gaps, but seldom have. */
		snprintf(path, sizeof(path), NODE_DIR, node);
		if (node > 64 && s->access(s, path, 0))
			break;
	}
	return 0;
}

void cpu_place_read(struct cpu_place *p, const struct sys *sys, int cpu)
{
	*p = (struct cpu_place){
		.socket = topology(sys, cpu, "physical_package_id"), .die = topology(sys, cpu, "die_id"),
		.core = topology(sys, cpu, "core_id"), .cluster = topology(sys, cpu, "cluster_id"),
		.node = node_of(sys, cpu),
	};
}
