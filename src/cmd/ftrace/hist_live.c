/* hist_live.c - histograms counted by the kernel while a command runs. */
#include "cmd/ftrace/hist_live.h"

#include "cmd/annotate/inline.h"
#include "live/run.h"
#include "show/histo.h"
#include "tracing/pairs.h"

enum { EVENTS = 8, README_MAX = 1 << 20 };

struct counted {
	struct evfile file;
	char shown[300];         /* a probe as the user typed it; else "" */
	char trigger[TRIGGER_MAX];
};

struct hist_run {
	struct ctx *c;
	const struct hist_live_want *w;
	struct run run;
	struct plan plan;
	struct counted events[EVENTS];
	size_t n;
	struct pairs pairs;
	struct run_probes *probes;
	struct inline_one from, to;
	char *readme;
	size_t n_readme;
};

/* --- triggers --- */

static bool knows(const struct hist_run *h, const char *word)
{
	return memmem(h->readme, h->n_readme, word, strlen(word)) != NULL;
}

/*
 * Replace stack, cpu, pid and comm by the kernel's names of these common fields, unless the event has a field of that
 * name.
 */
static void put_field(const struct hist_run *h, const struct tfmt *f, struct sv item, struct out *o)
{
	char name[64];

	str_copy(name, sizeof(name), item);
	if (!f || tfmt_field(f, name))
		out_sv(o, item);
	else if (sv_eq(item, "stack"))
		out_str(o, knows(h, "common_stacktrace") ? "common_stacktrace" : "stacktrace");
	else if (sv_eq(item, "cpu"))
		out_str(o, knows(h, "common_cpu") ? "common_cpu" : "cpu");
	else if (sv_eq(item, "pid"))
		out_str(o, "common_pid");
	else if (sv_eq(item, "comm"))
		out_str(o, "common_pid.execname");
	else
		out_sv(o, item);
}

static void put_list(const struct hist_run *h, const struct tfmt *f, const struct opt_list *l, size_t from,
		     struct out *o)
{
	struct sv rest, item;
	uint64_t start = o->total;

	for (size_t i = from; i < l->n; i++)
		for (rest = sv_from(l->v[i]); sv_cut(&rest, ',', &item);) {
			if (o->total != start)
				out_char(o, ',');
			put_field(h, f, item, o);
		}
}

static void put_range(const struct hist_live_want *w, bool by_default, struct out *o)
{
	if (w->buckets)
		out_printf(o, ".buckets=%llu", (unsigned long long)w->buckets);
	else if (w->log2 || (by_default && !w->pair.plain))
		out_str(o, ".log2");
}

/* Append values, size and filter to the trigger, and check it against the kernel's README and the event's fields. */
static int finish(struct hist_run *h, struct counted *ev, const char *filter, struct mem_out *m, struct err *e)
{
	const struct hist_live_want *w = h->w;
	struct trigger_env env = { ev->file.fmt.n_fields ? &ev->file.fmt : NULL, { h->readme, h->n_readme } };
	const char *text;
	int r;

	if (w->vals.n) {
		out_str(&m->out, ":vals=hitcount,");
		put_list(h, &ev->file.fmt, &w->vals, 0, &m->out);
	}
	if (w->size)
		out_printf(&m->out, ":size=%llu", (unsigned long long)w->size);
	if (filter)
		out_printf(&m->out, " if %s", filter);
	text = mem_out_str(m);
	r = strlen(text) < sizeof(ev->trigger) ? trigger_check(&env, text, e) :
						 err_set(e, ENAMETOOLONG, "that is too long");
	str_copy(ev->trigger, sizeof(ev->trigger), sv_from(text));
	mem_out_deinit(m);
	return r;
}

static struct counted *add_event(struct hist_run *h, const char *name, struct err *e)
{
	struct counted *ev = &h->events[h->n];

	if (h->n == EVENTS) {
		err_set(e, E2BIG, "more than %d events", EVENTS);
		return NULL;
	}
	h->n++;
	return evfile_init(&ev->file, &h->run.top, name, e) ? NULL : ev;
}

