/* acts.c - samples as marks, with texts and call chains; numbering of a recording's tasks, lanes and events. */
#include "timeline/acts_parts.h"

enum { TEXT_MAX = 4096, NO_CPU = CPUS_MAX };

/* --- numbers of the recording to numbers of the page --------------------------------------------------------- */

int acts_lane(struct acts *a, enum lane_kind kind, uint32_t owner, uint32_t sub, struct lane **lane)
{
	struct roll *r = a->to->roll;
	uint64_t *at = map_add(&a->lane_of, (uint64_t)kind << 60 | (uint64_t)owner << 28 | (sub & 0xfffffff), NULL);
	struct lane like = { .kind = kind, .host = a->to->host, .owner = owner, .sub = sub };
	bool full = false;

	*lane = NULL;
	if (!at)
		return -ENOMEM;
	if (!*at) {
		*lane = roll_lane(r, &like, &full);
		if (!*lane && !full)
			return -ENOMEM;
		*at = full ? UINT64_MAX : (*lane)->number + UINT64_C(1);
	}
	if (*at == UINT64_MAX)
		r->left_out++;
	else
		*lane = r->lanes.v[*at - 1];
	return 0;
}

int acts_put(struct acts *a, enum lane_kind kind, uint32_t owner, uint32_t sub, const struct lane_item *it)
{
	struct lane *l;
	int r = acts_lane(a, kind, owner, sub, &l);

	return r || !l ? r : roll_add(a->to->roll, l, it, NULL, 0);
}

static int rename_task(struct roll *r, struct roll_task *t, struct sv comm)
{
	uint32_t name;

	if (!comm.n || *comm.s == ':')
		return 0;
	name = names_add(&r->names, comm.s, comm.n);
	if (name == NAMES_NONE)
		return -ENOMEM;
	if (t->first_name == NAMES_NONE)
		t->first_name = name;
	t->name = name;
	return 0;
}

uint32_t acts_task(struct acts *a, uint32_t tid, uint32_t pid, struct sv comm)
{
	struct roll *r = a->to->roll;
	bool is_new;
	uint64_t *at = map_add(&a->task_of, tid, &is_new);
	struct roll_task *t;

	if (!at)
		return NAMES_NONE;
	if (is_new) {
		t = vec_add(&r->tasks);
		if (!t)
			return NAMES_NONE;
		*t = (struct roll_task){ a->to->host, tid, pid, NAMES_NONE, NAMES_NONE };
		*at = r->tasks.n;
	}
	t = &r->tasks.v[*at - 1];
	if (t->pid == UINT32_MAX)
		t->pid = pid;
	return rename_task(r, t, comm) ? NAMES_NONE : (uint32_t)*at - 1;
}

struct acts_cpu *acts_cpu(struct acts *a, uint32_t cpu)
{
	if (cpu >= CPUS_MAX)
		return NULL;
	while (a->cpus.n <= cpu)
		if (!vec_add(&a->cpus))
			return NULL;
	return &a->cpus.v[cpu];
}

static int event_of(struct acts *a, uint32_t event, uint32_t *to)
{
	uint32_t *at;

	while (a->event_of.n <= event)
		if (!vec_add(&a->event_of))
			return -ENOMEM;
	at = &a->event_of.v[event];
	if (!*at)
		*at = roll_event(a->to->roll, a->x->t.events[event].name) + 1;
	*to = *at - 1;
	return *at ? 0 : -ENOMEM;
}

/* 2 * name, + 1 if it is a kernel function; UINT64_MAX: no memory. */
static uint64_t frame_name(struct acts *a, uint32_t frame)
{
	const struct export_tables *t = &a->x->t;
	const struct export_func *f = &t->funcs[t->func_of[frame]];
	uint32_t name;

	while (a->frame_name.n <= frame)
		if (!vec_add(&a->frame_name))
			return UINT64_MAX;
	if (!a->frame_name.v[frame]) {
		name = roll_name(a->to->roll, f->name);
		if (name == NAMES_NONE)
			return UINT64_MAX;
		a->frame_name.v[frame] = 2 * (uint64_t)name + t->modules[f->module].kernel + 1;
	}
	return a->frame_name.v[frame] - 1;
}

