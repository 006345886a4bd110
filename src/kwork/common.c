/* common.c - maps tracepoints to classes and steps of works, and finds the names of works. */
#include "kwork/kwork.h"

#include "prof/tasks.h"

static const char *const class_names[WORK_CLASSES] = {
	[WORK_IRQ] = "irq", [WORK_SOFTIRQ] = "softirq", [WORK_QUEUE] = "workqueue", [WORK_SCHED] = "sched",
};

enum kind {
	IRQ_IN, IRQ_OUT, SOFTIRQ_UP, SOFTIRQ_IN, SOFTIRQ_OUT, WORK_UP, WORK_IN, WORK_OUT, SWITCH, KINDS,
};
enum { ID, NAME };
enum { PREV_PID, PREV_COMM, NEXT_PID, NEXT_COMM };

/* The field `function`: in workqueue_execute_end since Linux 5.6, in workqueue_activate_work since 6.2. */
static const struct view_kind kinds[KINDS] = {
	[IRQ_IN] = { "irq:irq_handler_entry", { "irq", "name" } },
	[IRQ_OUT] = { "irq:irq_handler_exit", { "irq", "name" } },
	[SOFTIRQ_UP] = { "irq:softirq_raise", { "vec" } },
	[SOFTIRQ_IN] = { "irq:softirq_entry", { "vec" } },
	[SOFTIRQ_OUT] = { "irq:softirq_exit", { "vec" } },
	[WORK_UP] = { "workqueue:workqueue_activate_work", { "work", "function" } },
	[WORK_IN] = { "workqueue:workqueue_execute_start", { "work", "function" } },
	[WORK_OUT] = { "workqueue:workqueue_execute_end", { "work", "function" } },
	[SWITCH] = { "sched:sched_switch", { "prev_pid", "prev_comm", "next_pid", "next_comm" } },
};

static const struct { uint8_t class, step; } meanings[KINDS] = {
	[IRQ_IN] = { WORK_IRQ, WORK_ENTRY }, [IRQ_OUT] = { WORK_IRQ, WORK_EXIT },
	[SOFTIRQ_UP] = { WORK_SOFTIRQ, WORK_RAISE }, [SOFTIRQ_IN] = { WORK_SOFTIRQ, WORK_ENTRY },
	[SOFTIRQ_OUT] = { WORK_SOFTIRQ, WORK_EXIT },
	[WORK_UP] = { WORK_QUEUE, WORK_RAISE }, [WORK_IN] = { WORK_QUEUE, WORK_ENTRY },
	[WORK_OUT] = { WORK_QUEUE, WORK_EXIT },
	[SWITCH] = { WORK_SCHED, WORK_EXIT },
};

const struct opt kwork_opts[] = {
	OPT_HEAD("Filters"),
	OPT_STR('C', "cpu", struct kwork_want, view.prof.target.cpus, "<list>", "only these CPUs: 0,2-5"),
	OPT_STR('n', "name", struct kwork_want, name, "<name>", "only this name: TIMER, vmstat_update"),
	OPT_STR(0, "time", struct kwork_want, time, "<from,to>",
		"only this time range, in seconds; either end may be left out"),
	OPT_SUB(view_opts, struct kwork_want, view),
	OPT_FLAG('j', "json", struct kwork_want, view.prof.form.json, "print rows as JSON"),
	OPT_STR('x', "field-separator", struct kwork_want, view.prof.form.sep, "<sep>",
		"print rows as CSV with this separator"),
	OPT_END,
};

/* --- options --- */

static int add_class(struct kwork_classes *c, struct sv name, struct err *e)
{
	for (uint8_t i = 0; i < WORK_CLASSES; i++) {
		bool has = false;

		if (!sv_eq(name, class_names[i]))
			continue;
		for (unsigned k = 0; k < c->n; k++)
			has |= c->v[k] == i;
		if (!has)
			c->v[c->n++] = i;
		return 0;
	}
	return err_set(e, EINVAL, "-k: '%.*s' is none of irq, softirq, workqueue, sched", (int)MIN(name.n, 40u),
		       name.s);
}

