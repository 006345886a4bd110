/* split.c - reads events in order of time, writes pages of each ring, and assembles them. */
#include "tracing/transport/split.h"

#include "tracefs/ring/page_write.h"
#include "tracing/transport/datfile.h"

/* Rings that are read in one order of time: all of them, or one when each ring is counted separately. */
struct lane {
	struct tdat sub;              /* the recording reduced to these rings */
	struct tdat_reader *reader;
	struct tstream_rec rec;       /* the next event */
	bool has;
	size_t ring;                  /* index of its first ring in struct split */
	uint64_t base, events, pages; /* events, pages: of the current part */
};

struct ring {
	struct ringfile file;         /* buffer: index in the part's buffers */
	struct tpage_writer page;
};

struct split {
	const struct split_want *w;
	VEC(struct lane) lanes;
	VEC(struct ring) rings;
	VEC(struct tdat_write_buffer) buffers;
	VEC(struct tdat_option) options;
	VEC(struct split_buffer) chosen;
	char path[PATH_MAX];
	uint64_t events;              /* of the current part */
	bool later;                   /* not the first part */
};

/* An event's time as reports show it. */
static uint64_t shown(const struct tdat *d, uint32_t cpu, uint64_t ts)
{
	if (cpu < d->shift.ncpus)
		ts = tshift_time(&d->shift.cpus[cpu], ts);
	if (d->tsc_mult)
		ts = (uint64_t)(((unsigned __int128)ts * d->tsc_mult) >> d->tsc_shift);
	return ts + (uint64_t)d->ts_offset;
}

static int advance(struct lane *l, struct err *e)
{
	int r = tdat_reader_next(l->reader, &l->rec, e);

	l->has = r > 0;
	return r < 0 ? r : 0;
}

/* --- set-up --- */

static int buffer_at(struct split *s, const char *name, const struct tdat_buffer *from)
{
	struct tdat_write_buffer *b;

	for (size_t i = 0; i < s->buffers.n; i++)
		if (!strcmp(s->buffers.v[i].name, name))
			return (int)i;
	b = vec_add(&s->buffers);
	if (!b)
		return -ENOMEM;
	*b = (struct tdat_write_buffer){ .name = name, .clock = from ? from->clock : "",
					 .page_size = from ? from->page_size : s->w->d->blob.page_size };
	return (int)s->buffers.n - 1;
}

static int add_ring(struct split *s, const struct tdat_buffer *from, uint32_t buffer, uint32_t cpu)
{
	struct ring *ring = vec_add(&s->rings);

	if (!ring)
		return -ENOMEM;
	ring->file = (struct ringfile){ .buffer = buffer, .cpu = cpu, .fd = -1 };
	ring->page.layout = s->w->d->layout;
	ring->page.layout.data_size = from->page_size - ring->page.layout.data_offset;
	ring->page.bytes = malloc(from->page_size);
	return ring->page.bytes ? 0 : -ENOMEM;
}

/* Add to a lane the CPU with that index of buffer `from`. */
static int lane_add(struct split *s, struct lane *l, const struct tdat_buffer *from, uint32_t buffer, size_t cpu)
{
	struct tdat_buffer *b = l->sub.buffers.n ? &l->sub.buffers.v[l->sub.buffers.n - 1] : NULL;
	struct tdat_cpu *c;

	if (!b || b->name != from->name) {
		b = vec_add(&l->sub.buffers);
		if (!b)
			return -ENOMEM;
		*b = *from;
		memset(&b->cpus, 0, sizeof(b->cpus));
	}
	c = vec_add(&b->cpus);
	if (!c)
		return -ENOMEM;
	*c = from->cpus.v[cpu];
	return add_ring(s, from, buffer, c->cpu);
}

static struct lane *new_lane(struct split *s)
{
	struct lane *l = vec_add(&s->lanes);

	if (!l)
		return NULL;
	/* Keep the times of the rings: they are written again without conversion. */
	l->sub = *s->w->d;
	l->sub.shift.ncpus = 0;
	l->sub.tsc_mult = 0;
	l->sub.ts_offset = 0;
	memset(&l->sub.buffers, 0, sizeof(l->sub.buffers));
	l->ring = s->rings.n;
	return l;
}

