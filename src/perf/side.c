#include "perf/side.h"

#include "abi/perf_event.h"

#include <errno.h>

static void decode_comm(struct cursor *c, uint16_t misc, struct side *s)
{
	s->pid = cur_u32(c);
	s->tid = cur_u32(c);
	s->comm = (struct side_comm){ .name = cur_str(c), .exec = misc & PERF_MISC_COMM_EXEC };
}

static void decode_task(struct cursor *c, uint16_t misc, struct side *s)
{
	s->pid = cur_u32(c);
	s->task.ppid = cur_u32(c);
	s->tid = cur_u32(c);
	s->task.ptid = cur_u32(c);
	s->task.made_up = s->type == PERF_REC_FORK && misc & PERF_MISC_FORK_EXEC;
}

static void decode_build_id(struct cursor *c, struct side_map *m)
{
	uint8_t size = cur_u8(c);

	m->build_id_size = MIN(size, (uint8_t)SIDE_BUILD_ID_MAX);
	cur_skip(c, 3);

	const uint8_t *id = cur_bytes(c, SIDE_BUILD_ID_MAX);

	if (id)
		memcpy(m->build_id, id, SIDE_BUILD_ID_MAX);
}

static void decode_inode(struct cursor *c, struct side_map *m)
{
	m->major = cur_u32(c);
	m->minor = cur_u32(c);
	m->ino = cur_u64(c);
	m->ino_generation = cur_u64(c);
}

static void decode_map(struct cursor *c, uint16_t misc, struct side *s)
{
	struct side_map *m = &s->map;

	*m = (struct side_map){
		.kernel = (misc & PERF_MISC_CPUMODE_MASK) == PERF_MISC_KERNEL,
		.data = misc & PERF_MISC_MMAP_DATA,
		.has_build_id = s->type == PERF_REC_MMAP2 && misc & PERF_MISC_MMAP_BUILD_ID,
	};
	s->pid = cur_u32(c);
	s->tid = cur_u32(c);
	m->start = cur_u64(c);
	m->len = cur_u64(c);
	m->pgoff = cur_u64(c);
	if (s->type == PERF_REC_MMAP2) {
		(m->has_build_id ? decode_build_id : decode_inode)(c, m);
		m->prot = cur_u32(c);
		m->flags = cur_u32(c);
	}
	m->name = cur_str(c);
}

static void decode_ksymbol(struct cursor *c, struct side_ksymbol *k)
{
	enum { UNREGISTER = 1 };

	k->addr = cur_u64(c);
	k->len = cur_u32(c);
	k->type = cur_u16(c);
	k->flags = cur_u16(c);
	k->gone = k->flags & UNREGISTER;
	k->name = cur_str(c);
}

static void decode_bpf(struct cursor *c, struct side_bpf *b)
{
	const uint8_t *tag;

	*b = (struct side_bpf){ .type = cur_u16(c), .flags = cur_u16(c), .id = cur_u32(c) };
	tag = cur_bytes(c, SIDE_BPF_TAG);
	if (tag)
		memcpy(b->tag, tag, SIDE_BPF_TAG);
}

static void decode_poke(struct cursor *c, struct side_poke *p)
{
	p->addr = cur_u64(c);
	p->before.n = cur_u16(c);
	p->after.n = cur_u16(c);
	p->before.p = cur_bytes(c, p->before.n);
	p->after.p = cur_bytes(c, p->after.n);
}

const char *side_map_file(const struct side_map *m)
{
	static const char kernel[] = "[kernel.kallsyms]";

	return m->kernel && !strncmp(m->name, kernel, sizeof(kernel) - 1) ? kernel : m->name;
}

int side_decode(const struct perf_record *r, bool swap, struct side *s)
{
	struct cursor c = cur_from(r->body.p, r->body.n);

	c.swap = swap;
	s->type = r->type;
	s->pid = s->tid = UINT32_MAX;
	switch (r->type) {
	case PERF_REC_COMM:
		decode_comm(&c, r->misc, s);
		break;
	case PERF_REC_FORK:
	case PERF_REC_EXIT:
		decode_task(&c, r->misc, s);
		break;
	case PERF_REC_MMAP:
	case PERF_REC_MMAP2:
		decode_map(&c, r->misc, s);
		break;
	case PERF_REC_KSYMBOL:
		decode_ksymbol(&c, &s->ksymbol);
		break;
	case PERF_REC_BPF_EVENT:
		decode_bpf(&c, &s->bpf);
		break;
	case PERF_REC_CGROUP:
		s->cgroup = (struct side_cgroup){ .id = cur_u64(&c), .path = cur_str(&c) };
		break;
	case PERF_REC_TEXT_POKE:
		decode_poke(&c, &s->poke);
		break;
	case PERF_REC_LOST:
		cur_skip(&c, 8);   /* the event's id */
		s->lost = cur_u64(&c);
		break;
	case PERF_REC_LOST_SAMPLES:
		s->lost = cur_u64(&c);
		break;
	default:
		return 0;
	}
	return c.bad ? -EBADMSG : 1;
}
