/* markers.c - lines of "trace", and events made of them. */
#include "ftrace/markers.h"

#include "base/map.h"
#include "ftrace/rings.h"
#include "image/kallsyms_text.h"
#include "sys/notify.h"
#include "tracefs/page.h"
#include "tracefs/page_write.h"

#include <poll.h>
#include <time.h>

#define MARKER "tracing_mark_write"

enum {
	FOUND_MOST = 1 << 20,
	TEXTS_MOST = 64 << 20,
	LEAST_NS = 1000000,     /* between two looks */
	LONG = 65536,           /* a text of that length: */
	SHARE = 10,             /* at most one in so many parts of the time is spent on it */
	COMM = 16,              /* columns of a thread's name in the text */
};

static uint64_t now(const struct markers *m)
{
	return m->top->sys->now(m->top->sys, CLOCK_MONOTONIC);
}

/* Events that were ever written to the top buffer. */
static uint64_t count_written(const struct markers *m)
{
	struct ring_stats s;
	struct cpus cpus;
	uint64_t n = 0;

	if (rings_cpus(m->top, &cpus, NULL))
		return 0;
	for (int cpu = -1; (cpu = cpus_next(&cpus, (unsigned)cpu + 1)) >= 0; )
		if (!rings_stats(m->top, (unsigned)cpu, &s))
			n += s.entries + s.overrun + s.read;
	return n;
}

/* Its time is compared with that of our events. */
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

static void look_at_use(struct markers *m)
{
	char tracer[64] = "nop", *events = NULL;
	size_t n = 0;

	tfs_get(m->top, "current_tracer", tracer, sizeof(tracer));
	if (strcmp(tracer, "nop"))
		snprintf(m->why, sizeof(m->why), "the tracer %.40s is at work in the top buffer", tracer);
	m->idle = !tfs_read_all(m->top, "set_event", &events, &n, NULL) && !n;
	free(events);
}

void markers_begin(struct markers *m, const struct tfs *top, const struct tfs *ours)
{
	char path[PATH_MAX];

	*m = (struct markers){ .fd = -1, .until = UINT64_MAX };
	if (tfs_is_top(ours) || tfs_has(ours, "options/copy_trace_marker") || !tfs_has(top, "trace_marker"))
		return;
	m->top = top;
	tfs_path(top, "trace_marker", path);
	m->fd = notify_open(top->sys, path);
	look_at_use(m);
	same_clock(m, ours);
	m->written = count_written(m);
}

void markers_deinit(struct markers *m)
{
	if (m->top && m->fd >= 0)
		m->top->sys->close(m->top->sys, m->fd);
	vec_free(&m->found);
	vec_free(&m->cpus);
	vec_free(&m->before);
	vec_free(&m->lines);
	arena_deinit(&m->texts);
	*m = (struct markers){ .fd = -1 };
}

/* --- lines --- */

struct line {
	uint64_t ts;
	uint32_t cpu;
	int pid;
	struct sv name, text;
};

/* "12.345678:", in ns. */
static bool parse_time(struct sv word, uint64_t *ts)
{
	struct sv s;

	if (!word.n || word.s[word.n - 1] != ':')
		return false;
	word.n--;
	s = word;
	return memchr(s.s, '.', s.n) && str_time(s, UINT64_C(1000000000), ts);
}

static struct sv skip_blanks(struct sv s)
{
	while (s.n && *s.s == ' ')
		s = (struct sv){ s.s + 1, s.n - 1 };
	return s;
}

