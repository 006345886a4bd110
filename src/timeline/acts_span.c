/* acts_span.c - interrupts and function calls, from pairs of events; and counters. */
#include "timeline/acts_parts.h"

#define VALUE_MAX ((UINT64_C(1) << 53) - 1)

const struct acts_counter acts_counters[] = {
	{ SV("power:cpu_frequency"), SV("state"), SV("cpu_id") },
	{ SV("power:clock_set_rate"), SV("state"), SV("name") },
	{ SV("clk:clk_set_rate_complete"), SV("rate"), SV("name") },
};
const size_t acts_n_counters = ARRAY_SIZE(acts_counters);

/* --- interrupts ---------------------------------------------------------------------------------------------- */

static uint32_t irq_name(struct acts *a, const struct export_sample *s)
{
	struct sv name = tfmt_str(s->tracepoint->field[IRQ_NAME], s->raw.p, s->raw.n);
	char text[80];

	snprintf(text, sizeof(text), "%llu %.*s", (unsigned long long)acts_field(s, IRQ_IRQ),
		 (int)MIN(name.n, (size_t)50), name.s);
	return roll_name(a->to->roll, text);
}

static uint32_t softirq_name(struct acts *a, const struct export_sample *s)
{
	uint64_t vec = acts_field(s, SOFTIRQ_VEC);
	const char *name = tkind_softirq(vec);
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)vec);
	return roll_name(a->to->roll, name ? name : text);
}

static int begin_span(struct acts *a, const struct export_sample *s, unsigned which, uint32_t name, int64_t at)
{
	struct acts_cpu *c = acts_cpu(a, s->cpu);

	if (name == NAMES_NONE || (!c && s->cpu < CPUS_MAX))
		return -ENOMEM;
	if (!c)
		return 0;
	c->span[which].since = at;
	c->span[which].name = name;
	c->span[which].open = true;
	return 1;
}

static int end_span(struct acts *a, const struct export_sample *s, unsigned which, int64_t at)
{
	struct acts_cpu *c = acts_cpu(a, s->cpu);
	struct lane_item it = { .start = at };
	int r;

	if (!c)
		return s->cpu < CPUS_MAX ? -ENOMEM : 0;
	if (!c->span[which].open || c->span[which].since > at) {
		a->to->broken++;
		return 1;
	}
	c->span[which].open = false;
	it = (struct lane_item){ c->span[which].since, (uint64_t)(at - c->span[which].since), c->span[which].name };
	r = acts_put(a, which == ACTS_IRQ ? LANE_IRQ : LANE_SOFTIRQ, s->cpu, 0, &it);
	return r ? r : 1;
}

/* --- calls --------------------------------------------------------------------------------------------------- */

static uint32_t call_name(struct acts *a, uint64_t func)
{
	const uint64_t *at = map_get(&a->name_of, func);
	char text[32];

	if (at)
		return (uint32_t)*at - 1;
	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)func);
	return roll_name(a->to->roll, text);
}

/* Calls of idle tasks (tid 0) belong to the CPU: their owner is 2^30 + CPU. */
static int take_call(void *arg, const struct funcgraph_call *c)
{
	enum { OF_CPU = 1 << 30 };
	struct acts *a = arg;
	struct lane_item it = { .length = c->total };
	uint32_t owner = OF_CPU + MIN(c->cpu, (uint32_t)CPUS_MAX), name = call_name(a, c->func);

	if (c->pid)
		owner = acts_task(a, c->pid, UINT32_MAX, SV(""));
	if (owner == NAMES_NONE || name == NAMES_NONE)
		return -ENOMEM;
	it.id = name;
	if (c->total > VALUE_MAX || !roll_at(a->to->roll, c->start + (uint64_t)a->to->offset, &it.start))
		return 0;
	return acts_put(a, LANE_CALL, owner, c->depth, &it);
}

/* An entry event's innermost frame is the called function: learn its name. */
static int learn_name(struct acts *a, const struct export_sample *s)
{
	uint64_t *at = s->stack ? map_add(&a->name_of, acts_field(s, GRAPH_FUNC), NULL) : NULL;
	uint32_t name;

	if (!at)
		return s->stack ? -ENOMEM : 0;
	if (*at)
		return 0;
	name = acts_leaf(a, s->stack);
	*at = name + UINT64_C(1);
	return name == NAMES_NONE ? -ENOMEM : 0;
}

static int take_graph(struct acts *a, const struct export_sample *s)
{
	struct funcgraph_want want = { .events = a->x->about.trace, .call = take_call, .arg = a };
	struct tstream_rec rec = {
		.ts = s->time, .cpu = s->cpu, .ring = s->cpu, .n = (uint32_t)s->raw.n, .raw = s->raw.p,
	};
	int r = 0;

	if (!a->graphed)
		r = funcgraph_init(&a->graph, &want, NULL);
	if (r)
		return r == -ENOENT ? 0 : r;
	a->graphed = true;
	if (s->tracepoint->kind != KIND_GRAPH_EXIT && learn_name(a, s))
		return -ENOMEM;
	r = funcgraph_add(&a->graph, &rec);
	return r ? r : 1;
}

