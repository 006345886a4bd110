/* taskprof_class.c - which events start and end spans, and their fields. */
#include "analyse/taskprof_parts.h"

enum { IRQS = TASKPROF_PINNED | TASKPROF_IRQ };

static const struct taskprof_pair usual[] = {
	{ .start_kind = KIND_IRQ_ENTRY, .end_kind = KIND_IRQ_EXIT, .field = IRQ_IRQ, .end_field = IRQ_IRQ,
	  .flags = IRQS },
	{ .start_kind = KIND_SOFTIRQ_RAISE, .end_kind = KIND_SOFTIRQ_ENTRY, .field = SOFTIRQ_VEC,
	  .end_field = SOFTIRQ_VEC, .flags = IRQS | TASKPROF_VECTOR },
	{ .start_kind = KIND_SOFTIRQ_ENTRY, .end_kind = KIND_SOFTIRQ_EXIT, .field = SOFTIRQ_VEC,
	  .end_field = SOFTIRQ_VEC, .flags = IRQS | TASKPROF_VECTOR },
	{ .start_kind = KIND_SYS_ENTER, .end_kind = KIND_SYS_EXIT, .field = SYS_ENTER_ID, .end_field = SYS_EXIT_ID },
	{ .start_kind = KIND_GRAPH_ENTRY, .end_kind = KIND_GRAPH_EXIT, .field = GRAPH_FUNC, .end_field = GRAPH_FUNC,
	  .flags = TASKPROF_CALL },
};

int taskprof_pairs(struct taskprof *t)
{
	const struct taskprof_want *w = &t->want;
	size_t hooks = MIN(w->n_hooks, TASKPROF_PAIRS_MAX - ARRAY_SIZE(usual));

	t->n_pairs = ARRAY_SIZE(usual) + hooks;
	t->pairs = calloc(t->n_pairs, sizeof(*t->pairs));
	if (!t->pairs)
		return -ENOMEM;
	memcpy(t->pairs, usual, sizeof(usual));
	if (hooks)
		memcpy(t->pairs + ARRAY_SIZE(usual), w->hooks, hooks * sizeof(*t->pairs));
	for (size_t i = 0; w->irqs == TASKPROF_IRQS_CPU && i < t->n_pairs; i++)
		if (t->pairs[i].flags & TASKPROF_IRQ)
			t->pairs[i].flags |= TASKPROF_GLOBAL;
	return 0;
}

/* --- hooks --------------------------------------------------------------------------------------------------- */

/* "event,field[,more]" */
static bool cut_side(struct sv side, char event[80], char field[40], struct sv *more)
{
	struct sv name, match;

	*more = SV("");
	if (!sv_cut(&side, ',', &name) || !sv_cut(&side, ',', &match) || !name.n || !match.n)
		return false;
	if (side.s)
		*more = side;
	return str_copy(event, 80, name) < 80 && str_copy(field, 40, match) < 40;
}

int taskprof_pair_parse(struct taskprof_pair *p, const char *text, struct err *e)
{
	struct sv rest = sv_from(text), left, more;

	*p = (struct taskprof_pair){ .flags = 0 };
	if (!sv_cut(&rest, '/', &left) || !rest.s || !cut_side(left, p->start, p->match, &more) ||
	    str_copy(p->pid, sizeof(p->pid), more) >= sizeof(p->pid) || !cut_side(rest, p->end, p->end_match, &more)) {
		err_set(e, EINVAL, "'%s' is not two events", text);
		return err_hint(e, "[system:]start,field[,pid-field]/[system:]end,field[,flags of p, s, g]");
	}
	if (!strcmp(p->match, "func"))
		p->flags |= TASKPROF_CALL;
	if (!strcmp(p->match, "vec"))
		p->flags |= TASKPROF_VECTOR;
	for (size_t i = 0; i < more.n; i++) {
		switch (more.s[i] | 0x20) {
		case 'p': p->flags |= TASKPROF_PINNED; break;
		case 's': p->flags |= TASKPROF_STACK; break;
		case 'g': p->flags |= TASKPROF_GLOBAL; break;
		default:
			return err_set(e, EINVAL, "'%s': flag '%c' is none of p (same CPU), s (stack), g (global)",
				       text, more.s[i]);
		}
	}
	return 0;
}

