/* markers.c - parses lines of "trace", and makes events of them. */
#include "tracing/markers.h"

#include "base/map.h"
#include "image/kallsyms_text.h"
#include "sys/notify.h"
#include "tracefs/ring/page.h"
#include "tracefs/ring/page_write.h"
#include "tracing/rings.h"
#include "tracing/traceline.h"

#include <poll.h>
#include <time.h>

enum {
	FOUND_MOST = 1 << 20,
	TEXTS_MOST = 64 << 20,
	LEAST_NS = 1000000,     /* between two looks */
	FEW = 50000,            /* up to so many lines are searched even without a sign of markers for us */
	LONG = 65536,           /* for a text of that length or more: */
	SHARE = 10,             /* looks take at most one part in so many of the time */
	EVERY_NS = 50000000,    /* between two counts of written events */
	COUNTS_SHARE = 1000,    /* and counts take at most one part in so many of the time */
};

static uint64_t now(const struct markers *m)
{
	return m->top->sys->now(m->top->sys, CLOCK_MONOTONIC);
}

/* Number of events ever written to the top buffer; *there: of those that it still holds (or NULL). */
static uint64_t count_written(const struct markers *m, uint64_t *there)
{
	struct ring_stats s = { 0 };
	struct cpus cpus;
	uint64_t n = 0, entries = 0;

	if (rings_cpus(m->top, &cpus, NULL))
		return 0;
	for (int cpu = -1; (cpu = cpus_next(&cpus, (unsigned)cpu + 1)) >= 0; entries += s.entries)
		if (!rings_stats(m->top, (unsigned)cpu, &s))
			n += s.entries + s.overrun + s.read;
	if (there)
		*there = entries;
	return n;
}

/* Does the top buffer use our clock? Times of markers are compared with those of our events. */
static bool same_clock(struct markers *m, const struct tfs *ours)
{
	char theirs[64], mine[64];
	struct ring_stats s;

	if (tfs_chosen(m->top, "trace_clock", theirs, sizeof(theirs)) < 0 ||
	    tfs_chosen(ours, "trace_clock", mine, sizeof(mine)) < 0)
		return false;
	if (strcmp(theirs, mine))
		snprintf(m->why, sizeof(m->why), "the top buffer has the clock %.40s, and this recording %.40s",
			 theirs, mine);
	else if (rings_stats(m->top, 0, &s) || !s.now_is_ns)
		snprintf(m->why, sizeof(m->why), "the clock %.40s has no seconds", mine);
	else
		m->from = s.now / 1000 * 1000;
	return !m->why[0];
}

/* Keep the maximum: events that were recorded once may still be in the buffer. */
static void look_at_events(struct markers *m)
{
	enum printers_among among = printers_among(m->top);

	m->among = MAX(m->among, among);
}

static void look_at_use(struct markers *m)
{
	char tracer[64] = "nop";

	tfs_get(m->top, "current_tracer", tracer, sizeof(tracer));
	if (strcmp(tracer, "nop"))
		snprintf(m->why, sizeof(m->why), "the tracer %.40s is at work in the top buffer", tracer);
	look_at_events(m);
	m->prints = printers_in_kernel(m->top);
}

void markers_begin(struct markers *m, const struct tfs *top, const struct tfs *ours)
{
	char path[PATH_MAX];

	*m = (struct markers){ .fd = -1, .until = UINT64_MAX };
	if (tfs_is_top(ours) || !tfs_has(top, "trace_marker"))
		return;
	m->top = top;
	m->copied = tfs_has(ours, "options/copy_trace_marker");
	printers_init(&m->printers, top);
	tfs_path(top, "trace_marker", path);
	if (!m->copied)
		m->fd = notify_open(top->sys, path);
	look_at_use(m);
	same_clock(m, ours);
	m->written = m->counted = count_written(m, NULL);
}

