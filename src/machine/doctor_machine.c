/* doctor_machine.c - kernel, pages, board, types of cores, and whether there is a hypervisor. */
#include "machine/doctor_parts.h"

#include <sys/utsname.h>

/* A device-tree property ends with a NUL, lists have one between strings. The first string is enough. */
static bool line_of(const struct doctor *d, char *buf, size_t size, const char *path)
{
	return sys_read_line(d->sys, buf, size, "%s", path) > 0 && buf[0];
}

static bool cpuinfo_value(const struct doctor *d, const char *key, char *buf, size_t size)
{
	char text[8192];
	struct sv rest, line;

	buf[0] = '\0';
	if (sys_read_text(d->sys, "/proc/cpuinfo", text, sizeof(text)) <= 0)
		return false;
	rest = sv_from(text);
	while (sv_cut(&rest, '\n', &line)) {
		struct sv name;

		sv_cut(&line, ':', &name);
		if (line.s && sv_eq(sv_trim(name), key))
			return str_copy(buf, size, sv_trim(line)) > 0;
	}
	return false;
}

/* By files: uname would describe the machine that reads a copied tree. */
static void find_arch(struct doctor *d)
{
	char text[64];
	struct utsname u;

	if (!d->copied && !d->sys->uname(d->sys, &u))
		str_copy(d->arch, sizeof(d->arch), sv_from(u.machine));
	else if (line_of(d, text, sizeof(text), "/proc/sys/kernel/arch"))
		str_copy(d->arch, sizeof(d->arch), sv_from(text));
	else if (cpuinfo_value(d, "CPU implementer", text, sizeof(text)))
		str_copy(d->arch, sizeof(d->arch), SV("aarch64"));
	else if (cpuinfo_value(d, "vendor_id", text, sizeof(text)))
		str_copy(d->arch, sizeof(d->arch), SV("x86_64"));
}

static void row_kernel(struct doctor *d)
{
	char release[128];
	uint64_t rt = 0;

	sys_read_u64(d->sys, &rt, "/sys/kernel/realtime");
	if (line_of(d, release, sizeof(release), "/proc/sys/kernel/osrelease"))
		doctor_add(d, "kernel", DOCTOR_INFO, "%s, %s%s", release, d->arch[0] ? d->arch : "unknown architecture",
			   rt ? ", PREEMPT_RT" : "");
	else
		doctor_add(d, "kernel", DOCTOR_UNKNOWN, "/proc is not mounted or not readable");
	doctor_how(d, "/proc/sys/kernel/osrelease%s", d->copied ? "" : ", uname");
}

static void row_pages(struct doctor *d)
{
	char text[8192];
	const char *at = NULL;

	if (!d->copied) {
		doctor_add(d, "page size", DOCTOR_INFO, "%ld KiB", d->sys->page_size(d->sys) / 1024);
		doctor_how(d, "sysconf");
		return;
	}
	if (sys_read_text(d->sys, "/proc/self/smaps", text, sizeof(text)) > 0)
		at = strstr(text, "KernelPageSize:");

	struct sv rest = sv_from(at ? at + 15 : ""), line = { 0 };

	sv_cut(&rest, '\n', &line);
	sv_cut(&line, 'k', &rest);
	rest = sv_trim(rest);
	if (rest.n)
		doctor_add(d, "page size", DOCTOR_INFO, "%.*s KiB", (int)rest.n, rest.s);
	else
		doctor_add(d, "page size", DOCTOR_UNKNOWN, "this copy of a machine does not tell");
	doctor_how(d, "/proc/self/smaps");
}

static void row_board(struct doctor *d)
{
	char model[128], vendor[128];

	if (line_of(d, model, sizeof(model), "/sys/firmware/devicetree/base/model")) {
		d->boot = BOOT_DEVICE_TREE;
		doctor_add(d, "board", DOCTOR_INFO, "%s, described by a device tree", model);
		doctor_how(d, "/sys/firmware/devicetree/base/model");
		return;
	}
	d->boot = doctor_has(d, "/sys/firmware/acpi") ? BOOT_ACPI : BOOT_UNKNOWN;

	const char *by = d->boot == BOOT_ACPI ? "described by ACPI" : "neither device tree nor ACPI in sysfs";

	if (!line_of(d, vendor, sizeof(vendor), "/sys/class/dmi/id/sys_vendor"))
		vendor[0] = '\0';
	if (line_of(d, model, sizeof(model), "/sys/class/dmi/id/product_name"))
		doctor_add(d, "board", DOCTOR_INFO, "%s%s%s, %s", vendor, vendor[0] ? " " : "", model, by);
	else
		doctor_add(d, "board", DOCTOR_INFO, "unnamed, %s", by);
	doctor_how(d, "/sys/firmware, /sys/class/dmi/id");
}

static void core_add(struct doctor *d, uint64_t midr, unsigned cpu)
{
	size_t i = 0;

	while (i < d->n_cores && d->core[i].midr != midr)
		i++;
	if (i == DOCTOR_CORE_TYPES)
		return;
	if (i == d->n_cores) {
		d->core[i].midr = midr;
		d->n_cores++;
	}
	cpus_set(&d->core[i].cpus, cpu);
}

