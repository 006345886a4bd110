/* facts.c - the facts of a machine, and build-ids. */
#include "machine/facts.h"

#include "arch/arch.h"
#include "obj/elf/elf.h"
#include "sys/notes.h"

#include <fcntl.h>
#include <sys/utsname.h>

/* Value of the first "key : value" line of /proc/cpuinfo. */
static bool cpuinfo(const char *text, const char *key, char *buf, size_t size)
{
	struct sv rest = sv_from(text), line, name;

	while (sv_cut(&rest, '\n', &line)) {
		if (!sv_cut(&line, ':', &name) || !line.s || !sv_eq(sv_trim(name), key))
			continue;
		str_copy(buf, size, sv_trim(line));
		return true;
	}
	return false;
}

/* arm64: MIDR of the first CPU in perf's format; elsewhere vendor,family,model,stepping, which perf annotate parses. */
static void cpu_ids(struct feature_set *f, const struct sys *sys)
{
	char text[8192], a[64], b[64], c[64], d[64], id[300];
	uint64_t midr;

	if (!sys_read_u64(sys, &midr, "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1")) {
		struct midr m = midr_parse(midr);
		const struct arch_core *core = arch_core_find(m.impl, m.part);

		snprintf(id, sizeof(id), "0x%016llx", (unsigned long long)midr);
		feature_string(f, PERF_FEAT_CPUID, id);
		if (core) {
			snprintf(id, sizeof(id), "%s %s", core->vendor, core->name);
			feature_string(f, PERF_FEAT_CPUDESC, id);
		}
		return;
	}
	if (sys_read_text(sys, "/proc/cpuinfo", text, sizeof(text)) <= 0)
		return;
	if (cpuinfo(text, "vendor_id", a, sizeof(a)) && cpuinfo(text, "cpu family", b, sizeof(b)) &&
	    cpuinfo(text, "model", c, sizeof(c)) && cpuinfo(text, "stepping", d, sizeof(d))) {
		snprintf(id, sizeof(id), "%s,%s,%s,%s", a, b, c, d);
		feature_string(f, PERF_FEAT_CPUID, id);
	}
	if (cpuinfo(text, "model name", id, sizeof(id)))
		feature_string(f, PERF_FEAT_CPUDESC, id);
}

static void pmu_names(struct feature_set *f, const struct sys *sys)
{
	struct feature_pmu v[64];
	struct sys_list l;
	size_t n = 0;

	if (sys_list_dir(sys, "/sys/bus/event_source/devices", &l))
		return;
	for (size_t i = 0; i < l.n && n < ARRAY_SIZE(v); i++) {
		uint64_t type;

		if (!sys_read_u64(sys, &type, "/sys/bus/event_source/devices/%s/type", l.v[i]))
			v[n++] = (struct feature_pmu){ (uint32_t)type, l.v[i] };
	}
	feature_pmus(f, v, n);
	sys_list_free(&l);
}

static void memory(struct feature_set *f, const struct sys *sys)
{
	char text[512];
	uint64_t kib;
	struct sv rest, word;

	if (sys_read_text(sys, "/proc/meminfo", text, sizeof(text)) <= 0 || strncmp(text, "MemTotal:", 9))
		return;
	rest = sv_trim(sv_from(text + 9));
	sv_cut(&rest, ' ', &word);
	if (str_u64(word, 10, &kib))
		feature_u64(f, PERF_FEAT_TOTAL_MEM, kib);
}

bool facts_cpus(const struct sys *sys, uint32_t *available, uint32_t *online)
{
	struct cpus on, present;
	char text[256];

	*available = *online = 0;
	if (sys_cpus_online(sys, &on, NULL))
		return false;
	*available = *online = cpus_count(&on);
	if (sys_read_line(sys, text, sizeof(text), "/sys/devices/system/cpu/present") > 0 &&
	    !cpus_parse(&present, sv_from(text), NULL))
		*available = MAX(cpus_count(&present), *online);
	return true;
}

void facts_collect(struct feature_set *f, const struct sys *sys, const char *version)
{
	struct utsname u;
	uint32_t available, online;

	if (!sys->uname(sys, &u)) {
		feature_string(f, PERF_FEAT_HOSTNAME, u.nodename);
		feature_string(f, PERF_FEAT_OSRELEASE, u.release);
		feature_string(f, PERF_FEAT_ARCH, u.machine);
	}
	feature_string(f, PERF_FEAT_VERSION, version);
	if (facts_cpus(sys, &available, &online))
		feature_cpus(f, available, online);
	cpu_ids(f, sys);
	memory(f, sys);
	pmu_names(f, sys);
}

bool facts_module_build_id(const struct sys *sys, const char *quoted, struct build_id *id)
{
	size_t n = strlen(quoted);

	return n > 2 && sys_module_build_id(sys, (struct sv){ quoted + 1, n - 2 }, id);
}

static bool bytes_build_id(const struct sys *sys, const uint8_t *p, size_t n, struct build_id *id)
{
	struct mapped *file = mapped_find(sys->mapped, p);
	struct elf elf;
	bool found = p && !elf_init_mapped(&elf, p, n, file, NULL) && build_id_of(&elf, id) && !mapped_was_cut(file);

	sys_unmap_file(sys, p, n);
	return found;
}

bool facts_fd_build_id(const struct sys *sys, int fd, const char *path, struct build_id *id)
{
	const uint8_t *p;
	size_t n;

	return facts_head_build_id(sys, fd, id) ||
	       (!sys_map_fd(sys, fd, path, &p, &n) && bytes_build_id(sys, p, n, id));
}

bool facts_file_build_id(const struct sys *sys, const char *path, struct build_id *id)
{
	/* O_NONBLOCK: opening a fifo or device must not hang the tool. */
	int fd = sys->open(sys, path, O_RDONLY | O_NONBLOCK, 0);
	bool found = fd >= 0 && facts_fd_build_id(sys, fd, path, id);

	if (fd >= 0)
		sys->close(sys, fd);
	return found;
}