static int plain_event(struct hist_run *h, const char *name, struct err *e)
{
	struct counted *ev = add_event(h, name, e);
	struct mem_out m;

	if (!ev)
		return -e->code;
	mem_out_init(&m);
	out_str(&m.out, "hist:keys=");
	if (h->w->keys.n)
		put_list(h, &ev->file.fmt, &h->w->keys, 0, &m.out);
	else
		put_field(h, &ev->file.fmt, SV("comm"), &m.out);
	put_range(h->w, false, &m.out);
	return finish(h, ev, h->w->filter, &m, e);
}

static int probe_event(void *arg, const char *name, const char *shown, struct err *e)
{
	struct hist_run *h = arg;
	int r = plain_event(h, name, e);

	if (!r)
		str_copy(h->events[h->n - 1].shown, sizeof(h->events[0].shown), sv_from(shown));
	return r;
}

/* The first key pairs the events; the other keys are fields of the second event by which the times are grouped. */
static int pair_event(struct hist_run *h, struct err *e)
{
	const struct hist_live_want *w = h->w;
	struct pairs_want pw = {
		.from = h->from.name, .to = h->to.name, .key = w->keys.n ? w->keys.v[0] : "common_pid",
		.to_key = w->pair.to_key, .from_if = w->pair.from_filter, .to_if = w->filter, .name = w->pair.name,
		.ns = w->pair.ns,
		.size = w->size,
	};
	char name[96];
	struct counted *ev;
	struct mem_out m;
	int r;

	for (size_t i = 1; i < w->keys.n && pw.n_fields < PAIRS_FIELDS; i++)
		pw.fields[pw.n_fields++] = w->keys.v[i];
	r = pairs_init(&h->pairs, &h->run.top, &pw, e);
	r = r || w->print ? r : pairs_define(&h->pairs, h->run.undo, &h->run.top, e);
	if (r)
		return r;
	snprintf(name, sizeof(name), "synthetic:%s", h->pairs.name);
	ev = w->print ? &h->events[h->n++] : add_event(h, name, e);
	if (!ev)
		return -e->code;
	if (w->print)
		snprintf(ev->file.dir, sizeof(ev->file.dir), "events/synthetic/%s", h->pairs.name);
	mem_out_init(&m);
	out_str(&m.out, "hist:keys=");
	put_list(h, NULL, &w->keys, 1, &m.out);
	out_printf(&m.out, "%s%s", w->keys.n > 1 ? "," : "", h->pairs.unit);
	put_range(w, true, &m.out);
	return finish(h, ev, NULL, &m, e);
}

static int no_hist(const struct hist_run *h, struct err *e)
{
	if (trigger_has_hist((struct sv){ h->readme, h->n_readme }))
		return 0;
	err_set(e, EOPNOTSUPP, "this kernel was built without histograms (CONFIG_HIST_TRIGGERS)");
	return err_hint(e, "'hist -i trace.dat' counts a recording; 'latency --from --to' measures pairs");
}

/* --print must not define probes. */
static int may_define(const struct hist_run *h, const char *text, struct err *e)
{
	if (!h->w->print)
		return 0;
	err_set(e, EINVAL, "'%s' would have to be made first", text);
	return err_hint(e, "'sonde probe' makes one that stays, and names its event");
}

static int some_events(struct hist_run *h, const struct run *run, const char *text, struct err *e)
{
	struct inline_to to = { run->sys, run->undo, &run->top };
	int r;

	if (!inline_is(text))
		return plain_event(h, text, e);
	r = may_define(h, text, e);
	return r ? r : inline_define(&h->probes, &to, text, probe_event, h, e);
}

static int one_event(struct hist_run *h, const struct run *run, const char *text, struct inline_one *one,
		     struct err *e)
{
	struct inline_to to = { run->sys, run->undo, &run->top };
	int r = inline_is(text) ? may_define(h, text, e) : 0;

	return r ? r : inline_define_one(&h->probes, &to, text, one, e);
}

static int on_before(void *arg, struct run *run, struct err *e)
{
	struct hist_run *h = arg;
	int r = tfs_read_all(&run->top, "README", &h->readme, &h->n_readme, e);

	r = r ? r : no_hist(h, e);
	if (!r && h->w->pair.from) {
		r = one_event(h, run, h->w->pair.from, &h->from, e);
		r = r ? r : one_event(h, run, h->w->pair.to, &h->to, e);
		return r ? r : pair_event(h, e);
	}
	for (size_t i = 0; !r && i < h->w->events.n; i++)
		r = some_events(h, run, h->w->events.v[i], e);
	return r;
}