/* Compose MIDR_EL1 from /proc/cpuinfo, if there is no sysfs file. */
static void cores_from_cpuinfo(struct doctor *d)
{
	static const struct { const char *key; unsigned shift; } keys[] = {
		{ "CPU implementer", 24 }, { "CPU variant", 20 }, { "CPU part", 4 }, { "CPU revision", 0 },
	};
	char *text;
	size_t n;
	struct sv rest, line, name;
	uint64_t cpu = 0, midr = 0, v;

	if (sys_read_all(d->sys, "/proc/cpuinfo", 4 << 20, &text, &n, NULL))
		return;
	for (rest = (struct sv){ text, n }; sv_cut(&rest, '\n', &line);) {
		sv_cut(&line, ':', &name);
		if (!line.s || !str_u64(sv_trim(line), 0, &v))
			continue;
		name = sv_trim(name);
		if (sv_eq(name, "processor")) {
			cpu = v;
			midr = 0xf0000;
		}
		for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
			if (sv_eq(name, keys[i].key))
				midr |= (v & 0xfff) << keys[i].shift;
		/* The revision is the last line of each CPU. */
		if (sv_eq(name, "CPU revision") && cpu < CPUS_MAX)
			core_add(d, midr, (unsigned)cpu);
	}
	free(text);
}

static void find_cores(struct doctor *d)
{
	for (int cpu = cpus_next(&d->online, 0); cpu >= 0; cpu = cpus_next(&d->online, (unsigned)cpu + 1)) {
		uint64_t midr;

		if (!sys_read_u64(d->sys, &midr, "/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1", cpu))
			core_add(d, midr, (unsigned)cpu);
	}
	if (!d->n_cores)
		cores_from_cpuinfo(d);
}

const char *doctor_core_name(uint64_t midr, char *buf, size_t size)
{
	struct midr m = midr_parse(midr);
	const struct arch_core *core = arch_core_find(m.impl, m.part);
	const char *vendor = arch_vendor_name(m.impl);

	if (core)
		snprintf(buf, size, "%s %s r%up%u", core->vendor, core->name, m.variant, m.rev);
	else
		snprintf(buf, size, "%s core, implementer 0x%02x part 0x%03x r%up%u", vendor ? vendor : "unknown",
			 m.impl, m.part, m.variant, m.rev);
	return buf;
}

static void rows_cores(struct doctor *d)
{
	char name[128], list[256];

	if (sys_cpus_online(d->sys, &d->online, NULL)) {
		doctor_add(d, "cores", DOCTOR_UNKNOWN, "neither /sys nor /proc/stat tells which CPUs are online");
		return;
	}
	find_cores(d);
	for (size_t i = 0; i < d->n_cores; i++) {
		doctor_add(d, "cores", DOCTOR_INFO, "%s: CPU %s", doctor_core_name(d->core[i].midr, name, sizeof(name)),
			   cpus_text(&d->core[i].cpus, list, sizeof(list)));
		doctor_how(d, "MIDR 0x%llx", (unsigned long long)d->core[i].midr);
	}
	if (d->n_cores)
		return;
	if (!cpuinfo_value(d, "model name", name, sizeof(name)))
		str_copy(name, sizeof(name), SV("unknown kind"));
	doctor_add(d, "cores", DOCTOR_INFO, "%s: CPU %s", name, cpus_text(&d->online, list, sizeof(list)));
	doctor_how(d, "/proc/cpuinfo");
}

/* Names of hypervisors in the DMI tables. */
static bool vm_by_dmi(struct doctor *d)
{
	static const char *const makers[] = {
		"QEMU", "Amazon EC2", "Google", "VMware", "innotek", "Red Hat", "Parallels", "Apple Virtualization",
		"OpenStack", "Alibaba Cloud", "Xen", "KVM", "oVirt", "Huawei Cloud", "Tencent Cloud", "Nutanix",
	};
	char vendor[64], product[64];

	if (!line_of(d, product, sizeof(product), "/sys/class/dmi/id/product_name"))
		product[0] = '\0';
	if (!line_of(d, vendor, sizeof(vendor), "/sys/class/dmi/id/sys_vendor") || strstr(product, ".metal"))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(makers); i++)
		if (sv_starts(sv_from(vendor), makers[i]))
			return str_copy(d->vm, sizeof(d->vm), sv_from(vendor)) > 0;
	if (strcmp(vendor, "Microsoft Corporation") || strcmp(product, "Virtual Machine"))
		return false;
	return str_copy(d->vm, sizeof(d->vm), SV("Hyper-V")) > 0;
}

static const char *find_vm(struct doctor *d)
{
	char text[4096], *flag;

	if (line_of(d, d->vm, sizeof(d->vm), "/sys/hypervisor/type"))
		return "/sys/hypervisor/type";
	if (vm_by_dmi(d))
		return "/sys/class/dmi/id";
	if (line_of(d, text, sizeof(text), "/sys/firmware/devicetree/base/model") &&
	    !strcmp(text, "linux,dummy-virt")) {
		str_copy(d->vm, sizeof(d->vm), SV("the generic arm64 virtual board"));
		return "device tree model";
	}
	if (line_of(d, d->vm, sizeof(d->vm), "/sys/firmware/devicetree/base/hypervisor/compatible"))
		return "device tree, /hypervisor";
	if (cpuinfo_value(d, "flags", text, sizeof(text)) && (flag = strstr(text, " hypervisor")) &&
	    strchr(" ", flag[11])) {
		str_copy(d->vm, sizeof(d->vm), SV("unnamed hypervisor"));
		return "flag hypervisor in /proc/cpuinfo";
	}
	d->vm[0] = '\0';
	return "DMI, device tree, /proc/cpuinfo";
}

void doctor_machine(struct doctor *d)
{
	d->topic = "Machine";
	find_arch(d);
	row_kernel(d);
	row_pages(d);
	row_board(d);
	rows_cores(d);

	const char *how = find_vm(d);

	doctor_add(d, "virtual machine", DOCTOR_INFO, "%s", d->vm[0] ? d->vm : "no sign of one");
	doctor_how(d, "%s", how);
}