/* --- classes of events --------------------------------------------------------------------------------------- */

/* "system:name", or "name" of any system. */
static bool named(const struct tfmt *f, const char *name)
{
	const char *colon = strchr(name, ':');
	size_t n = colon ? (size_t)(colon - name) : 0;

	if (!colon)
		return !strcmp(f->name, name);
	return strlen(f->system) == n && !memcmp(f->system, name, n) && !strcmp(f->name, colon + 1);
}

static int check_field(const struct tevents *events, const char *name, const char *field, struct err *e)
{
	bool some = false, has = false;

	for (size_t i = 0; i < events->list.n; i++) {
		const struct tfmt *f = &events->list.v[i]->fmt;
		bool is_it = named(f, name);

		some |= is_it;
		has |= is_it && tfmt_field(f, field);
	}
	if (!some)
		return err_set(e, ENOENT, "'%s' is no event that is known here", name);
	return *field && !has ? err_set(e, EINVAL, "%s has no field '%s'", name, field) : 0;
}

int taskprof_pair_check(const struct taskprof_pair *p, const struct tevents *events, struct err *e)
{
	int r = check_field(events, p->start, p->match, e);

	r = r ? r : check_field(events, p->start, p->pid, e);
	return r ? r : check_field(events, p->end, p->end_match, e);
}

static void class_pairs(const struct taskprof *t, struct taskprof_class *c)
{
	const struct tevent *ev = c->event;

	for (size_t i = 0; i < t->n_pairs; i++) {
		const struct taskprof_pair *p = &t->pairs[i];

		if (p->start_kind) {
			c->of[i].start = ev->kind == p->start_kind ? ev->field[p->field] : NULL;
			c->of[i].end = ev->kind == p->end_kind ? ev->field[p->end_field] : NULL;
			c->of[i].label = ev->kind == KIND_IRQ_ENTRY ? ev->field[IRQ_NAME] : NULL;
		} else {
			c->of[i].start = named(&ev->fmt, p->start) ? tfmt_field(&ev->fmt, p->match) : NULL;
			c->of[i].end = named(&ev->fmt, p->end) ? tfmt_field(&ev->fmt, p->end_match) : NULL;
			c->of[i].pid = *p->pid ? tfmt_field(&ev->fmt, p->pid) : NULL;
		}
		c->starts |= (uint32_t)!!c->of[i].start << i;
		c->ends |= (uint32_t)!!c->of[i].end << i;
	}
}

/* The event's kind, if it matters here and the event has the fields that are needed. */
static enum tkind kind_of(const struct tevent *ev)
{
	const struct tfield *const *f = ev->field;
	bool whole = false;

	switch (ev->kind) {
	case KIND_SCHED_SWITCH:
		whole = f[SWITCH_PREV_PID] && f[SWITCH_PREV_COMM] && f[SWITCH_NEXT_PID] && f[SWITCH_NEXT_COMM] &&
			f[SWITCH_PREV_STATE];
		break;
	case KIND_SCHED_WAKEUP:
		whole = f[WAKEUP_PID] && f[WAKEUP_COMM];
		break;
	case KIND_KERNEL_STACK:
		whole = f[STACK_CALLER];
		break;
	case KIND_FUNCTION:
		whole = f[FUNCTION_IP];
		break;
	default:
		break;
	}
	return whole ? ev->kind : KIND_OTHER;
}

const struct taskprof_class *taskprof_class_of(struct taskprof *t, const void *raw, size_t n)
{
	struct tevent *event = tevents_of(t->want.events, raw, n);
	uint64_t *at = map_add(&t->class_of, event ? event->fmt.id : UINT64_MAX, NULL);
	struct taskprof_class *c;

	if (!at)
		return NULL;
	if (*at)
		return &t->classes.v[*at - 1];
	c = vec_add(&t->classes);
	if (!c)
		return NULL;
	*at = t->classes.n;
	c->event = event;
	if (event) {
		c->kind = kind_of(event);
		class_pairs(t, c);
	}
	return c;
}
