/* feed_file.c - select events of a recording. */
#include "engine/feed_parts.h"

/* The name without terms and modifiers: "cycles" of "cycles/freq=200/u". */
static struct sv bare(const char *event)
{
	return (struct sv){ event, strcspn(event, ":/") };
}

static bool same(struct sv a, struct sv b)
{
	return a.n == b.n && !memcmp(a.s, b.s, a.n);
}

/* "mem:0x1234/4:w": a breakpoint is identified by its address. */
static bool is_watched(const struct spec *s, uint64_t at)
{
	const char *from = s->event + 4;
	uint64_t v;

	return !strncmp(s->event, "mem:", 4) && str_u64((struct sv){ from, strcspn(from, "/:") }, 0, &v) && v == at;
}

/* Does the spec match the event? By "system:name" or a glob for tracepoints, by name for others. */
static bool is_asked(const struct spec *s, const char *label, const struct perf_attr *a)
{
	bool is_tracepoint = a->type == PERF_TRACEPOINT;

	if (a->type == PERF_BREAKPOINT || !strncmp(s->event, "mem:", 4))
		return a->type == PERF_BREAKPOINT && is_watched(s, a->config1);
	if (str_glob(s->event, sv_from(label)))
		return true;
	return !is_tracepoint &&
	       (same(bare(s->event), bare(label)) || (s->instead && same(bare(s->instead), bare(label))));
}

/* The label that the event grammar would give the event. */
static const char *label_of(const struct feed *f, const struct perf_event *ev, char buf[200])
{
	bool traced = ev->attr.type == PERF_TRACEPOINT;
	const struct tevent *t = traced ? tevents_by_id(f->session.trace, ev->attr.config) : NULL;

	if (!t)
		return ev->label;
	snprintf(buf, 200, "%s:%s", t->fmt.system, t->fmt.name);
	return buf;
}

int feed_hint(const struct feed *f, const char *usual, struct err *e)
{
	bool is_cut = !feed_is_live(f) && f->session.head->notes.n;

	return err_hint(e, "%s", is_cut ? f->session.head->notes.v[0].text : usual);
}

static int find(struct feed *f, const struct spec *s, struct err *e)
{
	const struct perf_head *h = f->session.head;
	struct nearest near;
	char buf[200], text[200];
	size_t found = 0;
	int r = 0;

	nearest_init(&near, sv_from(s->event));
	for (size_t i = 0; !r && i < h->events.n; i++) {
		const struct perf_event *ev = &h->events.v[i];
		const char *label = label_of(f, ev, buf);
		struct tap *t;

		nearest_feed(&near, ev->label);
		/* A probe defined by the recording's run has another name in the kernel than its label. */
		if (!is_asked(s, label, &ev->attr) && strcmp(s->event, ev->label))
			continue;
		found++;
		t = feed_tap_add(f, s, label, e);
		r = t ? feed_tap_bind(f, t->index, i, e) : -ENOMEM;
		if (!r)
			r = ev->attr.type == PERF_TRACEPOINT ? feed_filter_rule(f, t, e)
							     : feed_filter_recorded(f, t, e);
	}
	if (r || found || s->optional)
		return r;
	err_set(e, ENOENT, "%s has no event %s%s", f->session.path, s->event, nearest_text(&near, text, sizeof(text)));
	return feed_hint(f, "sonde evlist -i FILE lists what a recording has", e);
}

static int read_tasks(struct feed *f, const char *list, struct err *e)
{
	struct sv rest = sv_from(list), piece;

	while (sv_cut(&rest, ',', &piece)) {
		uint64_t id;
		int *to;

		if (!str_u64(sv_trim(piece), 10, &id) || id > INT_MAX)
			return err_set(e, EINVAL, "'%.*s' is no number of a task", (int)MIN(piece.n, 40u), piece.s);
		to = vec_add(&f->only_tasks);
		if (!to)
			return err_nomem(e);
		*to = (int)id;
	}
	return 0;
}

/* Set which CPUs and tasks of the recording count. */
static int choose(struct feed *f, struct err *e)
{
	const struct target_want *w = f->want->target;
	int r = 0;

	if (w->user || w->cgroups || w->delay || f->want->argc)
		return err_set(e, EINVAL, "a recording (-i) goes with -C, -p and -t alone, and with no command");
	if (w->pids && w->tids)
		return err_set(e, EINVAL, "-p and -t: choose one of them");
	f->has_cpus = w->cpus;
	if (w->cpus)
		r = cpus_parse(&f->only_cpus, sv_from(w->cpus), e);
	f->tasks_are_threads = w->tids;
	if (!r && (w->pids || w->tids))
		r = read_tasks(f, w->pids ? w->pids : w->tids, e);
	return r;
}

int feed_file_open(struct feed *f, struct err *e)
{
	int r = choose(f, e);

	for (size_t i = 0; !r && i < f->want->specs->v.n; i++)
		r = find(f, &f->want->specs->v.v[i], e);
	return r;
}