static const struct tfs *buffer(const struct hist_run *h)
{
	return &h->run.buffers.v[0].tfs;
}

static int set_triggers(struct hist_run *h, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < h->n; i++)
		r = evfile_trigger(&h->events[i].file, h->run.undo, buffer(h), h->events[i].trigger, e);
	return r || !h->w->pair.from ? r : pairs_start(&h->pairs, h->run.undo, buffer(h), e);
}

/* --- showing --- */

static bool shows_utf8(const struct out *o)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; o->width && i < ARRAY_SIZE(names); i++) {
		const char *v = getenv(names[i]);

		if (v && *v)
			return str_contains(sv_from(v), SV("utf-8")) || str_contains(sv_from(v), SV("utf8"));
	}
	return false;
}

static uint32_t signed_columns(const struct thist *t, const struct tfmt *f)
{
	uint32_t bits = 0;

	for (unsigned i = 0; i < t->n_cols; i++) {
		const struct tfield *field = tfmt_field(f, t->cols[i].name);

		if (field && field->is_signed)
			bits |= UINT32_C(1) << i;
	}
	return bits;
}

static int show_one(struct hist_run *h, const struct tfs *t, struct counted *ev, struct err *e)
{
	const struct hist_live_want *w = h->w;
	struct histo_want hw = {
		.table.form = w->look.json ? TABLE_JSON : w->look.sep ? TABLE_CSV : TABLE_TEXT,
		.table.sep = w->look.sep,
		.sort = w->look.sort, .order = w->look.ascending ? HISTO_SMALLEST_FIRST : HISTO_LARGEST_FIRST,
		.rows = w->look.rows,
		.bars = shows_utf8(h->c->out) ? HISTO_BLOCKS : HISTO_ASCII,
	};
	char path[TFS_PATH], *text;
	struct thist hist;
	struct sv rest;
	size_t n;
	int r = tfs_read_all(t, evfile_path(&ev->file, "hist", path), &text, &n, e);

	if (r)
		return r;
	rest = (struct sv){ text, n };
	while ((r = thist_next(&hist, &rest, e)) > 0) {
		if (hw.table.form == TABLE_TEXT && (h->n > 1 || w->show))
			out_printf(h->c->out, "# %s%s%s %.*s\n", ev->shown[0] ? "" : ev->file.system,
				   ev->shown[0] ? "" : ":", ev->shown[0] ? ev->shown : ev->file.event,
				   (int)hist.trigger.n, hist.trigger.s);
		hw.is_signed = signed_columns(&hist, &ev->file.fmt);
		r = histo_print(&hist, &hw, h->c->out, e);
		if (r)
			break;
		if (hist.dropped)
			cmd_note(h->c, "%llu of %llu hits found no place in the kernel's table of %s: see --size",
				 (unsigned long long)hist.dropped, (unsigned long long)hist.hits, ev->file.event);
		thist_deinit(&hist);
	}
	thist_deinit(&hist);
	free(text);
	return r;
}

static int show(struct hist_run *h, const struct tfs *t, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < h->n; i++) {
		if (i && !h->w->look.json && !h->w->look.sep)
			out_char(h->c->out, '\n');
		r = show_one(h, t, &h->events[i], e);
	}
	out_flush(h->c->out);
	return r;
}

/* --- the run --- */

static int wait_and_show(struct hist_run *h, struct err *e)
{
	struct loop *l = &h->run.loop;
	int r = 0;

	loop_every(l, h->run.started, h->w->whose.interval_ms * 1000000);
	while (!r && l->state == LOOP_RUNS) {
		if (loop_next(l) != LOOP_TICK)
			continue;
		r = show(h, buffer(h), e);
		if (!h->w->look.json && !h->w->look.sep)
			out_char(h->c->out, '\n');
	}
	return r ? r : show(h, buffer(h), e);
}