int acts_span(struct acts *a, const struct export_sample *s, int64_t at)
{
	switch (s->tracepoint->kind) {
	case KIND_IRQ_ENTRY:
		return begin_span(a, s, ACTS_IRQ, irq_name(a, s), at);
	case KIND_IRQ_EXIT:
		return end_span(a, s, ACTS_IRQ, at);
	case KIND_SOFTIRQ_ENTRY:
		return begin_span(a, s, ACTS_SOFTIRQ, softirq_name(a, s), at);
	case KIND_SOFTIRQ_EXIT:
		return end_span(a, s, ACTS_SOFTIRQ, at);
	case KIND_GRAPH_ENTRY:
	case KIND_GRAPH_RETADDR_ENTRY:
	case KIND_GRAPH_EXIT:
		return take_graph(a, s);
	case KIND_SCHED_RUNTIME:
		return acts_runtime(a, s);
	default:
		return 0;
	}
}

int acts_span_end(struct acts *a, int64_t at)
{
	int r = 0;

	for (size_t i = 0; i < a->cpus.n * ACTS_SPANS && !r; i++) {
		const struct acts_cpu *c = &a->cpus.v[i / ACTS_SPANS];
		unsigned which = i % ACTS_SPANS, cpu = (unsigned)(i / ACTS_SPANS);
		struct lane_item it = { .start = c->span[which].since, .id = c->span[which].name };

		it.length = (uint64_t)(at - it.start);
		if (c->span[which].open && it.start < at)
			r = acts_put(a, which == ACTS_IRQ ? LANE_IRQ : LANE_SOFTIRQ, cpu, 0, &it);
	}
	if (a->graphed) {
		funcgraph_end(&a->graph);
		a->to->broken += a->graph.stats.headless + a->graph.stats.discarded;
	}
	return r;
}

/* --- numbers ------------------------------------------------------------------------------------------------- */

/* The name of a counter's row: "power:cpu_frequency.state 3". */
static uint32_t row_name(struct acts *a, const struct acts_counter *c, const struct export_sample *s)
{
	char key[160], by[80], text[320];
	const struct tfield *f = NULL;

	if (c->by.n) {
		str_copy(key, sizeof(key), c->by);
		f = tfmt_field(&s->tracepoint->fmt, key);
	}
	if (f && f->is_string)
		str_copy(by, sizeof(by), tfmt_str(f, s->raw.p, s->raw.n));
	else
		snprintf(by, sizeof(by), "%llu", (unsigned long long)tfmt_value(f, s->raw.p, s->raw.n));
	snprintf(text, sizeof(text), "%.*s %.*s%s%s", (int)MIN(c->event.n, (size_t)100), c->event.s,
		 (int)MIN(c->field.n, (size_t)60), c->field.s, f ? " " : "", f ? by : "");
	return roll_name(a->to->roll, text);
}

/* NULL: no memory. */
static struct acts_value *value_of(struct acts *a, uint32_t name)
{
	bool is_new;
	uint64_t *index = name == NAMES_NONE ? NULL : map_add(&a->value_of, name, &is_new);
	struct acts_value *v;

	if (!index || !is_new)
		return index ? &a->values.v[*index] : NULL;
	v = vec_add(&a->values);
	if (!v || acts_lane(a, LANE_COUNTER, name, 0, &v->lane))
		return NULL;
	*index = a->values.n - 1;
	return v;
}

static int put_value(struct acts *a, const struct acts_value *v, int64_t at)
{
	struct lane_item it = { v->since, (uint64_t)(at - v->since), v->value };

	return v->lane && v->known && v->since <= at ? roll_add(a->to->roll, v->lane, &it, NULL, 0) : 0;
}

/* The counter has this value from here on. */
static int hold(struct acts *a, uint32_t name, uint64_t value, int64_t at)
{
	struct acts_value *v = value_of(a, name);
	int r = v ? put_value(a, v, at) : -ENOMEM;

	if (r)
		return r;
	v->since = at;
	v->value = MIN(value, VALUE_MAX);
	v->known = true;
	return 0;
}

/* {a,b}:S: the number that b has counted since the previous sample of a. */
static int take_counted(struct acts *a, const struct export_sample *s, int64_t at)
{
	const char *event = a->x->t.events[s->event].name;
	struct acts_value *v;
	char text[160];
	int r;

	if (s->cpu < CPUS_MAX)
		snprintf(text, sizeof(text), "%.120s CPU %u", event, s->cpu);
	else
		snprintf(text, sizeof(text), "%.120s", event);
	v = value_of(a, roll_name(a->to->roll, text));
	if (!v)
		return -ENOMEM;
	v->value = MIN(s->weight, VALUE_MAX);
	r = put_value(a, v, at);
	v->since = at;
	v->known = v->counted = true;
	return r ? r : 1;
}

int acts_value(struct acts *a, const struct export_sample *s, int64_t at)
{
	const struct export_event *ev = &a->x->t.events[s->event];
	const struct acts_to *to = a->to;

	if (!s->tracepoint)
		return ev->counted && !ev->text ? take_counted(a, s, at) : 0;
	for (size_t i = 0; i < to->n_counters; i++) {
		const struct acts_counter *c = &to->counters[i];
		const struct tfield *f;
		char field[64];
		int r;

		if (!sv_eq(c->event, ev->name))
			continue;
		str_copy(field, sizeof(field), c->field);
		f = tfmt_field(&s->tracepoint->fmt, field);
		if (!f)
			continue;
		r = hold(a, row_name(a, c, s), tfmt_value(f, s->raw.p, s->raw.n), at);
		return r ? r : 1;
	}
	return 0;
}

int acts_value_end(struct acts *a, int64_t at)
{
	int r = 0;

	for (size_t i = 0; i < a->values.n && !r; i++)
		if (!a->values.v[i].counted)
			r = put_value(a, &a->values.v[i], at);
	return r;
}
