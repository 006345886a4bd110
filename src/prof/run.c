/* run.c - runs a profiler from its options to its last line. */
#include "prof/prof.h"

#include "engine/feed_plain.h"
#include "engine/line.h"
#include "engine/tallied.h"
#include "prof/tallied.h"
#include "sys/output.h"

#include <fcntl.h>

#define NS_PER_MS UINT64_C(1000000)

struct table_want prof_table(const struct prof *p)
{
	const struct prof_form *f = &prof_want(p)->form;

	return (struct table_want){ .form = f->json ? TABLE_JSON : f->sep ? TABLE_CSV : TABLE_TEXT, .sep = f->sep };
}

void prof_interval(const struct prof *p, struct out *o)
{
	if (prof_want(p)->from.interval_ns && prof_table(p).form == TABLE_TEXT)
		prof_stamp(p, o);
}

void prof_stamp(const struct prof *p, struct out *o)
{
	line_date(&p->feed, p->to, o);
	if (!feed_is_live(&p->feed))
		out_printf(o, "%llu.%06llu", (unsigned long long)(p->to / 1000000000),
			   (unsigned long long)(p->to / 1000 % 1000000));
	out_char(o, '\n');
}

int prof_write(struct prof *p, const char *name, const char *ending, void (*put)(void *arg, struct out *o), void *arg,
	       struct err *e)
{
	struct output file;
	struct out out;
	char path[PATH_MAX], buf[8192];
	int r;

	if (snprintf(path, sizeof(path), "%s%s", name, ending) >= (int)sizeof(path))
		return err_set(e, ENAMETOOLONG, "%.60s...: the name is too long", name);
	r = output_open(&file, p->sys, path, OUTPUT_REPLACE, OUTPUT_PUBLIC, O_WRONLY, e);
	if (r)
		return r;
	output_text(&file, &out, buf, sizeof(buf));
	put(arg, &out);
	out_end(&out);
	r = output_close(&file);
	r = out.error ? out.error : r;
	return r ? err_set(e, -r, "cannot write %s: %s", path, err_name(-r)) : 0;
}

int prof_add(struct prof *p, const char *spec, struct err *e)
{
	return specs_add(&p->specs, spec, e);
}

int prof_own_only(const struct prof *p, struct err *e)
{
	if (p->specs.v.n)
		return err_set(e, EINVAL, "%s has events of its own: no -e", p->kind->cmd.name);
	return prof_want(p)->key ? err_set(e, EINVAL, "-k: %s has no keys", p->kind->cmd.name) : 0;
}

void prof_count(const struct prof *p, struct out *o, uint64_t n, const char *what)
{
	char line[160];

	if (!n)
		return;
	snprintf(line, sizeof(line), "%llu %s", (unsigned long long)n, what);
	/* Rows for scripts are not mixed with other text. */
	if (prof_table(p).form != TABLE_TEXT) {
		if (!prof_want(p)->form.quiet)
			p->how->note(p->how->arg, line);
	} else {
		out_str(o, line);
		out_char(o, '\n');
	}
}

/* --- expressions of all taps --- */

int prof_compile(const struct texpr ***to, struct prof *p, const char *(*text)(const struct spec *s), struct err *e)
{
	size_t n = p->feed.taps.n;
	const struct texpr **v = arena_alloc(&p->feed.arena, (n + 1) * sizeof(const struct texpr *));
	int r = v ? 0 : err_nomem(e);

	if (v)
		memset(v, 0, (n + 1) * sizeof(const struct texpr *));
	for (size_t i = 0; !r && i < n; i++)
		r = feed_compile(&p->feed, &v[i], &p->feed.taps.v[i], text(p->feed.taps.v[i].spec), e);
	*to = v;
	return r;
}

static const char *key_text(const struct spec *s)
{
	return s->key;
}

