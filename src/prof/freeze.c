/* freeze.c - see freeze.h. */
#include "prof/freeze.h"

#include "engine/line.h"
#include "tracefs/text/rtext.h"
#include "tracing/meta.h"
#include "tracing/rings.h"

#define NS_PER_MS UINT64_C(1000000)
#define USUAL_NS (10 * NS_PER_MS)
#define MOST_NS (1000 * NS_PER_MS)

enum { USUAL_KB = 1024, USUAL_TIMES = 3, LINES_MAX = 100000, KEPT_TIMES = 4, GAPS_MAX = 16 };

static int set_around(void *field, const char *value, struct err *e UNUSED)
{
	*(const char **)field = value ? value : "";
	return 0;
}

const struct opt freeze_opts[] = {
	OPT_HEAD("Kernel trace around outliers"),
	OPT_CALL(0, "freeze", OPT_OPTIONAL, struct freeze_want, around, set_around, "<before,after>",
		 "with --than: keep ftrace's buffer from <before> to <after> each outlier (default 10ms,10ms)"),
	OPT_LIST(0, "freeze-events", struct freeze_want, events, "<events>",
		 "events to trace: SYSTEM, SYSTEM:NAME, globs (default sched and irq)"),
	OPT_LIST(0, "freeze-functions", struct freeze_want, functions, "<glob>",
		 "trace the duration of these kernel functions, too"),
	OPT_U64(0, "freeze-kb", struct freeze_want, kb, "<n>", "trace buffer size per CPU, in KB (default 1024)"),
	OPT_U64(0, "freeze-times", struct freeze_want, times, "<n>", "keep at most <n> outliers (default 3)"),
	OPT_END,
};

/* --- what is wanted --- */

static int read_one(struct sv text, uint64_t *ns, struct err *e)
{
	if (text.n && str_time(text, 1, ns) && *ns <= MOST_NS)
		return 0;
	return err_set(e, EINVAL, "--freeze: '%.*s' is no time up to 1s, as 500us or 10ms", (int)MIN(text.n, 40u),
		       text.s);
}

static int read_around(struct freeze *f, struct err *e)
{
	struct sv rest = sv_from(f->want->around), one;
	int r;

	f->before = f->after = USUAL_NS;
	if (!rest.n)
		return 0;
	sv_cut(&rest, ',', &one);
	r = read_one(one, &f->before, e);
	f->after = f->before;
	return r || !rest.n ? r : read_one(rest, &f->after, e);
}

static int add_events(struct freeze *f, struct sv list, struct err *e)
{
	struct sv one;

	while (sv_cut(&list, ',', &one)) {
		struct plan_event *ev = vec_add(&f->plan.events);
		const char *pattern = arena_dup(&f->prof->feed.arena, one.s, one.n);

		if (!ev || !pattern)
			return err_nomem(e);
		*ev = (struct plan_event){ .pattern = pattern };
	}
	return 0;
}

static int make_plan(struct freeze *f, struct err *e)
{
	const struct freeze_want *w = f->want;
	struct plan *p = &f->plan;
	int r = 0;

	p->clock = "perf";       /* the clock of perf's events */
	p->buffer_kb = w->kb ? w->kb : USUAL_KB;
	p->tracer = w->functions.n ? "function_graph" : NULL;
	for (size_t i = 0; !r && i < w->events.n; i++)
		r = add_events(f, sv_from(w->events.v[i]), e);
	if (!w->events.n)
		r = add_events(f, SV("sched,irq"), e);
	for (size_t i = 0; !r && i < w->functions.n; i++) {
		const char **slot = vec_add(&p->functions);

		r = slot ? 0 : err_nomem(e);
		if (slot)
			*slot = w->functions.v[i];
	}
	return r;
}

/* --- the buffer --- */

