/* script_record.c - records that are no samples, in the layout of `perf script --show-task-events --show-mmap-events`.
 */
#include "cmd/script_print.h"

#include "show/text.h"

static struct cursor body(const struct script *s, const struct perf_record *r)
{
	struct cursor c = cur_from(r->body.p, r->body.n);

	c.swap = s->session->file.swap;
	return c;
}

static void put_name(struct out *o, const char *name)
{
	text_put(o, sv_from(name), TEXT_ALL, TEXT_PLAIN);
	out_char(o, '\n');
}

static void put_comm(const struct perf_record *r, struct cursor *c, struct out *o)
{
	int pid = (int)cur_u32(c), tid = (int)cur_u32(c);

	out_printf(o, "PERF_RECORD_COMM%s: ", r->misc & PERF_MISC_COMM_EXEC ? " exec" : "");
	text_put(o, sv_from(cur_str(c)), TEXT_ALL, TEXT_PLAIN);
	out_printf(o, ":%d/%d\n", pid, tid);
}

static void put_fork(const struct perf_record *r, struct cursor *c, struct out *o)
{
	int pid = (int)cur_u32(c), ppid = (int)cur_u32(c), tid = (int)cur_u32(c), ptid = (int)cur_u32(c);

	out_printf(o, "PERF_RECORD_%s(%d:%d):(%d:%d)\n", r->type == PERF_REC_EXIT ? "EXIT" : "FORK", pid, tid, ppid,
		   ptid);
}

static void put_build_id(struct cursor *c, struct out *o)
{
	enum { ID = 20 };
	uint8_t n = cur_u8(c);
	const uint8_t *id;

	cur_skip(c, 3);
	id = cur_bytes(c, ID);
	out_str(o, " <");
	for (size_t i = 0; id && i < MIN(n, ID); i++)
		out_printf(o, "%02x", id[i]);
	out_str(o, ">]: ");
}

static void put_inode(struct cursor *c, struct out *o)
{
	unsigned major = cur_u32(c), minor = cur_u32(c);
	unsigned long long inode = cur_u64(c), generation = cur_u64(c);

	out_printf(o, " %02x:%02x %llu %llu]: ", major, minor, inode, generation);
}

static void put_mmap(const struct perf_record *r, struct cursor *c, struct out *o)
{
	int pid = (int)cur_u32(c), tid = (int)cur_u32(c);
	unsigned long long start = cur_u64(c), len = cur_u64(c), pgoff = cur_u64(c);

	out_printf(o, "PERF_RECORD_MMAP%s %d/%d: [%#llx(%#llx) @ %#llx", r->type == PERF_REC_MMAP2 ? "2" : "", pid,
		   tid, start, len, pgoff);
	if (r->type == PERF_REC_MMAP) {
		out_str(o, r->misc & PERF_MISC_COMM_EXEC ? "]: r " : "]: x ");
	} else {
		uint32_t prot, flags;

		if (r->misc & PERF_MISC_MMAP_BUILD_ID)
			put_build_id(c, o);
		else
			put_inode(c, o);
		prot = cur_u32(c);
		flags = cur_u32(c);
		out_printf(o, "%c%c%c%c ", prot & 1 ? 'r' : '-', prot & 2 ? 'w' : '-', prot & 4 ? 'x' : '-',
			   flags & 1 ? 's' : 'p');
	}
	put_name(o, cur_str(c));
}

static bool wanted(const struct script_want *w, uint32_t type)
{
	switch (type) {
	case PERF_REC_COMM:
	case PERF_REC_FORK:
	case PERF_REC_EXIT:
		return w->show_tasks;
	case PERF_REC_MMAP:
	case PERF_REC_MMAP2:
		return w->show_mmaps;
	case PERF_REC_LOST:
		return w->show_lost;
	}
	return false;
}

void script_record(struct script *s, const struct perf_record *r, const struct sample *id, struct out *o)
{
	const struct perf_event *ev = s->session->file.events.v;
	struct sample smp = *id;
	struct cursor c = body(s, r);
	uint32_t pid, tid;

	if (!wanted(s->want, r->type))
		return;
	pid = cur_u32(&c);
	tid = cur_u32(&c);
	if (r->type == PERF_REC_FORK || r->type == PERF_REC_EXIT)
		tid = cur_u32(&c);
	/* Records that were made up carry no trailer's values. */
	smp.tid = smp.tid == UINT32_MAX ? tid : smp.tid;
	smp.pid = smp.pid == UINT32_MAX ? pid : smp.pid;

	struct script_sample x = {
		.narrow = script_narrow(s, ev, s->fields[0]),
		.ev = ev,
		.smp = &smp,
		.fields = s->fields[0] & (FIELD_COMM | FIELD_PID | FIELD_TID | FIELD_CPU | FIELD_TIME),
		.comm = resolver_comm_of(s->session->resolver, pid,
					 r->type == PERF_REC_LOST ? smp.tid
					 : (int32_t)tid < 0	  ? 0
								  : tid),
	};

	script_start(s, &x, o);
	c = body(s, r);
	if (r->type == PERF_REC_COMM)
		put_comm(r, &c, o);
	else if (r->type == PERF_REC_FORK || r->type == PERF_REC_EXIT)
		put_fork(r, &c, o);
	else if (r->type == PERF_REC_LOST)
		out_printf(o, "PERF_RECORD_LOST lost %llu\n", (unsigned long long)(cur_skip(&c, 8), cur_u64(&c)));
	else
		put_mmap(r, &c, o);
}
