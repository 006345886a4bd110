/* guests.c - see guests.h. */
#include "cmd/ftrace/guests.h"

#include "live/loop.h"
#include "tracefs/dat/guest.h"
#include "tracing/transport/traceid.h"

static const char *clock_of(const struct guests *gs)
{
	const char *clock = gs->w->plans.v[0].clock;

	return clock ? clock : "local";
}

/*
 * Add the options that guests take over from the host: its trace clock, unless the guest has -C, for only equal clocks
 * can be compared; and --date.
 */
static int complete(const struct guests *gs, const struct want_guest *g, struct agentmsg_request *q, struct err *e)
{
	const char *clock = clock_of(gs);

	*q = (struct agentmsg_request){ .id = gs->id };
	if (g->args.n > AGENTMSG_ARGS - 3)
		return err_set(e, E2BIG, "%s: more options than an agent can be told", g->where);
	if (gs->w->file.date)
		q->args[q->n_args++] = "--date";
	if (!g->has_clock) {
		q->args[q->n_args++] = "-C";
		q->args[q->n_args++] = clock;
	}
	if (gs->w->guest.tsync_ms >= 0)
		q->protos[q->n_protos++] = CLOCKSYNC_PTP;
	for (size_t i = 0; i < g->args.n; i++)
		q->args[q->n_args++] = g->args.v[i];
	return 0;
}

static int begin_one(struct guests *gs, const struct want_guest *from, const char *output, struct err *e)
{
	struct guest *g = &gs->v[gs->n];
	struct agentmsg_request q;
	int r = guest_init(g, gs->c->sys, from->where, from->name, output, e);

	mem_out_init(&gs->text[gs->n++]);
	for (size_t i = 0; !r && i + 1 < gs->n; i++)
		if (!strcmp(g->output, gs->v[i].output)) {
			r = err_set(e, EINVAL, "two guests would be recorded in %s", g->output);
			err_hint(e, "-A GUEST --name NAME");
		}
	if (!r)
		r = complete(gs, from, &q, e);
	if (!r)
		r = guest_ask(g, &q, clock_of(gs), gs->w->guest.tsync_ms, e);
	if (!r && g->no_clocks.code)
		cmd_note(gs->c, "%s: clocks are not compared: %s", g->name, g->no_clocks.text);
	return r ? r : guest_start(g, e);
}

int guests_begin(struct guests *gs, struct ctx *c, const struct want *w, const char *output, struct err *e)
{
	int r = 0;

	*gs = (struct guests){ .c = c, .w = w, .id = traceid_make(c->sys) };
	for (size_t i = 0; !r && i < w->guest.n; i++)
		r = begin_one(gs, &w->guest.v[i], output, e);
	return r;
}

size_t guests_options(struct guests *gs, struct tdat_option *to)
{
	size_t n = 0;

	for (size_t i = 0; i < gs->n; i++) {
		const struct guest *g = &gs->v[i];
		struct out *o = &gs->text[i].out;

		tguest_put(o, &(struct tguest){ .name = g->name, .id = g->answer.id, .ncpus = g->answer.cpus });
		to[n++] = (struct tdat_option){ TDAT_GUEST, { mem_out_str(&gs->text[i]), (size_t)o->total } };
	}
	return n;
}

void guests_stop(struct guests *gs)
{
	for (size_t i = 0; i < gs->n; i++)
		guest_stop(&gs->v[i]);
}

int guests_finish(struct guests *gs)
{
	int code = EXIT_DONE;

	guests_stop(gs);
	for (size_t i = 0; i < gs->n; i++) {
		struct guest *g = &gs->v[i];
		struct err e = { 0 };

		if (guest_finish(g, &e))
			code = cmd_fail(gs->c, &e);
		if (g->shared->made && !gs->w->quiet)
			cmd_note(gs->c, "%s: %llu pages of %zu CPUs", g->output,
				 (unsigned long long)g->shared->res.pages, g->shared->res.rings);
	}
	return code;
}

void guests_deinit(struct guests *gs)
{
	for (size_t i = 0; i < gs->n; i++) {
		guest_deinit(&gs->v[i]);
		mem_out_deinit(&gs->text[i]);
	}
	gs->n = 0;
}

int guests_wait(const struct guests *gs, char **argv, struct err *e)
{
	struct loop l;
	int r;

	loop_init(&l, gs->c->sys);
	r = loop_open(&l, e);
	if (!r && argv)
		r = loop_hold(&l, argv, &gs->w->work.child, e);
	if (!r && argv)
		r = loop_go(&l, e);
	if (!r && !argv && !gs->w->quiet)
		cmd_note(gs->c, "recording; Ctrl-C ends it");
	while (!r && l.state == LOOP_RUNS)
		loop_next(&l);
	child_stop(&l.child);
	loop_close(&l);
	return r || l.state == LOOP_SIGNALLED ? r : l.status;
}