static int count(struct hist_run *h, struct err *e)
{
	int r = set_triggers(h, e);
	uint64_t dropped;

	r = r ? r : run_go(&h->run, e);
	r = r ? r : wait_and_show(h, e);
	dropped = r || !h->w->pair.from ? 0 : pairs_dropped(&h->pairs, buffer(h));
	if (dropped)
		cmd_note(h->c, "%llu events found no place among the open keys: their times are missing, see --size",
			 (unsigned long long)dropped);
	return r;
}

static int fill_plan(struct hist_run *h, struct err *e)
{
	for (size_t i = 0; i < h->w->whose.pids.n; i++) {
		struct sv rest = sv_from(h->w->whose.pids.v[i]), one;
		uint64_t pid;

		while (sv_cut(&rest, ',', &one)) {
			if (!str_u64(one, 10, &pid) || !pid || pid > INT_MAX)
				return err_set(e, EINVAL, "'%.*s' is no process id", (int)one.n, one.s);
			if (vec_reserve(&h->plan.pids, 1))
				return err_nomem(e);
			h->plan.pids.v[h->plan.pids.n++] = (int)pid;
		}
	}
	h->plan.follow = h->w->whose.follow;
	return 0;
}

static int live(struct hist_run *h, char **argv, int *status, struct err *e)
{
	struct run_want rw = {
		.sys = h->c->sys, .plans = &h->plan, .n_plans = 1, .argv = *argv ? argv : NULL,
		.who = h->w->whose.only_command ? RUN_WORKLOAD : RUN_EVERYONE,
		.limit_ns = h->w->whose.timeout_ms * 1000000,
		.child.out = h->w->look.json || h->w->look.sep ? CHILD_STDOUT_IS_STDERR : CHILD_STDOUT_SHARED,
		.before = on_before, .arg = h,
	};
	struct err second = { 0 };
	int r = fill_plan(h, e), end;

	r = r ? r : run_begin(&h->run, &rw, e);
	if (r)
		return r;
	if (*undo_note(h->run.undo))
		cmd_note(h->c, "%s", undo_note(h->run.undo));
	inline_notes(h->c, h->probes);
	r = count(h, e);
	end = run_end(&h->run, &second);
	*status = h->run.loop.status;
	if (end && !r)
		*e = second;
	return r ? r : end;
}

static void put_command(const struct hist_run *h, const char *text, const char *dir, const char *file)
{
	out_printf(h->c->out, "echo '%s' >> %s/%s%s%s\n", text, h->run.top.root, dir, *dir ? "/" : "", file);
}

/* Print the shell commands that would have the same effect. */
static int print(struct hist_run *h, struct err *e)
{
	int r = tfs_open(&h->run.top, h->c->sys, e);

	r = r ? r : on_before(h, &h->run, e);
	if (r)
		return r;
	if (h->w->pair.from) {
		put_command(h, h->pairs.define, "", "synthetic_events");
		put_command(h, h->pairs.start, h->pairs.from.dir, "trigger");
		put_command(h, h->pairs.end, h->pairs.to.dir, "trigger");
	}
	for (size_t i = 0; i < h->n; i++)
		put_command(h, h->events[i].trigger, h->events[i].file.dir, "trigger");
	return 0;
}

/* Show the histograms that somebody else has set up in the top buffer. */
static int look(struct hist_run *h, struct err *e)
{
	int r = tfs_open(&h->run.top, h->c->sys, e);

	if (r)
		return r;
	if (!add_event(h, h->w->show, e))
		return -e->code;
	return show(h, &h->run.top, e);
}

int hist_live(struct ctx *c, const struct hist_live_want *w, char **argv)
{
	struct hist_run *h = calloc(1, sizeof(*h));
	struct err e = { 0 };
	int status = EXIT_DONE, r;

	if (!h) {
		err_nomem(&e);
		return cmd_fail(c, &e);
	}
	h->c = c;
	h->w = w;
	r = w->show ? look(h, &e) : w->print ? print(h, &e) : live(h, argv, &status, &e);
	for (size_t i = 0; i < h->n; i++)
		evfile_deinit(&h->events[i].file);
	pairs_deinit(&h->pairs);
	run_probes_free(h->probes);
	plan_deinit(&h->plan);
	free(h->readme);
	free(h);
	return r ? cmd_fail(c, &e) : cmd_finish(c, status);
}
