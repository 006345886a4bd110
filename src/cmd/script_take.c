/* script_take.c - what a sample's line needs, taken while names, maps and the record are there. */
#include "cmd/script_print.h"

static void fill(struct script_sample *x, const struct script *s, const struct script_taken *t)
{
	const struct sample *smp = t->smp;
	unsigned fields = s->fields[session_event_index(s->session, t->ev)];

	*x = (struct script_sample){
		.ev = t->ev, .comm = t->comm, .fields = fields, .time = smp->time, .period = smp->period,
		.addr = smp->addr, .weight = smp->weight, .phys_addr = smp->phys_addr, .data_page = smp->data_page,
		.code_page = smp->code_page, .pid = smp->pid, .tid = smp->tid, .cpu = smp->cpu,
		.has_chain = t->ev->layout.sample_type & PERF_SAMPLE_CALLCHAIN && !s->want->hide_chains,
		.narrow = script_narrow(s, t->ev, fields),
	};
}

/* Software events' addresses are places in the program's memory: perf names them. */
static int take_addr(struct script *s, const struct script_taken *t, struct script_sample *x)
{
	struct chain_frame f = { x->addr, t->smp->cpumode, false };

	if (!(x->fields & FIELD_ADDR) || x->ev->attr.type != PERF_SOFTWARE || s->want->json)
		return 0;
	x->addr_place = script_place(&s->places, &t->spaces, &f, x->fields);
	return x->addr_place ? 0 : -ENOMEM;
}

static int take_frames(struct script *s, const struct script_taken *t, struct script_sample *x)
{
	unsigned how = x->fields | (x->has_chain ? PLACE_LINE : PLACE_ALONE);
	size_t n = x->fields & FIELD_IP ? t->n_frames : 0;

	for (size_t i = 0; i < n; i++) {
		x->frames[i] = script_place(&s->places, &t->spaces, &t->frames[i], how);
		if (!x->frames[i])
			return -ENOMEM;
	}
	x->n_frames = (uint32_t)n;
	return 0;
}

/* A text with functions' names is made now: what is loaded in the kernel is what the records have told so far. */
static int make_text(struct script *s, const struct tprint *p, struct bytes raw)
{
	struct tprint_names names = session_names(s->session);

	s->made.n = 0;
	script_trace(p, &names, raw, &s->made.out);
	mem_out_str(&s->made);
	return s->made.out.error;
}

/* The record, and its text where it is made already: behind x. */
struct trace {
	const struct tevent *ev;     /* NULL: there is none, or its format is not known */
	const struct tprint *print;  /* NULL: the text is made */
	struct bytes raw, text;
};

static int trace_of(struct script *s, const struct script_taken *t, struct trace *tr)
{
	struct tevent *ev;

	*tr = (struct trace){ 0 };
	if (!(s->fields[session_event_index(s->session, t->ev)] & FIELD_TRACE))
		return 0;
	tr->raw = t->smp->raw;
	ev = tevents_of(s->session->trace, tr->raw.p, tr->raw.n);
	if (!ev)
		return 0;
	tr->ev = ev;
	tr->print = tevents_print(s->session->trace, ev);
	if (!tr->print)
		return -ENOMEM;
	if (!tprint_asks_names(tr->print))
		return 0;
	if (make_text(s, tr->print, tr->raw))
		return -ENOMEM;
	tr->print = NULL;
	tr->text = (struct bytes){ (const uint8_t *)s->made.v, s->made.n };
	return 0;
}

static size_t put_trace(const struct trace *tr, struct script_sample *x)
{
	uint8_t *to = (uint8_t *)(x->frames + x->n_frames);

	x->trace = tr->ev;
	x->print = tr->print;
	x->n_raw = (uint32_t)tr->raw.n;
	x->n_text = (uint32_t)tr->text.n;
	if (tr->raw.n)
		memcpy(to, tr->raw.p, tr->raw.n);
	if (tr->text.n)
		memcpy(to + tr->raw.n, tr->text.p, tr->text.n);
	return (size_t)(to - (uint8_t *)x) + tr->raw.n + tr->text.n;
}

/* What stands in places is kept until nobody needs it. */
static int make_room(struct script *s)
{
	int r;

	if (!script_places_full(&s->places))
		return 0;
	r = lines_settle(s->lines);
	if (!r)
		script_places_forget(&s->places);
	return r;
}

int script_take(struct script *s, const struct script_taken *t)
{
	struct script_sample *x;
	struct trace tr;
	int r = make_room(s);

	if (!r)
		r = trace_of(s, t, &tr);
	if (r)
		return r;
	x = lines_room(s->lines, sizeof(*x) + t->n_frames * sizeof(x->frames[0]) + tr.raw.n + tr.text.n);
	if (!x)
		return -ENOMEM;
	fill(x, s, t);
	r = take_addr(s, t, x);
	if (!r)
		r = take_frames(s, t, x);
	return r ? r : lines_add(s->lines, put_trace(&tr, x));
}

int script_take_text(struct script *s, struct sv text)
{
	struct trace tr = { .text = { (const uint8_t *)text.s, text.n } };
	struct script_sample *x = lines_room(s->lines, sizeof(*x) + text.n);

	if (!x)
		return -ENOMEM;
	*x = (struct script_sample){ .ev = NULL };
	return lines_add(s->lines, put_trace(&tr, x));
}
