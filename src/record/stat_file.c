/*
 * stat_file.c - the records of perf stat record (Linux tools/lib/perf/include/perf/event.h), after their headers:
 *
 *   EVENT_UPDATE  u64 what (0 unit, 1 scale), u64 id, text or double
 *   THREAD_MAP    u64 n, then n times: u64 id (-1: any), 16 bytes of its name
 *   STAT_CONFIG   u64 n, then n times: u64 tag (0 aggregation mode, 1 interval in ms), u64 value
 *   STAT          u64 id, u32 CPU, u32 index of the thread, u64 value, enabled, running: since the start
 *   STAT_ROUND    u64 0 interval, 1 end; u64 ns since the start
 */
#include "record/stat_file.h"

enum { UPDATE_UNIT, UPDATE_SCALE };
enum { CONFIG_SUMS, CONFIG_INTERVAL };
enum { NAME_MAX_BYTES = 200 };

struct stat_record {
	uint32_t event, cpu, thread;
	struct counter_value v;
};

static struct cursor body(const struct stat_file *f, const struct perf_record *r)
{
	struct cursor c = cur_from(r->body.p, r->body.n);

	c.swap = f->file->head.swap;
	return c;
}

/* Decode a STAT record. False: another record, or an unknown event. */
static bool read_stat(const struct stat_file *f, const struct perf_record *r, struct stat_record *s)
{
	struct cursor c = body(f, r);
	const uint64_t *index = r->type == PERF_REC_STAT ? map_get(&f->file->head.ids, cur_u64(&c)) : NULL;

	s->cpu = cur_u32(&c);
	s->thread = cur_u32(&c);
	s->v.value = cur_u64(&c);
	s->v.enabled = cur_u64(&c);
	s->v.running = cur_u64(&c);
	if (c.bad || !index || *index >= f->file->head.events.n)
		return false;
	s->event = (uint32_t)*index;
	if (s->cpu >= CPUS_MAX)
		s->cpu = UINT32_MAX;   /* any */
	return true;
}

/* A text of the file, without control characters. */
static const char *clean_text(struct arena *a, const char *text)
{
	char buf[NAME_MAX_BYTES];

	str_copy(buf, sizeof(buf), sv_from(text));
	for (char *p = buf; *p; p++)
		if ((uint8_t)*p < ' ' || *p == 0x7f)
			*p = '?';
	return arena_dup(a, buf, strlen(buf));
}

static int add_events(struct stat_file *f)
{
	struct event_list *l = f->events;

	for (size_t i = 0; i < f->file->head.events.n; i++) {
		const struct perf_event *from = &f->file->head.events.v[i];
		struct event *ev = vec_add(&l->v);

		if (!ev)
			return -ENOMEM;
		*ev = (struct event){
			.attr = from->attr, .name = clean_text(&l->arena, from->label), .typed = "",
			.unit = "", .scale = 1, .leader = (int)from->group_leader, .alternative = (unsigned)i,
		};
		if (!ev->name)
			return -ENOMEM;
	}
	return 0;
}

/* Set the scale, within limits: a 64-bit count times the scale must stay printable. */
static void set_scale(struct event *ev, uint64_t bits)
{
	double scale;

	memcpy(&scale, &bits, sizeof(scale));
	if (scale > 1e-15 && scale < 1e9)
		ev->scale = scale;
}

static int take_update(struct stat_file *f, const struct perf_record *r)
{
	struct cursor c = body(f, r);
	uint64_t what = cur_u64(&c);
	const uint64_t *index = map_get(&f->file->head.ids, cur_u64(&c));
	struct event *ev = !c.bad && index && *index < f->events->v.n ? &f->events->v.v[*index] : NULL;

	if (ev && what == UPDATE_UNIT) {
		const char *unit = cur_str(&c);

		if (!c.bad && !(ev->unit = clean_text(&f->events->arena, unit)))
			return -ENOMEM;
	} else if (ev && what == UPDATE_SCALE) {
		uint64_t bits = cur_u64(&c);

		if (!c.bad)
			set_scale(ev, bits);
	}
	return 0;
}

