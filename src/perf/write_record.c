/*
 * write_record.c - records in the kernel's layout (linux/perf_event.h) that the recorder synthesises
 * for tasks and maps that exist before it starts, and its own markers. Every size is a multiple of
 * 8, because perf locates the trailer from the end.
 */
#include "perf/write_parts.h"

enum { REC = sizeof(struct perf_rec), BUILD_ID_SIZE = 20 };

size_t write_text_size(const char *s)
{
	return ALIGN_UP(MIN(strlen(s), (size_t)WRITE_TEXT_MAX) + 1, (size_t)8);
}

void write_text(struct out *o, const char *s)
{
	size_t n = MIN(strlen(s), (size_t)WRITE_TEXT_MAX);

	out_bytes(o, s, n);
	out_fill(o, '\0', write_text_size(s) - n);
}

static size_t id_size(const struct perf_write_id *id)
{
	const uint64_t all = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
			     PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

	return sizeof(uint64_t) * (size_t)__builtin_popcountll(id->sample_type & all);
}

static void write_id(struct out *o, const struct perf_write_id *id, uint32_t pid, uint32_t tid)
{
	uint64_t type = id->sample_type;

	if (type & PERF_SAMPLE_TID) {
		write_u32(o, pid);
		write_u32(o, tid);
	}
	if (type & PERF_SAMPLE_TIME)
		write_u64(o, id->time);
	if (type & PERF_SAMPLE_ID)
		write_u64(o, id->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		write_u64(o, id->id);
	if (type & PERF_SAMPLE_CPU) {
		write_u32(o, id->cpu);
		write_u32(o, 0);
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		write_u64(o, id->id);
}

void perf_write_comm(struct out *o, const struct perf_write_id *id, uint32_t pid, uint32_t tid,
		     const char *comm)
{
	write_rec(o, PERF_REC_COMM, 0, REC + 8 + write_text_size(comm) + id_size(id));
	write_u32(o, pid);
	write_u32(o, tid);
	write_text(o, comm);
	write_id(o, id, pid, tid);
}

void perf_write_cgroup(struct out *o, const struct perf_write_id *id, uint64_t cgroup, const char *path)
{
	write_rec(o, PERF_REC_CGROUP, 0, REC + 8 + write_text_size(path) + id_size(id));
	write_u64(o, cgroup);
	write_text(o, path);
	write_id(o, id, 0, 0);
}

void perf_write_ksymbol(struct out *o, const struct perf_write_id *id, const struct perf_write_ksymbol *k)
{
	write_rec(o, PERF_REC_KSYMBOL, 0, REC + 16 + write_text_size(k->name) + id_size(id));
	write_u64(o, k->addr);
	write_u32(o, k->len);
	write_u16(o, k->type);
	write_u16(o, 0);   /* flags: registered, not PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER */
	write_text(o, k->name);
	write_id(o, id, 0, 0);
}

void perf_write_bpf_load(struct out *o, const struct perf_write_id *id, uint32_t prog, const uint8_t tag[8])
{
	enum { PROG_LOAD = 1 };

	write_rec(o, PERF_REC_BPF_EVENT, 0, REC + 16 + id_size(id));
	write_u16(o, PROG_LOAD);
	write_u16(o, 0);
	write_u32(o, prog);
	out_bytes(o, tag, 8);
	write_id(o, id, 0, 0);
}

static void write_task(struct out *o, uint32_t type, const struct perf_write_id *id,
		       const struct perf_write_task *t)
{
	write_rec(o, type, 0, REC + 24 + id_size(id));
	write_u32(o, t->pid);
	write_u32(o, t->ppid);
	write_u32(o, t->tid);
	write_u32(o, t->ptid);
	write_u64(o, t->time);
	write_id(o, id, t->pid, t->tid);
}

void perf_write_fork(struct out *o, const struct perf_write_id *id, const struct perf_write_task *t)
{
	write_task(o, PERF_REC_FORK, id, t);
}

void perf_write_exit(struct out *o, const struct perf_write_id *id, const struct perf_write_task *t)
{
	write_task(o, PERF_REC_EXIT, id, t);
}

static void write_range(struct out *o, const struct perf_write_map *m)
{
	write_u32(o, m->pid);
	write_u32(o, m->tid);
	write_u64(o, m->addr);
	write_u64(o, m->len);
	write_u64(o, m->pgoff);
}

void perf_write_mmap(struct out *o, const struct perf_write_id *id, const struct perf_write_map *m)
{
	write_rec(o, PERF_REC_MMAP, m->misc, REC + 32 + write_text_size(m->name) + id_size(id));
	write_range(o, m);
	write_text(o, m->name);
	write_id(o, id, m->pid, m->tid);
}

/* 24 bytes that identify the file, by inode or by build-id. */
static void write_file_identity(struct out *o, const struct perf_write_map *m)
{
	uint8_t n = MIN(m->build_id_size, BUILD_ID_SIZE);

	if (m->build_id) {
		write_u32(o, n);   /* u8 size, 3 reserved bytes */
		out_bytes(o, m->build_id, n);
		out_fill(o, '\0', BUILD_ID_SIZE - n);
		return;
	}
	write_u32(o, m->maj);
	write_u32(o, m->min);
	write_u64(o, m->ino);
	write_u64(o, m->ino_generation);
}

void perf_write_mmap2(struct out *o, const struct perf_write_id *id, const struct perf_write_map *m)
{
	uint16_t misc = m->misc | (m->build_id ? PERF_MISC_MMAP_BUILD_ID : 0);

	write_rec(o, PERF_REC_MMAP2, misc, REC + 64 + write_text_size(m->name) + id_size(id));
	write_range(o, m);
	write_file_identity(o, m);
	write_u32(o, m->prot);
	write_u32(o, m->flags);
	write_text(o, m->name);
	write_id(o, id, m->pid, m->tid);
}

void perf_write_lost(struct out *o, const struct perf_write_id *id, uint64_t event_id,
		     uint64_t lost)
{
	write_rec(o, PERF_REC_LOST, 0, REC + 16 + id_size(id));
	write_u64(o, event_id);
	write_u64(o, lost);
	write_id(o, id, 0, 0);
}

void perf_write_round(struct out *o)
{
	write_rec(o, PERF_REC_FINISHED_ROUND, 0, REC);
}

void perf_write_init_done(struct out *o)
{
	write_rec(o, PERF_REC_FINISHED_INIT, 0, REC);
}

/* REC + 28 bytes precede the name, so it is not 8-aligned: the padding is computed over all of it. */
static void write_build_id(struct out *o, uint32_t type, const struct perf_build_id *b)
{
	size_t len = MIN(strlen(b->name), (size_t)WRITE_TEXT_MAX),
	       size = ALIGN_UP(REC + 28 + len + 1, (size_t)8);
	uint8_t n = MIN(b->size, BUILD_ID_SIZE);

	write_rec(o, type, b->cpumode | PERF_MISC_BUILD_ID_SIZE, size);
	write_u32(o, (uint32_t)b->pid);
	out_bytes(o, b->id, n);
	out_fill(o, '\0', BUILD_ID_SIZE - n);
	write_u32(o, n);   /* u8 size, 3 reserved bytes */
	out_bytes(o, b->name, len);
	out_fill(o, '\0', size - REC - 28 - len);
}

void perf_write_build_id(struct out *o, const struct perf_build_id *b)
{
	write_build_id(o, PERF_REC_BUILD_ID, b);
}

void perf_write_build_id_entry(struct out *o, const struct perf_build_id *b)
{
	write_build_id(o, 0, b);
}

void perf_write_id_index(struct out *o, const struct perf_write_index *v, size_t n)
{
	while (n) {
		size_t some = MIN(n, (WRITE_MAX - sizeof(uint64_t)) / sizeof(*v));

		write_rec(o, PERF_REC_ID_INDEX, 0, REC + sizeof(uint64_t) + some * sizeof(*v));
		write_u64(o, some);
		out_bytes(o, v, some * sizeof(*v));
		v += some;
		n -= some;
	}
}
