/* treport_show.c - prints the events of all recordings, merged by time. */
#include "cmd/ftrace/treport.h"

#include "base/mem.h"
#include "report/lines.h"

enum { FORGET_EACH = 8 << 20, LOOK_EACH = 4096, NS_PER_S = 1000000000 };
enum { FLAG_HARDIRQ = 8, FLAG_SOFTIRQ = 16 };

/* Does an event belong to the event before it on its CPU, as stack traces do; and is that one shown? */
enum tie { ALONE, WITH_SHOWN, WITH_HIDDEN };

/* One buffer of one recording, as a stream of records. */
struct source {
	struct treport_file *file;
	struct tdat_reader *reader;
	const char *label;                   /* name in front of its lines; "": none */
	struct tstream_rec rec;
	const struct rtext_event *x;         /* NULL: unknown */
	bool have, shown, done;              /* a record is loaded; it passed the filters; the end is reached */
	uint64_t forgotten;                  /* bytes that had been read when pages were last released */
	uint64_t lines;
	struct cpus last_shown;              /* CPUs whose last event was shown, so that its stack trace is, too */
	uint64_t last_ts[CPUS_MAX];
};

struct show {
	struct source *v;
	size_t n;
	struct out *o;
	struct lines *lines;
	unsigned width;                      /* of the labels; 0: there are none */
	bool labels;
	struct treport_wake *wake;
	bool beside;                         /* --boundary, --debug or -w add text to the lines */
	struct mem_out before, behind;       /* that text of the current line */
	uint64_t unknown;
};

/*
 * A line that a thread will format. Behind it in memory: the record's bytes, the texts before and behind, the leaf
 * record's bytes.
 */
struct line {
	const struct source *s;
	const struct rtext_event *x, *leaf_x;   /* leaf_x NULL: no leaf */
	struct tstream_rec rec;
	struct rtext_past past;
	uint32_t n_before, n_behind, n_leaf;    /* lengths; n_before includes a NUL */
};

/* --- names ----------------------------------------------------------------------------------------------------- */

struct kallsyms *treport_syms(struct treport_file *f)
{
	if (f->has_syms)
		return &f->syms;
	f->has_syms = true;
	if (kallsyms_init(&f->syms, f->file.dat.blob.kallsyms, NULL))
		cmd_note(f->c, "no memory for the names of functions");
	return &f->syms;
}

/* As trace-cmd prints them: without module, and without the size of the function. */
static bool symbol(void *arg, uint64_t addr, struct tprint_symbol *s)
{
	struct kallsyms *k = treport_syms(arg);
	const struct sym *found = kallsyms_find_any(k, addr);

	if (!found)
		return false;
	*s = (struct tprint_symbol){ .name = kallsyms_name(k, found), .offset = addr - found->addr };
	return true;
}

static const char *string(void *arg, uint64_t addr)
{
	return tevents_string(&((struct treport_file *)arg)->events, addr);
}

struct tprint_names treport_names(struct treport_file *f)
{
	return (struct tprint_names){ .arg = f, .symbol = symbol, .string = string };
}

/* --- which events ---------------------------------------------------------------------------------------------- */

static const char *env_comm(void *arg, uint32_t pid)
{
	return rtext_comm(arg, pid);
}

static const char *env_symbol(void *arg, uint64_t addr)
{
	return rtext_symbol(arg, addr, NULL);
}

/* The best result that any of the filters gives; TFILTER_OTHER if there is none. */
static enum tfilter_result best(const struct treport_file *f, const struct tfilter *v, size_t n, uint32_t id,
				const struct tstream_rec *rec)
{
	struct tfilter_env env = { .arg = f->text, .comm = env_comm, .symbol = env_symbol };
	enum tfilter_result b = TFILTER_OTHER;

	for (size_t i = 0; i < n && b != TFILTER_MATCH; i++) {
		enum tfilter_result one = tfilter_test(&v[i], &env, id, rec);

		b = MAX(b, one);
	}
	return b;
}

/* False: the record is not shown. ev NULL: an unknown event. */
static bool shows(struct treport_file *f, const struct tevent *ev, const struct tstream_rec *rec, enum tie tie)
{
	const struct treport_want *w = f->want;
	bool chosen;

	if (w->only.some_cpus && !cpus_has(&w->only.cpus, rec->cpu))
		return false;
	if (!ev)
		return !f->only.n;
	if (w->only.no_irq || w->only.no_softirq) {
		uint64_t v = tfmt_value(ev->common[COMMON_FLAGS], rec->raw, rec->n);

		if ((w->only.no_irq && v & FLAG_HARDIRQ) || (w->only.no_softirq && v & FLAG_SOFTIRQ))
			return false;
	}
	if (!f->only.n && !f->never.n)
		return true;
	chosen = f->only.n ? best(f, f->only.v, f->only.n, ev->fmt.id, rec) == TFILTER_MATCH : tie == ALONE;
	return (chosen || tie == WITH_SHOWN) &&
	       best(f, f->never.v, f->never.n, ev->fmt.id, rec) != TFILTER_MATCH;
}

