/* rings.c - per_cpu/cpuN. */
#include "tracing/rings.h"

#include <fcntl.h>

int rings_layout(const struct tfs *t, struct tpage_layout *l, struct err *e)
{
	char text[1024];
	ssize_t n = tfs_get(t, "events/header_page", text, sizeof(text));
	int r;

	if (n < 0)
		return err_set(e, (int)-n, "cannot read events/header_page: %s", err_name((int)-n));
	r = tfmt_page(l, sv_from(text), e);
	if (r)
		return err_wrap(e, "events/header_page");
	/* Pages have 4k to 64k, sub-buffers up to 2^order of them; sizes below depend on it. */
	if (rings_subbuf(l) < 64 || rings_subbuf(l) > 64 << 20)
		return err_set(e, EBADMSG, "sub-buffers of %u bytes are not believable", rings_subbuf(l));
	return 0;
}

uint32_t rings_subbuf(const struct tpage_layout *l)
{
	return l->data_offset + l->data_size;
}

void rings_path(const struct tfs *t, unsigned cpu, const char *file, char path[PATH_MAX])
{
	/* Not tfs_path(): a file that this buffer lacks (a snapshot's) must not be replaced by the top buffer's. */
	snprintf(path, PATH_MAX, "%s/per_cpu/cpu%u/%s", t->dir, cpu, file);
}

/* Offline CPUs count, too: one may come up while we trace, and the ring of one that went down still has events. */
static int cpus_present(const struct sys *sys, struct cpus *c, struct err *e)
{
	char list[256];

	if (sys_read_line(sys, list, sizeof(list), "/sys/devices/system/cpu/present") > 0 &&
	    !cpus_parse(c, sv_from(list), NULL))
		return 0;
	return sys_cpus_online(sys, c, e);
}

int rings_cpus(const struct tfs *t, struct cpus *c, struct err *e)
{
	struct cpus present;
	int r = cpus_present(t->sys, &present, e);

	if (r)
		return r;
	memset(c, 0, sizeof(*c));
	for (int cpu = cpus_next(&present, 0); cpu >= 0; cpu = cpus_next(&present, (unsigned)cpu + 1)) {
		char path[PATH_MAX];

		rings_path(t, (unsigned)cpu, "trace_pipe_raw", path);
		if (sys_exists(t->sys, path))
			cpus_set(c, (unsigned)cpu);
	}
	return cpus_count(c) ? 0 : err_set(e, ENOENT, "%s/per_cpu has no ring for any CPU", t->dir);
}

int rings_open(const struct tfs *t, unsigned cpu, enum rings_file which, struct err *e)
{
	const char *file = which == RINGS_SNAPSHOT ? "snapshot_raw" : "trace_pipe_raw";
	char path[PATH_MAX];
	int fd;

	rings_path(t, cpu, file, path);
	fd = t->sys->open(t->sys, path, O_RDONLY | O_NONBLOCK, 0);
	if (fd >= 0)
		return fd;
	err_set(e, -fd, "cannot open %s: %s", path, err_name(-fd));
	if (fd == -ENOENT && which == RINGS_SNAPSHOT)
		err_hint(e, "the kernel needs CONFIG_TRACER_SNAPSHOT; buffers in memory reserved at boot have none");
	if (fd == -EBUSY)
		err_hint(e, "another program reads this buffer, or a latency tracer uses it");
	return fd;
}

void rings_parse(struct ring_stats *s, const char *text)
{
	static const struct {
		const char *name;
		size_t off;
	} fields[] = {
		{ "entries", offsetof(struct ring_stats, entries) },
		{ "overrun", offsetof(struct ring_stats, overrun) },
		{ "dropped events", offsetof(struct ring_stats, dropped) },
		{ "commit overrun", offsetof(struct ring_stats, commit_overrun) },
		{ "read events", offsetof(struct ring_stats, read) },
		{ "bytes", offsetof(struct ring_stats, bytes) },
		{ "now ts", offsetof(struct ring_stats, now) },
	};
	struct sv rest = sv_from(text), line, name;

	*s = (struct ring_stats){ 0 };
	while (sv_cut(&rest, '\n', &line)) {
		uint64_t v;

		if (!sv_cut(&line, ':', &name))
			continue;
		line = sv_trim(line);
		for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
			if (!sv_eq(name, fields[i].name))
				continue;
			/* Only the times have a dot, and only with clocks that count ns. */
			bool ns = memchr(line.s, '.', line.n) != NULL;

			s->now_is_ns |= ns;
			if (ns ? str_time(line, UINT64_C(1000000000), &v) : str_u64(line, 10, &v))
				memcpy((char *)s + fields[i].off, &v, sizeof(v));
		}
	}
}

int rings_stats(const struct tfs *t, unsigned cpu, struct ring_stats *s)
{
	char path[PATH_MAX], text[512];
	ssize_t n;

	*s = (struct ring_stats){ 0 };
	rings_path(t, cpu, "stats", path);
	n = sys_read_text(t->sys, path, text, sizeof(text));
	if (n < 0)
		return (int)n;
	rings_parse(s, text);
	return 0;
}
