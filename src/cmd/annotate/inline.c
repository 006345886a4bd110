/* inline.c - probes within -e become lines of the tracing file system. */
#include "cmd/annotate/inline.h"

#include "probe/point.h"
#include "tracefs/grammar/dynevent.h"

bool inline_is(const char *text)
{
	return point_is_inline(text) || dynevent_is_line(text);
}

int inline_cut(const char *list, const char **end, struct err *e)
{
	struct arena a = { 0 };
	struct point p;
	int r;

	/* A definition in the kernel's syntax may have commas anywhere, so it must be the only item of the list. */
	if (!point_is_inline(list)) {
		*end = list + (dynevent_is_line(list) ? strlen(list) : strcspn(list, ","));
		return 0;
	}
	r = point_parse_inline(&p, &a, list, end, e);
	if (!r && p.modifiers.n) {
		err_set(e, EINVAL, "'%.*s' behind the probe is for perf events", (int)MIN(p.modifiers.n, 40u),
			p.modifiers.s);
		r = err_hint(e, "-P and -F choose tasks, -f passes on what fits");
	}
	if (!r && **end && **end != ',') {
		err_set(e, EINVAL, "'%.40s' behind the probe is not expected", *end);
		r = err_hint(e, "a file with a blank or a comma in its name stands in quotes: @\"...\"");
	}
	point_deinit(&p);
	arena_deinit(&a);
	return r;
}

struct found {
	inline_event *event;
	void *arg;
	struct err *e;
};

static int pass_on(void *to, const struct event_probe *p)
{
	const struct found *f = to;
	char name[200];

	snprintf(name, sizeof(name), "%s:%s", p->system, p->name);
	return f->event(f->arg, name, p->shown, f->e);
}

int inline_define(struct run_probes **p, const struct inline_to *to, const char *text, inline_event *found, void *arg,
		  struct err *e)
{
	struct found f = { found, arg, e };
	struct event_probe_found give = { pass_on, &f };
	const char *end;
	int r = inline_cut(text, &end, e);

	if (!r && *end)
		r = err_set(e, EINVAL, "one event is wanted here: '%.40s' is too much", end);
	if (r)
		return r;
	if (!*p) {
		*p = run_probes_new(to->sys, e);
		if (!*p)
			return -ENOMEM;
		run_probes_lend(*p, to->undo, to->top);
	}
	return run_probes_add(*p, text, &give, &end, e);
}

static int take_one(void *arg, const char *name, const char *shown, struct err *e)
{
	struct inline_one *one = arg;

	if (*one->name)
		return err_set(e, EINVAL, "the probe is in more than one place: %.100s and %.100s", one->shown, shown);
	str_copy(one->name, sizeof(one->name), sv_from(name));
	str_copy(one->shown, sizeof(one->shown), sv_from(shown));
	return 0;
}

int inline_define_one(struct run_probes **p, const struct inline_to *to, const char *text, struct inline_one *one,
		      struct err *e)
{
	*one = (struct inline_one){ 0 };
	return inline_is(text) ? inline_define(p, to, text, take_one, one, e) : take_one(one, text, text, e);
}

void inline_notes(struct ctx *c, const struct run_probes *p)
{
	const char *text;

	for (size_t at = 0; (text = run_probes_note(p, &at));)
		cmd_note(c, "%s", text);
}
