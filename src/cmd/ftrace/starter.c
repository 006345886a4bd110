/* starter.c - start and set. */
#include "cmd/ftrace/starter.h"

#include "cmd/annotate/inline.h"
#include "cmd/ftrace/profile_plan.h"
#include "cmd/ftrace/verbs.h"
#include "live/loop.h"

struct starter {
	struct ctx *c;
	struct want *want;
	struct undo *undo;
	struct tfs top;
	VEC(struct tfs) buffers;
	enum starter_how how;
};

/* Remove a line "*:*:mod:ext4", which would enable the events of a module when that is loaded. */
static int forget_module(struct starter *s, const struct tfs *t, struct sv line, struct err *e)
{
	char pattern[TFS_PATH], removal[TFS_PATH + 1];

	str_copy(pattern, sizeof(pattern), line);
	snprintf(removal, sizeof(removal), "!%s", pattern);
	return undo_append(s->undo, t, "set_event", removal, pattern, e);
}

/*
 * As trace-cmd does: switch off the events that were enabled in this buffer before, and, unless the plan has one, the
 * tracer.
 */
static int switch_old_off(struct starter *s, const struct plan *p, const struct tfs *t, struct err *e)
{
	struct sv rest, line;
	char file[TFS_PATH], *text;
	size_t n;
	int r = p->tracer ? 0 : undo_put(s->undo, t, "current_tracer", "nop", e);

	if (r || (r = tfs_read_all(t, "set_event", &text, &n, e)))
		return r;
	rest = (struct sv){ text, n };
	while (!r && sv_cut(&rest, '\n', &line)) {
		const char *colon = memchr(line.s, ':', line.n);

		if (!colon)
			continue;
		if (memmem(line.s, line.n, ":mod:", 5)) {
			r = forget_module(s, t, line, e);
			continue;
		}
		snprintf(file, sizeof(file), "events/%.*s/%.*s/enable", (int)(colon - line.s), line.s,
			 (int)(line.s + line.n - colon - 1), colon + 1);
		r = undo_put(s->undo, t, file, "0", e);
	}
	free(text);
	return r;
}

static int set_up(struct starter *s, struct plan *p, struct err *e)
{
	struct tfs *t = vec_add(&s->buffers);
	char why[160];
	int r;

	if (!t)
		return err_nomem(e);
	/* `show`, `stop` and scripts expect the trace in the top buffer. */
	p->top = !p->instance;
	p->add = s->how == STARTER_SET;
	r = plan_place(p, s->undo, &s->top, t, why, e);
	if (!r && !p->add)
		r = switch_old_off(s, p, t, e);
	return r ? r : plan_apply(p, s->undo, t, e);
}

static int remove_old(const struct starter *s, struct err *e)
{
	struct tfs t;
	int r = 0;

	for (size_t i = 0; !r && i < s->want->deleted.n; i++) {
		r = tfs_instance(&t, &s->top, s->want->deleted.v[i], e);
		r = r ? r : tfs_remove(&t, e);
	}
	return r;
}

static int prepare(struct starter *s, struct err *e)
{
	int r = remove_old(s, e);

	r = r ? r : want_probes(s->want, s->c->sys, s->undo, &s->top, e);
	for (size_t i = 0; !r && i < s->want->plans.n; i++)
		r = set_up(s, &s->want->plans.v[i], e);
	return r;
}

static int switch_on(struct starter *s, int pid, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < s->buffers.n; i++) {
		if (s->want->work.only_command && pid)
			r = plan_add_pid(&s->want->plans.v[i], s->undo, &s->buffers.v[i], pid, e);
		if (!r && s->how == STARTER_START)
			r = plan_start(s->undo, &s->buffers.v[i], e);
	}
	return r;
}

/* Run the command, which is held until tracing is on. *status: its exit status. */
static int with_command(struct starter *s, char **argv, int *status, struct err *e)
{
	struct loop l;
	int r;

	loop_init(&l, s->c->sys);
	r = loop_open(&l, e);
	r = r ? r : loop_hold(&l, argv, &s->want->work.child, e);
	r = r ? r : switch_on(s, l.child.pid, e);
	r = r ? r : loop_go(&l, e);
	/* Signals from the terminal reach the command as well, and it decides whether to end. */
	while (!r && !s->want->work.fork && l.child.pid)
		loop_next(&l);
	if (l.has_status)
		*status = l.status;
	/* With --fork the command outlives us, so loop_close() must not stop it. */
	if (!r)
		l.child.pid = 0;
	loop_close(&l);
	return r;
}

static void tell(const struct starter *s)
{
	for (size_t i = 0; !s->want->quiet && i < s->want->plans.n; i++)
		if (s->want->plans.v[i].tracer)
			out_printf(s->want->prof.to_stderr ? s->c->msg : s->c->out, "  plugin '%s'\n",
				   s->want->plans.v[i].tracer);
	out_flush(s->c->msg);
	out_flush(s->c->out);
}

int starter_run(struct ctx *c, struct want *w, char **argv, enum starter_how how)
{
	struct starter s = { .c = c, .want = w, .how = how };
	struct err e = { 0 }, ignored;
	int status = EXIT_DONE;
	int r;

	loglevel_apply(c, w->loglevel);
	r = want_finish(w, c->sys, how == STARTER_SET ? WANT_ANYTHING : WANT_SOMETHING, &e);
	r = r ? r : want_check(w, how == STARTER_SET ? WANT_SET : WANT_START, argv[0] != NULL, &e);
	if (r) {
		want_deinit(w);
		return cmd_usage(c, cmd_verb(verbs, how == STARTER_SET ? "set" : "start"), &e);
	}
	r = tfs_open(&s.top, c->sys, &e);
	if (!r && w->prof.on)
		r = profile_plan(w, &s.top, &e);
	if (!r && !(s.undo = undo_new(c->sys, &e)))
		r = -ENOMEM;
	r = r ? r : prepare(&s, &e);
	if (!r) {
		tell(&s);
		r = *argv ? with_command(&s, argv, &status, &e) : switch_on(&s, 0, &e);
	}
	if (!r && !w->quiet)
		inline_notes(c, w->probes);
	if (!r && *undo_note(s.undo))
		cmd_note(c, "%s", undo_note(s.undo));
	if (s.undo && r)
		undo_finish(s.undo, &ignored);
	else if (s.undo)
		r = undo_keep(s.undo, &e);
	vec_free(&s.buffers);
	want_deinit(w);
	return r ? cmd_fail(c, &e) : status;
}