/* --- sources --------------------------------------------------------------------------------------------------- */

/* The timestamp as it is shown, apart from --align-ts. */
static uint64_t corrected(const struct treport_file *f, uint64_t ts)
{
	if (f->hz)
		ts = (uint64_t)((unsigned __int128)ts * NS_PER_S / f->hz);
	return ts + (uint64_t)f->ts_add;
}

static void let_go(struct source *s)
{
	struct treport_file *f = s->file;
	uint64_t done;

	if (++s->lines % LOOK_EACH)
		return;
	done = tdat_reader_done(s->reader);
	if (done - s->forgotten < FORGET_EACH)
		return;
	s->forgotten = done;
	if (f->c->sys->forget)
		f->c->sys->forget(f->c->sys, (void *)(uintptr_t)f->file.bytes, f->file.n);
}

/* Load the next record, shown or not. 0 or -errno. */
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

/* A stack trace is shown if the event before it is. */
static bool passes(struct source *s)
{
	struct treport_file *f = s->file;
	uint32_t cpu = MIN(s->rec.cpu, CPUS_MAX - 1u);
	const struct tevent *ev = s->x ? s->x->ev : NULL;
	bool stack = is_stack(s->x), shown;

	shown = shows(f, ev, &s->rec, !stack ? ALONE : cpus_has(&s->last_shown, cpu) ? WITH_SHOWN : WITH_HIDDEN);
	if (shown)
		cpus_set(&s->last_shown, cpu);
	else if (!stack)
		s->last_shown.w[cpu / 64] &= ~(UINT64_C(1) << cpu % 64);
	return shown;
}

/* Skip records up to the next one that is shown. */
static int settle(struct source *s, struct err *e)
{
	int r = 0;

	while (!r && s->have && !s->shown) {
		bool gap = s->rec.lost || s->rec.in_gap;

		s->shown = passes(s);
		if (s->shown)
			break;
		r = advance(s, e);
		s->rec.in_gap |= gap;
	}
	return r;
}

static void check_time(struct source *s, const struct tstream_rec *rec)
{
	uint64_t *last = &s->last_ts[MIN(rec->cpu, CPUS_MAX - 1u)];

	if (*last > rec->ts)
		cmd_note(s->file->c, "the time of CPU %u goes backwards: %llu to %llu delta: -%llu", rec->cpu,
			 (unsigned long long)*last, (unsigned long long)rec->ts, (unsigned long long)(*last - rec->ts));
	*last = rec->ts;
}

/* --- lines ----------------------------------------------------------------------------------------------------- */

static void put_label(const struct show *w, const char *label, struct out *o)
{
	out_right(o, label, w->width);
	out_str(o, *label ? ": " : "  ");
}

/* Called in any of the threads. */
static void write_line(const void *arg, void *own, void *item, struct out *o)
{
	const struct show *w = arg;
	struct line *l = item;
	const uint8_t *before = (const uint8_t *)(l + 1) + l->rec.n, *behind = before + l->n_before;
	struct tstream_rec end = { .raw = behind + l->n_behind, .n = l->n_leaf };
	struct rtext_leaf leaf = { l->leaf_x, &end };

	l->rec.raw = (const uint8_t *)(l + 1);
	l->past.before = l->n_before ? (const char *)before : NULL;
	if (w->labels)
		put_label(w, l->s->label, o);
	rtext_write(l->s->file->text, own, l->x, &l->rec, l->leaf_x ? &leaf : NULL, &l->past, o);
	out_bytes(o, behind, l->n_behind);
	out_char(o, '\n');
}

/* Make the text beside the line; called in the order of the lines, for -w. 0 or -ENOMEM. */
static int tell_beside(struct show *w, struct source *s, const struct tstream_rec *rec)
{
	const struct treport_want *want = s->file->want;

	w->before.n = w->behind.n = 0;
	if (!w->beside)
		return 0;
	if (want->boundary || want->debug)
		treport_where(s->file, rec, &w->before.out, &w->behind.out);
	if (w->wake && treport_wake_record(w->wake, s->x ? s->x->ev : NULL, rec, &w->behind.out))
		return -ENOMEM;
	out_flush(&w->before.out);
	out_flush(&w->behind.out);
	return w->before.out.error || w->behind.out.error ? -ENOMEM : 0;
}

/* Make a line of the source's record; NULL: no memory. */
static struct line *new_line(struct show *w, struct source *s, size_t *n)
{
	struct treport_file *f = s->file;
	struct line *l;
	uint8_t *at;

