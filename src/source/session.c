/* session.c - perf records as a session: side records are applied, samples are decoded and delivered one by one. */
#include "source/session_parts.h"

#include "source/session_plain.h"
#include "sym/kernel.h"

/* --- follow --- */

static int follow_task(struct session *s, const struct side *d)
{
	if (d->type == PERF_REC_EXIT)
		return resolver_exit(s->resolver, d->pid, d->tid);
	if (d->task.made_up)
		return resolver_fork_running(s->resolver, d->pid, d->tid, d->task.ptid);
	return resolver_fork(s->resolver, d->pid, d->task.ppid, d->tid, d->task.ptid);
}

static int follow_map(struct session *s, const struct side *d)
{
	if (s->kernel_only && !d->map.kernel)
		return 0;

	struct sym_map m = {
		.pid = d->pid, .kernel = d->map.kernel, .start = d->map.start, .len = d->map.len, .pgoff = d->map.pgoff,
		.ino = d->map.ino, .name = d->map.name, .build_id_size = d->map.build_id_size,
	};

	memcpy(m.build_id, d->map.build_id, sizeof(m.build_id));
	return resolver_mmap(s->resolver, &m);
}

static int follow(struct session *s, const struct side *d)
{
	switch (d->type) {
	case PERF_REC_COMM:
		return resolver_comm(s->resolver, d->pid, d->tid, d->comm.name, d->comm.exec);
	case PERF_REC_FORK:
	case PERF_REC_EXIT:
		return follow_task(s, d);
	case PERF_REC_MMAP:
	case PERF_REC_MMAP2:
		return follow_map(s, d);
	case PERF_REC_KSYMBOL:
		return resolver_ksymbol(s->resolver, d->ksymbol.addr, d->ksymbol.len, d->ksymbol.name, d->ksymbol.gone);
	case PERF_REC_LOST:
		s->stats.lost += d->lost;
		break;
	case PERF_REC_LOST_SAMPLES:
		s->stats.lost_samples += d->lost;
		break;
	case PERF_REC_THROTTLE:
		s->stats.throttled++;
		break;
	case PERF_REC_STAT:
		s->stats.counts++;
		s->skipped = true;
		break;
	}
	return 0;
}

/*
 * {a,b}:S - the leader's sample has the counts of the whole group: each member, the leader too, gets a sample whose
 * period is the difference to its count at the sample before. (The leader's PERIOD is only the period that was set: the
 * kernel may sample later than that.) A difference of 0 is no sample.
 */
static int take_value(struct session *s, const struct sample_value *v, struct session_item *item)
{
	const uint64_t *index = map_get(&s->head->ids, v->id);
	struct perf_event *ev = index && *index < s->head->events.n ? &s->head->events.v[*index] : NULL;
	bool per_thread = s->group.leader->attr.flags & PERF_ATTR_INHERIT;
	/* An inherited counter has the same id in every thread. */
	uint64_t thread = per_thread ? (uint64_t)s->group.sample.tid << 32 : 0;
	uint64_t *last = ev ? map_add(&s->group_values, v->id ^ thread, NULL) : NULL;

	if (!ev) {
		s->stats.unknown_event++;
		return 0;
	}
	if (!last)
		return -ENOMEM;
	item->event = ev;
	item->sample = s->group.sample;
	item->sample.id = v->id;
	item->sample.period = v->value >= *last ? v->value - *last : v->value;
	*last = v->value;
	if (!item->sample.period)
		return 0;
	ev->n_samples++;
	return 1;
}

static int next_value(struct session *s, struct session_item *item)
{
	struct session_group *g = &s->group;
	struct sample_value v;
	int r = 0;

	while (!r && g->leader) {
		if (sample_read(&g->leader->layout, &g->sample, g->next++, &v))
			r = take_value(s, &v, item);
		else
			g->leader = NULL;
	}
	return r;
}

/* 1: the sample is in *item; 0: it is not delivered, or a group's counts are to be delivered. */
static int take_sample(struct session *s, const struct source_rec *rec, struct session_item *item)
{
	const struct perf_record *r = &rec->perf;
	struct perf_event *ev = rec->event;
	struct sample *smp = &item->sample;

	if (!ev) {
		s->stats.unknown_event++;
		return 0;
	}
	if (sample_decode(&ev->layout, r->body, r->misc, smp, NULL)) {
		s->stats.undecodable++;
		return 0;
	}
	if ((smp->user_regs.n || smp->intr_regs.n) && stacks_complete(&s->stacks, &ev->layout, smp))
		return -ENOMEM;
	s->stats.samples++;
	if (ev->layout.sample_type & PERF_SAMPLE_READ && ev->layout.read_format & PERF_FORMAT_GROUP) {
		s->group = (struct session_group){ .leader = ev, .sample = *smp };
		return 0;
	}
	ev->n_samples++;
	item->event = ev;
	return 1;
}