int prof_key_open(struct prof_key *k, struct prof *p, struct err *e)
{
	const struct target_want *t = &prof_want(p)->target;

	/* Untraced events need no key, and may lack such a field. */
	for (size_t i = 0; i < p->specs.v.n; i++)
		if (!p->specs.v.v[i].key && !p->specs.v.v[i].untraced)
			p->specs.v.v[i].key = prof_want(p)->key;
	k->by_thread = t->pids || t->tids || (p->feed_want.argc && !t->cpus && !t->all && !p->feed_want.session.path);
	return prof_compile(&k->of, p, key_text, e);
}

uint64_t prof_key_of(const struct prof_key *k, struct prof *p, const struct hit *h)
{
	const struct texpr *x = k->of[h->tap->index];

	if (x)
		return expr_number(&p->feed.expr, x, h, UINT64_MAX);
	return k->by_thread ? h->tid : h->cpu;
}

/* --- the run --- */

static const char *exec_text(const struct spec *s)
{
	return s->exec;
}

/* exec= and the like need hits, which events counted by BPF programs do not have. */
static int check_counted(const struct prof *p, struct err *e)
{
	for (size_t i = 0; i < p->specs.v.n; i++) {
		const struct spec *s = &p->specs.v.v[i];

		if (*s->event == '{')
			return err_set(e, EINVAL, "%s: events here have no groups", s->event);
		if (s->stack || s->max_stack || s->untraced || s->trigger || s->n_top || s->key || s->num || s->ptr ||
		    s->size || s->comm || s->printkey || s->role || s->exec)
			return err_set(e, EINVAL, "%s: %s counts it: only alias= and cpus= can be said of it", s->text,
				       p->kind->cmd.name);
	}
	if (prof_want(p)->key)
		return err_set(e, EINVAL, "-k: %s has no keys", p->kind->cmd.name);
	return 0;
}

static int read_events(struct prof *p, struct err *e)
{
	const struct opt_list *l = &prof_want(p)->events;
	int r = 0;

	if (p->kind->lines && prof_table(p).form != TABLE_TEXT) {
		err_set(e, EINVAL, "%s prints lines and no table: -j and -x have no meaning", p->kind->cmd.name);
		return err_hint(e, "sonde record, and sonde script --json of that");
	}
	if (p->kind->takes_word && p->argc) {
		p->word = *p->argv;
		p->argc--;
		p->argv++;
	}
	if (p->word && p->argc && !strcmp(*p->argv, "--")) {
		p->argc--;
		p->argv++;
	}
	r = p->kind->first ? p->kind->first(p, e) : 0;
	for (size_t i = 0; !r && i < l->n; i++)
		r = specs_add(&p->specs, l->v[i], e);
	r = r || !p->kind->prepare ? r : p->kind->prepare(p, e);
	if (!r && (p->kind->grouped || !p->kind->hit))
		r = check_counted(p, e);
	if (!r && prof_want(p)->usage_ms && prof_want(p)->from.input)
		return err_set(e, EINVAL, "--usage-self goes with what runs, not with a recording (-i)");
	if (!r && prof_want(p)->usage_ms > UINT32_MAX)
		return err_set(e, EINVAL, "--usage-self %llu: too many ms", (unsigned long long)prof_want(p)->usage_ms);
	if (!r && !p->specs.v.n && !p->kind->alone) {
		err_set(e, EINVAL, "%s needs events: -e", p->kind->cmd.name);
		r = err_hint(e, "sonde prof %s --help has examples; sonde list tracepoint what there is",
			     p->kind->cmd.name);
	}
	return r;
}

static int open_names(void *kname)
{
	return kname_open(kname, &bpf_live, NULL);
}