static int choose(struct split *s)
{
	const struct tdat *d = s->w->d;

	for (size_t i = 0; i < s->w->buffers.n || (!s->w->buffers.n && i < d->buffers.n); i++) {
		struct split_buffer *b = vec_add(&s->chosen);

		if (!b)
			return -ENOMEM;
		*b = s->w->buffers.n ? s->w->buffers.v[i] : (struct split_buffer){ i, d->buffers.v[i].name };
	}
	return 0;
}

/* A file begins with the top-level buffer, even when nothing of it is kept. */
static int name_buffers(struct split *s)
{
	const struct tdat *d = s->w->d;
	const struct tdat_buffer *top = NULL;
	int r;

	for (size_t i = 0; i < s->chosen.n; i++)
		if (!*s->chosen.v[i].name)
			top = &d->buffers.v[s->chosen.v[i].from];
	r = buffer_at(s, "", top ? top : &d->buffers.v[0]);
	for (size_t i = 0; r >= 0 && i < s->chosen.n; i++)
		if (*s->chosen.v[i].name)
			r = buffer_at(s, s->chosen.v[i].name, &d->buffers.v[s->chosen.v[i].from]);
	return r < 0 ? r : 0;
}

static int make_lanes(struct split *s)
{
	const struct tdat *d = s->w->d;
	struct lane *l = NULL;

	for (size_t i = 0; i < s->chosen.n; i++) {
		const struct tdat_buffer *from = &d->buffers.v[s->chosen.v[i].from];
		int to = buffer_at(s, s->chosen.v[i].name, NULL);

		for (size_t k = 0; k < from->cpus.n; k++) {
			if (s->w->cpu >= 0 && from->cpus.v[k].cpu != (uint32_t)s->w->cpu)
				continue;
			if (!l || s->w->each_cpu)
				l = new_lane(s);
			if (to < 0 || !l || lane_add(s, l, from, (uint32_t)to, k))
				return -ENOMEM;
		}
	}
	return 0;
}

static void take_options(struct split *s)
{
	for (size_t i = 0; i < s->w->d->options.n; i++) {
		const struct tdat_option *o = &s->w->d->options.v[i];
		struct tdat_option *to = datfile_keeps(o) ? vec_add(&s->options) : NULL;

		if (to)
			*to = *o;
	}
}

static int set_up(struct split *s, struct err *e)
{
	int r = choose(s);

	if (!r)
		r = name_buffers(s);
	if (!r)
		r = make_lanes(s);
	if (r)
		return err_nomem(e);
	take_options(s);
	for (size_t i = 0; !r && i < s->lanes.n; i++) {
		struct lane *l = &s->lanes.v[i];

		l->reader = tdat_reader_new(&l->sub, -1, e);
		r = l->reader ? advance(l, e) : -e->code;
		while (!r && l->has && shown(s->w->d, l->rec.cpu, l->rec.ts) < s->w->start)
			r = advance(l, e);
	}
	return r;
}

static void tear_down(struct split *s)
{
	for (size_t i = 0; i < s->lanes.n; i++) {
		struct lane *l = &s->lanes.v[i];

		if (l->reader)
			*s->w->bad_pages += tdat_reader_stats(l->reader)->bad_pages;
		tdat_reader_free(l->reader);
		for (size_t k = 0; k < l->sub.buffers.n; k++)
			vec_free(&l->sub.buffers.v[k].cpus);
		vec_free(&l->sub.buffers);
	}
	for (size_t i = 0; i < s->rings.n; i++) {
		ringfile_drop(&s->rings.v[i].file, s->w->sys);
		free(s->rings.v[i].page.bytes);
	}
	vec_free(&s->lanes);
	vec_free(&s->rings);
	vec_free(&s->buffers);
	vec_free(&s->options);
	vec_free(&s->chosen);
}

/* --- one part --- */

static int flush(struct split *s, struct ring *ring, struct err *e)
{
	size_t n = ring->page.layout.data_offset + ring->page.layout.data_size;
	struct ringfile *f = &ring->file;
	int r;

	if (!tpage_put_end(&ring->page))
		return 0;
	r = f->fd >= 0 ? 0 : ringfile_make(f, s->w->sys, s->path, s->buffers.v[f->buffer].name, e);
	if (r)
		return r;
	r = sys_write_all(s->w->sys, f->fd, ring->page.bytes, n);
	f->size += n;
	return r ? err_set(e, -r, "cannot write %s: %s", f->path, err_name(-r)) : 0;
}

