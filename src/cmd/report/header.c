/* header.c - the header features of a recording as text. */
#include "cmd/report/header.h"

#include "cmd/report/machine.h"
#include "perf/attr.h"
#include "source/perf_data.h"

#include <sys/stat.h>
#include <time.h>

static void pair(struct out *o, const char *key, const char *value)
{
	if (*value)
		out_printf(o, "# %s : %.900s\n", key, value);
}

static void captured(const struct session *s, struct out *o)
{
	struct stat st;
	char text[FMT_DATE];

	if (!s->found.owned && !s->sys->stat(s->sys, s->path, &st))
		out_printf(o, "# captured on    : %s\n", fmt_date(text, st.st_mtime));
}

static int by_value(const void *pa, const void *pb)
{
	uint64_t a, b;

	memcpy(&a, pa, sizeof(a));
	memcpy(&b, pb, sizeof(b));
	return a < b ? -1 : a > b;
}

/* ", id = { 1, 2 }": the ids of the event's counters. */
static void event_ids(const struct session *s, size_t event, struct out *o)
{
	const struct map *m = &s->head->ids;
	uint64_t *v = calloc(m->n + 1, sizeof(*v));
	size_t n = 0;

	for (size_t i = 0; v && i < m->cap; i++)
		if (m->used[i] && m->slot[i].val == event)
			v[n++] = m->slot[i].key;
	if (n) {
		qsort(v, n, sizeof(*v), by_value);
		for (size_t i = 0; i < n; i++)
			out_printf(o, "%s%llu", i ? ", " : ", id = { ", (unsigned long long)v[i]);
		out_str(o, " }");
	}
	free(v);
}

/* Joins the lines of attr_print, "  name     value". */
void report_attr(const struct perf_attr *attr, const char *between, struct out *o)
{
	struct mem_out text;
	struct sv rest, line;
	bool is_first = true;

	mem_out_init(&text);
	attr_print(attr, &text.out);
	rest = sv_from(mem_out_str(&text));
	while (sv_cut(&rest, '\n', &line)) {
		size_t gap = 0;

		line = sv_trim(line);
		while (gap + 1 < line.n && !(line.s[gap] == ' ' && (line.s[gap + 1] == ' ' || line.s[0] != '{')) &&
		       !(line.s[gap] == ' ' && gap && line.s[gap - 1] == '}'))
			gap++;
		if (!line.n)
			continue;
		out_str(o, is_first ? "" : ", ");
		out_sv(o, (struct sv){ line.s, gap });
		out_str(o, between);
		out_sv(o, sv_trim((struct sv){ line.s + gap, line.n - gap }));
		is_first = false;
	}
	mem_out_deinit(&text);
}

static void event_line(const struct session *s, size_t i, struct out *o)
{
	out_printf(o, "# event : name = %s, ", s->head->events.v[i].label);
	event_ids(s, i, o);
	out_str(o, ", ");
	report_attr(&s->head->events.v[i].attr, " = ", o);
	out_char(o, '\n');
}

static void pmus(const struct session *s, struct out *o)
{
	struct cursor c = perf_head_feature(s->head, PERF_FEAT_PMU_MAPPINGS);
	uint32_t n = cur_u32(&c);

	for (uint32_t i = 0; i < n && !c.bad; i++) {
		uint32_t type = cur_u32(&c);
		const char *name = perf_head_string(&c);

		if (!c.bad)
			out_printf(o, "%s%.100s = %u", i ? ", " : "# pmu mappings: ", name, type);
	}
	if (n)
		out_char(o, '\n');
}

static void times(const struct session *s, struct out *o)
{
	struct cursor c = perf_head_feature(s->head, PERF_FEAT_SAMPLE_TIME);
	unsigned long long first = cur_u64(&c), last = cur_u64(&c);

	if (c.bad)
		return;
	out_printf(o, "# time of first sample : %llu.%06llu\n", first / 1000000000, first / 1000 % 1000000);
	out_printf(o, "# time of last sample : %llu.%06llu\n", last / 1000000000, last / 1000 % 1000000);
	if (last >= first)
		out_printf(o, "# sample duration : %10.3f ms\n", (double)(last - first) / 1000000);
}

/* "# group: {a,b}" */
static void groups(const struct perf_head *f, struct out *o)
{
	for (size_t i = 0; i < f->events.n; i++) {
		size_t end = perf_head_group_end(f, i);

		for (size_t k = i; end - i > 1 && k < end; k++)
			out_printf(o, "%s%s%s", k > i ? "," : "# group: {", f->events.v[k].label,
				   k + 1 < end ? "" : "}\n");
	}
}

/* List the header features that the recording lacks. names: perf's, indexed by feature number. */
static void missing(const struct perf_head *f, struct out *o)
{
	static const char *const names[] = {
		NULL, "TRACING_DATA", "BUILD_ID", "HOSTNAME", "OSRELEASE", "VERSION", "ARCH", "NRCPUS", "CPUDESC",
		"CPUID", "TOTAL_MEM", "CMDLINE", "EVENT_DESC", "CPU_TOPOLOGY", "NUMA_TOPOLOGY", "BRANCH_STACK",
		"PMU_MAPPINGS", "GROUP_DESC", "AUXTRACE", "STAT", "CACHE", "SAMPLE_TIME", "MEM_TOPOLOGY", "CLOCKID",
		"DIR_FORMAT", "BPF_PROG_INFO", "BPF_BTF", "COMPRESSED", "CPU_PMU_CAPS", "CLOCK_DATA",
		"HYBRID_TOPOLOGY", "PMU_CAPS",
	};

	out_str(o, "# missing features: ");
	for (size_t i = 1; i < ARRAY_SIZE(names); i++)
		if (!f->feature[i].p)
			out_printf(o, "%s ", names[i]);
	out_char(o, '\n');
}

void report_header(const struct session *s, bool full, struct out *o)
{
	const struct perf_file *file = perf_data_file(s->source);
	const struct perf_head *f = s->head;
	struct cursor memory = perf_head_feature(f, PERF_FEAT_TOTAL_MEM);
	uint64_t off = file ? file->data_off : 0, end = file ? file->data_end : s->found.bytes.n;
	unsigned long long kib = cur_u64(&memory);

	out_str(o, "# ========\n");
	captured(s, o);
	out_printf(o, "# data offset    : %llu\n", (unsigned long long)off);
	out_printf(o, "# data size      : %llu\n", (unsigned long long)(end - off));
	pair(o, "hostname", f->hostname);
	pair(o, "os release", f->release);
	pair(o, "perf version", f->version);
	pair(o, "arch", f->arch);
	if (f->cpus_available)
		out_printf(o, "# nrcpus online : %u\n# nrcpus avail : %u\n", f->cpus_online, f->cpus_available);
	pair(o, "cpudesc", f->cpudesc);
	pair(o, "cpuid", f->cpuid);
	if (!memory.bad)
		out_printf(o, "# total memory : %llu kB\n", kib);
	if (f->cmdline.n) {
		out_str(o, "# cmdline : ");
		for (size_t i = 0; i < f->cmdline.n; i++)
			out_printf(o, "%.900s ", f->cmdline.v[i]);
		out_char(o, '\n');
	}
	for (size_t i = 0; i < f->events.n; i++)
		event_line(s, i, o);
	report_topology(f, full, o);
	pmus(s, o);
	groups(f, o);
	report_caches(f, full, o);
	times(s, o);
	report_memory(f, full, o);
	/* A trace.dat has no such features, and a pipe never has all of them. */
	if (file && !file->pipe)
		missing(f, o);
	out_str(o, "# ========\n#\n");
}
