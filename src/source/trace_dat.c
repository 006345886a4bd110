/*
 * trace_dat.c - a trace.dat is read twice. The first pass, when it is opened, finds which kinds of events occur, which
 * of them are followed by stacks, and the tgids of threads; the second pass delivers the records.
 */
#include "source/trace_dat.h"

#include "arch/arch.h"

enum { NOTES_MAX = 32, OTHER_KIND = 1 };

/* "Linux host 6.12.1 #1 SMP ... aarch64" */
static void take_uname(struct trace_dat *d, struct perf_head *f)
{
	const struct tdat_option *o = tdat_option(&d->file, TDAT_UNAME);
	struct sv rest = o ? sv_trim((struct sv){ o->data.s, strnlen(o->data.s, o->data.n) }) : SV(""), word;
	const char *text;

	for (unsigned i = 0; sv_cut(&rest, ' ', &word); i++) {
		text = arena_dup(&f->arena, word.s, word.n);
		if (!text)
			return;
		if (i == 1)
			f->hostname = text;
		else if (i == 2)
			f->release = text;
		else if (arch_by_name(text))
			f->arch = text;
	}
}

static int add_note(struct perf_head *h, const struct err *what)
{
	struct err *note = h->notes.n < NOTES_MAX ? vec_add(&h->notes) : NULL;

	if (note)
		*note = *what;
	return note || h->notes.n == NOTES_MAX ? 0 : -ENOMEM;
}

static int take_header(struct trace_dat *d)
{
	struct perf_head *h = &d->head;
	const struct tdat_option *o = tdat_option(&d->file, TDAT_VERSION);
	int r = 0;

	perf_head_init(h);
	h->swap = d->file.blob.machine.swap;
	h->version = o ? arena_dup(&h->arena, o->data.s, strnlen(o->data.s, o->data.n)) : "";
	h->cpus_online = h->cpus_available = d->file.ncpus;
	take_uname(d, h);
	h->incomplete = d->file.incomplete;
	for (size_t i = 0; i < d->file.notes.n && !r; i++)
		r = add_note(h, &d->file.notes.v[i]);
	return h->version ? r : -ENOMEM;
}

/* Set the times of the first and last event as feature SAMPLE_TIME. */
static int put_times(struct trace_dat *d, uint64_t first, uint64_t last)
{
	uint64_t v[2] = { first, last };
	void *p = arena_alloc(&d->head.arena, sizeof(v));

	if (!p)
		return -ENOMEM;
	for (unsigned i = 0; d->head.swap && i < 2; i++)
		v[i] = __builtin_bswap64(v[i]);
	memcpy(p, v, sizeof(v));
	d->head.feature[PERF_FEAT_SAMPLE_TIME] = (struct bytes){ p, sizeof(v) };
	return 0;
}

/* One record of the first pass. last: ring -> kind of the event before, + OTHER_KIND. */
static int scan_one(struct trace_dat *d, const struct tstream_rec *rec, struct map *last)
{
	int64_t kind = dat_kind_of(&d->kinds, &d->source.trace, rec->raw, rec->n);
	uint64_t *before = map_add(last, rec->ring, NULL);
	const struct dat_kind *k;
	uint32_t tgid;
	int r;

	if (kind == -ENOENT)
		return 0;
	if (kind < 0 || !before)
		return -ENOMEM;
	k = &d->kinds.v.v[kind];
	if (k->role != DAT_KERNEL_STACK && k->role != DAT_USER_STACK) {
		*before = (uint64_t)kind + OTHER_KIND;
		return 0;
	}
	if (*before)
		d->kinds.v.v[*before - OTHER_KIND].stacked = true;
	r = dat_take_tgid(&d->kinds, k, rec->raw, rec->n, &tgid);
	return MIN(r, 0);
}

static int scan(struct trace_dat *d, struct err *e)
{
	struct tdat_reader *reader = tdat_reader_new(&d->file, -1, e);
	struct tstream_rec rec;
	struct map last = { 0 };
	struct err end;
	uint64_t first_ts = UINT64_MAX, last_ts = 0;
	int r = 0;

	if (!reader)
		return -ENOMEM;
	while (!r && tdat_reader_next(reader, &rec, &end) == 1) {
		first_ts = MIN(first_ts, rec.ts);
		last_ts = MAX(last_ts, rec.ts);
		r = scan_one(d, &rec, &last);
	}
	tdat_reader_free(reader);
	map_deinit(&last);
	return r || first_ts > last_ts ? r : put_times(d, first_ts, last_ts);
}