void markers_deinit(struct markers *m)
{
	if (m->top && m->fd >= 0)
		m->top->sys->close(m->top->sys, m->fd);
	vec_free(&m->found);
	vec_free(&m->cpus);
	vec_free(&m->before);
	vec_free(&m->lines);
	printers_deinit(&m->printers);
	arena_deinit(&m->texts);
	*m = (struct markers){ .fd = -1 };
}

/* --- lines --- */

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/*
 * While a writer is active, the kernel's iterator (rb_iter_head_event) may show the last event with the time of a later
 * one: only a line that two looks have seen alike is trusted.
 */
static bool seen_before(struct markers *m, struct sv line, uint64_t ts)
{
	uint64_t hash = (uint64_t)hash_bytes(line.s, line.n) << 32 | (uint32_t)(ts / 1000), *to = vec_add(&m->lines);
	bool there = m->before.n && bsearch(&hash, m->before.v, m->before.n, sizeof(hash), by_value);

	if (to)
		*to = hash;
	m->pending |= !there;
	return there;
}

static void keep_lines(struct markers *m)
{
	m->before.n = 0;
	if (m->lines.n && !vec_reserve(&m->before, m->lines.n)) {
		memcpy(m->before.v, m->lines.v, m->lines.n * sizeof(*m->lines.v));
		m->before.n = m->lines.n;
		qsort(m->before.v, m->before.n, sizeof(*m->before.v), by_value);
	}
	m->lines.n = 0;
}

/* Was the line not taken in an earlier look? Two lines of one CPU may have the same microsecond. */
static bool is_new(struct markers *m, const struct traceline *l)
{
	struct marker_cpu *c;

	while (m->cpus.n <= l->cpu)
		if (!vec_add(&m->cpus))
			return false;
	c = &m->cpus.v[l->cpu];
	if (l->ts < c->ts)
		return false;
	if (l->ts > c->ts)
		*c = (struct marker_cpu){ .ts = l->ts };
	if (c->again < c->n) {
		c->again++;
		return false;
	}
	c->n++;
	c->again++;
	return true;
}

/* text: the line's, with the lines that follow it. */
static void take_marker(struct markers *m, const struct traceline *l, struct sv text)
{
	struct marker *to;
	char *copy;

	m->seen++;
	if (!printers_has(&m->printers, l->name) || (m->copied && printers_is_marker(l->name)))
		return;
	if (m->found.n >= FOUND_MOST || m->texts.total > TEXTS_MOST)
		return;
	to = vec_add(&m->found);
	if (!to)
		return;
	copy = arena_alloc(&m->texts, l->name.n + text.n + 1);
	if (!copy) {
		m->found.n--;
		return;
	}
	memcpy(copy, l->name.s, l->name.n);
	memcpy(copy + l->name.n, text.s, text.n);
	copy[l->name.n + text.n] = '\n';
	*to = (struct marker){ .ts = l->ts, .cpu = l->cpu, .pid = l->pid, .from = { copy, l->name.n },
			       .text = { copy + l->name.n, text.n + 1 } };
}

static void take_text(struct markers *m, struct sv rest)
{
	struct traceline l = { 0 }, next = { 0 };
	struct sv line, text = { 0 };
	bool open = false, fits;

	for (size_t i = 0; i < m->cpus.n; i++)
		m->cpus.v[i].again = 0;
	while (sv_cut(&rest, '\n', &line)) {
		fits = traceline_parse(line, &next);
		if (open && !fits && !traceline_is_remark(line)) {
			/* A further line of the same text. */
			text.n = (size_t)(line.s + line.n - text.s);
			continue;
		}
		if (open)
			take_marker(m, &l, text);
		open = fits && seen_before(m, line, next.ts) && next.ts >= m->from && next.ts <= m->until &&
		       is_new(m, &next);
		l = next;
		text = next.text;
	}
	if (open)
		take_marker(m, &l, text);
	keep_lines(m);
}

static void look(struct markers *m)
{
	char *text;
	size_t n;

	m->pending = false;
	if (m->why[0] || tfs_read_all(m->top, "trace", &text, &n, NULL))
		return;
	m->length = n;
	printers_look(&m->printers);
	while (n && text[n - 1] == '\n')
		n--;
	take_text(m, (struct sv){ text, n });
	free(text);
}