	if (tell_beside(w, s, &s->rec))
		return NULL;
	*n = sizeof(*l) + s->rec.n + (w->before.n ? w->before.n + 1 : 0) + w->behind.n;
	l = lines_room(w->lines, *n);
	if (!l)
		return NULL;
	l->s = s;
	l->x = s->x;
	l->leaf_x = NULL;
	l->rec = s->rec;
	l->rec.ts -= (uint64_t)f->align;
	l->n_before = w->before.n ? (uint32_t)w->before.n + 1 : 0;
	l->n_behind = (uint32_t)w->behind.n;
	l->n_leaf = 0;
	rtext_follow(f->text, l->x, &l->rec, &l->past);
	at = (uint8_t *)(l + 1);
	l->rec.raw = memcpy(at, s->rec.raw, s->rec.n);
	at += s->rec.n;
	if (l->n_before)
		memcpy(at, mem_out_str(&w->before), l->n_before);
	if (l->n_behind)
		memcpy(at + l->n_before, w->behind.v, l->n_behind);
	return l;
}

/* Add the source's record to the line: the exit of the leaf function that the line shows. */
static struct line *add_leaf(struct show *w, const struct source *s, size_t *n)
{
	struct line *l = lines_room(w->lines, *n + s->rec.n);

	if (!l)
		return NULL;
	l->leaf_x = s->x;
	l->n_leaf = s->rec.n;
	memcpy((uint8_t *)l + *n, s->rec.raw, s->rec.n);
	*n += s->rec.n;
	return l;
}

/* Queue the source's record, with the next one if both are one line (a leaf); then go on. */
static int put(struct show *w, struct source *s, struct err *e)
{
	struct treport_file *f = s->file;
	bool ahead = rtext_wants_next(f->text, s->x), leaf = false;
	struct line *l;
	size_t n;
	int r = 0, added;

	if (f->want->time.check_ts)
		check_time(s, &s->rec);
	/* Parse kallsyms here, before threads use it. */
	if (!f->has_syms && s->x && s->x->asks_names)
		treport_syms(f);
	w->unknown += !s->x;
	l = new_line(w, s, &n);
	if (!l)
		return err_nomem(e);
	if (ahead) {
		r = advance(s, e);
		leaf = !r && s->have && rtext_is_leaf(l->x, &l->rec, s->x, &s->rec);
	}
	if (leaf && !add_leaf(w, s, &n))
		return err_nomem(e);
	added = lines_add(w->lines, n);
	let_go(s);
	if (!r && (leaf || !ahead))
		r = advance(s, e);
	if (!r)
		r = settle(s, e);
	return r ? r : added == -ENOMEM ? err_nomem(e) : added;
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
	/* Instances come after the top buffers of all files, so that of equal times theirs is the later one. */
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

/* --align-ts: times count from the first event. */
static void align(struct show *w)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < w->n; i++)
		if (w->v[i].have)
			first = MIN(first, w->v[i].rec.ts);
	for (size_t i = 0; i < w->n; i++)
		w->v[i].file->align = (int64_t)first;
}

/* Print "cpus=2" for each file; the buffer of a latency tracer is text already. */
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

/* Notes on what was lost or could not be read. */
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

static void clean_up(struct show *w)
{
	lines_free(w->lines);
	mem_out_deinit(&w->before);
	mem_out_deinit(&w->behind);
	treport_wake_free(w->wake);
	for (size_t i = 0; i < w->n; i++)
		tdat_reader_free(w->v[i].reader);
	free(w->v);
}

/* Print the lines that were queued, even if reading has failed. */
static int show_lines(struct show *w, const struct treport_file *files, struct err *e)
{
	struct lines_want lw = {
		.jobs = budget_of(&files->want->budget, files->c->sys).jobs, .out = w->o, .write = write_line, .arg = w,
		.own = sizeof(struct rtext_pen),
	};
	int r = 0, settled;

	w->beside = w->wake || files->want->boundary || files->want->debug;
	w->lines = lines_new(&lw);
	if (!w->lines)
		return err_nomem(e);
	for (size_t i = 0; !r && i < w->n; i++)
		r = settle(&w->v[i], e);
	if (!r)
		r = merge(w, e);
	if (w->o->error)
		return r;
	settled = lines_settle(w->lines);
	if (!r && settled == -ENOMEM)
		return err_nomem(e);
	return r ? r : settled;
}

int treport_show(struct treport_file *files, size_t n, struct out *o, struct err *e)
{
	struct show w = { .o = o };
	int r = open_sources(&w, files, n, e);

	mem_out_init(&w.before);
	mem_out_init(&w.behind);
	if (!r && files->want->time.align_ts)
		align(&w);
	if (!r && files->want->wakeup)
		w.wake = treport_wake_new(files);
	if (!r) {
		put_heads(&w, files, n);
		r = show_lines(&w, files, e);
	}
	if (w.wake)
		treport_wake_end(w.wake, o);
	out_flush(o);
	footer(&w);
	clean_up(&w);
	return r;
}
