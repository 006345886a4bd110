/* verb_extract.c - sonde ftrace extract: what is in the kernel's buffers now, into a trace.dat. */
#include "cmd/ftrace/buffers.h"
#include "cmd/ftrace/loglevel.h"
#include "cmd/ftrace/trecord.h"
#include "cmd/ftrace/verbs.h"
#include "tracing/undo.h"

struct extract_want {
	struct buffers_want buffers;
	struct trecord_format format;
	const char *output, *tracer;
	struct opt_list options;
	bool snapshot, date, quiet;
	enum loglevel loglevel;
};

static const struct opt opts[] = {
	OPT_STR('o', "output", struct extract_want, output, "<file>", "file to write (default trace.dat)"),
	OPT_FLAG('s', "snapshot", struct extract_want, snapshot, "extract the snapshot, not the buffer"),
	BUFFERS_NAMES(struct extract_want, buffers),
	BUFFERS_ALL(struct extract_want, buffers),
	BUFFERS_TOP(struct extract_want, buffers),
	OPT_SUB(trecord_format_opts, struct extract_want, format),
	OPT_FLAG(0, "date", struct extract_want, date, "wall-clock timestamps (since 1970)"),
	OPT_FLAG('q', "quiet", struct extract_want, quiet, "print errors only"),
	OPT_STR('p', "plugin", struct extract_want, tracer, "<tracer>",
		"treat the buffer as this tracer's (default: current tracer); for latency tracers (wakeup, irqsoff "
		"...) it is text"),
	OPT_LIST('O', NULL, struct extract_want, options, "<option>",
		 "trace option for that text: verbose, noprint-parent ... (list -o)"),
	OPT_LOGLEVEL(0, struct extract_want, loglevel),
	OPT_END,
};

struct job {
	struct ctx *c;
	const struct extract_want *w;
	struct dat_recording_want want;
	struct dat_recording record;
	VEC(struct plan) plans;     /* they only name the buffers */
	struct undo *undo;
};

static int add_buffer(void *arg, const struct tfs *t, struct err *e)
{
	struct job *j = arg;
	struct run_buffer *b = vec_add(&j->record.run.buffers);

	if (!b || !vec_add(&j->plans))
		return err_nomem(e);
	b->tfs = *t;
	return 0;
}

/*
 * A buffer that is written to has no end, so tracing is off while it is drained. The undo's journal lets a
 * later run switch it on again if this process is killed.
 */
static int pause(struct job *j, struct err *e)
{
	int r;

	j->undo = undo_new(j->c->sys, e);
	r = j->undo ? 0 : -e->code;
	for (size_t i = 0; !r && i < j->record.run.buffers.n; i++)
		r = undo_put(j->undo, &j->record.run.buffers.v[i].tfs, "tracing_on", "0", e);
	for (size_t i = 0; !r && i < j->record.run.buffers.n; i++)
		for (size_t k = 0; !r && k < j->w->options.n; k++)
			r = plan_option(j->undo, &j->record.run.buffers.v[i].tfs, j->w->options.v[k], e);
	return r;
}

static int go_on(struct job *j, struct err *e)
{
	int r = j->undo ? undo_finish(j->undo, e) : 0;

	j->undo = NULL;
	return r;
}

/* Do the buffers hold the text of a latency tracer, or events? */
static int choose_form(struct job *j, struct err *e)
{
	const struct extract_want *w = j->w;
	const struct tfs *t = &j->record.run.buffers.v[0].tfs;
	char tracer[64] = "";
	int r = w->tracer ? plan_tracer(t, w->tracer, e) : 0;

	if (!w->tracer)
		tfs_get(t, "current_tracer", tracer, sizeof(tracer));
	j->want.latency = trecord_leaves_text(w->tracer ? w->tracer : tracer);
	if (!r && j->want.latency && w->snapshot)
		r = err_set(e, EINVAL,
			    "-s: the snapshot is what the latency tracer works with, and its text is made of it");
	if (!r && !j->want.latency && w->options.n) {
		err_set(e, EINVAL, "-O changes the text of a latency tracer, and this is no text");
		r = err_hint(e, "'report -O' changes what is shown of events; -p wakeup takes the text in any case");
	}
	return r;
}

static void set_up(struct job *j)
{
	struct dat_recording *r = &j->record;
	const char *path = j->w->output ? j->w->output : "trace.dat";

	for (size_t i = 0; i < r->run.buffers.n; i++) {
		struct run_buffer *b = &r->run.buffers.v[i];

		b->plan = &j->plans.v[i];
		j->plans.v[i].instance = tfs_is_top(&b->tfs) ? NULL : b->tfs.name;
	}
	j->want = (struct dat_recording_want){
		.run.sys = j->c->sys, .path = path,
		.recorder = {
			.sys = j->c->sys, .path = path, .drain = true,
			.from = j->w->snapshot ? RINGS_SNAPSHOT : RINGS_LIVE,
		},
		.formats = META_ALL, .date = j->w->date,
	};
}

static int take(struct job *j, struct err *e)
{
	int ret = pause(j, e), resumed;

	ret = ret ? ret : dat_recording_drain(&j->record, e);
	/* The text is still in the kernel: read it before tracing goes on. */
	if (!ret && j->want.latency)
		ret = dat_recording_write(&j->record, e);
	resumed = go_on(j, ret ? NULL : e);
	if (ret || j->want.latency)
		return ret ? ret : resumed;
	/* Also if tracing could not be switched on again: what was drained exists nowhere else. */
	ret = dat_recording_write(&j->record, resumed ? NULL : e);
	return resumed ? resumed : ret;
}

static int extract(struct job *j, struct err *e)
{
	struct dat_recording *r = &j->record;
	int ret;

	run_init(&r->run, j->c->sys);
	r->want = &j->want;
	ret = tfs_open(&r->run.top, j->c->sys, e);
	if (!ret)
		ret = buffers_each(j->c, &j->w->buffers, add_buffer, j, e);
	if (ret)
		return ret;
	set_up(j);
	ret = choose_form(j, e);
	ret = ret ? ret : trecord_format(&j->w->format, &j->want.format, e);
	if (ret)
		return ret;
	ret = datfile_check(j->c->sys, j->want.path, e);
	/* From now on signals are blocked: what was drained exists nowhere else until the file is complete. */
	ret = ret ? ret : loop_open(&r->run.loop, e);
	return ret ? ret : take(j, e);
}

static int extract_verb(struct ctx *c, void *want, int argc UNUSED, char **argv UNUSED)
{
	struct job j = { .c = c, .w = want };
	struct err e = { 0 };
	bool quiet = j.w->quiet || !loglevel_says(j.w->loglevel, LOGLEVEL_INFO);
	int r;

	loglevel_apply(c, j.w->loglevel);
	r = extract(&j, &e);
	r = trecord_finish(c, &j.record, quiet ? TRECORD_QUIET : TRECORD_SAY, r, &e);
	dat_recording_deinit(&j.record);
	vec_free(&j.plans);
	return cmd_finish(c, r);
}

DEFINE_VERB(extract, "extract", .brief = "Write the current kernel trace buffers into a trace.dat",
	    .examples = PACKED(
			"sonde ftrace extract -o found.dat\tafter start and stop; empties the buffer\n"
			"sonde ftrace extract -s\tthe snapshot\n"),
	    .opts = opts, .want_size = sizeof(struct extract_want), .run = extract_verb);
