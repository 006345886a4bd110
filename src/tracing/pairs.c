/* pairs.c - two histograms and a synthetic event. */
#include "tracing/pairs.h"

#include "base/fmt.h"
#include "sys/child.h"
#include "tracefs/grammar/hist.h"
#include "tracing/journal.h"

enum { SIZE = 8192 };

/* --- texts --- */

static int make_definition(struct pairs *p, const struct pairs_want *w, struct err *e)
{
	struct mem_out m;
	int r = 0;

	mem_out_init(&m);
	out_printf(&m.out, "%s u64 %s", p->name, p->unit);
	for (size_t i = 0; !r && i < w->n_fields; i++) {
		const struct tfield *f = tfmt_field(&p->to.fmt, w->fields[i]);

		out_printf(&m.out, "; ");
		if (!f)
			r = -ENOENT;
		else if (!trigger_put_field(&m.out, f, f->name))
			r = err_set(e, EINVAL, "the field %s (%s) cannot be carried into another event", f->name,
				    f->type);
	}
	if (!r)
		return trigger_take(&m, p->define, e);
	mem_out_deinit(&m);
	return r;
}

static void put_if(struct out *o, const char *filter)
{
	if (filter)
		out_printf(o, " if %s", filter);
}

static int make_triggers(struct pairs *p, const struct pairs_want *w, struct err *e)
{
	const char *stamp = w->ns ? "common_timestamp" : "common_timestamp.usecs";
	unsigned long long size = w->size ? w->size : SIZE;
	struct mem_out m;
	int r;

	mem_out_init(&m);
	out_printf(&m.out, "hist:keys=%s:%s_t=%s:size=%llu", w->key, p->name, stamp, size);
	put_if(&m.out, w->from_if);
	r = trigger_take(&m, p->start, e);
	if (r)
		return r;
	mem_out_init(&m);
	out_printf(&m.out, "hist:keys=%s:%s_d=%s-$%s_t:size=%llu:onmatch(%s.%s).%s($%s_d",
		   w->to_key ? w->to_key : w->key, p->name, stamp, p->name, size, p->from.system, p->from.event,
		   p->name, p->name);
	for (size_t i = 0; i < w->n_fields; i++)
		out_printf(&m.out, ",%s", w->fields[i]);
	out_char(&m.out, ')');
	put_if(&m.out, w->to_if);
	return trigger_take(&m, p->end, e);
}

/* Check all names before anything is written, to offer the nearest ones. */
static int check(struct pairs *p, const struct tfs *t, const struct pairs_want *w, struct err *e)
{
	char *readme;
	size_t n;
	int r = tfs_read_all(t, "README", &readme, &n, e);
	struct trigger_env env = { &p->from.fmt, { readme, n } };

	if (r)
		return r;
	r = trigger_has_hist(env.readme) ? trigger_check(&env, p->start, e) : -EOPNOTSUPP;
	if (r == -EOPNOTSUPP) {
		err_set(e, EOPNOTSUPP, "this kernel was built without histograms (CONFIG_HIST_TRIGGERS)");
		err_hint(e, "'latency --from --to' measures without them");
	}
	env.fmt = &p->to.fmt;
	for (size_t i = 0; !r && i < w->n_fields; i++) {
		char text[TRIGGER_MAX];

		snprintf(text, sizeof(text), "hist:keys=%s", w->fields[i]);
		r = trigger_check(&env, text, e);
		if (!r && !tfmt_field(&p->to.fmt, w->fields[i]))
			r = err_set(e, EINVAL, "%s:%s has no field '%s'", p->to.system, p->to.event, w->fields[i]);
	}
	r = r ? r : trigger_check(&env, p->end, e);
	free(readme);
	return r;
}

int pairs_init(struct pairs *p, const struct tfs *t, const struct pairs_want *w, struct err *e)
{
	int r;

	*p = (struct pairs){ 0 };
	snprintf(p->unit, sizeof(p->unit), "%s", w->ns ? "ns" : "us");
	if (w->name)
		snprintf(p->name, sizeof(p->name), "%s", w->name);
	else
		snprintf(p->name, sizeof(p->name), "sonde_%d_%llu", sys_self(),
			 (unsigned long long)journal_started(t->sys, sys_self()));
	r = evfile_init(&p->from, t, w->from, e);
	r = r ? r : evfile_init(&p->to, t, w->to, e);
	r = r ? r : make_triggers(p, w, e);
	r = r ? r : check(p, t, w, e);
	return r ? r : make_definition(p, w, e);
}

void pairs_deinit(struct pairs *p)
{
	evfile_deinit(&p->from);
	evfile_deinit(&p->to);
}

/* --- the kernel --- */

int pairs_define(const struct pairs *p, struct undo *u, const struct tfs *top, struct err *e)
{
	char removal[sizeof(p->name) + 1];

	snprintf(removal, sizeof(removal), "!%s", p->name);
	return undo_append(u, top, "synthetic_events", p->define, removal, e);
}

int pairs_start(const struct pairs *p, struct undo *u, const struct tfs *t, struct err *e)
{
	int r = evfile_trigger(&p->from, u, t, p->start, e);

	return r ? r : evfile_trigger(&p->to, u, t, p->end, e);
}

static uint64_t dropped(const struct pairs *p, const struct tfs *t, const struct evfile *f)
{
	char path[TFS_PATH], *text;
	uint64_t sum = 0;
	struct thist h;
	struct sv rest;
	size_t n;

	if (tfs_read_all(t, evfile_path(f, "hist", path), &text, &n, NULL))
		return 0;
	rest = (struct sv){ text, n };
	while (thist_next(&h, &rest, NULL) > 0) {
		if (h.trigger.n && memmem(h.trigger.s, h.trigger.n, p->name, strlen(p->name)))
			sum += h.dropped;
		thist_deinit(&h);
	}
	thist_deinit(&h);
	free(text);
	return sum;
}

uint64_t pairs_dropped(const struct pairs *p, const struct tfs *t)
{
	return dropped(p, t, &p->from) + dropped(p, t, &p->to);
}