static int place(struct freeze *f, struct err *e)
{
	char why[160] = "";
	int r = tfs_open(&f->top, f->prof->sys, e);

	if (r)
		return err_hint(e, "--freeze keeps the kernel's trace: it needs the tracing file system, and root");
	f->undo = undo_new(f->prof->sys, e);
	if (!f->undo)
		return -e->code;
	r = plan_place(&f->plan, f->undo, &f->top, &f->tfs, why, e);
	r = r ? r : plan_apply(&f->plan, f->undo, &f->tfs, e);
	/* Our own printing is not to be traced. */
	r = r ? r : plan_ignore_pid(f->undo, &f->tfs, sys_self(), e);
	if (!r && *why)
		f->prof->how->note(f->prof->how->arg, why);
	return r;
}

static int read_formats(struct freeze *f, struct err *e)
{
	struct meta meta;
	int r = meta_init(&meta, &f->top, &f->tfs, e);

	if (r)
		return r;
	r = meta_add_events(&meta, &f->top, &f->tfs, META_ENABLED, e);
	r = r ? r : meta_events(&meta, &f->top, &f->events, e);
	meta_deinit(&meta);
	return r;
}

static int open_text(struct freeze *f, struct err *e)
{
	struct tprint_names names;

	f->names = (struct knames_late){ .sys = f->prof->sys, .events = &f->events };
	names = knames_late_print(&f->names);
	f->printed = names;
	f->text = rtext_new(&f->events, &f->printed, RTEXT_NS);
	return f->text ? 0 : err_nomem(e);
}

static int open_all(struct freeze *f, struct err *e)
{
	int r = read_around(f, e);

	r = r ? r : make_plan(f, e);
	r = r ? r : place(f, e);
	r = r ? r : read_formats(f, e);
	r = r ? r : open_text(f, e);
	r = r ? r : ringset_add(&f->set, &f->tfs, 0, e);
	f->rings = calloc(f->set.n + 1, sizeof(*f->rings));
	if (!r && !f->rings)
		r = err_nomem(e);
	return r ? r : plan_start(f->undo, &f->tfs, e);
}

int freeze_open(struct freeze *f, struct prof *p, const struct freeze_want *w, struct err *e)
{
	if (!w->around) {
		if (w->events.n || w->functions.n || w->kb || w->times)
			return err_set(e, EINVAL, "--freeze-...: without --freeze nothing is kept");
		return 0;
	}
	if (!feed_is_live(&p->feed))
		return err_set(e, EINVAL, "--freeze: a recording's kernel is not here to be asked what else went on");
	*f = (struct freeze){
		.want = w, .prof = p, .set.sys = p->sys, .out = p->feed.expr.out,
		.left = w->times ? w->times : USUAL_TIMES,
	};
	return open_all(f, e);
}

int freeze_close(struct freeze *f, struct err *e)
{
	int r;

	if (!f->want)
		return 0;
	for (size_t i = 0; f->rings && i < f->set.n; i++) {
		free(f->rings[i].bytes);
		vec_free(&f->rings[i].pages);
	}
	rtext_free(f->text);
	ringset_close(&f->set);
	knames_late_deinit(&f->names);
	tevents_deinit(&f->events);
	plan_deinit(&f->plan);
	free(f->rings);
	vec_free(&f->gaps);
	r = f->undo ? undo_finish(f->undo, e) : 0;
	*f = (struct freeze){ 0 };
	return r;
}

/* --- what is in it --- */

/* Current time of the trace clock, ns; 0: unknown. */
static uint64_t clock_now(const struct freeze *f)
{
	struct ring_stats s;

	for (size_t i = 0; i < f->set.n; i++)
		if (!rings_stats(&f->tfs, f->set.rings[i].cpu, &s) && s.now_is_ns)
			return s.now;
	return 0;
}

static void wait_until(const struct freeze *f, uint64_t time)
{
	uint64_t now = clock_now(f);

	if (now && now < time)
		f->prof->sys->poll(f->prof->sys, NULL, 0, (int)((time - now + NS_PER_MS - 1) / NS_PER_MS));
}