static bool was_marked(struct markers *m)
{
	struct pollfd p = { .fd = m->fd, .events = POLLIN };

	if (m->fd < 0 || m->top->sys->poll(m->top->sys, &p, 1, 0) != 1)
		return false;
	notify_take(m->top->sys, m->fd);
	m->marked = true;
	return true;
}

/* trace_printk gives no notification: count written events, unless other events hide it. */
static bool is_counted(const struct markers *m)
{
	return m->prints && m->among != AMONG_EVENTS && !m->why[0];
}

static bool has_grown(struct markers *m)
{
	uint64_t begun = now(m), n, ended;
	bool grown;

	if (!is_counted(m) || begun < m->count_at)
		return false;
	n = count_written(m, NULL);
	grown = n != m->counted;
	if (grown)
		look_at_events(m);
	m->counted = n;
	ended = now(m);
	m->count_at = ended + MAX((ended - begun) * COUNTS_SHARE, (uint64_t)EVERY_NS);
	return grown;
}

void markers_look(struct markers *m)
{
	uint64_t begun, ended;

	if (!m->top)
		return;
	m->pending = was_marked(m) || has_grown(m) || m->pending;
	begun = now(m);
	if (!m->pending || begun < m->next)
		return;
	look(m);
	ended = now(m);
	m->next = ended + MAX((ended - begun) * (m->length > LONG ? SHARE : 1), (uint64_t)LEAST_NS);
}

int markers_wait(const struct markers *m)
{
	uint64_t at = m->pending ? m->next : m->count_at, t;

	if (!m->top || (!m->pending && !is_counted(m)))
		return -1;
	t = now(m);
	return t < at ? (int)((at - t) / 1000000 + 1) : 0;
}

int markers_fd(const struct markers *m)
{
	return m->pending ? -1 : m->fd;
}

/* May the events written meanwhile contain markers for us? They may all be of BPF programs and others' events. */
static bool is_for_us(struct markers *m)
{
	m->prints |= printers_in_kernel(m->top);
	look_at_events(m);
	if (m->copied)
		return m->prints;
	return was_marked(m) || m->marked || m->fd < 0 || m->prints || m->among == AMONG_NOTHING;
}

void markers_end(struct markers *m)
{
	struct ring_stats s;
	uint64_t written, there;
	bool sure;

	if (!m->top)
		return;
	written = count_written(m, &there);
	/* The counter was reset, as somebody has cleared the buffer: count what came since. */
	written -= written < m->written ? 0 : m->written;
	if (!rings_stats(m->top, 0, &s))
		m->until = s.now;
	sure = written && is_for_us(m);
	if (written && !m->why[0] && (sure || m->among != AMONG_EVENTS || there <= FEW)) {
		look(m);
		look(m);
		m->lost = sure && written > m->seen ? written - m->seen : 0;
	}
	if (!sure)
		m->why[0] = '\0';
}

/* --- events --- */

/* A function of a module that was removed meanwhile is printed as "0xffff80007a0b1234". */
static uint64_t address_in(struct sv name)
{
	uint64_t ip;

	return sv_starts(name, "0x") && str_u64((struct sv){ name.s + 2, name.n - 2 }, 16, &ip) ? ip : 0;
}

static void find_origins(struct markers_form *f, const struct sys *sys)
{
	char *text;
	size_t n;

	if (sys_read_all(sys, "/proc/kallsyms", KALLSYMS_TEXT_MAX, &text, &n, NULL))
		return;
	for (size_t i = 0; i < f->origins.n; i++) {
		struct marker_origin *o = &f->origins.v[i];

		o->ip = address_in(o->name);
		if (!o->ip)
			o->ip = kallsyms_address((struct sv){ text, n }, o->name);
	}
	free(text);
}

