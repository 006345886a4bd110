/* record.c - side records in the layout of `perf script --show-task-events` and similar options. */
#include "cmd/script/print.h"

#include "cmd/side_text.h"

static bool wanted(const struct script_show *w, uint32_t type)
{
	switch (type) {
	case PERF_REC_COMM:
	case PERF_REC_FORK:
	case PERF_REC_EXIT:
		return w->tasks;
	case PERF_REC_MMAP:
	case PERF_REC_MMAP2:
		return w->mmaps;
	case PERF_REC_SWITCH:
	case PERF_REC_SWITCH_CPU_WIDE:
		return w->switches;
	case PERF_REC_NAMESPACES:
		return w->namespaces;
	case PERF_REC_CGROUP:
		return w->cgroups;
	case PERF_REC_KSYMBOL:
		return w->bpf || w->text_pokes;
	case PERF_REC_BPF_EVENT:
		return w->bpf;
	case PERF_REC_TEXT_POKE:
		return w->text_pokes;
	case PERF_REC_FINISHED_ROUND:
		return w->rounds;
	case PERF_REC_LOST:
		return w->lost;
	}
	return false;
}

/* The thread whose name begins the line: the one that the record is about, else the one that its sample_id has. */
static uint32_t thread_of(const struct script *s, const struct session_item *it, uint32_t id_tid)
{
	struct cursor c = cur_from(it->record.body.p, it->record.body.n);

	switch (it->record.type) {
	case PERF_REC_COMM:
	case PERF_REC_FORK:
	case PERF_REC_EXIT:
	case PERF_REC_MMAP:
	case PERF_REC_MMAP2:
		return it->side.tid;
	case PERF_REC_NAMESPACES:
		c.swap = s->session->head->swap;
		cur_skip(&c, 4);
		return cur_u32(&c);
	}
	return id_tid;
}

static void put_start(struct script *s, const struct session_item *it, const struct perf_event *ev, struct out *o)
{
	const struct sample *id = &it->sample;
	uint64_t fields = s->fields[session_event_index(s->session, ev)];
	struct script_own own = { 0 };
	/* Synthesized records have no sample_id: take the pid and tid that they are about. */
	uint32_t pid = id->pid == UINT32_MAX ? it->side.pid : id->pid;
	uint32_t id_tid = id->tid == UINT32_MAX ? it->side.tid : id->tid, tid = thread_of(s, it, id_tid);
	struct script_sample x = {
		.narrow = script_narrow(s, ev, fields), .ev = ev, .pid = pid, .tid = id_tid, .cpu = id->cpu,
		.time = id->time, .type = it->record.type, .misc = it->record.misc,
		.fields = fields & (FIELD_COMM | FIELD_PID | FIELD_TID | FIELD_CPU | FIELD_TIME | FIELD_MISC |
				    FIELD_TOD),
		.comm = resolver_comm_of(s->session->resolver, pid, (int32_t)tid < 0 ? 0 : tid),
	};

	if (x.fields & FIELD_TIME)
		x.time = script_time(s, id->time);
	if (x.fields & FIELD_TOD)
		x.tod = script_tod(s->session->head, id->time);
	script_start(s, &own, &x, o);
}

int script_take_record(struct script *s, const struct session_item *it)
{
	const struct perf_record *r = &it->record;
	struct side_names names = { s->session->resolver, s->session->head->swap };
	const struct perf_event *ev;
	struct out *o = &s->made.out;

	if (r->type == PERF_REC_CGROUP && script_follow_cgroup(s, r))
		return -ENOMEM;
	if (s->want->json || !wanted(&s->want->show, r->type) ||
	    (s->want->filter.cpus && it->sample.cpu != UINT32_MAX && !cpus_has(&s->filter.cpus, it->sample.cpu)))
		return 0;
	s->made.n = 0;
	ev = r->type < PERF_REC_USER ? perf_record_event(r, s->session->head) : NULL;
	if (ev)
		put_start(s, it, ev, o);
	out_printf(o, "PERF_RECORD_%s", side_name(r->type));
	if (!side_text(r, &names, o))
		out_char(o, '\n');
	return script_take_text(s, sv_from(mem_out_str(&s->made)));
}