/* The numbers of aggregation modes changed with perf 6.5, which added caches, and 6.9, which added clusters. */
static const uint8_t sums_of_6_5[] = {
	PERF_SUMS_CPU, PERF_SUMS_ALL, PERF_SUMS_SOCKET, PERF_SUMS_DIE, PERF_SUMS_CACHE, PERF_SUMS_CORE,
	PERF_SUMS_THREAD, PERF_SUMS_UNSET, PERF_SUMS_NODE,
};
static const uint8_t sums_of_6_9[] = {
	PERF_SUMS_CPU, PERF_SUMS_ALL, PERF_SUMS_SOCKET, PERF_SUMS_DIE, PERF_SUMS_CLUSTER, PERF_SUMS_CACHE,
	PERF_SUMS_CORE, PERF_SUMS_THREAD, PERF_SUMS_UNSET, PERF_SUMS_NODE,
};

/* "6.12.94" -> 6012; 0: not a version of perf. */
static uint64_t version_of(const char *text)
{
	struct sv rest = sv_from(text), word;
	uint64_t major, minor;

	if (!sv_cut(&rest, '.', &word) || !str_u64(word, 10, &major) || !rest.s)
		return 0;
	word = (struct sv){ rest.s, strspn(rest.s, "0123456789") };
	return major < 1000 && str_u64(word, 10, &minor) && minor < 1000 ? major * 1000 + minor : 0;
}

static void take_sums(struct stat_file *f, uint64_t number)
{
	uint64_t version = version_of(f->file->head.version);

	f->unknown_sums = true;
	if (version < 6005 ? number > PERF_SUMS_NODE
			   : number >= (version < 6009 ? sizeof(sums_of_6_5) : sizeof(sums_of_6_9)))
		return;
	f->sums = version < 6005   ? (enum perf_sums)number
		  : version < 6009 ? (enum perf_sums)sums_of_6_5[number]
				   : (enum perf_sums)sums_of_6_9[number];
	f->unknown_sums = f->sums == PERF_SUMS_UNSET || f->sums == PERF_SUMS_CACHE || f->sums == PERF_SUMS_CLUSTER;
}

/* THREAD_MAP: u64 count, then for each thread u64 tid and 16 bytes of its name. */
static int take_threads(struct stat_file *f, const struct perf_record *r)
{
	struct cursor c = body(f, r);

	f->threads.n = 0;
	for (uint64_t n = cur_u64(&c); n && !c.bad; n--) {
		struct perf_stat_thread t = { .tid = cur_u64(&c) }, *new;
		const void *comm = cur_bytes(&c, sizeof(t.comm));

		new = c.bad ? NULL : vec_add(&f->threads);
		if (!c.bad && !new)
			return -ENOMEM;
		if (c.bad)
			break;
		memcpy(t.comm, comm, sizeof(t.comm) - 1);
		*new = t;
	}
	return 0;
}

static void take_config(struct stat_file *f, const struct perf_record *r)
{
	struct cursor c = body(f, r);

	for (uint64_t n = cur_u64(&c); n && !c.bad; n--) {
		uint64_t tag = cur_u64(&c), value = cur_u64(&c);

		if (!c.bad && tag == CONFIG_SUMS) {
			take_sums(f, value);
		} else if (!c.bad && tag == CONFIG_INTERVAL) {
			f->intervals = value > 0;
		}
	}
}

/* --- places --- */

struct place {
	uint32_t event, cpu, thread;
};

static int by_place(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;

	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	return a->thread < b->thread ? -1 : a->thread > b->thread;
}

struct places {
	VEC(struct place) v;
};

static int take_head(struct stat_file *f, const struct perf_record *r, struct places *p)
{
	struct stat_record s;
	struct place *new;

	switch (r->type) {
	case PERF_REC_EVENT_UPDATE:
		return take_update(f, r);
	case PERF_REC_STAT_CONFIG:
		take_config(f, r);
		return 0;
	case PERF_REC_THREAD_MAP:
		return take_threads(f, r);
	case PERF_REC_STAT:
		if (!read_stat(f, r, &s))
			return 0;
		new = vec_add(&p->v);
		if (!new)
			return -ENOMEM;
		*new = (struct place){ s.event, s.cpu, s.thread };
		return 0;
	default:
		return 0;
	}
}

/* Sort the places by event, and remove duplicates. */
static void sort_places(struct places *p)
{
	size_t n = 0;

	if (p->v.n)
		qsort(p->v.v, p->v.n, sizeof(*p->v.v), by_place);
	for (size_t i = 0; i < p->v.n; i++)
		if (!n || by_place(&p->v.v[n - 1], &p->v.v[i]))
			p->v.v[n++] = p->v.v[i];
	p->v.n = n;
}

