/* treport_show.c - the events of all recordings in order of time, each through the filters, to text. */
#include "cmd/ftrace/treport.h"

enum { FORGET_EACH = 8 << 20, NS_PER_S = 1000000000 };

/* One buffer of one recording. */
struct source {
	struct treport_file *file;
	struct tdat_reader *reader;
	const char *label;                   /* "" none */
	struct tstream_rec rec;
	const struct rtext_event *x;         /* NULL: unknown */
	bool have, shown, done;              /* a record; it passed the filters; the end */
	uint64_t forgotten;                  /* bytes of progress when pages were let go */
	struct cpus last_shown;              /* the event before on that CPU was shown: so is its stack */
	uint64_t last_ts[CPUS_MAX];
	uint8_t *copy;                       /* of the record that waits for the one behind it */
	size_t copy_cap;
};

struct show {
	struct source *v;
	size_t n;
	struct out *o;
	unsigned width;                      /* of the labels, 0: there are none */
	bool labels;
	struct treport_wake *wake;
	uint64_t unknown;
};

/* Time as it is shown, but for --align-ts. */
static uint64_t corrected(const struct treport_file *f, uint64_t ts)
{
	if (f->hz)
		ts = (uint64_t)((unsigned __int128)ts * NS_PER_S / f->hz);
	return ts + (uint64_t)f->ts_add;
}

static void let_go(struct source *s)
{
	struct treport_file *f = s->file;
	uint64_t done = tdat_reader_done(s->reader);

	if (done - s->forgotten < FORGET_EACH)
		return;
	s->forgotten = done;
	if (f->c->sys->forget)
		f->c->sys->forget(f->c->sys, (void *)(uintptr_t)f->file.bytes, f->file.n);
}

/* Take the next record, whatever it is: 0 or -errno. */
static int advance(struct source *s, struct err *e)
{
	int r = s->done ? 0 : tdat_reader_next(s->reader, &s->rec, e);

	s->have = r > 0;
	s->shown = false;
	if (r <= 0) {
		s->done = true;
		return r;
	}
	s->rec.ts = corrected(s->file, s->rec.ts);
	s->x = rtext_event(s->file->text, &s->rec);
	return 0;
}

static bool is_stack(const struct rtext_event *x)
{
	return x && (x->ev->kind == KIND_KERNEL_STACK || x->ev->kind == KIND_USER_STACK);
}

/* A stack goes with the event before it. */
static bool passes(struct source *s)
{
	struct treport_file *f = s->file;
	uint32_t cpu = MIN(s->rec.cpu, CPUS_MAX - 1u);
	const struct tevent *ev = s->x ? s->x->ev : NULL;
	bool stack = is_stack(s->x), shown;

	shown = treport_shows(f, ev, &s->rec, !stack ? TREPORT_ALONE :
			      cpus_has(&s->last_shown, cpu) ? TREPORT_WITH_SHOWN : TREPORT_WITH_HIDDEN);
	if (shown)
		cpus_set(&s->last_shown, cpu);
	else if (!stack)
		s->last_shown.w[cpu / 64] &= ~(UINT64_C(1) << cpu % 64);
	return shown;
}

/* Go to the next record that is shown. */
static int settle(struct source *s, struct err *e)
{
	int r = 0;

	while (!r && s->have && !s->shown) {
		s->shown = passes(s);
		if (!s->shown)
			r = advance(s, e);
	}
	return r;
}

static int keep_copy(struct source *s, struct tstream_rec *rec, struct err *e)
{
	if (rec->n > s->copy_cap) {
		size_t cap = MAX(rec->n, 256u);

		free(s->copy);
		s->copy = malloc(cap);
		s->copy_cap = s->copy ? cap : 0;
		if (!s->copy)
			return err_nomem(e);
	}
	memcpy(s->copy, rec->raw, rec->n);
	rec->raw = s->copy;
	return 0;
}

static void check_time(struct source *s, const struct tstream_rec *rec)
{
	uint64_t *last = &s->last_ts[MIN(rec->cpu, CPUS_MAX - 1u)];

	if (*last > rec->ts)
		cmd_note(s->file->c, "the time of CPU %u goes backwards: %llu to %llu delta: -%llu", rec->cpu,
			 (unsigned long long)*last, (unsigned long long)rec->ts, (unsigned long long)(*last - rec->ts));
	*last = rec->ts;
}

static void put_label(const struct show *w, const char *label)
{
	if (!w->labels)
		return;
	out_right(w->o, label, w->width);
	out_str(w->o, *label ? ": " : "  ");
}