/* "           <...>-187     [001] .....     9.693385: tracing_mark_write: text", with (tgid), without the flags. */
static bool parse_line(struct sv text, struct line *l)
{
	struct sv rest, word;
	uint64_t cpu, pid;

	if (text.n <= COMM || text.s[COMM] != '-')
		return false;
	rest = (struct sv){ text.s + COMM + 1, text.n - COMM - 1 };
	if (!sv_cut(&rest, ' ', &word) || !str_u64(word, 10, &pid) || !sv_cut(&rest, '[', &word))
		return false;
	if (!sv_cut(&rest, ']', &word) || !str_u64(word, 10, &cpu) || cpu >= CPUS_MAX)
		return false;
	rest = skip_blanks(rest);
	if (!sv_cut(&rest, ' ', &word))
		return false;
	if (!parse_time(word, &l->ts)) {
		rest = skip_blanks(rest);
		if (!sv_cut(&rest, ' ', &word) || !parse_time(word, &l->ts))
			return false;
	}
	l->cpu = (uint32_t)cpu;
	l->pid = (int)pid;
	if (!sv_cut(&rest, ':', &l->name))
		return false;
	l->name.n = MIN(l->name.n, strcspn(l->name.s, "+ :"));
	l->text = rest.n && *rest.s == ' ' ? (struct sv){ rest.s + 1, rest.n - 1 } : rest;
	return true;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/*
 * While somebody writes, the kernel's iterator (rb_iter_head_event) may show an event with the time of a later one at
 * the end of what is there: only what two looks have seen alike is true.
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

/* Was it there at an earlier look? Two lines of one CPU may have the same microsecond. */
static bool is_new(struct markers *m, const struct line *l)
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

/* with: the line and those of its text that follow. */
static void take_marker(struct markers *m, const struct line *l, struct sv text)
{
	struct marker *to;
	char *copy;

	m->seen++;
	if (!m->idle && !sv_eq(l->name, MARKER))
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

/* "CPU:1 [LOST 5 EVENTS]", "##### CPU 1 buffer started ####": not of a marker's text. */
static bool is_remark(struct sv line)
{
	return sv_starts(line, "CPU:") || sv_starts(line, "##### CPU ");
}

static void take_text(struct markers *m, struct sv rest)
{
	struct line l = { 0 }, next = { 0 };
	struct sv line, text = { 0 };
	bool open = false, fits;

	for (size_t i = 0; i < m->cpus.n; i++)
		m->cpus.v[i].again = 0;
	while (sv_cut(&rest, '\n', &line)) {
		fits = parse_line(line, &next);
		if (open && !fits && !is_remark(line)) {
			/* A text of several lines. */
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
	while (n && text[n - 1] == '\n')
		n--;
	take_text(m, (struct sv){ text, n });
	free(text);
}

void markers_look(struct markers *m)
{
	uint64_t begun, ended;

	if (!m->top)
		return;
	if (!m->pending) {
		notify_take(m->top->sys, m->fd);
		m->pending = true;
	}
	begun = now(m);
	if (begun < m->next)
		return;
	/* What is written from here on is new. */
	notify_take(m->top->sys, m->fd);
	look(m);
	ended = now(m);
	m->next = ended + MAX((ended - begun) * (m->length > LONG ? SHARE : 1), (uint64_t)LEAST_NS);
}

int markers_wait(const struct markers *m)
{
	uint64_t t;

	if (!m->top || !m->pending)
		return -1;
	t = now(m);
	return t < m->next ? (int)((m->next - t) / 1000000 + 1) : 0;
}

/* Others' events may be many, and are not what is looked for. */
static bool was_written(const struct markers *m)
{
	struct pollfd p = { .fd = m->fd, .events = POLLIN };

	return m->idle || m->fd < 0 || m->pending || m->seen || m->top->sys->poll(m->top->sys, &p, 1, 0) == 1;
}

void markers_end(struct markers *m)
{
	struct ring_stats s;
	uint64_t written;

	if (!m->top)
		return;
	written = count_written(m) - m->written;
	if (!rings_stats(m->top, 0, &s))
		m->until = s.now;
	if (!written || !was_written(m)) {
		m->why[0] = '\0';
		return;
	}
	look(m);
	look(m);
	m->lost = !m->why[0] && written > m->seen ? written - m->seen : 0;
}

/* --- events --- */

static void find_origins(struct markers_form *f, const struct sys *sys)
{
	char *text;
	size_t n;

	if (sys_read_all(sys, "/proc/kallsyms", KALLSYMS_TEXT_MAX, &text, &n, NULL))
		return;
	for (size_t i = 0; i < f->origins.n; i++) {
		struct marker_origin *o = &f->origins.v[i];

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

/* Its length, a multiple of 4; 0: it is too long for a page. */
static uint32_t make_event(const struct markers_form *f, const struct marker *k, uint8_t *raw, size_t size)
{
	const struct tfield *const *field = f->print->field, *buf = field[PRINT_BUF];
	const struct marker_origin *o = origin_of(f, k->from);
	size_t n = buf ? (buf->offset + k->text.n + 1 + 3) & ~(size_t)3 : SIZE_MAX;

	if (n > size)
		return 0;
	memset(raw, 0, n);
	store(f->print->common[COMMON_TYPE], raw, f->print->fmt.id);
	store(f->print->common[COMMON_PID], raw, (uint32_t)k->pid);
	store(field[PRINT_IP], raw, o ? o->ip : 0);
	memcpy(raw + buf->offset, k->text.s, k->text.n);
	return (uint32_t)n;
}

/* A ring's file on its way into another one. */
struct merge {
	const struct markers *m;
	const struct markers_form *f;
	const struct sys *sys;
	struct ringfile *from, to;
	uint32_t subbuf;
	uint8_t *in, *raw;
	struct tpage_writer out;
	size_t next;                 /* marker */
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

/* The i-th oldest page; *ts is the time it begins with, for ever when there is none. */
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

/* Pages that no marker falls into are copied as they are. */
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