static int add_slot(struct stat_file *f, struct counter *k, const struct place *p)
{
	struct counter_slot *s = vec_add(&f->counters.slots);

	if (!s)
		return -ENOMEM;
	*s = (struct counter_slot){
		.fd = -1, .tid = -1, .place = p->thread, .cpu = p->cpu == UINT32_MAX ? -1 : (int)p->cpu,
	};
	k->n++;
	return 0;
}

/* An event without counts was not supported: give it the places of the first event that has counts. */
static int add_nowhere(struct stat_file *f, struct counter *k, const struct places *p)
{
	int r = 0;

	k->state = COUNTER_UNSUPPORTED;
	for (size_t i = 0; !r && i < p->v.n && p->v.v[i].event == p->v.v[0].event; i++)
		r = add_slot(f, k, &p->v.v[i]);
	return r;
}

static int add_counters(struct stat_file *f, const struct places *p)
{
	struct counters *c = &f->counters;
	size_t at = 0;
	int r = 0;

	for (size_t i = 0; !r && i < f->events->v.n; i++) {
		struct counter *k = vec_add(&c->list);

		if (!k)
			return -ENOMEM;
		*k = (struct counter){
			.ev = &f->events->v.v[i], .attr = f->events->v.v[i].attr, .cgroup_fd = -1,
			.first = c->slots.n, .leader = (unsigned)f->events->v.v[i].leader,
		};
		for (; !r && at < p->v.n && p->v.v[at].event == i; at++)
			r = add_slot(f, k, &p->v.v[at]);
		if (!r && !k->n)
			r = add_nowhere(f, k, p);
	}
	return r;
}

static int no_counts(struct err *e)
{
	return err_set(e, EBADMSG, "it holds no counts: it is no recording of perf stat");
}

int stat_file_open(struct stat_file *f, const struct sys *sys, const struct perf_file *file, struct event_list *events,
		   struct err *e)
{
	struct places places = { 0 };
	struct perf_record rec;
	uint64_t off;
	int r;

	if (!file)
		return no_counts(e);
	off = file->data_off;
	*f = (struct stat_file){ .file = file, .events = events, .off = off, .sums = PERF_SUMS_ALL,
		.counters = { .sys = sys, .recorded = true } };
	r = add_events(f);
	while (!r && perf_file_next(file, &off, &rec, NULL) == 1)
		r = take_head(f, &rec, &places);
	sort_places(&places);
	if (!r)
		r = add_counters(f, &places);
	if (r)
		err_nomem(e);
	else if (!places.v.n)
		r = no_counts(e);
	vec_free(&places.v);
	if (r)
		stat_file_close(f);
	return r;
}

void stat_file_close(struct stat_file *f)
{
	vec_free(&f->counters.list);
	vec_free(&f->counters.slots);
	vec_free(&f->threads);
}

/* --- rounds --- */

static struct counter_slot *slot_of(struct stat_file *f, const struct stat_record *s)
{
	const struct counter *k = &f->counters.list.v[s->event];
	size_t from = k->first, upto = k->first + k->n;

	while (from < upto) {
		size_t at = from + (upto - from) / 2;
		struct counter_slot *slot = &f->counters.slots.v[at];
		struct place a = { 0, (uint32_t)slot->cpu, slot->place }, b = { 0, s->cpu, s->thread };
		int order = by_place(&b, &a);

		if (!order)
			return slot;
		if (order < 0)
			upto = at;
		else
			from = at + 1;
	}
	return NULL;
}

int stat_file_next(struct stat_file *f, uint64_t *at, struct err *e)
{
	struct perf_record rec;
	struct stat_record s;
	int r;

	for (size_t i = 0; i < f->counters.slots.n; i++)
		f->counters.slots.v[i].base = f->counters.slots.v[i].now;
	while ((r = perf_file_next(f->file, &f->off, &rec, e)) == 1) {
		struct cursor c = body(f, &rec);

		if (read_stat(f, &rec, &s)) {
			slot_of(f, &s)->now = s.v;
		} else if (rec.type == PERF_REC_STAT_ROUND) {
			cur_skip(&c, sizeof(uint64_t));
			*at = cur_u64(&c);
			return 1;
		}
	}
	return r;
}
