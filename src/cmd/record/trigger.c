/*
 * trigger.c - sonde record --switch-output-event: events that end a part of the recording. They have a recording of
 * their own with small rings, wake us at every sample, and are not written to the file.
 */
#include "cmd/record/parts.h"

#include <poll.h>

#define NS_PER_S UINT64_C(1000000000)

struct record_trigger {
	struct event_list events;
	struct recording rec;
	uint64_t rest_until;         /* CLOCK_MONOTONIC ns: events before this time are ignored, */
	uint64_t passed;             /* and counted here */
	bool opened;
};

static bool is_filter(struct sv text)
{
	for (size_t i = 0; i < text.n; i++)
		if (memchr("<>&~!", text.s[i], 5) || (text.s[i] == '=' && i && text.s[i - 1] == '='))
			return true;
	return false;
}

int record_trigger_read(const char *spec, struct record_event *to, char *text, size_t size, struct err *e)
{
	char *filter;
	size_t n = str_copy(text, size, sv_from(spec));

	*to = (struct record_event){ .text = text };
	if (n >= size)
		return err_set(e, EINVAL, "'%.40s...' is too long", spec);
	filter = strchr(text, ':') ? strchr(text, '/') : NULL;
	if (!filter || text[n - 1] != '/' || filter == text + n - 1 ||
	    !is_filter((struct sv){ filter + 1, (size_t)(text + n - 1 - filter) - 1 }))
		return 0;
	text[n - 1] = *filter = '\0';
	to->filter = filter + 1;
	return 0;
}

/* A counter without a period: there may be billions of these events a second, and each would wake us. */
static bool is_counted(const struct event *ev)
{
	const struct perf_attr *a = &ev->attr;

	if (ev->is_probe || ev->set & (EVENT_SET_PERIOD | EVENT_SET_FREQ))
		return false;
	if (a->type == PERF_SOFTWARE)
		return a->config == PERF_SW_CPU_CLOCK || a->config == PERF_SW_TASK_CLOCK;
	return a->type != PERF_TRACEPOINT && a->type != PERF_BREAKPOINT;
}

static int check(const struct record_trigger *t, size_t from, struct err *e)
{
	for (size_t i = from; i < t->events.v.n; i++) {
		const struct event *ev = &t->events.v.v[i];

		if (!is_counted(ev))
			continue;
		err_set(e, EINVAL, "each one of '%.60s' would be the time for a file", ev->name);
		return err_hint(e, "say how many of them are: cycles/period=10000000000/");
	}
	return 0;
}

static int parse(struct record_run *run, struct record_trigger *t, struct err *e)
{
	const struct opt_list *l = &run->want->more.on;
	char text[RECORD_TRIGGER_TEXT];
	struct record_event one;
	int r = 0;

	for (size_t i = 0; !r && i < l->n; i++) {
		size_t from = t->events.v.n;

		r = record_trigger_read(l->v[i], &one, text, sizeof(text), e);
		r = r ? r : event_parse(&t->events, one.text, run->env, e);
		if (!r && one.filter) {
			const char *filter = arena_dup(&t->events.arena, one.filter, strlen(one.filter));

			r = filter ? event_filter(&t->events, from, filter, e) : err_nomem(e);
		}
		r = r ? r : check(t, from, e);
	}
	return r;
}

int record_trigger_open(struct record_run *run, struct recording_want *w, struct err *e)
{
	struct recording_want own = {
		.target = w->target, .child = w->child, .tracker = -1, .ring_bytes = 1,
		.sampling = { .period = 1, .on_exec = w->sampling.on_exec, .inherit = w->sampling.inherit,
			      .each_wakes = true },
	};
	struct record_trigger *t;
	int r;

	if (!run->want->more.on.n)
		return 0;
	run->trigger = t = calloc(1, sizeof(*t));
	r = t ? parse(run, t, e) : err_nomem(e);
	r = r ? r : recording_open(&t->rec, run->sys, &t->events, &own, e);
	if (r)
		return r;
	t->opened = true;
	w->more_polls = t->rec.rings.n;
	return 0;
}

void record_trigger_start(struct record_run *run)
{
	if (run->trigger)
		recording_enable(&run->trigger->rec, RECORDING_ALL, -1);
}

/* Their places in the recording's poll array: behind all others, in the order of the trigger's rings. */
static struct pollfd *places(struct record_run *run)
{
	return &run->rec.polls[run->rec.rings.n + 2];
}

size_t record_trigger_watch(struct record_run *run)
{
	struct record_trigger *t = run->trigger;

	if (!t)
		return 0;
	memcpy(places(run), t->rec.polls + 1, t->rec.rings.n * sizeof(*t->rec.polls));
	return t->rec.rings.n;
}

/* Has anything come in this ring? The records themselves are not needed, so they are skipped. */
static bool take(struct record_trigger *t, size_t i, struct pollfd *p)
{
	struct ring_map *m = &t->rec.rings.v[i].map;
	uint64_t head;
	bool any;

	if (p->revents & (POLLHUP | POLLERR | POLLNVAL))
		p->fd = -1;
	if (!p->revents)
		return false;
	head = ring_map_head(m);
	any = head != m->tail;
	ring_map_release(m, head);
	return any;
}

void record_trigger_look(struct record_run *run)
{
	const struct record_want *w = run->want;
	struct record_trigger *t = run->trigger;
	uint64_t after = w->cut.ns ? 0 : w->more.after_ns, rest = w->more.rest_ns ? w->more.rest_ns : NS_PER_S;
	bool any = false;

	for (size_t i = 0; t && i < t->rec.rings.n; i++)
		any |= take(t, i, &places(run)[i]);
	if (!any)
		return;
	if (run->loop.now < t->rest_until) {
		t->passed++;
		return;
	}
	t->rest_until = run->loop.now + after + rest;
	run->cut.due |= !after;
	if (after)
		loop_in(&run->loop, LOOP_PART, after);
}

void record_trigger_tell(struct ctx *c, const struct record_run *run)
{
	if (run->trigger && run->trigger->passed && !run->want->quiet)
		cmd_note(c, "%llu times an event came too soon behind another for a file of its own",
			 (unsigned long long)run->trigger->passed);
}

void record_trigger_close(struct record_run *run)
{
	struct record_trigger *t = run->trigger;

	if (!t)
		return;
	if (t->opened)
		recording_close(&t->rec);
	event_list_deinit(&t->events);
	free(t);
	run->trigger = NULL;
}