static struct marker_origin *origin_of(const struct markers_form *f, struct sv name)
{
	for (size_t i = 0; i < f->origins.n; i++)
		if (f->origins.v[i].name.n == name.n && !memcmp(f->origins.v[i].name.s, name.s, name.n))
			return &f->origins.v[i];
	return NULL;
}

int markers_form_init(struct markers_form *f, const struct markers *m, const struct tpage_layout *l, struct err *e)
{
	char *text;
	size_t n;
	int r;

	*f = (struct markers_form){ .layout = *l };
	tevents_init(&f->events, (struct tmachine){ .long_size = sizeof(long) });
	r = tfs_read_all(m->top, "events/ftrace/print/format", &text, &n, e);
	if (r)
		return r;
	r = tevents_add(&f->events, SV("ftrace"), (struct sv){ text, n }, e);
	f->print = tevents_by_kind(&f->events, KIND_PRINT);
	if (!r && !f->print)
		r = err_set(e, EBADMSG, "events/ftrace/print/format is another event's");
	free(text);
	for (size_t i = 0; !r && i < m->found.n; i++) {
		struct marker_origin *o = origin_of(f, m->found.v[i].from) ? NULL : vec_add(&f->origins);

		if (o)
			o->name = m->found.v[i].from;
	}
	if (!r)
		find_origins(f, m->top->sys);
	return r;
}

void markers_form_deinit(struct markers_form *f)
{
	vec_free(&f->origins);
	tevents_deinit(&f->events);
}

static void store(const struct tfield *field, uint8_t *raw, uint64_t v)
{
	if (field && field->size <= sizeof(v))
		memcpy(raw + field->offset, &v, field->size);
}

/* Returns its length, a multiple of 4; 0: too long for a page. The name of a removed function goes into the text. */
static uint32_t make_event(const struct markers_form *f, const struct marker *k, uint8_t *raw, size_t size)
{
	const struct tfield *const *field = f->print->field, *buf = field[PRINT_BUF];
	const struct marker_origin *o = origin_of(f, k->from);
	uint64_t ip = o ? o->ip : 0;
	size_t name = ip ? 0 : k->from.n + 2;
	size_t n = buf ? (buf->offset + name + k->text.n + 1 + 3) & ~(size_t)3 : SIZE_MAX;
	uint8_t *to;

	if (n > size)
		return 0;
	memset(raw, 0, n);
	store(f->print->common[COMMON_TYPE], raw, f->print->fmt.id);
	store(f->print->common[COMMON_PID], raw, (uint32_t)k->pid);
	store(field[PRINT_IP], raw, ip);
	to = raw + buf->offset;
	if (!ip) {
		memcpy(to, k->from.s, k->from.n);
		memcpy(to + k->from.n, ": ", 2);
	}
	memcpy(to + name, k->text.s, k->text.n);
	return (uint32_t)n;
}

/* Rewriting a ring's file with markers. */
struct merge {
	const struct markers *m;
	const struct markers_form *f;
	const struct sys *sys;
	struct ringfile *from, to;
	uint32_t subbuf;
	uint8_t *in, *raw;
	struct tpage_writer out;
	size_t next;                 /* the next marker */
};

static const struct marker *next_marker(struct merge *g)
{
	while (g->next < g->m->found.n && g->m->found.v[g->next].cpu != g->from->cpu)
		g->next++;
	return g->next < g->m->found.n ? &g->m->found.v[g->next] : NULL;
}

static int append(struct merge *g, const void *page)
{
	int r = sys_write_all(g->sys, g->to.fd, page, g->subbuf);

	g->to.size += r ? 0 : g->subbuf;
	return r;
}

static int flush(struct merge *g)
{
	return tpage_put_end(&g->out) ? append(g, g->out.bytes) : 0;
}

static int put(struct merge *g, const struct tpage_event *ev, uint64_t lost)
{
	int r;

	if (tpage_put(&g->out, ev, lost))
		return 0;
	r = flush(g);
	return r ? r : tpage_put(&g->out, ev, lost) ? 0 : -EMSGSIZE;
}

