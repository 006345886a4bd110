/* take.c - collects what a sample's lines need, while the record is in memory, and names and maps fit the sample. */
#include "cmd/script/print.h"

#include "cmd/sample_text.h"

uint64_t script_time(struct script *s, uint64_t time)
{
	const struct script_times *w = &s->want->times;
	uint64_t since = w->relative ? s->first_time : w->delta ? s->last_time : 0;

	if ((w->relative || w->delta) && !since)
		since = time;
	if (!s->first_time)
		s->first_time = time;
	s->last_time = time;
	return time - since;
}

static void fill(struct script_sample *x, struct script *s, const struct script_taken *t)
{
	const struct sample *smp = t->smp;
	uint64_t fields = s->fields[session_event_index(s->session, t->ev)];

	*x = (struct script_sample){
		.ev = t->ev, .comm = t->comm, .fields = fields, .time = smp->time, .period = smp->period,
		.type = PERF_REC_SAMPLE, .misc = smp->cpumode,
		.addr = smp->addr, .weight = sample_weight(&t->ev->layout, smp), .phys_addr = smp->phys_addr,
		.data_page = smp->data_page, .code_page = smp->code_page, .pid = smp->pid, .tid = smp->tid,
		.cpu = smp->cpu,
		.has_chain = t->ev->layout.sample_type & PERF_SAMPLE_CALLCHAIN && !s->want->hide_chains,
		.narrow = script_narrow(s, t->ev, fields),
	};
	if (fields & FIELD_TIME)
		x->time = script_time(s, smp->time);
	if (fields & FIELD_TOD)
		x->tod = script_tod(s->session->head, smp->time);
}

/* As in perf, addresses of software events (page faults ...) are printed with their symbol. */
static int take_addr(struct script *s, const struct script_taken *t, struct script_sample *x)
{
	struct chain_frame f = { x->addr, t->smp->cpumode, false };

	if (!(x->fields & FIELD_ADDR) || x->ev->attr.type != PERF_SOFTWARE || s->want->json)
		return 0;
	x->addr_place = script_place(&s->places, &t->spaces, &f, (unsigned)x->fields);
	return x->addr_place ? 0 : -ENOMEM;
}

/* Is the frame's function one at which --stop-bt ends chains? */
static bool stops(const struct script *s, const struct script_taken *t, const struct chain_frame *f)
{
	unsigned behind;
	const struct sym_loc *l = s->want->stops.n ? frames_loc(&s->frames, &t->spaces, f, &behind) : NULL;
	struct sv rest, name;

	for (size_t i = 0; l && l->sym && i < s->want->stops.n; i++) {
		rest = sv_from(s->want->stops.v[i]);
		while (sv_cut(&rest, ',', &name))
			if (sv_eq(name, l->sym))
				return true;
	}
	return false;
}

static int take_frames(struct script *s, const struct script_taken *t, struct script_sample *x)
{
	unsigned how = (unsigned)x->fields | (x->has_chain ? PLACE_LINE : PLACE_ALONE);
	size_t n = x->fields & FIELD_IP ? t->n_frames : 0;

	for (size_t i = 0; i < n; i++) {
		x->frames[i] = script_place(&s->places, &t->spaces, &t->frames[i], how);
		if (!x->frames[i])
			return -ENOMEM;
		if (stops(s, t, &t->frames[i]))
			n = i + 1;
	}
	x->n_frames = (uint32_t)n;
	return 0;
}

/* Text that names kernel functions is made now, as later records may load or unload modules. */
static int make_text(struct script *s, const struct tprint *p, struct bytes raw)
{
	struct tprint_names names = session_names(s->session);

	script_trace(p, &names, raw, &s->made.out);
	mem_out_str(&s->made);
	return s->made.out.error;
}

/* The bytes that put_trace appends to a sample: the raw record, its text if made already, script_rare's texts. */
struct trace {
	const struct tevent *ev;     /* NULL: no tracepoint, or its format is unknown */
	const struct tprint *print;  /* NULL: `made` begins with the text */
	struct bytes raw, made;
	size_t n_text, n_access, n_behind;   /* lengths of the parts of `made` */
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
	tr->n_text = s->made.n;
	return 0;
}

/* Make the texts of a sample that need the present state of names and maps. */
static int make(struct script *s, const struct script_taken *t, struct trace *tr)
{
	int r;

	s->made.n = 0;
	r = trace_of(s, t, tr);
	if (!r)
		r = script_rare(s, t, &tr->n_access, &tr->n_behind);
	tr->made = (struct bytes){ (const uint8_t *)s->made.v, tr->n_text + tr->n_access + tr->n_behind };
	return r;
}

static size_t put_trace(const struct trace *tr, struct script_sample *x)
{
	uint8_t *to = (uint8_t *)(x->frames + x->n_frames);

	x->trace = tr->ev;
	x->print = tr->print;
	x->n_raw = (uint32_t)tr->raw.n;
	x->n_text = (uint32_t)tr->n_text;
	x->n_access = (uint32_t)tr->n_access;
	x->n_behind = (uint32_t)tr->n_behind;
	if (tr->raw.n)
		memcpy(to, tr->raw.p, tr->raw.n);
	if (tr->made.n)
		memcpy(to + tr->raw.n, tr->made.p, tr->made.n);
	return (size_t)(to - (uint8_t *)x) + tr->raw.n + tr->made.n;
}

/* If the cache of places is full, write all lines that use its texts, then empty it, and the resolver's cache, too. */
static int make_room(struct script *s)
{
	int r;

	if (!script_places_full(&s->places))
		return 0;
	r = lines_settle(s->lines);
	if (r)
		return r;
	script_places_forget(&s->places);
	resolver_clear(s->session->resolver);
	return 0;
}

int script_take(struct script *s, const struct script_taken *t)
{
	struct lines *lines = script_files_lines(&s->files, session_event_index(s->session, t->ev), s->lines);
	struct script_sample *x;
	struct trace tr;
	int r = make_room(s);

	if (!r)
		r = make(s, t, &tr);
	if (r)
		return r;
	x = lines_room(lines, sizeof(*x) + t->n_frames * sizeof(x->frames[0]) + tr.raw.n + tr.made.n);
	if (!x)
		return -ENOMEM;
	fill(x, s, t);
	r = take_addr(s, t, x);
	if (!r)
		r = take_frames(s, t, x);
	return r ? r : lines_add(lines, put_trace(&tr, x));
}

int script_take_text(struct script *s, struct sv text)
{
	struct trace tr = { .made = { (const uint8_t *)text.s, text.n }, .n_text = text.n };
	struct script_sample *x = lines_room(s->lines, sizeof(*x) + text.n);

	if (!x)
		return -ENOMEM;
	*x = (struct script_sample){ .ev = NULL };
	return lines_add(s->lines, put_trace(&tr, x));
}
