/* verb_profile.c - sonde ftrace profile: what each task does with its time, while it runs. */
#include "cmd/annotate/inline.h"
#include "cmd/ftrace/profile_plan.h"
#include "cmd/ftrace/profile_view.h"
#include "cmd/ftrace/verbs.h"
#include "live/live.h"
#include "sys/output.h"
#include "tracing/knames.h"

#include <fcntl.h>

struct mine {
	struct want want;
	struct opt_list comms;
};

static const struct opt opts[] = {
	OPT_HEAD("Output"),
	OPT_LIST(0, "comm", struct mine, comms, "<names>",
		 "show only tasks of these names; * and ? match"),
	OPT_SUB(want_opts, struct mine, want),
	OPT_END,
};

struct job {
	struct ctx *c;
	struct mine *m;
	struct knames names;
	struct profile_view view;
	bool named, viewing;
};

static const char *symbol(void *arg, uint64_t addr)
{
	const struct job *j = arg;
	const struct sym *s = kallsyms_find(&j->names.syms, addr);

	return s ? kallsyms_name(&j->names.syms, s) : NULL;
}

/* Read the symbols before the run, during which they are looked up. */
static int begin(struct job *j, struct live *l, struct err *e)
{
	const struct want *w = &j->m->want;
	struct profile_view_want vw = { .hooks = &w->prof.hooks, .comms = &j->m->comms, .global = w->prof.irqs_global,
					.by_comm = w->prof.by_comm };
	struct profile_view_source from = { .events = &l->source.trace, .symbol = symbol, .arg = j };
	int r = knames_init(&j->names, j->c->sys, NULL, e);

	j->named = !r;
	for (size_t i = 0; i < l->run.buffers.n; i++)
		if (*l->run.buffers.v[i].why && !w->quiet)
			cmd_note(j->c, "%s", l->run.buffers.v[i].why);
	if (!w->quiet)
		inline_notes(j->c, w->probes);
	if (!r)
		r = profile_view_init(&j->view, &vw, &from, e);
	j->viewing = !r;
	return r;
}

/* To the file of -o, else to standard output, or error with --stderr. */
static int print(struct job *j, struct err *e)
{
	const struct want *w = &j->m->want;
	struct output file;
	char buf[8192];
	struct out o;
	int r;

	if (!w->file.output)
		return profile_view_print(&j->view, j->c, w->prof.to_stderr ? j->c->msg : j->c->out, e);
	r = output_open(&file, j->c->sys, w->file.output, OUTPUT_REPLACE, OUTPUT_PUBLIC, O_WRONLY, e);
	if (r)
		return r;
	output_text(&file, &o, buf, sizeof(buf));
	r = profile_view_print(&j->view, j->c, &o, e);
	out_end(&o);
	output_close(&file);
	return r || !o.error ? r : err_set(e, -o.error, "cannot write %s: %s", w->file.output, err_name(-o.error));
}

static void tell_loss(const struct job *j, const struct live_result *res)
{
	uint64_t lost = MAX(res->stats.lost, res->overrun + res->dropped);
	char number[32];

	if (lost || res->stats.gaps)
		cmd_note(j->c, "%s events were lost: a larger buffer (-b KB) or fewer events may help",
			 lost ? fmt_grouped(number, sizeof(number), lost) : "some");
}

static int follow(struct job *j, struct live *l, bool alone, struct err *e)
{
	struct source_rec rec;
	int r = begin(j, l, e), what;

	r = r ? r : live_go(l, e);
	/* Only now: a script that waits for this line may send the signal at once. */
	if (!r && alone && !j->m->want.quiet)
		cmd_note(j->c, "profiling; Ctrl-C ends it");
	while (!r && (what = source_next(&l->source, &rec, e)) != SOURCE_END) {
		r = MIN(what, 0);
		if (what == SOURCE_RECORD && profile_view_record(&j->view, &rec.trace))
			r = err_nomem(e);
	}
	return r;
}

static int profile(struct job *j, char **argv, struct err *e)
{
	const struct want *w = &j->m->want;
	struct live_want lw = {
		.run = { .sys = j->c->sys, .plans = w->plans.v, .n_plans = w->plans.n, .argv = argv[0] ? argv : NULL,
			 .child = w->work.child, .keep = w->keep,
			 .who = w->work.only_command ? RUN_WORKLOAD : RUN_EVERYONE, .before = want_before,
			 .arg = &j->m->want },
	};
	struct live_result res;
	struct live l;
	int r = live_begin(&l, &lw, e), ended;

	if (r)
		return r;
	r = follow(j, &l, !argv[0], e);
	ended = live_end(&l, &res, r ? NULL : e);
	r = r ? r : ended;
	if (!r && j->viewing)
		r = print(j, e);
	if (!r)
		tell_loss(j, &res);
	return r ? r : res.state == LOOP_SIGNALLED ? EXIT_DONE : res.status;
}

static int profile_verb(struct ctx *c, void *want, int argc UNUSED, char **argv)
{
	struct job j = { .c = c, .m = want };
	struct err e = { 0 };
	struct tfs top;
	int r;

	loglevel_apply(c, j.m->want.loglevel);
	j.m->want.prof.on = true;
	r = want_finish(&j.m->want, c->sys, WANT_ANYTHING, &e);
	r = r ? r : want_check(&j.m->want, WANT_PROFILE, argv[0] != NULL, &e);
	if (!r)
		r = tfs_open(&top, c->sys, &e);
	if (!r)
		r = profile_plan(&j.m->want, &top, &e);
	if (!r)
		r = profile(&j, argv, &e);
	if (j.viewing)
		profile_view_deinit(&j.view);
	if (j.named)
		knames_deinit(&j.names);
	want_deinit(&j.m->want);
	if (r < 0)
		return e.code == EINVAL ? cmd_usage(c, cmd_verb(verbs, "profile"), &e) : cmd_fail(c, &e);
	return r;
}

static void drop(void *want)
{
	want_deinit(&((struct mine *)want)->want);
}

DEFINE_VERB(profile, "profile", .brief = "Show the time of each task by event, with call chains of blocking",
	    .synopsis = "[options] [-- command]",
	    .examples = PACKED(
			"sonde ftrace profile -F -c ./test.sh\ta command and its children\n"
			"sonde ftrace profile --comm 'nginx*' sleep 10\tsystem-wide, tasks of these names, ten "
				"seconds\n"
			"sonde ftrace profile -S -p nop -e sched_switch -e sched_wakeup -- make\tonly wait times\n"
			"sonde ftrace profile -H 'block_rq_issue,sector/block_rq_complete,sector,g' sleep 5\tlatency "
				"of block I/O requests\n"),
	    .details = PACKED(
		    "Times are in nanoseconds. sched_switch:S, D, T ...: blocked in that state until woken;\n"
		    "R+: preempted; R: yielded. sched_wakeup: from wakeup to running.\n"
		    "Others: from the first event of a pair to the second; left out if events were lost in between."),
	    .opts = opts, .want_size = sizeof(struct mine), .drop = drop, .run = profile_verb);
