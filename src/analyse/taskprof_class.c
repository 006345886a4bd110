/* taskprof_class.c - which events begin and end spans, and where in them what is needed stands. */
#include "analyse/taskprof_parts.h"

static const struct taskprof_pair builtin[] = {
	{ "irq:irq_handler_entry", "irq:irq_handler_exit", "irq", "irq", "", TASKPROF_PINNED | TASKPROF_IRQ },
	{ "irq:softirq_raise", "irq:softirq_entry", "vec", "vec", "", TASKPROF_PINNED | TASKPROF_IRQ },
	{ "irq:softirq_entry", "irq:softirq_exit", "vec", "vec", "", TASKPROF_PINNED | TASKPROF_IRQ },
	{ "raw_syscalls:sys_enter", "raw_syscalls:sys_exit", "id", "id", "", 0 },
	{ "ftrace:funcgraph_entry", "ftrace:funcgraph_exit", "func", "func", "", 0 },
};

int taskprof_pairs(struct taskprof *t)
{
	const struct taskprof_want *w = &t->want;
	size_t hooks = MIN(w->n_hooks, TASKPROF_PAIRS_MAX - ARRAY_SIZE(builtin));

	t->n_pairs = ARRAY_SIZE(builtin) + hooks;
	t->pairs = calloc(t->n_pairs, sizeof(*t->pairs));
	if (!t->pairs)
		return -ENOMEM;
	memcpy(t->pairs, builtin, sizeof(builtin));
	if (hooks)
		memcpy(t->pairs + ARRAY_SIZE(builtin), w->hooks, hooks * sizeof(*t->pairs));
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

/* --- what an event is ---------------------------------------------------------------------------------------- */

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
	const struct tfmt *f = &c->event->fmt;

	for (size_t i = 0; i < t->n_pairs; i++) {
		const struct taskprof_pair *p = &t->pairs[i];

		c->of[i].start = named(f, p->start) ? tfmt_field(f, p->match) : NULL;
		c->of[i].end = named(f, p->end) ? tfmt_field(f, p->end_match) : NULL;
		c->of[i].pid = *p->pid ? tfmt_field(f, p->pid) : NULL;
		c->of[i].label = p->flags & TASKPROF_IRQ ? tfmt_field(f, "name") : NULL;
		c->starts |= (uint32_t)!!c->of[i].start << i;
		c->ends |= (uint32_t)!!c->of[i].end << i;
	}
}

static void class_kind(struct taskprof_class *c)
{
	static const struct {
		const char *event, *pid, *name, *pid2, *name2, *state;
		enum class_kind kind;
	} kinds[] = {
		{ "sched:sched_switch", "prev_pid", "prev_comm", "next_pid", "next_comm", "prev_state", CLASS_SWITCH },
		{ "sched:sched_wakeup", "pid", "comm", "pid", "comm", "success", CLASS_WAKEUP },
		{ "ftrace:kernel_stack", "caller", "caller", "caller", "caller", "", CLASS_STACK },
		{ "ftrace:function", "ip", "ip", "ip", "ip", "", CLASS_FUNCTION },
	};
	const struct tfmt *f = &c->event->fmt;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!named(f, kinds[i].event))
			continue;
		c->pid = tfmt_field(f, kinds[i].pid);
		c->name = tfmt_field(f, kinds[i].name);
		c->pid2 = tfmt_field(f, kinds[i].pid2);
		c->name2 = tfmt_field(f, kinds[i].name2);
		c->state = tfmt_field(f, kinds[i].state);
		if (c->pid && c->name && c->pid2 && c->name2 && (c->state || kinds[i].kind != CLASS_SWITCH))
			c->kind = kinds[i].kind;
	}
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
		c->common_pid = tfmt_field(&event->fmt, "common_pid");
		class_kind(c);
		class_pairs(t, c);
	}
	return c;
}