static int names_now(struct freeze *f, struct err *e)
{
	char *text;
	size_t n;
	int r = tfs_read_all(&f->top, "saved_cmdlines", &text, &n, e);

	if (r)
		return r;
	r = tevents_add_comms(&f->events, (struct sv){ text, n });
	free(text);
	return r ? err_nomem(e) : 0;
}

/* --- reading it --- */

static int keep(struct freeze *f, size_t i, const uint8_t *page, size_t n, struct err *e)
{
	struct freeze_ring *r = &f->rings[i];
	size_t size = f->set.files[i].size, room = r->room ? 2 * r->room : 16;
	uint8_t *bytes;
	uint32_t *len;

	if (r->pages.n == r->room) {
		bytes = realloc(r->bytes, room * size);
		if (!bytes)
			return err_nomem(e);
		r->bytes = bytes;
		r->room = room;
	}
	len = vec_add(&r->pages);
	if (!len)
		return err_nomem(e);
	*len = (uint32_t)n;
	memcpy(r->bytes + (r->pages.n - 1) * size, page, n);
	return 0;
}

static int take_ring(struct freeze *f, size_t i, struct err *e)
{
	struct freeze_ring *r = &f->rings[i];
	struct ring_stats s;
	const uint8_t *page;
	size_t n;
	int got;

	r->overrun |= !rings_stats(&f->tfs, f->set.rings[i].cpu, &s) && s.overrun;
	while ((got = ringset_page(&f->set, (uint32_t)i, &page, &n, e)) == 1) {
		int err = keep(f, i, page, n, e);

		if (err)
			return err;
	}
	return got;
}

/* Drop what was read before, unless the pair began in it: then keep that in front, as long as there is room. */
static void forget(struct freeze *f, uint64_t from)
{
	bool full = false;

	for (size_t i = 0; i < f->set.n; i++)
		full |= f->rings[i].pages.n * f->set.files[i].size > KEPT_TIMES * f->plan.buffer_kb * 1024;
	if (f->resumed && from < f->resumed && !full && f->gaps.n < GAPS_MAX)
		return;
	for (size_t i = 0; i < f->set.n; i++) {
		f->rings[i].pages.n = 0;
		f->rings[i].overrun = false;
	}
	f->gaps.n = 0;
	f->since = f->resumed;
}

static int take_all(struct freeze *f, uint64_t from, struct err *e)
{
	struct freeze_span *gap;
	int r = plan_stop(&f->tfs, e);

	forget(f, from);
	gap = vec_add(&f->gaps);
	if (!gap)
		return err_nomem(e);
	f->until = clock_now(f);
	for (size_t i = 0; !r && i < f->set.n; i++)
		r = take_ring(f, i, e);
	r = r ? r : names_now(f, e);
	/* Clear the buffer: old events are not needed for the next pair. */
	r = r ? r : tfs_put(&f->tfs, "trace", "", e);
	f->resumed = clock_now(f);
	*gap = (struct freeze_span){ f->until, f->resumed };
	return r ? r : plan_start(f->undo, &f->tfs, e);
}

/* --- showing it --- */

static int kept_page(void *arg, uint32_t i, const uint8_t **page, size_t *n, struct err *e UNUSED)
{
	struct freeze *f = arg;
	struct freeze_ring *r = &f->rings[i];

	if (r->at == r->pages.n)
		return 0;
	*page = r->bytes + r->at * f->set.files[i].size;
	*n = r->pages.v[r->at++];
	return 1;
}

static void put_span(struct freeze *f, const char *before, uint64_t time, const char *behind)
{
	out_str(f->out, before);
	out_fixed(f->out, (double)time / 1e9, 0, 6);
	out_str(f->out, behind);
}