static int take_side(struct session *s, const struct source_rec *rec, struct session_item *item)
{
	*item = (struct session_item){ .record = rec->perf };
	if (side_decode(&rec->perf, s->head->swap, &item->side) < 0) {
		s->stats.undecodable++;
		item->side.type = 0;
	} else if (follow(s, &item->side)) {
		return -ENOMEM;
	}
	if (rec->event)
		perf_record_ids(&rec->perf, &rec->event->layout, &item->sample, NULL);
	return 1;
}

/* --- stretches --- */

struct perf_event *session_run_rare(const struct perf_head *h, const struct session_run *r)
{
	struct perf_record rec;

	return perf_record_sample(r->b, h->swap, 0, &rec) ? perf_record_event(&rec, h) : NULL;
}

/* Set the run to the stretch that begins with `sample`. */
static inline void set_run(struct session_run *r, const struct source_rec *sample)
{
	const struct perf_record *first = &sample->perf;

	r->upto = sample->upto;
	r->b.p = first->body.p - sizeof(struct perf_rec);
	r->b.n = sizeof(struct perf_rec) + first->body.n + sample->more;
}

static void begin_run(struct session *s, const struct source_rec *rec)
{
	const struct perf_head *h = s->head;
	struct session_run r = {
		.time_at = sizeof(struct perf_rec) + s->source->time_at,
		.id_at = sizeof(struct perf_rec) + (size_t)MAX(h->id_off, 0),
	};

	r.least = MAX(r.time_at, r.id_at) + sizeof(uint64_t);
	if (h->swap || h->id_off < 0 || s->watch.samples)
		r.least = SIZE_MAX;
	set_run(&r, rec);
	s->run = r;
}

/* The next sample of the run, if there is one up to run.upto. */
static inline bool run_sample(const struct session *s, struct perf_record *rec)
{
	size_t at = s->source->time_at;
	uint64_t time;

	if (!perf_record_sample(s->run.b, s->head->swap, 0, rec) || rec->body.n < at + sizeof(time))
		return false;
	memcpy(&time, rec->body.p + at, sizeof(time));
	return (s->head->swap ? __builtin_bswap64(time) : time) <= s->run.upto;
}

static inline bool next_of_run(struct session *s, struct source_rec *rec)
{
	if (!run_sample(s, &rec->perf))
		return false;
	rec->event = perf_head_event(s->head, &rec->perf);
	session_run_on(&s->run, sizeof(struct perf_rec) + rec->perf.body.n);
	return true;
}

bool session_run_more(struct session *s, bool is_over)
{
	const struct source_kind *k = s->source->kind;
	struct source_rec rec;

	if (!k->stretch || s->group.leader || s->run.least == SIZE_MAX || (!is_over && run_sample(s, &rec.perf)))
		return false;
	s->source->untaken = s->run.b.n;
	s->run.b.n = 0;
	if (!k->stretch(s->source, &rec))
		return false;
	set_run(&s->run, &rec);
	return true;
}

bool session_alike_begin(const struct session *s, const struct perf_event *ev, const struct sample *smp,
			 struct session_alike *a)
{
	const struct sample_layout *l = &ev->layout;
	const struct session_run *r = &s->run;
	const uint32_t thread[] = { smp->pid, smp->tid };
	struct session_plain at;
	size_t ip_at = sizeof(at.head) + (l->sample_type & PERF_SAMPLE_IDENTIFIER ? sizeof(uint64_t) : 0);

	if (s->group.leader || session_run_event(s->head, r, &at) != ev || !sample_is_placed(l) ||
	    at.head.size < sizeof(at.head) + l->head || (at.head.misc & PERF_MISC_CPUMODE_MASK) != smp->cpumode)
		return false;
	*a = (struct session_alike){
		.p = r->b.p, .end = r->b.p + r->b.n, .upto = r->upto, .size = at.head.size, .id_at = r->id_at,
		.time_at = r->time_at, .ip_at = ip_at, .thread_at = ip_at + sizeof(uint64_t),
		.period_at = l->sample_type & PERF_SAMPLE_PERIOD ? sizeof(at.head) + l->head - sizeof(uint64_t) : 0,
	};
	a->head = session_word(a->p);
	a->id = session_word(a->p + a->id_at);
	a->thread = session_word((const uint8_t *)thread);
	return true;
}

