/*
 * doctor_nopmu.c - why a machine has no core PMU. On arm64 its driver binds to a device-tree node (or to interrupts of
 * ACPI's MADT), so the missing part can be found: the node, its interrupts, the driver; or a hypervisor hides it.
 */
#include "machine/doctor_counters.h"

#define TREE "/sys/firmware/devicetree/base"

struct node_search {
	const struct doctor *d;
	const char *dir;
	char found[256];
};

static bool core_pmu_compatible(const char *c)
{
	/* Other devices are called pmu, too: power management units, interconnects. */
	static const char *const makers[] = {
		"arm,armv8-pmuv3", "arm,cortex-", "arm,neoverse-", "apple,",
		"cavium,thunder", "brcm,vulcan", "nvidia,", "qcom,kryo",
	};

	for (size_t i = 0; i < ARRAY_SIZE(makers); i++)
		if (!strncmp(c, makers[i], strlen(makers[i])) && strstr(c, "pmu"))
			return true;
	return false;
}

/* The property holds several strings, each with its NUL. */
static bool node_is_core_pmu(const struct doctor *d, const char *node)
{
	char path[300], text[512];

	snprintf(path, sizeof(path), "%s/compatible", node);

	ssize_t n = sys_read_text(d->sys, path, text, sizeof(text));

	for (ssize_t at = 0; at < n; at += (ssize_t)strlen(text + at) + 1)
		if (core_pmu_compatible(text + at))
			return true;
	return false;
}

static int look_at(void *arg, const char *name)
{
	struct node_search *s = arg;
	char node[256];

	if (!strstr(name, "pmu") || snprintf(node, sizeof(node), "%s/%s", s->dir, name) >= (int)sizeof(node))
		return 0;
	if (!node_is_core_pmu(s->d, node))
		return 0;
	str_copy(s->found, sizeof(s->found), sv_from(node));
	return 1;
}

/* Nodes of core PMUs are at the top level or directly in a soc node. */
static bool find_node(const struct doctor *d, char *node, size_t size)
{
	static const char *const places[] = { TREE, TREE "/soc", TREE "/soc@0", TREE "/soc@0/bus@0" };
	struct node_search s = { .d = d };

	for (size_t i = 0; i < ARRAY_SIZE(places) && !s.found[0]; i++) {
		s.dir = places[i];
		d->sys->each_entry(d->sys, places[i], look_at, &s);
	}
	return str_copy(node, size, sv_from(s.found)) > 0;
}

static bool node_has(const struct doctor *d, const char *node, const char *property)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/%s", node, property);
	return doctor_has(d, path);
}

static void why_with_node(struct doctor *d, const char *node)
{
	const char *name = node + strlen(TREE);
	char status[32];

	if (sys_read_line(d->sys, status, sizeof(status), "%s/status", node) > 0 && strncmp(status, "ok", 2)) {
		doctor_add(d, "core PMU", DOCTOR_NO, "none: the device tree's node %s has status '%s'", name, status);
		doctor_do(d, "set its status to 'okay' in the board's device tree");
	} else if (!node_has(d, node, "interrupts") && !node_has(d, node, "interrupts-extended")) {
		doctor_add(d, "core PMU", DOCTOR_NO, "none: the device tree's node %s has no interrupts", name);
		doctor_do(d, "add the cores' PMU interrupts to the node");
	} else if (!doctor_has(d, "/sys/bus/platform/drivers/armv8-pmu")) {
		doctor_add(d, "core PMU", DOCTOR_NO, "none: device tree node %s is there, the kernel's driver is not",
			   name);
		doctor_do(d, "build the kernel with CONFIG_HW_PERF_EVENTS and CONFIG_ARM_PMUV3");
	} else {
		doctor_add(d, "core PMU", DOCTOR_NO, "none: the driver did not take the device tree's node %s", name);
		doctor_do(d, "see what the kernel said at boot: dmesg | grep -i perfevents");
	}
	doctor_how(d, "event_source/devices, the device tree and platform drivers in sysfs");
}

static void why_in_vm(struct doctor *d)
{
	doctor_add(d, "core PMU", DOCTOR_NO,
		   "none: this is a virtual machine (%s) and its hypervisor gives it no counters", d->vm);
	doctor_how(d, "event_source/devices in sysfs and the row 'virtual machine'");
	doctor_do(d, "on KVM give the guest a PMU (qemu: -cpu host,pmu=on); in a cloud take a metal instance");
}

void doctor_no_pmu(struct doctor *d)
{
	char node[256];

	if (find_node(d, node, sizeof(node))) {
		why_with_node(d, node);
	} else if (d->vm[0]) {
		why_in_vm(d);
	} else if (d->boot == BOOT_DEVICE_TREE) {
		doctor_add(d, "core PMU", DOCTOR_NO, "none: the device tree has no node for it");
		doctor_how(d, "event_source/devices and firmware/devicetree in sysfs");
		doctor_do(d, "add a node with compatible = \"arm,armv8-pmuv3\" and the cores' PMU interrupts to the "
			     "board's device tree");
	} else {
		doctor_add(d, "core PMU", DOCTOR_NO, "none, and the firmware does not tell why");
		doctor_how(d, "event_source/devices in sysfs");
		doctor_do(d, "look for a performance monitor switch in the firmware's setup; dmesg | grep -i perf");
	}
	doctor_add(d, "sampling", DOCTOR_PARTLY,
		   "falls back to cpu-clock, a timer: no cycles, instructions or cache events, and "
		   "nothing is seen where interrupts are off");
	doctor_how(d, "no core PMU");
}