int kwork_classes_read(struct kwork_classes *c, const char *text, struct err *e)
{
	struct sv rest = sv_from(text), piece, name;
	int r = 0;

	c->n = 0;
	while (!r && sv_cut(&rest, ',', &piece)) {
		name = sv_trim(piece);
		r = name.n ? add_class(c, name, e) : 0;
	}
	return r || c->n ? r : err_set(e, EINVAL, "-k: of what? irq, softirq, workqueue, sched");
}

const char *const *kwork_events(enum work_class class)
{
	static const char *const events[WORK_CLASSES][KWORK_EVENTS + 1] = {
		[WORK_IRQ] = { "irq:irq_handler_entry", "irq:irq_handler_exit" },
		[WORK_SOFTIRQ] = { "irq:softirq_raise", "irq:softirq_entry", "irq:softirq_exit" },
		[WORK_QUEUE] = {
			"workqueue:workqueue_activate_work", "workqueue:workqueue_execute_start",
			"workqueue:workqueue_execute_end",
		},
		[WORK_SCHED] = { "sched:sched_switch" },
	};

	return events[class];
}

static bool has_class(const struct kwork *k, unsigned class)
{
	for (unsigned i = 0; i < k->classes.n; i++)
		if (k->classes.v[i] == class)
			return true;
	return false;
}

int kwork_add(struct prof *p, struct kwork *k, const char *classes, unsigned steps, struct err *e)
{
	int r;

	k->want = p->want;
	r = kwork_classes_read(&k->classes, k->want->classes ? k->want->classes : classes, e);
	for (int i = 0; !r && i < KINDS; i++)
		if (has_class(k, meanings[i].class) && steps >> meanings[i].step & 1)
			r = prof_add_optional(p, kinds[i].label, e);
	return r;
}

int kwork_begin(struct prof *p, struct kwork *k, struct err *e)
{
	k->prof = p;
	if (!p->feed.taps.n) {
		err_set(e, ENOENT, "there are no events of %s", k->want->classes ? k->want->classes : "these works");
		return feed_hint(&p->feed, "sonde kwork record records them; sonde evlist lists what a recording has",
				 e);
	}
	k->taps = view_taps(p, kinds, KINDS);
	return k->taps ? view_span_read(&k->span, p, k->want->time, e) : err_nomem(e);
}

void kwork_close(struct kwork *k)
{
	works_deinit(&k->works);
	names_deinit(&k->texts);
}

/* --- names --- */

static int set_name(struct kwork *k, struct work *w, struct sv name)
{
	uint32_t id = names_add(&k->texts, name.s, name.n);

	w->name = id + 1;
	return id == NAMES_NONE ? -ENOMEM : 0;
}

static struct sv function_name(struct kwork *k, uint64_t addr)
{
	struct resolver *r = k->prof->feed.session.resolver;
	const struct sym_loc *l = addr ? resolver_find(r, UINT32_MAX, PERF_MISC_KERNEL, addr) : NULL;

	return sv_from(l && l->sym ? l->sym : "");
}

static int learn_name(struct kwork *k, struct work *w, const struct view_tap *t, const struct hit *h)
{
	struct sv name = SV("");
	const char *vec;

	if (w->name || k->by_task)
		return 0;
	switch (w->key.class) {
	case WORK_IRQ:
		if (t->field[NAME])
			name = tfmt_str(t->field[NAME], h->raw.p, h->raw.n);
		break;
	case WORK_SOFTIRQ:
		vec = tkind_softirq(w->key.id);
		name = sv_from(vec ? vec : "");
		break;
	default:
		name = function_name(k, view_value(t, h, NAME));
	}
	return name.n ? set_name(k, w, name) : 0;
}