/* source_next(), after the run was used up. If the record begins a stretch, the new run begins with that record. */
static int pull(struct session *s, struct source_rec *rec, struct err *e)
{
	int got;

	s->source->untaken = s->run.b.n;
	s->run.b.n = 0;
	got = source_next(s->source, rec, e);
	if (got == SOURCE_RECORD && s->source->stretched && rec->perf.type == PERF_REC_SAMPLE &&
	    rec->perf.body.n >= s->source->time_at + sizeof(uint64_t))
		begin_run(s, rec);
	return got;
}

/* If the record is a sample of an `unasked` event, count it: true. */
static inline bool is_unasked(struct session *s, const struct source_rec *rec)
{
	if (!rec->event || !rec->event->unasked || rec->perf.type != PERF_REC_SAMPLE)
		return false;
	s->stats.samples++;
	rec->event->n_samples++;
	return true;
}

static __attribute__((noinline)) bool next_plain(struct session *s, struct session_item *item)
{
	uint64_t plain = 0;

	return session_next_plain(s, item, &plain);
}

/* Apply or decode one record: 1: it is in *item; 0: it is not delivered; -errno. */
static int take(struct session *s, const struct source_rec *rec, struct session_item *item)
{
	int got;

	if (is_unasked(s, rec))
		return 0;
	if (s->watch.see && (rec->perf.type != PERF_REC_SAMPLE || s->watch.samples))
		s->watch.see(s->watch.arg, rec);
	got = rec->perf.type == PERF_REC_SAMPLE ? take_sample(s, rec, item) : take_side(s, rec, item);
	return !got && s->group.leader ? next_value(s, item) : got;
}

static int next_perf(struct session *s, struct session_item *item, struct err *e)
{
	int got = s->group.leader ? next_value(s, item) : 0;
	struct source_rec rec;

	while (!got) {
		if (next_of_run(s, &rec)) {
			got = take(s, &rec, item);
			continue;
		}
		got = pull(s, &rec, e);
		if (got != SOURCE_RECORD)
			return got;
		got = s->run.b.n ? next_plain(s, item) : take(s, &rec, item);
	}
	return got;
}

int session_next_record(struct session *s, struct source_rec *rec, struct err *e)
{
	bool of_run = next_of_run(s, rec);
	int got = of_run ? SOURCE_RECORD : pull(s, rec, e);
	struct side d;

	if (of_run && !perf_record_time(&rec->perf, s->head, rec->event, &rec->time))
		rec->time = 0;
	if (!of_run && s->run.b.n)
		next_of_run(s, rec);
	if (got == SOURCE_RECORD && rec->perf.type != PERF_REC_SAMPLE &&
	    side_decode(&rec->perf, s->head->swap, &d) >= 0 && follow(s, &d))
		return err_nomem(e);
	return got;
}

int session_next(struct session *s, struct session_item *item, struct err *e)
{
	int r;

	if (next_plain(s, item))
		return 1;
	s->asked++;
	r = s->of_trace ? session_trace_next(s, item, e) : next_perf(s, item, e);
	return r == -ENOMEM ? err_nomem(e) : r;
}

static bool symbol_name(void *arg, uint64_t addr, struct tprint_symbol *t)
{
	const struct session *s = arg;
	const struct sym_loc *l = resolver_find(s->resolver, 0, PERF_MISC_KERNEL, addr);
	struct kernel_symbol thing;

	if (resolver_kernel_thing(s->resolver, addr, &thing)) {
		*t = (struct tprint_symbol){ .name = thing.name, .offset = addr - thing.start, .size = thing.len };
		return true;
	}
	if (!l || !l->sym)
		return false;
	*t = (struct tprint_symbol){ .name = l->sym, .offset = l->addr - l->start, .size = l->len };
	return true;
}

static const char *string_at(void *arg, uint64_t addr)
{
	struct session *s = arg;

	return tevents_string(s->trace, addr);
}

struct tprint_names session_names(struct session *s)
{
	return (struct tprint_names){ .arg = s, .symbol = symbol_name, .string = string_at };
}