void prof_fill_feed(struct prof *p)
{
	const struct prof_want *w = prof_want(p);
	const struct prof_sides *s = &w->sides;
	long page = p->sys->page_size(p->sys);

	p->feed_want = (struct feed_want){
		.sys = p->sys, .specs = &p->specs, .session = w->session, .target = &w->target,
		.argc = p->kind->takes_words ? 0 : p->argc, .argv = p->argv, .chains = w->chains.graph,
		.sides = (s->no_user ? PERF_ATTR_EXCLUDE_USER : 0) | (s->no_kernel ? PERF_ATTR_EXCLUDE_KERNEL : 0) |
			 (s->no_guest ? PERF_ATTR_EXCLUDE_GUEST : 0) | (s->guest_only ? PERF_ATTR_EXCLUDE_HOST : 0),
		.ring_bytes = w->rings.pages * (uint64_t)page, .watermark = (unsigned)MIN(w->rings.watermark, 100u),
		.interval_ns = p->kind->own_intervals ? 0 : w->from.interval_ns, .names_all = w->chains.graph.on,
		.sample = p->kind->sample,
		.period = p->kind->period, .everywhere = p->kind->everywhere,
		/* BPF programs use CLOCK_MONOTONIC; in a flame graph no time is visible. */
		.monotonic = p->kind->monotonic || (p->kind->stacked && w->chains.flame),
		.grouped = p->kind->grouped, .records = p->kind->record, .track = p->kind->track,
		.recorded = w->from.recorded, .beat_ns = w->usage_ms * NS_PER_MS,
		.filter = w->filter.asked ? &w->filter : NULL,
	};
	p->feed_want.session.path = w->from.input;
	p->feed_want.session.kernel_only = p->kind->kernel_only;
	p->feed_want.session.no_ends = !p->kind->record;
	if (w->from.input || w->from.recorded)
		p->feed_want.session.namer = &p->namer;
	for (size_t i = 0; i < p->specs.v.n; i++)
		p->feed_want.names_all |= p->specs.v.v[i].stack;
}

static int show(struct prof *p, const struct prof_run_how *how, bool last, struct err *e)
{
	int r = tallied_take(p);

	if (r)
		return r == -ENOMEM ? err_nomem(e) : err_set(e, -r, "what the kernel has counted cannot be read: %s",
							     err_name(-r));
	r = p->kind->show ? p->kind->show(p, last, how->out, e) : 0;
	if (!r && (p->feed.tally || p->feed.histed))
		tallied_tell(p, how->out);
	out_flush(how->out);
	p->from = 0;
	return r;
}

/* Does the event request an action for each hit? */
static bool acts(const struct prof *p, const struct tap *t)
{
	return p->exec[t->index] || t->spec->trigger;
}

static int take(struct prof *p, const struct prof_run_how *how, const struct hit *h, struct err *e)
{
	int r;

	if (!p->from)
		p->from = h->time;
	p->to = h->time;
	if (p->acts && p->exec[h->tap->index])
		expr_value(&p->feed.expr, p->exec[h->tap->index], h);
	r = p->kind->hit(p, h, e);
	if (r == PROF_SHOW || (!r && p->acts && h->tap->spec->trigger))
		r = show(p, how, false, e);
	if (++p->hits == prof_want(p)->limit)
		feed_stop(&p->feed);
	return r;
}

static void take_record(struct prof *p)
{
	const struct prof_want *w = prof_want(p);

	if ((!w->limit || p->hits < w->limit) && p->kind->record(p, &p->feed.item) && ++p->hits == w->limit)
		feed_stop(&p->feed);
}

static inline int next(struct prof *p, struct hit *h, struct err *e)
{
	return feed_next_plain(&p->feed, h) ? FEED_HIT : feed_next(&p->feed, h, e);
}

static void tell_usage(struct prof *p)
{
	char line[120];

	usage_line(&p->usage, p->sys, line, sizeof(line));
	p->how->note(p->how->arg, line);
}