/* 1: the event was taken; 0: the part is full. */
static int put(struct split *s, struct lane *l, struct err *e)
{
	struct ring *ring = &s->rings.v[l->ring + l->rec.ring];
	struct tpage_event ev = { .ts = l->rec.ts, .raw = l->rec.raw, .n = l->rec.n };
	int r = 0;

	if (ring->page.pos && tpage_put(&ring->page, &ev, l->rec.lost))
		return 1;
	if (s->w->unit == SPLIT_PAGES && l->pages == s->w->count)
		return 0;
	l->pages++;
	r = flush(s, ring, e);
	if (!r && !tpage_put(&ring->page, &ev, l->rec.lost))
		r = err_set(e, EBADMSG, "an event of %u bytes is larger than a sub-buffer", ev.n);
	return r ? r : 1;
}

static bool within(const struct split *s, const struct lane *l)
{
	const struct split_want *w = s->w;
	uint64_t ts = shown(w->d, l->rec.cpu, l->rec.ts);

	if (ts > w->end)
		return false;
	if (w->unit == SPLIT_NS)
		return ts < l->base || ts - l->base <= w->count;
	return w->unit != SPLIT_EVENTS || l->events < w->count;
}

static int fill(struct split *s, struct lane *l, struct err *e)
{
	int r = 1;

	l->events = l->pages = 0;
	l->base = s->w->start && !s->later ? s->w->start : shown(s->w->d, l->rec.cpu, l->rec.ts);
	while (r > 0 && l->has && within(s, l)) {
		r = put(s, l, e);
		if (r <= 0)
			break;
		l->events++;
		s->events++;
		r = advance(l, e) ? -e->code : 1;
	}
	return r < 0 ? r : 0;
}

static int join(struct split *s, struct err *e)
{
	const struct tdat *d = s->w->d;
	struct datfile_want want = {
		.sys = s->w->sys, .path = s->path, .blob = &d->blob, .options = s->options.v, .n_options = s->options.n,
		.buffers = s->buffers.v, .n_buffers = s->buffers.n, .ncpus = d->ncpus,
		.format = tdat_format_of(d), .kept = s->w->kept,
	};
	struct ringfile **files = calloc(s->rings.n + 1, sizeof(*files));
	size_t n = 0;
	int r;

	for (size_t b = 0; files && b < s->buffers.n; b++)
		for (size_t i = 0; i < s->rings.n; i++)
			if (s->rings.v[i].file.buffer == b)
				files[n++] = &s->rings.v[i].file;
	r = files ? datfile_write(&want, files, n, e) : err_nomem(e);
	free(files);
	return r;
}

/* 1: a part was made; 0: nothing was left. */
static int part(struct split *s, struct err *e)
{
	int r = 0;

	s->events = 0;
	for (size_t i = 0; !r && i < s->lanes.n; i++)
		r = s->lanes.v[i].has ? fill(s, &s->lanes.v[i], e) : 0;
	for (size_t i = 0; !r && i < s->rings.n; i++)
		r = flush(s, &s->rings.v[i], e);
	/* The first part is made even when the range is empty, so that its file exists. */
	if (r || (!s->events && s->later))
		return r;
	r = join(s, e);
	for (size_t i = 0; i < s->rings.n; i++) {
		ringfile_drop(&s->rings.v[i].file, s->w->sys);
		s->rings.v[i].file.size = 0;
	}
	if (!r && s->w->made)
		s->w->made(s->w->arg, s->path, s->events);
	return r ? r : 1;
}

int split_run(const struct split_want *w, struct err *e)
{
	struct split s = { .w = w };
	int r = set_up(&s, e), n = 0;

	while (!r) {
		size_t len = w->repeat ? (size_t)snprintf(s.path, PATH_MAX, "%s.%04d", w->output, n + 1)
				       : (size_t)snprintf(s.path, PATH_MAX, "%s", w->output);

		r = len < PATH_MAX ? part(&s, e) : err_set(e, ENAMETOOLONG, "%s is too long a name", w->output);
		if (r <= 0)
			break;
		n++;
		r = 0;
		s.later = true;
		if (!w->repeat)
			break;
	}
	tear_down(&s);
	return r < 0 ? r : n;
}
