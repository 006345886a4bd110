/* script_record.c - records that are no samples, in the layout of `perf script --show-task-events --show-mmap-events`.
 */
#include "cmd/script_print.h"

#include "show/text.h"

static void put_name(struct out *o, const char *name)
{
	text_put(o, sv_from(name), TEXT_ALL, TEXT_PLAIN);
	out_char(o, '\n');
}

static void put_comm(const struct side *d, struct out *o)
{
	out_printf(o, "PERF_RECORD_COMM%s: ", d->comm.exec ? " exec" : "");
	text_put(o, sv_from(d->comm.name), TEXT_ALL, TEXT_PLAIN);
	out_printf(o, ":%d/%d\n", (int)d->pid, (int)d->tid);
}

static void put_task(const struct side *d, struct out *o)
{
	out_printf(o, "PERF_RECORD_%s(%d:%d):(%d:%d)\n", d->type == PERF_REC_EXIT ? "EXIT" : "FORK", (int)d->pid,
		   (int)d->tid, (int)d->task.ppid, (int)d->task.ptid);
}

static void put_build_id(const struct side_map *m, struct out *o)
{
	out_str(o, " <");
	for (size_t i = 0; i < m->build_id_size; i++)
		out_printf(o, "%02x", m->build_id[i]);
	out_str(o, ">]: ");
}

static void put_map(const struct side *d, struct out *o)
{
	const struct side_map *m = &d->map;

	out_printf(o, "PERF_RECORD_MMAP%s %d/%d: [%#llx(%#llx) @ %#llx", d->type == PERF_REC_MMAP2 ? "2" : "",
		   (int)d->pid, (int)d->tid, (unsigned long long)m->start, (unsigned long long)m->len,
		   (unsigned long long)m->pgoff);
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

static void put(const struct script *s, const struct side *d, const struct script_sample *x, struct out *o)
{
	struct script_own own = { 0 };

	script_start(s, &own, x, o);
	if (d->type == PERF_REC_COMM)
		put_comm(d, o);
	else if (d->type == PERF_REC_FORK || d->type == PERF_REC_EXIT)
		put_task(d, o);
	else if (d->type == PERF_REC_LOST)
		out_printf(o, "PERF_RECORD_LOST lost %llu\n", (unsigned long long)d->lost);
	else
		put_map(d, o);
}

int script_take_record(struct script *s, const struct side *d, const struct sample *id)
{
	const struct perf_event *ev = s->session->head->events.v;
	/* Records that were made up carry no trailer's values. */
	uint32_t id_tid = id->tid == UINT32_MAX ? d->tid : id->tid, pid = id->pid == UINT32_MAX ? d->pid : id->pid;
	uint32_t tid = d->type == PERF_REC_LOST ? id_tid : d->tid;
	struct script_sample x;

	if (s->want->json || !wanted(s->want, d->type))
		return 0;
	x = (struct script_sample){
		.narrow = script_narrow(s, ev, s->fields[0]), .ev = ev, .pid = pid, .tid = id_tid, .cpu = id->cpu,
		.time = id->time,
		.fields = s->fields[0] & (FIELD_COMM | FIELD_PID | FIELD_TID | FIELD_CPU | FIELD_TIME),
		.comm = resolver_comm_of(s->session->resolver, pid, (int32_t)tid < 0 ? 0 : tid),
	};
	s->made.n = 0;
	put(s, d, &x, &s->made.out);
	return script_take_text(s, sv_from(mem_out_str(&s->made)));
}