static int each(struct prof *p, const struct prof_run_how *how, struct err *e)
{
	uint64_t limit = prof_want(p)->limit;
	struct hit h;
	int got, r = 0;

	/* The output has failed (reader gone, disk full): its owner reports that. */
	while (!r && !how->out->error && (got = next(p, &h, e)) != FEED_END) {
		if (got < 0)
			return got;
		if (got == FEED_HIT)
			r = limit && p->hits >= limit ? 0 : take(p, how, &h, e);
		else if (got == FEED_TICK)
			r = show(p, how, false, e);
		else if (got == FEED_RECORD)
			take_record(p);
		else if (got == FEED_BEAT)
			tell_usage(p);
		else if (p->kind->lost && p->kind->lost(p, h.cpu))
			r = -ENOMEM;
	}
	return r == -ENOMEM ? err_nomem(e) : r;
}

/* Report what the kernel's filter dropped. */
static void tell_filter(const struct prof *p, const struct prof_run_how *how)
{
	struct sift_counts n;
	char line[200];

	if (!p->feed.live.filtered)
		return;
	n = sift_counts(&p->feed.live.filter);
	snprintf(line, sizeof(line), "the kernel's filter passed %llu of %llu samples", (unsigned long long)n.passed,
		 (unsigned long long)n.seen);
	how->note(how->arg, line);
	if (n.unknown) {
		snprintf(line, sizeof(line), "of %llu samples it could not read the task: they are left out",
			 (unsigned long long)n.unknown);
		how->note(how->arg, line);
	}
	if (n.missed) {
		snprintf(line, sizeof(line), "%llu samples came while another program ran: they are left out",
			 (unsigned long long)n.missed);
		how->note(how->arg, line);
	}
}

static void tell(const struct prof *p, const struct prof_run_how *how)
{
	if (prof_want(p)->form.quiet)
		return;
	tell_filter(p, how);
	session_footer(&p->feed.session, SESSION_ALL, how->note, how->arg);
	if (p->feed.stats.lost && feed_is_live(&p->feed))
		how->note(how->arg, "larger rings (-m) or a filter lose fewer events");
}

static int run_events(struct prof *p, const struct prof_run_how *how, struct err *e)
{
	int r;

	prof_fill_feed(p);
	r = feed_open(&p->feed, &p->feed_want, e);
	if (r)
		return r;
	for (size_t i = 0; i < p->feed.notes.n; i++)
		how->note(how->arg, p->feed.notes.v[i].text);
	p->feed.expr.out = how->out;
	usage_begin(&p->usage, p->sys);
	r = prof_compile(&p->exec, p, exec_text, e);
	for (size_t i = 0; !r && i < p->feed.taps.n; i++)
		p->acts |= acts(p, &p->feed.taps.v[i]);
	r = r || !p->kind->begin ? r : p->kind->begin(p, e);
	r = r ? r : tallied_choose(p, e);
	r = r ? r : feed_start(&p->feed, e);
	if (!r && feed_is_live(&p->feed))
		out_begin(how->out);
	r = r || !p->kind->started || !feed_is_live(&p->feed) ? r : p->kind->started(p, e);
	r = r ? r : each(p, how, e);
	r = r ? r : show(p, how, true, e);
	if (!r)
		tell(p, how);
	p->incomplete = session_incomplete(&p->feed.session);
	if (p->feed.live.loop.state == LOOP_COMMAND_ENDED)
		p->status = p->feed.live.loop.status;
	if (p->kind->close)
		p->kind->close(p);
	tallied_end(p);
	feed_close(&p->feed);
	return r;
}

int prof_run(struct prof *p, const struct prof_run_how *how, struct err *e)
{
	int r;

	p->how = how;
	p->kname = (struct kname){ .format = -1, .place = -1, .prog = -1 };
	p->namer = (struct kernel_namer){ kname_ask, open_names, &p->kname };
	p->argc = how->argc;
	p->argv = how->argv;
	p->own = calloc(1, p->kind->own + 1);
	if (!p->own)
		return err_nomem(e);
	r = read_events(p, e);
	if (!r)
		r = p->kind->hit && p->specs.v.n ? run_events(p, how, e) : p->kind->alone(p, how->out, e);
	kname_close(&p->kname);
	specs_deinit(&p->specs);
	free(p->own);
	return r;
}