uint32_t acts_leaf(struct acts *a, uint32_t stack)
{
	uint64_t name = frame_name(a, a->x->t.stacks->nodes.v[stack].key);

	return name == UINT64_MAX ? NAMES_NONE : (uint32_t)(name / 2);
}

/* --- marks --------------------------------------------------------------------------------------------------- */

/* Truncate a long text between two UTF-8 characters. */
static struct sv short_text(struct sv text)
{
	if (text.n <= TEXT_MAX)
		return text;
	text.n = TEXT_MAX;
	while (text.n && ((uint8_t)text.s[text.n] & 0xc0) == 0x80)
		text.n--;
	return text;
}

static int put_mark(struct acts *a, uint32_t cpu, const struct lane_item *it, const uint64_t more[3], struct sv text)
{
	uint8_t bytes[4 * LANE_NUMBER + TEXT_MAX];
	struct lane *l;
	unsigned n = 0;
	int r = acts_lane(a, LANE_MARK, cpu, 0, &l);

	if (r || !l)
		return r;
	for (unsigned i = 0; i < 3; i++)
		n += lane_number(bytes + n, more[i]);
	text = short_text(text);
	n += lane_number(bytes + n, text.n);
	if (text.n)
		memcpy(bytes + n, text.s, text.n);
	return roll_add(a->to->roll, l, it, bytes, n + text.n);
}

static int put_task_mark(struct acts *a, uint32_t task, uint32_t cpu, const struct lane_item *it)
{
	uint8_t bytes[LANE_NUMBER];
	struct lane *l;
	int r = acts_lane(a, LANE_TASK_MARK, task, 0, &l);

	return r || !l ? r : roll_add(a->to->roll, l, it, bytes, lane_number(bytes, cpu));
}

/* The call chain's number on the page. A chain of address 0 only means that the event has none. */
static uint64_t stack_of(const struct acts *a, uint32_t stack)
{
	const struct export_tables *t = &a->x->t;
	const struct ct_node *v = &t->stacks->nodes.v[stack];

	if (!stack || (!v->parent && !t->frames[v->key].addr && !t->funcs[t->func_of[v->key]].known))
		return 0;
	return a->to->roll->stacks + stack;
}

static int take_mark(struct acts *a, const struct export_sample *s, uint32_t event, int64_t at)
{
	const struct export_thread *t = &a->x->t.threads[s->thread];
	uint32_t cpu = MIN(s->cpu, (uint32_t)NO_CPU), task = 0;
	struct lane_item it = { .start = at, .id = event };
	uint64_t more[3];

	if (t->tid && t->tid != UINT32_MAX) {
		task = acts_task(a, t->tid, t->pid, sv_from(t->comm)) + 1;
		if (!task || put_task_mark(a, task - 1, cpu, &it))
			return -ENOMEM;
	}
	more[0] = task;
	more[1] = stack_of(a, s->stack);
	more[2] = MIN(s->weight, UINT64_C(1) << 53);
	return put_mark(a, cpu, &it, more, s->text);
}

/* Put a mark where events were lost. */
static int take_loss(struct acts *a, const struct export_sample *s, int64_t at)
{
	uint64_t more[3] = { 0 };
	struct lane_item it = { .start = at };
	char text[64];
	uint32_t event;

	if (a->x->lost == a->lost)
		return 0;
	event = roll_event(a->to->roll, "lost");
	if (event == NAMES_NONE)
		return -ENOMEM;
	snprintf(text, sizeof(text), "%llu events are missing before this",
		 (unsigned long long)(a->x->lost - a->lost));
	a->lost = a->x->lost;
	a->to->roll->events.v[event].n++;
	it.id = event;
	switches_lose(&a->switches, UINT32_MAX);
	for (size_t i = 0; i < a->cpus.n; i++)
		a->cpus.v[i].on = 0;
	return put_mark(a, MIN(s->cpu, (uint32_t)NO_CPU), &it, more, sv_from(text));
}

