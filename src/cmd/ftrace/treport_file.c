/* treport_file.c - one recording of a report: mapped, described, its filters compiled. */
#include "cmd/ftrace/treport.h"

#include "sys/kallsyms.h"

const char *treport_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* --kallsyms: read symbols from that file, not from the recording. */
static int other_syms(struct treport_file *f, struct err *e)
{
	f->has_syms = true;
	return sys_kallsyms(f->c->sys, f->want->kallsyms, &f->syms, e);
}

/* How timestamps are to be converted. */
static void set_times(struct treport_file *f)
{
	const struct treport_want *w = f->want;
	struct tdat *d = &f->file.dat;

	f->hz = f->input->hz ? f->input->hz : w->hz;
	f->ts_add = f->input->ts_offset;
	if (w->time.no_date)
		d->ts_offset -= d->date;
	if (w->time.raw_ts) {
		d->shift.ncpus = 0;
		d->tsc_mult = d->tsc_shift = 0;
		d->ts_offset = 0;
		f->hz = 0;
		f->ts_add = 0;
	} else if (f->hz) {
		f->ts_add += d->ts_offset;
		d->tsc_mult = d->tsc_shift = 0;
		d->ts_offset = 0;
	}
}

int treport_open(struct treport_file *f, struct ctx *c, const struct treport_want *w, const struct treport_input *in,
		 struct err *e)
{
	int r;

	*f = (struct treport_file){ .c = c, .want = w, .input = in };
	r = input_open(&f->file, c->sys, in->path, e);
	if (r)
		return r;
	input_notes(&f->file, c, in->path);
	tevents_init(&f->events, f->file.dat.blob.machine);
	r = tevents_add_blob(&f->events, &f->file.dat.blob, e);
	if (f->events.bad) {
		c->incomplete = true;
		cmd_note(c, "%s: %u formats cannot be read: %s", in->path, f->events.bad, f->events.first_bad.text);
	}
	set_times(f);
	f->names = treport_names(f);
	return r;
}

void treport_close(struct treport_file *f)
{
	rtext_free(f->text);
	for (size_t i = 0; i < f->only.n; i++)
		tfilter_deinit(&f->only.v[i]);
	for (size_t i = 0; i < f->never.n; i++)
		tfilter_deinit(&f->never.v[i]);
	vec_free(&f->only);
	vec_free(&f->never);
	arena_deinit(&f->arena);
	kallsyms_deinit(&f->syms);
	tevents_deinit(&f->events);
	input_close(&f->file);
}

/* Does the clock count something else than nanoseconds? */
static bool counts(const char *clock)
{
	return !strcmp(clock, "counter") || strstr(clock, "tsc") || strstr(clock, "-tb");
}

static unsigned text_flags(const struct treport_file *f)
{
	const struct tdat *d = &f->file.dat;
	const char *clock = d->buffers.n ? d->buffers.v[0].clock : "";
	unsigned flags = f->want->flags;

	if (f->want->time.raw_ts || (counts(clock) && !f->hz && !d->tsc_mult))
		flags |= RTEXT_UNITS;
	if (f->hz || !tdat_option(d, TDAT_TRACECLOCK))
		flags |= RTEXT_DIFF_NS;
	return flags;
}

static void print_filter(const struct treport_file *f, const struct tfilter *filter)
{
	struct out *o = f->c->out;

	/* The highest event id first, as trace-cmd does. */
	for (size_t id = filter->by_id.n; id-- > 0;) {
		const struct tevent *ev = filter->by_id.v[id] ? tevents_by_id(&f->events, id) : NULL;

		if (!ev)
			continue;
		out_printf(o, " '%s: ", ev->fmt.name);
		tfilter_print(filter, (uint32_t)id, o);
		out_str(o, "'\n");
	}
}

static int add_filter(struct treport_file *f, const char *text, bool negative, struct err *e)
{
	struct tfilter *filter = negative ? vec_add(&f->never) : vec_add(&f->only);
	int r = filter ? tfilter_add(filter, &f->events, &f->arena, text, e) : err_nomem(e);

	if (!r && f->want->only.test_filters)
		print_filter(f, filter);
	return r;
}

