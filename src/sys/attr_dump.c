/* attr_dump.c - writes attributes as INI files like those of perf's own tests. */
#include "sys/attr_dump.h"
#include "base/fmt.h"
#include "sys/output.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>

/* Bits in perf's order; precise_ip has two. */
static const struct bits {
	const char *name;
	uint64_t mask;
} flag_bits[] = {
	{ "disabled", PERF_ATTR_DISABLED }, { "inherit", PERF_ATTR_INHERIT }, { "pinned", PERF_ATTR_PINNED },
	{ "exclusive", PERF_ATTR_EXCLUSIVE }, { "exclude_user", PERF_ATTR_EXCLUDE_USER },
	{ "exclude_kernel", PERF_ATTR_EXCLUDE_KERNEL }, { "exclude_hv", PERF_ATTR_EXCLUDE_HV },
	{ "exclude_idle", PERF_ATTR_EXCLUDE_IDLE }, { "mmap", PERF_ATTR_MMAP }, { "comm", PERF_ATTR_COMM },
	{ "freq", PERF_ATTR_FREQ }, { "inherit_stat", PERF_ATTR_INHERIT_STAT },
	{ "enable_on_exec", PERF_ATTR_ENABLE_ON_EXEC }, { "task", PERF_ATTR_TASK },
	{ "watermark", PERF_ATTR_WATERMARK }, { "precise_ip", PERF_ATTR_PRECISE_MASK },
	{ "mmap_data", PERF_ATTR_MMAP_DATA }, { "sample_id_all", PERF_ATTR_SAMPLE_ID_ALL },
	{ "exclude_host", PERF_ATTR_EXCLUDE_HOST }, { "exclude_guest", PERF_ATTR_EXCLUDE_GUEST },
	{ "exclude_callchain_kernel", PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL },
	{ "exclude_callchain_user", PERF_ATTR_EXCLUDE_CALLCHAIN_USER }, { "mmap2", PERF_ATTR_MMAP2 },
	{ "comm_exec", PERF_ATTR_COMM_EXEC }, { "context_switch", PERF_ATTR_CONTEXT_SWITCH },
	{ "write_backward", PERF_ATTR_WRITE_BACKWARD }, { "namespaces", PERF_ATTR_NAMESPACES },
	{ "use_clockid", PERF_ATTR_USE_CLOCKID },
};

static void put(struct out *o, const char *name, uint64_t v)
{
	out_printf(o, "%s=%llu\n", name, (unsigned long long)v);
}

static void put_attr(struct out *o, const struct perf_attr *a)
{
	put(o, "type", a->type);
	put(o, "size", a->size);
	put(o, "config", a->config);
	put(o, "sample_period", a->sample_period);
	put(o, "sample_type", a->sample_type);
	put(o, "read_format", a->read_format);
	for (size_t i = 0; i < ARRAY_SIZE(flag_bits); i++)
		put(o, flag_bits[i].name, (a->flags & flag_bits[i].mask) / (flag_bits[i].mask & -flag_bits[i].mask));
	put(o, "wakeup_events", a->wakeup);
	put(o, "bp_type", a->bp_type);
	put(o, "config1", a->config1);
	put(o, "config2", a->config2);
	put(o, "branch_sample_type", a->branch_sample_type);
	put(o, "sample_regs_user", a->sample_regs_user);
	put(o, "sample_stack_user", a->sample_stack_user);
}

void attr_dump(const struct sys *s, const struct attr_dump *d, const struct perf_attr *a)
{
	const char *dir = getenv("PERF_TEST_ATTR");
	char path[PATH_MAX], name[64];
	struct mem_out text;
	struct output file;

	if (!dir)
		return;
	snprintf(name, sizeof(name), "event-%u-%llu-%d", a->type, (unsigned long long)a->config, d->fd);
	if ((size_t)snprintf(path, sizeof(path), "%s/%s", dir, name) >= sizeof(path))
		return;
	if (output_open(&file, s, path, OUTPUT_REPLACE, OUTPUT_PUBLIC, O_WRONLY, NULL))
		return;
	mem_out_init(&text);
	out_printf(&text.out, "[%s]\nfd=%d\ngroup_fd=%d\ncpu=%d\npid=%d\nflags=%lu\n", name, d->fd, d->group, d->cpu,
		   d->pid, d->flags);
	put_attr(&text.out, a);

	const char *all = mem_out_str(&text);

	output_write(&file, all, strlen(all));
	output_close(&file);
	mem_out_deinit(&text);
}