static struct sv kallsyms(const struct source *s)
{
	return ((const struct trace_dat *)s)->file.blob.kallsyms;
}

static int next(struct source *s, struct source_rec *rec, struct err *e)
{
	struct trace_dat *d = (struct trace_dat *)s;
	const struct tstream_stats *stats;
	int64_t kind;
	int got;

	if (!d->reader)
		d->reader = tdat_reader_new(&d->file, -1, e);
	if (!d->reader)
		return -ENOMEM;
	got = tdat_reader_next(d->reader, &rec->trace, &s->end);
	stats = tdat_reader_stats(d->reader);
	s->stats.lost = stats->lost;
	s->stats.gaps = stats->lost ? 0 : stats->gaps;
	s->stats.bad = stats->bad_pages;
	if (!got)
		s->end.code = 0;
	if (got != 1)
		return 0;
	s->stats.records++;
	kind = dat_kind_of(&d->kinds, &s->trace, rec->trace.raw, rec->trace.n);
	rec->time = rec->trace.ts;
	rec->event = kind >= 0 && kind < (int64_t)d->head.events.n ? &d->head.events.v[kind] : NULL;
	return kind == -ENOMEM ? -ENOMEM : 1;
}

/* The PROCMAPS options that `trace-cmd record --proc-map` writes. */
static int maps(const struct source *s, uint32_t pid, int (*take)(void *arg, struct sv text), void *arg)
{
	const struct tdat *file = &((const struct trace_dat *)s)->file;
	int r = 0;

	for (size_t i = 0; i < file->options.n && !pid && !r; i++)
		if (file->options.v[i].id == TDAT_PROCMAPS)
			r = take(arg, file->options.v[i].data);
	return r;
}

static void close_dat(struct source *s)
{
	struct trace_dat *d = (struct trace_dat *)s;

	tdat_reader_free(d->reader);
	dat_kinds_deinit(&d->kinds);
	tevents_deinit(&s->trace);
	perf_head_deinit(&d->head);
	tdat_deinit(&d->file);
	free(d);
}

static const struct source_kind trace_dat = {
	.form = SOURCE_TRACE, .next = next, .close = close_dat, .kallsyms = kallsyms, .maps = maps,
};

static int note_latency(struct trace_dat *d)
{
	int r = 0;

	for (size_t i = 0; i < d->file.buffers.n && !r; i++) {
		const struct tdat_buffer *b = &d->file.buffers.v[i];
		struct err what = { 0 };

		if (!b->latency)
			continue;
		err_set(&what, EBADMSG, "%.80s holds the text of a latency tracer: 'sonde ftrace report' shows it",
			*b->name ? b->name : "the recording");
		r = add_note(&d->head, &what);
	}
	return r;
}

static int begin(struct trace_dat *d, struct err *e)
{
	int r;

	tevents_init(&d->source.trace, d->file.blob.machine);
	r = take_header(d);
	if (!r && tevents_add_blob(&d->source.trace, &d->file.blob, NULL) == -ENOMEM)
		r = -ENOMEM;
	r = r ? r : note_latency(d);
	r = r ? r : scan(d, e);
	r = r ? r : dat_events_make(&d->kinds, &d->head);
	return r == -ENOMEM ? err_nomem(e) : r;
}

int trace_dat_open(struct source **to, const struct found *found, struct err *e)
{
	struct trace_dat *d = calloc(1, sizeof(*d));
	int r = d ? tdat_init(&d->file, found->bytes.p, found->bytes.n, e) : err_nomem(e);

	if (r) {
		free(d);
		return r;
	}
	d->source.kind = &trace_dat;
	d->source.head = &d->head;
	d->source.kinds = &d->kinds;
	r = begin(d, e);
	if (r)
		close_dat(&d->source);
	else
		*to = &d->source;
	return r;
}

struct trace_dat *trace_dat_of(struct source *s)
{
	return s->kind == &trace_dat ? (struct trace_dat *)s : NULL;
}