/* Print the source's record, with the one behind it where they are one line; then go on. */
static int put(struct show *w, struct source *s, struct err *e)
{
	struct treport_file *f = s->file;
	struct tstream_rec rec = s->rec;
	const struct rtext_event *x = s->x;
	bool ahead = rtext_wants_next(f->text, x), leaf = false;
	bool where = f->want->boundary || f->want->debug;
	struct mem_out before, behind;
	int r = 0;

	if (f->want->check_ts)
		check_time(s, &rec);
	if (where) {
		mem_out_init(&before);
		mem_out_init(&behind);
		treport_where(f, &rec, &before.out, &behind.out);
		rtext_before(f->text, mem_out_str(&before));
	}
	if (ahead) {
		r = keep_copy(s, &rec, e);
		if (!r)
			r = advance(s, e);
		leaf = !r && s->have && rtext_is_leaf(x, &rec, s->x, &s->rec);
	}
	rec.ts -= (uint64_t)f->align;
	put_label(w, s->label);
	w->unknown += !x;
	rtext_line(f->text, x, &rec, leaf ? &(struct rtext_leaf){ s->x, &s->rec } : NULL, w->o);
	if (where) {
		out_str(w->o, mem_out_str(&behind));
		mem_out_deinit(&before);
		mem_out_deinit(&behind);
	}
	rec.ts += (uint64_t)f->align;
	if (w->wake && x)
		treport_wake_record(w->wake, x->ev, &rec, w->o);
	out_char(w->o, '\n');
	let_go(s);
	if (!r && (leaf || !ahead))
		r = advance(s, e);
	if (!r)
		r = settle(s, e);
	return r ? r : w->o->error;
}

static int merge(struct show *w, struct err *e)
{
	for (;;) {
		struct source *first = NULL;
		int r;

		for (size_t i = 0; i < w->n; i++)
			if (w->v[i].have && (!first || w->v[i].rec.ts < first->rec.ts))
				first = &w->v[i];
		if (!first)
			return 0;
		r = put(w, first, e);
		if (r)
			return r;
	}
}

static size_t count_sources(const struct treport_file *files, size_t n)
{
	size_t sources = 0;

	for (size_t i = 0; i < n; i++)
		sources += files[i].file.dat.buffers.n;
	return sources;
}

static int open_sources(struct show *w, struct treport_file *files, size_t n, struct err *e)
{
	int r = 0;

	w->v = calloc(count_sources(files, n) + 1, sizeof(*w->v));
	if (!w->v)
		return err_nomem(e);
	/* The buffers of instances come behind all files: of equal times theirs is the later one. */
	for (int instances = 0; instances < 2; instances++) {
		for (size_t i = 0; i < n; i++) {
			for (size_t k = 0; !r && k < files[i].file.dat.buffers.n; k++) {
				const struct tdat_buffer *b = &files[i].file.dat.buffers.v[k];
				struct source *s = &w->v[w->n];

				if ((k > 0) != (instances > 0) || b->latency)
					continue;
				w->n++;
				s->file = &files[i];
				s->label = k ? b->name : n > 1 ? treport_base(files[i].input->path) : "";
				s->reader = tdat_reader_new(&files[i].file.dat, (int)k, e);
				w->labels |= n > 1 || k;
				w->width = MAX(w->width, (unsigned)strlen(s->label));
				r = s->reader ? advance(s, e) : -e->code;
			}
		}
	}
	return r;
}

/* All times are counted from the first event that is there. */
static void align(struct show *w)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < w->n; i++)
		if (w->v[i].have)
			first = MIN(first, w->v[i].rec.ts);
	for (size_t i = 0; i < w->n; i++)
		w->v[i].file->align = (int64_t)first;
}

/* "cpus=2" of each file; a "latency" recording is text already. */
static void put_heads(const struct show *w, struct treport_file *files, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (n > 1) {
			out_right(w->o, treport_base(files[i].input->path), w->width);
			out_str(w->o, ": ");
		}
		out_printf(w->o, "cpus=%u\n", files[i].file.dat.ncpus);
		for (size_t k = 0; k < files[i].file.dat.buffers.n; k++)
			if (files[i].file.dat.buffers.v[k].latency)
				out_sv(w->o, files[i].file.dat.buffers.v[k].text);
	}
}

/* What was lost or could not be read. */
static void footer(const struct show *w)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct source *s = &w->v[i];
		const struct tstream_stats *st = s->reader ? tdat_reader_stats(s->reader) : NULL;
		const char *name = *s->label ? s->label : treport_base(s->file->input->path);

		if (st && st->gaps)
			cmd_note(s->file->c, "%s: events were lost in %llu places, %llu of them counted", name,
				 (unsigned long long)st->gaps, (unsigned long long)st->lost);
		input_bad_pages(s->file->c, name, st ? st->bad_pages : 0);
	}
	if (w->unknown)
		cmd_note(w->v[0].file->c, "%llu events of kinds that the recording does not describe",
			 (unsigned long long)w->unknown);
}

int treport_show(struct treport_file *files, size_t n, struct out *o, struct err *e)
{
	struct show w = { .o = o };
	int r = open_sources(&w, files, n, e);

	if (!r && files->want->align_ts)
		align(&w);
	if (!r && files->want->wakeup)
		w.wake = treport_wake_new(files);
	if (!r)
		put_heads(&w, files, n);
	for (size_t i = 0; !r && i < w.n; i++)
		r = settle(&w.v[i], e);
	if (!r)
		r = merge(&w, e);
	if (w.wake)
		treport_wake_end(w.wake, o);
	out_flush(o);
	footer(&w);
	treport_wake_free(w.wake);
	for (size_t i = 0; i < w.n; i++) {
		tdat_reader_free(w.v[i].reader);
		free(w.v[i].copy);
	}
	free(w.v);
	return r;
}
