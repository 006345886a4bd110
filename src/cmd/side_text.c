#include "cmd/side_text.h"

#include "show/text.h"

/* perf's names of the record types, indexed by enum perf_rec_type. */
static const char *const record_names[SIDE_NAMES] = {
	[PERF_REC_MMAP] = "MMAP", [PERF_REC_LOST] = "LOST", [PERF_REC_COMM] = "COMM", [PERF_REC_EXIT] = "EXIT",
	[PERF_REC_THROTTLE] = "THROTTLE", [PERF_REC_UNTHROTTLE] = "UNTHROTTLE", [PERF_REC_FORK] = "FORK",
	[PERF_REC_READ] = "READ", [PERF_REC_SAMPLE] = "SAMPLE", [PERF_REC_MMAP2] = "MMAP2", [PERF_REC_AUX] = "AUX",
	[PERF_REC_ITRACE_START] = "ITRACE_START", [PERF_REC_LOST_SAMPLES] = "LOST_SAMPLES",
	[PERF_REC_SWITCH] = "SWITCH", [PERF_REC_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE",
	[PERF_REC_NAMESPACES] = "NAMESPACES", [PERF_REC_KSYMBOL] = "KSYMBOL", [PERF_REC_BPF_EVENT] = "BPF_EVENT",
	[PERF_REC_CGROUP] = "CGROUP", [PERF_REC_TEXT_POKE] = "TEXT_POKE",
	[PERF_REC_AUX_OUTPUT_HW_ID] = "AUX_OUTPUT_HW_ID", [PERF_REC_HEADER_ATTR] = "ATTR",
	[PERF_REC_EVENT_TYPE] = "EVENT_TYPE", [PERF_REC_TRACING_DATA] = "TRACING_DATA",
	[PERF_REC_BUILD_ID] = "BUILD_ID", [PERF_REC_FINISHED_ROUND] = "FINISHED_ROUND",
	[PERF_REC_ID_INDEX] = "ID_INDEX", [PERF_REC_AUXTRACE_INFO] = "AUXTRACE_INFO", [PERF_REC_AUXTRACE] = "AUXTRACE",
	[PERF_REC_AUXTRACE_ERROR] = "AUXTRACE_ERROR", [PERF_REC_THREAD_MAP] = "THREAD_MAP",
	[PERF_REC_CPU_MAP] = "CPU_MAP", [PERF_REC_STAT_CONFIG] = "STAT_CONFIG", [PERF_REC_STAT] = "STAT",
	[PERF_REC_STAT_ROUND] = "STAT_ROUND", [PERF_REC_EVENT_UPDATE] = "EVENT_UPDATE",
	[PERF_REC_TIME_CONV] = "TIME_CONV", [PERF_REC_HEADER_FEATURE] = "FEATURE",
	[PERF_REC_COMPRESSED] = "COMPRESSED", [PERF_REC_FINISHED_INIT] = "FINISHED_INIT",
	[PERF_REC_COMPRESSED2] = "COMPRESSED2",
};

const char *side_name(uint32_t type)
{
	return type < SIDE_NAMES ? record_names[type] : NULL;
}

static void put_name(struct out *o, const char *name)
{
	text_put(o, sv_from(name), TEXT_ALL, TEXT_PLAIN);
	out_char(o, '\n');
}

static void put_comm(const struct side *d, struct out *o)
{
	out_printf(o, "%s: ", d->comm.exec ? " exec" : "");
	text_put(o, sv_from(d->comm.name), TEXT_ALL, TEXT_PLAIN);
	out_printf(o, ":%d/%d\n", (int)d->pid, (int)d->tid);
}

static void put_task(const struct side *d, struct out *o)
{
	out_printf(o, "(%d:%d):(%d:%d)\n", (int)d->pid, (int)d->tid, (int)d->task.ppid, (int)d->task.ptid);
}

static void put_build_id(const struct side_map *m, struct out *o)
{
	out_str(o, " <");
	for (size_t i = 0; i < m->build_id_size; i++)
		out_printf(o, "%02x", m->build_id[i]);
	out_str(o, ">]: ");
}

/* As printf's %#llx: "0x12", but 0 is "0". */
static void put_hex(struct out *o, const char *front, uint64_t v)
{
	out_printf(o, "%s%#llx", front, (unsigned long long)v);
}

static void put_map(const struct side *d, struct out *o)
{
	const struct side_map *m = &d->map;

	out_printf(o, " %d/%d: [", (int)d->pid, (int)d->tid);
	put_hex(o, "", m->start);
	put_hex(o, "(", m->len);
	put_hex(o, ") @ ", m->pgoff);
	if (d->type == PERF_REC_MMAP)
		out_str(o, m->data ? "]: r " : "]: x ");
	else if (m->has_build_id)
		put_build_id(m, o);
	else
		out_printf(o, " %02x:%02x %llu %llu]: ", m->major, m->minor, (unsigned long long)m->ino,
			   (unsigned long long)m->ino_generation);
	if (d->type == PERF_REC_MMAP2)
		out_printf(o, "%c%c%c%c ", m->prot & 1 ? 'r' : '-', m->prot & 2 ? 'w' : '-', m->prot & 4 ? 'x' : '-',
			   m->flags & 1 ? 's' : 'p');
	put_name(o, m->name);
}

static void put_aux(struct cursor *c, const struct perf_record *r UNUSED, struct out *o)
{
	enum { TRUNCATED = 1, OVERWRITE = 2, PARTIAL = 4 };
	uint64_t offset = cur_u64(c), size = cur_u64(c), flags = cur_u64(c);

	put_hex(o, " offset: ", offset);
	put_hex(o, " size: ", size);
	put_hex(o, " flags: ", flags);
	out_printf(o, " [%s%s%s]\n", flags & TRUNCATED ? "T" : "", flags & OVERWRITE ? "O" : "",
		   flags & PARTIAL ? "P" : "");
}

static void put_itrace(struct cursor *c, const struct perf_record *r UNUSED, struct out *o)
{
	uint32_t pid = cur_u32(c);

	out_printf(o, " pid: %u tid: %u\n", pid, cur_u32(c));
}

static void put_hw_id(struct cursor *c, const struct perf_record *r UNUSED, struct out *o)
{
	put_hex(o, " hw_id: ", cur_u64(c));
	out_char(o, '\n');
}

static void put_switch(struct cursor *c, const struct perf_record *r, struct out *o)
{
	bool is_out = r->misc & PERF_MISC_SWITCH_OUT;
	uint32_t pid;

	out_printf(o, " %s", !is_out ? "IN         " : r->misc & PERF_MISC_PREEMPT ? "OUT preempt" : "OUT        ");
	if (r->type == PERF_REC_SWITCH_CPU_WIDE) {
		pid = cur_u32(c);
		out_printf(o, "  %s pid/tid: %5d/%-5d", is_out ? "next" : "prev", (int)pid, (int)cur_u32(c));
	}
	out_char(o, '\n');
}

/* Device and inode of each namespace, four in a line. */
static void put_namespaces(struct cursor *c, const struct perf_record *r UNUSED, struct out *o)
{
	static const char *const kinds[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	uint32_t pid = cur_u32(c), tid = cur_u32(c), n = (uint32_t)cur_u64(c);

	out_printf(o, " %d/%d - nr_namespaces: %u\n\t\t[", (int)pid, (int)tid, n);
	n = MIN(n, (uint32_t)(cur_left(c) / 16));
	for (uint32_t i = 0; i < n; i++) {
		uint64_t dev = cur_u64(c);

		out_printf(o, "%s%u/%s: %llu/", i && i % 4 == 0 ? "\n\t\t " : "", i,
			   i < ARRAY_SIZE(kinds) ? kinds[i] : "UNKNOWN", (unsigned long long)dev);
		put_hex(o, "", cur_u64(c));
		out_str(o, i + 1 < n ? ", " : "]\n");
	}
	if (!n)
		out_str(o, "]\n");
}

static void put_ksymbol(const struct side_ksymbol *k, struct out *o)
{
	out_printf(o, " addr %llx len %u type %u flags 0x%x name ", (unsigned long long)k->addr, k->len, k->type,
		   k->flags);
	put_name(o, k->name);
}

static void put_code(const char *what, struct bytes code, struct out *o)
{
	for (size_t i = 0; i < code.n; i++) {
		if (i % 16 == 0)
			out_printf(o, "%s            %s bytes:", i ? "\n" : "", what);
		out_printf(o, " %02x", code.p[i]);
	}
	if (code.n)
		out_char(o, '\n');
}

static void put_poke(const struct side_poke *p, struct resolver *names, struct out *o)
{
	const struct sym_loc *l = names ? resolver_find(names, 0, PERF_MISC_KERNEL, p->addr) : NULL;

	out_printf(o, " %llx ", (unsigned long long)p->addr);
	if (l && l->sym) {
		text_put(o, sv_from(l->sym), TEXT_ALL, TEXT_PLAIN);
		out_printf(o, "+0x%llx", (unsigned long long)(l->addr - l->start));
	}
	out_printf(o, " old len %zu new len %zu\n", p->before.n, p->after.n);
	put_code("Old", p->before, o);
	put_code("New", p->after, o);
}

/* Print a record that side_decode() has parsed; false: nothing is printed for its type. */
static bool put_decoded(const struct side *d, struct resolver *names, struct out *o)
{
	switch (d->type) {
	case PERF_REC_COMM:
		put_comm(d, o);
		return true;
	case PERF_REC_FORK:
	case PERF_REC_EXIT:
		put_task(d, o);
		return true;
	case PERF_REC_MMAP:
	case PERF_REC_MMAP2:
		put_map(d, o);
		return true;
	case PERF_REC_LOST:
		out_printf(o, " lost %llu\n", (unsigned long long)d->lost);
		return true;
	case PERF_REC_KSYMBOL:
		put_ksymbol(&d->ksymbol, o);
		return true;
	case PERF_REC_BPF_EVENT:
		out_printf(o, " type %u, flags %u, id %u\n", d->bpf.type, d->bpf.flags, d->bpf.id);
		return true;
	case PERF_REC_CGROUP:
		out_printf(o, " cgroup: %llu ", (unsigned long long)d->cgroup.id);
		put_name(o, d->cgroup.path);
		return true;
	case PERF_REC_TEXT_POKE:
		put_poke(&d->poke, names, o);
		return true;
	}
	return false;
}

static const struct {
	uint32_t type;
	void (*put)(struct cursor *c, const struct perf_record *r, struct out *o);
} putters[] = {
	{ PERF_REC_AUX, put_aux },
	{ PERF_REC_ITRACE_START, put_itrace },
	{ PERF_REC_AUX_OUTPUT_HW_ID, put_hw_id },
	{ PERF_REC_SWITCH, put_switch },
	{ PERF_REC_SWITCH_CPU_WIDE, put_switch },
	{ PERF_REC_NAMESPACES, put_namespaces },
};

bool side_text(const struct perf_record *r, const struct side_names *names, struct out *o)
{
	struct cursor c = cur_from(r->body.p, r->body.n);
	struct side d;

	c.swap = names->swap;
	for (size_t i = 0; i < ARRAY_SIZE(putters); i++) {
		if (putters[i].type != r->type)
			continue;
		putters[i].put(&c, r, o);
		return true;
	}
	return side_decode(r, names->swap, &d) > 0 && put_decoded(&d, names->resolver, o);
}
