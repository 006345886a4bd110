#include "sched/common.h"

#define MS UINT64_C(1000000)

const struct opt sched_opts[] = {
	OPT_FLAG('a', "all-cpus", struct sched_want, prof.target.all, "live: what all CPUs do, until Ctrl-C"),
	OPT_U64('m', "mmap-pages", struct sched_want, prof.rings.pages, "<n>", "live: pages of each CPU's ring"),
	OPT_HEAD("Output"),
	OPT_STR('o', "output", struct sched_want, prof.form.output, "<file>", "instead of standard output"),
	OPT_FLAG('q', "quiet", struct sched_want, prof.form.quiet, "results only"),
	OPT_COUNT('v', "verbose", struct sched_want, verbose, "more of it"),
	OPT_IGNORED('f', "force", FLAG, struct sched_want, ignored),
	OPT_REFUSED('D', "dump-raw-trace", OPT_NO_VALUE, "", "records are not dumped here", "sonde script -D"),
	OPT_END,
};

int sched_first(struct prof *p, struct err *e)
{
	struct prof_want *w = prof_want(p);
	bool live = w->from.interval_ns || w->target.all || p->argc;

	if (w->from.input && live)
		return err_set(e, EINVAL, "-i %s: a recording goes with no command, no -a and no interval",
			       w->from.input);
	w->from.recorded = !live && !w->from.input;
	w->target.all = live && !w->target.cpus;
	return 0;
}

bool sched_has_event(const struct sys *sys, const char *name)
{
	const char *colon = strchr(name, ':'), *tracefs = sys_tracefs(sys);
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/events/%.*s/%s", tracefs ? tracefs : "", (int)(colon - name), name, colon + 1);
	return tracefs && sys_exists(sys, path);
}

static int add_wakeups(struct prof *p, struct err *e)
{
	const struct prof_want *w = prof_want(p);
	bool recorded = w->from.recorded || w->from.input;
	int r = prof_add_optional(p, "sched:sched_waking", e);

	if (!r && (recorded || !sched_has_event(p->sys, "sched:sched_waking")))
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

void sched_time(struct out *o, uint64_t ns, unsigned width)
{
	enum { BEHIND = 7 };             /* the point and what follows it */

	out_u64w(o, ns / (1000 * MS), width - MIN(width, (unsigned)BEHIND));
	out_char(o, '.');
	out_zero(o, ns / 1000 % MS, BEHIND - 1);
}

void sched_ms(struct out *o, uint64_t ns, unsigned width)
{
	out_u64w(o, ns / MS, width);
	out_char(o, '.');
	out_zero(o, ns / 1000 % 1000, 3);
	out_char(o, ' ');
}

void sched_note(const struct prof *p, uint64_t n, const char *what)
{
	char line[160];

	if (!n || prof_want(p)->form.quiet)
		return;
	snprintf(line, sizeof(line), "%llu %s", (unsigned long long)n, what);
	p->how->note(p->how->arg, line);
}

uint32_t sched_cpus(const struct prof *p)
{
	if (feed_is_live(&p->feed))
		return cpus_count(&p->feed.live.target.online);
	return MIN(p->feed.session.head->cpus_online, (uint32_t)CPUS_MAX);
}