/* --- the format ---------------------------------------------------------------------------------------------- */

static void begin_late(struct acts *a)
{
	const struct export_tables *t = &a->x->t;

	a->begun = true;
	a->lost = a->x->lost;
	for (size_t i = 0; i < t->n_events; i++)
		a->waking |= !strcmp(t->events[i].name, "sched:sched_waking");
}

/* 1: the sample was taken as something else than a mark. */
static int take_act(struct acts *a, const struct export_sample *s, int64_t at)
{
	int r = s->sched ? acts_sched(a, s, at) : s->tracepoint ? acts_span(a, s, at) : 0;

	return r ? r : acts_value(a, s, at);
}

static int take(struct export *x, const struct export_sample *s)
{
	struct acts *a = x->own;
	uint32_t event;
	int64_t at;
	int r;

	if (!roll_at(a->to->roll, s->time + (uint64_t)a->to->offset, &at))
		return 0;
	a->last = a->begun ? MAX(a->last, at) : at;
	if (!a->begun)
		begin_late(a);
	r = take_loss(a, s, at);
	r = r ? r : event_of(a, s->event, &event);
	if (r)
		return r;
	a->to->roll->events.v[event].n++;
	r = take_act(a, s, at);
	/* A mark only adds the call chain: none for a single frame, the event's own, or if calls show the chain. */
	if (r < 0 || (r && (!a->x->t.stacks->nodes.v[s->stack].parent || a->graphed)))
		return MIN(r, 0);
	return take_mark(a, s, event, at);
}

static int begin(struct export *x)
{
	struct acts *a = x->own;

	a->x = x;
	a->to = x->about.to;
	return 0;
}

/* Append the nodes of this recording's call chains to those of the recordings before. */
static int put_stacks(struct acts *a)
{
	enum { SOME = 256 };
	const struct calltree *t = a->x->t.stacks;
	struct roll *r = a->to->roll;
	uint8_t bytes[SOME * 2 * LANE_NUMBER];
	unsigned n = 0;

	for (size_t i = 1; i < t->nodes.n; i++) {
		const struct ct_node *v = &t->nodes.v[i];
		uint64_t name = frame_name(a, v->key);

		if (name == UINT64_MAX)
			return -ENOMEM;
		n += lane_number(bytes + n, v->parent ? r->stacks + v->parent : 0);
		n += lane_number(bytes + n, name);
		if (i % SOME && i + 1 < t->nodes.n)
			continue;
		roll_block(r, ROLL_STACKS, 0, bytes, n);
		n = 0;
	}
	r->stacks += t->nodes.n - 1;
	return 0;
}

static int end(struct export *x, struct err *e)
{
	struct acts *a = x->own;
	int r = acts_sched_end(a, a->last);

	r = r ? r : acts_span_end(a, a->last);
	r = r ? r : acts_value_end(a, a->last);
	r = r ? r : put_stacks(a);
	return r == -ENOMEM ? err_nomem(e) : r;
}

static void forget(struct export *x)
{
	struct acts *a = x->own;

	if (a->graphed)
		funcgraph_deinit(&a->graph);
	switches_deinit(&a->switches);
	map_deinit(&a->lane_of);
	map_deinit(&a->task_of);
	map_deinit(&a->name_of);
	map_deinit(&a->value_of);
	vec_free(&a->tasks);
	vec_free(&a->cpus);
	vec_free(&a->values);
	vec_free(&a->event_of);
	vec_free(&a->frame_name);
}

const struct export_format acts_format = {
	.name = "timeline", .brief = "a page with a timeline", .needs = EXPORT_TEXTS | EXPORT_MEANS,
	.own = sizeof(struct acts), .begin = begin, .sample = take, .end = end, .close = forget,
};