const char *kwork_plain(const struct kwork *k, const struct work *w)
{
	return w->name ? names_str(&k->texts, w->name - 1) : "";
}

const char *kwork_class(const struct work *w)
{
	return class_names[w->key.class];
}

const char *kwork_name(const struct kwork *k, const struct work *w, char buf[KWORK_NAME])
{
	const char *name = kwork_plain(k, w);

	if (w->key.class == WORK_QUEUE && *name)
		snprintf(buf, KWORK_NAME, "(w)%s", name);
	else if (w->key.class == WORK_QUEUE)
		snprintf(buf, KWORK_NAME, "(w)0x%llx", (unsigned long long)w->key.id);
	else if (w->key.class == WORK_SCHED)
		snprintf(buf, KWORK_NAME, "%s", name);
	else
		snprintf(buf, KWORK_NAME, "%s%s:%llu", w->key.class == WORK_SOFTIRQ ? "(s)" : "", *name ? name : "?",
			 (unsigned long long)w->key.id);
	return buf;
}

/* --- events --- */

bool kwork_is_named(const struct kwork *k, const struct work *w)
{
	return !k->want->name || !strcmp(k->want->name, kwork_plain(k, w));
}

static int find_work(struct kwork *k, const struct hit *h, const struct work_key *key, struct kwork_hit *to)
{
	uint32_t i;
	int r = works_add(&k->works, key, &i);

	if (r)
		return r;
	to->work = &k->works.v.v[i];
	to->counts = view_span_has(&k->span, h->time);
	return 0;
}

/* Update the count and the times of the hits that count. */
static void note_time(struct kwork *k, const struct kwork_hit *to, uint64_t time)
{
	if (!to->counts)
		return;
	k->events++;
	k->first = k->first && k->first < time ? k->first : time;
	k->last = MAX(k->last, time);
}

int kwork_take(struct kwork *k, const struct hit *h, struct kwork_hit *to)
{
	const struct view_tap *t = &k->taps[h->tap->index];
	struct work_key key = { .cpu = h->cpu };
	int r;

	if (t->kind >= SWITCH || h->cpu >= CPUS_MAX)
		return 1;
	key.class = meanings[t->kind].class;
	key.id = k->by_task ? tfmt_value(h->event->common[COMMON_PID], h->raw.p, h->raw.n) : view_value(t, h, ID);
	to->step = (enum work_step)meanings[t->kind].step;
	r = find_work(k, h, &key, to);
	r = r ? r : learn_name(k, to->work, t, h);
	if (r)
		return r;
	to->counts &= k->by_task || kwork_is_named(k, to->work);
	note_time(k, to, h->time);
	return 0;
}

bool kwork_is_switch(const struct kwork *k, const struct hit *h)
{
	return k->taps[h->tap->index].kind == SWITCH && h->cpu < CPUS_MAX;
}

int kwork_take_switch(struct kwork *k, const struct hit *h, enum work_step step, struct kwork_hit *to)
{
	const struct view_tap *t = &k->taps[h->tap->index];
	bool comes = step == WORK_ENTRY;
	const struct tfield *comm = t->field[comes ? NEXT_COMM : PREV_COMM];
	struct work_key key = {
		.cpu = h->cpu, .class = WORK_SCHED, .id = view_value(t, h, comes ? NEXT_PID : PREV_PID) & UINT32_MAX,
	};
	int r;

	to->step = step;
	r = find_work(k, h, &key, to);
	if (!r && !to->work->name && comm)
		r = set_name(k, to->work, tfmt_str(comm, h->raw.p, h->raw.n));
	if (!r)
		note_time(k, to, h->time);
	return r;
}

void kwork_tell(const struct kwork *k)
{
	view_note(k->prof, k->works.discarded, "works are left out: events are missing within them");
	view_note(k->prof, k->works.dropped, "events are left out: too many works");
}