static void tell_missing(struct freeze *f, const struct freeze_span *around)
{
	if (f->since > around->from)
		put_span(f, "  (what was before ", f->since, " was not traced, or was read with one before)\n");
	for (size_t i = 0; i + 1 < f->gaps.n; i++) {
		if (f->gaps.v[i].to <= around->from || f->gaps.v[i].from >= around->to)
			continue;
		put_span(f, "  (what was between ", f->gaps.v[i].from, "");
		put_span(f, " and ", f->gaps.v[i].to, " was not traced: one before was being read)\n");
	}
	for (size_t i = 0; i < f->set.n; i++) {
		if (!f->rings[i].overrun || f->rings[i].begins <= around->from)
			continue;
		out_printf(f->out, "  (CPU %u: ", f->set.rings[i].cpu);
		put_span(f, "what was before ", f->rings[i].begins,
			 " is not kept any more: --freeze-kb makes room for more)\n");
	}
}

static void put_line(struct freeze *f, struct tstream *s, struct tstream_rec *rec, const struct freeze_span *inside)
{
	const struct rtext_event *x = rtext_event(f->text, rec);
	struct rtext_ahead ahead;
	const struct rtext_leaf *leaf = rtext_ahead(f->text, s, x, rec, &ahead);

	out_str(f->out, rec->ts >= inside->from && rec->ts <= inside->to ? "| " : "  ");
	rtext_line(f->text, x, rec, leaf, f->out);
	out_char(f->out, '\n');
}

static int put_all(struct freeze *f, struct tstream *s, const struct freeze_span *around,
		   const struct freeze_span *pair, struct err *e)
{
	uint64_t lines = 0;
	struct tstream_rec rec;
	int r;

	while ((r = tstream_next(s, UINT64_MAX, &rec, e)) == 1) {
		if (!f->rings[rec.ring].begins)
			f->rings[rec.ring].begins = rec.ts;
		if (rec.ts >= around->from && rec.ts <= around->to && ++lines <= LINES_MAX)
			put_line(f, s, &rec, pair);
	}
	if (lines > LINES_MAX)
		out_printf(f->out, "  (and %llu events more)\n", (unsigned long long)(lines - LINES_MAX));
	if (!r && !lines)
		out_str(f->out, "  (nothing)\n");
	return r;
}

static int put_kept(struct freeze *f, const struct freeze_span *around, const struct freeze_span *pair, struct err *e)
{
	struct tstream *s;
	int r;

	for (size_t i = 0; i < f->set.n; i++)
		f->rings[i].at = f->rings[i].begins = 0;
	s = tstream_new(f->set.rings, f->set.n, false, kept_page, f);
	if (!s)
		return err_nomem(e);
	r = put_all(f, s, around, pair, e);
	tstream_free(s);
	tell_missing(f, around);
	return r;
}

static int show(struct freeze *f, const struct freeze_span *pair, struct err *e)
{
	struct freeze_span around = { pair->from - MIN(pair->from, f->before), pair->to + f->after };
	char before[LINE_TIME], after[LINE_TIME];
	int r = 0;

	/* Pairs may overlap: reading for the previous one may have included this one. */
	if (around.to > f->until) {
		wait_until(f, around.to);
		r = take_all(f, around.from, e);
	}
	if (r)
		return r;
	out_printf(f->out, "frozen, from %s before it to %s behind:\n", line_time(before, f->before),
		   line_time(after, f->after));
	r = put_kept(f, &around, pair, e);
	out_flush(f->out);
	return r;
}

void freeze_at(struct freeze *f, const struct freeze_span *pair)
{
	struct err e = { 0 };

	if (!f->left) {
		f->missed++;
		return;
	}
	f->left--;
	if (show(f, pair, &e)) {
		f->prof->how->note(f->prof->how->arg, e.text);
		f->left = 0;
	}
	/* All pairs were shown: stop tracing, which then costs nothing. */
	if (!f->left)
		plan_stop(&f->tfs, NULL);
}