static int put_markers(struct merge *g, uint64_t before)
{
	const struct marker *k;
	int r = 0;

	while (!r && (k = next_marker(g)) && k->ts < before) {
		uint32_t n = make_event(g->f, k, g->raw, g->f->layout.data_size - 16);

		if (n)
			r = put(g, &(struct tpage_event){ .ts = k->ts, .raw = g->raw, .n = n }, 0);
		g->next++;
	}
	return r;
}

static int put_page(struct merge *g)
{
	struct tpage_event ev;
	struct tpage p;
	int r = tpage_init(&p, &g->f->layout, false, g->in, g->subbuf);
	uint64_t lost = p.lost;

	while (!r && tpage_next(&p, &ev)) {
		r = put_markers(g, ev.ts);
		if (!r)
			r = put(g, &ev, lost);
		lost = 0;
	}
	return r;
}

/* Read the i-th oldest page; *ts is its first time, UINT64_MAX when there is no such page. */
static int read_page(struct merge *g, uint64_t i, void *to, size_t n, uint64_t *ts)
{
	uint64_t at = g->from->start + i * g->subbuf;
	ssize_t got;

	*ts = UINT64_MAX;
	if (i * g->subbuf >= g->from->size)
		return 0;
	got = g->sys->pread(g->sys, g->from->fd, to, n, at >= g->from->size ? at - g->from->size : at);
	if (got != (ssize_t)n)
		return got < 0 ? (int)got : -EIO;
	memcpy(ts, to, sizeof(*ts));
	return 0;
}

/* Copy pages into which no marker falls as they are. */
static int merge_pages(struct merge *g)
{
	uint64_t begins, next = 0, head;
	const struct marker *k;
	int r = 0;

	for (uint64_t i = 0; !r && i * g->subbuf < g->from->size; i++) {
		r = read_page(g, i, g->in, g->subbuf, &begins);
		if (!r)
			r = read_page(g, i + 1, &head, sizeof(head), &next);
		if (!r)
			r = put_markers(g, begins);
		k = next_marker(g);
		if (r)
			break;
		if (k && k->ts < next)
			r = put_page(g);
		else if (!(r = flush(g)))
			r = append(g, g->in);
	}
	if (!r)
		r = put_markers(g, UINT64_MAX);
	return r ? r : flush(g);
}

static int swap_files(struct merge *g)
{
	int r = g->sys->rename(g->sys, g->to.path, g->from->path);

	if (r)
		return r;
	g->sys->close(g->sys, g->from->fd);
	g->from->fd = g->to.fd;
	g->from->start = 0;
	g->from->size = g->to.size;
	g->to.fd = -1;
	ringfile_keep(&g->to);
	return 0;
}

int markers_merge(const struct markers *m, const struct markers_form *f, struct ringfile *ring, struct err *e)
{
	struct merge g = {
		.m = m, .f = f, .sys = m->top->sys, .from = ring, .to = { .cpu = ring->cpu, .fd = -1 },
		.subbuf = rings_subbuf(&f->layout), .out.layout = f->layout,
	};
	char path[PATH_MAX];
	int r = 0;

	if (!next_marker(&g))
		return 0;
	if (!ring->path || snprintf(path, sizeof(path), "%s.markers", ring->path) >= (int)sizeof(path))
		return err_set(e, ENAMETOOLONG, "no place for markers");
	g.in = malloc(g.subbuf);
	g.raw = malloc(g.subbuf);
	g.out.bytes = malloc(g.subbuf);
	r = g.in && g.raw && g.out.bytes ? ringfile_make_at(&g.to, g.sys, path, e) : err_nomem(e);
	if (!r) {
		r = merge_pages(&g);
		if (!r)
			r = swap_files(&g);
		if (r)
			err_set(e, -r, "markers of CPU %u: %s", ring->cpu, err_name(-r));
	}
	ringfile_drop(&g.to, g.sys);
	free(g.in);
	free(g.raw);
	free(g.out.bytes);
	return r;
}
