/* events.c - the events of a timechart. */
#include "timechart/timechart.h"

#define CALLS "syscalls:sys_"

static const struct {
	const char *name, *fd;           /* fd: the field with the descriptor; NULL: the call has none */
	uint8_t kind;
} calls[] = {
#define CALL(name, kind, fd) { #name, fd, CHART_##kind },
#include "timechart/calls.def"
};

bool timechart_event(size_t i, char buf[CHART_EVENT])
{
	if (i / 2 < ARRAY_SIZE(calls))
		snprintf(buf, CHART_EVENT, "%s%s_%s", CALLS, i % 2 ? "exit" : "enter", calls[i / 2].name);
	return i / 2 < ARRAY_SIZE(calls);
}

static int add_all(struct prof *p, const char *const *names, size_t n, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < n; i++)
		r = prof_add_optional(p, names[i], e);
	return r;
}

static int add_calls(struct prof *p, struct err *e)
{
	char name[CHART_EVENT];
	int r = 0;

	for (size_t i = 0; !r && timechart_event(i, name); i++)
		r = prof_add_optional(p, name, e);
	return r;
}

/* Add all events that may be needed: it is not known yet which of them a recording has. */
int timechart_add(struct prof *p, const struct timechart_want *w, struct err *e)
{
	static const char *const tasks[] = {
		"sched:sched_switch", "sched:sched_waking", "sched:sched_wakeup", "sched:sched_wakeup_new",
	}, *const power[] = { "power:cpu_idle", "power:cpu_frequency" };
	bool recorded = prof_want(p)->from.recorded || prof_want(p)->from.input;
	int r = recorded || w->calls.live ? add_calls(p, e) : 0;

	if (!r && (recorded || !w->calls.live))
		r = add_all(p, tasks, w->show.power_only ? 1 : ARRAY_SIZE(tasks), e);
	if (!r && (recorded || !w->calls.live) && !w->show.tasks_only)
		r = add_all(p, power, ARRAY_SIZE(power), e);
	return r;
}

static void set_call(struct chart_tap *t, const struct tap *tap)
{
	struct sv rest = sv_from(tap->label), when;

	sv_cut(&rest, '_', &when);       /* split syscalls:sys_enter_NAME */
	sv_cut(&rest, '_', &when);
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		if (sv_eq(rest, calls[i].name)) {
			t->kind = calls[i].kind;
			t->ends = sv_eq(when, "exit");
			t->value = t->ends ? tfmt_field(&tap->event->fmt, "ret") :
				   calls[i].fd ? tfmt_field(&tap->event->fmt, calls[i].fd) : NULL;
		}
}

static void set_tap(struct chart_tap *t, const struct tap *tap)
{
	/* Any event of a recording may have this label, but only a tracepoint has a format. */
	if (!tap->event)
		return;
	if (!strcmp(tap->label, "power:cpu_idle"))
		t->kind = CHART_IDLE;
	else if (!strcmp(tap->label, "power:cpu_frequency"))
		t->kind = CHART_FREQ;
	else if (sv_starts(sv_from(tap->label), CALLS))
		set_call(t, tap);
	if (t->kind != CHART_IDLE && t->kind != CHART_FREQ)
		return;
	t->value = tfmt_field(&tap->event->fmt, "state");
	t->cpu = tfmt_field(&tap->event->fmt, "cpu_id");
}

struct chart_tap *timechart_taps(struct prof *p, bool *has_calls)
{
	size_t n = p->feed.taps.n;
	struct chart_tap *v = arena_alloc(&p->feed.arena, (n + 1) * sizeof(*v));

	*has_calls = false;
	for (size_t i = 0; v && i < n; i++) {
		v[i] = (struct chart_tap){ 0 };
		set_tap(&v[i], &p->feed.taps.v[i]);
		*has_calls |= v[i].kind >= CHART_READ;
	}
	return v;
}