static int add_tasks(struct treport_file *f, const uint64_t *pids, size_t n, struct err *e)
{
	struct tfilter *filter = vec_add(&f->only);
	int r = filter ? tfilter_add_tasks(filter, &f->events, &f->arena, pids, n, e) : err_nomem(e);

	if (!r && f->want->only.test_filters)
		print_filter(f, filter);
	return r;
}

struct tasks {
	VEC(uint64_t) pids;
	int r;
};

static void add_pid(struct tasks *t, uint64_t pid)
{
	uint64_t *p = vec_add(&t->pids);

	if (p)
		*p = pid;
	else
		t->r = -ENOMEM;
}

/* Add all threads of that name. */
static bool add_comm(const struct treport_file *f, struct sv name, struct tasks *t)
{
	const struct map *m = &f->events.comms;
	size_t before = t->pids.n;

	for (size_t i = 0; i < m->cap; i++)
		if (m->used[i] && sv_eq(name, (const char *)(uintptr_t)m->slot[i].val))
			add_pid(t, m->slot[i].key);
	return t->pids.n > before;
}

static int add_pids(const struct opt_list *l, struct tasks *t, struct err *e)
{
	for (size_t i = 0; i < l->n; i++) {
		struct sv rest = sv_from(l->v[i]), piece;
		uint64_t v;

		while (sv_cut(&rest, ',', &piece)) {
			if (!str_u64(piece, 10, &v))
				return err_set(e, EINVAL, "--pid: '%.*s' is no number", (int)MIN(piece.n, 40u),
					       piece.s);
			add_pid(t, v);
		}
	}
	return t->r ? err_nomem(e) : 0;
}

/* Turn --pid and --comm into a filter. */
static int add_threads(struct treport_file *f, struct err *e)
{
	const struct treport_want *w = f->want;
	struct tasks t = { 0 };
	struct sv rest, piece;
	int r = add_pids(&w->only.pids, &t, e);

	for (size_t i = 0; !r && i < w->only.comms.n; i++)
		for (rest = sv_from(w->only.comms.v[i]); sv_cut(&rest, ',', &piece);)
			if (!add_comm(f, piece, &t))
				cmd_note(f->c, "no thread is called '%.*s'", (int)piece.n, piece.s);
	if (!r && t.r)
		r = err_nomem(e);
	/* If no thread has the name, show none: a filter that never matches. */
	if (!r && !t.pids.n && (w->only.pids.n || w->only.comms.n))
		r = add_filter(f, ".*:common_pid==-1", false, e);
	else if (!r && t.pids.n)
		r = add_tasks(f, t.pids.v, t.pids.n, e);
	vec_free(&t.pids);
	return r;
}

static int mark(struct treport_file *f, const struct opt_list *l, enum rtext_event_flag what, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < l->n; i++) {
		char text[256];
		struct rex re;

		snprintf(text, sizeof(text), "^%s$", l->v[i]);
		r = rex_init(&re, &f->arena, sv_from(text), e);
		if (!r)
			r = rtext_mark(f->text, &re, what);
	}
	return r;
}

int treport_prepare(struct treport_file *f, struct err *e)
{
	const struct treport_want *w = f->want;
	int r;

	f->text = rtext_new(&f->events, &f->names, text_flags(f));
	if (!f->text)
		return err_nomem(e);
	r = w->kallsyms ? other_syms(f, e) : 0;
	if (!r)
		r = mark(f, &w->raw, RTEXT_EVENT_RAW, e);
	if (!r)
		r = mark(f, &w->plain, RTEXT_EVENT_PLAIN, e);
	if (!r)
		r = add_threads(f, e);
	for (size_t i = 0; !r && i < w->only.n_filters; i++)
		r = add_filter(f, w->only.filters[i].text, w->only.filters[i].negative, e);
	return r;
}
