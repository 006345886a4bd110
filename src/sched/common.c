#include "sched/common.h"

static int add_wakeups(struct prof *p, struct err *e)
{
	const struct prof_want *w = prof_want(p);
	bool recorded = w->from.recorded || w->from.input;
	int r = prof_add_optional(p, "sched:sched_waking", e);

	if (!r && (recorded || !view_has_event(p->sys, "sched:sched_waking")))
		r = prof_add_optional(p, "sched:sched_wakeup", e);
	return r ? r : prof_add_optional(p, "sched:sched_wakeup_new", e);
}

int sched_add(struct prof *p, struct err *e)
{
	int r = prof_add(p, "sched:sched_switch", e);

	return r ? r : add_wakeups(p, e);
}

void sched_find_fields(const struct prof *p, struct sched_fields *f)
{
	for (size_t i = 0; i < p->feed.taps.n; i++) {
		const struct tap *t = &p->feed.taps.v[i];

		if (t->event && !strcmp(t->label, "sched:sched_stat_runtime"))
			f->runtime = t->event;
		else if (t->event && !strcmp(t->label, "sched:sched_migrate_task"))
			f->move = t->event;
	}
	if (f->runtime) {
		f->runtime_pid = tfmt_field(&f->runtime->fmt, "pid");
		f->runtime_ns = tfmt_field(&f->runtime->fmt, "runtime");
	}
	if (f->move) {
		f->move_pid = tfmt_field(&f->move->fmt, "pid");
		f->move_from = tfmt_field(&f->move->fmt, "orig_cpu");
		f->move_to = tfmt_field(&f->move->fmt, "dest_cpu");
	}
}

bool sched_has_waking(const struct prof *p)
{
	for (size_t i = 0; i < p->feed.taps.n; i++)
		if (p->feed.taps.v[i].event && p->feed.taps.v[i].event->kind == KIND_SCHED_WAKING)
			return true;
	return false;
}

static void see(void *arg, const struct source_rec *rec)
{
	struct sched_ends *w = arg;
	struct side d;

	if (rec->perf.type == PERF_REC_FORK && side_decode(&rec->perf, w->p->feed.session.head->swap, &d) == 1 &&
	    w->ends(w->arg, d.tid))
		w->failed = true;
}

void sched_watch_ends(struct prof *p, struct sched_ends *w)
{
	w->p = p;
	p->feed.session.watch = (struct session_watch){ .see = see, .arg = w };
}

void sched_learn(struct prof *p, const struct hit *h, unsigned tid_field, unsigned field)
{
	struct resolver *r = p->feed.session.resolver;
	uint32_t tid = (uint32_t)hit_field(h, tid_field);
	char comm[32];

	if (!h->event->field[field] || *resolver_comm_of(r, tid, tid) != ':')
		return;
	str_copy(comm, sizeof(comm), tfmt_str(h->event->field[field], h->raw.p, h->raw.n));
	resolver_comm(r, tid, tid, comm, false);
}
