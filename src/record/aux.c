/* aux.c - see aux.h. The format is that of perf 6.12 for SPE; with several core types that of perf 6.13. */
#include "record/aux.h"

#include <time.h>

enum { SPE_KIND = 4, DEFAULT_BYTES = 4 << 20, LEAST_BYTES = 128 << 10, PARTS = 8 };
enum { HEAD_WORDS = 4, CPU_WORDS = 6, CORES_MAX = 1024 };

bool aux_can(void)
{
	return true;
}

bool aux_is_traced(const struct event *ev)
{
	return ev->pmu && !strncmp(ev->pmu->name, "arm_spe_", 8);
}

/* --- open and close ------------------------------------------------------------------------------------------- */

static int add_area(struct aux *a, struct recording *r, uint32_t ring, size_t pages, struct err *e)
{
	const struct rec_ring *of = &r->rings.v[ring];
	const struct rec_fd *fd = &r->fds.v[of->owner];
	struct aux_area *area;
	int ret;

	if (fd->event != a->event)
		return 0;
	area = vec_add(&a->areas);
	if (!area)
		return err_nomem(e);
	area->ring = ring;
	ret = ring_aux_init(&area->map, &of->map, r->sys, fd->fd, pages);
	return ret >= 0 ? 0 : err_set(e, -ret, "cannot map an AUX area of %zu KiB for CPU %d: %s",
				      pages * (size_t)r->sys->page_size(r->sys) / 1024, of->cpu, err_name(-ret));
}

static void unmap(struct aux *a, const struct sys *sys)
{
	for (size_t i = 0; i < a->areas.n; i++)
		ring_aux_deinit(&a->areas.v[i].map, sys);
	a->areas.n = 0;
}

static int map_areas(struct aux *a, struct recording *r, uint64_t bytes, struct err *e)
{
	size_t pages = 1, page = (size_t)r->sys->page_size(r->sys);
	int ret = 0;

	while (pages * page < bytes)
		pages *= 2;
	for (uint32_t i = 0; !ret && i < r->rings.n; i++)
		ret = add_area(a, r, i, pages, e);
	if (ret)
		unmap(a, r->sys);
	return ret;
}

int aux_open(struct recording *r, uint32_t event, const struct recording_want *w, struct err *e)
{
	const struct target *t = w->target;
	struct aux *a = calloc(1, sizeof(*a));
	int ret;

	if (!a)
		return err_nomem(e);
	r->aux = a;
	a->event = event;
	a->pmu = r->attrs[event].type;
	a->tid = t->kind == TARGET_COMMAND ? (uint32_t)w->child
					   : t->kind == TARGET_TASKS ? (uint32_t)t->tids.v[0] : UINT32_MAX;
	ret = map_areas(a, r, w->aux_bytes ? w->aux_bytes : DEFAULT_BYTES, e);
	/* perf's default for users with a lower mlock limit. */
	if (ret == -EPERM && !w->aux_bytes)
		ret = map_areas(a, r, LEAST_BYTES, e);
	if (ret == -EPERM)
		return err_hint(e, "ask for less with -m ,64K, raise /proc/sys/kernel/perf_event_mlock_kb, or run as "
				   "root");
	return ret == -ENOMEM ? err_hint(e, "there is one for each CPU: ask for less with -m ,64K") : ret;
}

void aux_close(struct aux *a, const struct sys *sys)
{
	if (!a)
		return;
	unmap(a, sys);
	vec_free(&a->areas);
	vec_free(&a->index);
	free(a);
}

/* --- the beginning of a file ---------------------------------------------------------------------------------- */

static void put_clock(const struct recording *r, const struct aux *a, struct out *o)
{
	struct ring_clock c;

	if (a->areas.n && ring_map_clock(&r->rings.v[a->areas.v[0].ring].map, &c))
		perf_write_time_conv(o, &(struct perf_write_clock){ c.shift, c.mult, c.zero, c.cycles, c.mask,
								    c.is_short });
}

uint64_t aux_midr(const struct recording *r, const struct aux_area *area)
{
	uint64_t midr = 0;

	sys_read_u64(r->sys, &midr, "/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1",
		     r->rings.v[area->ring].cpu);
	return midr;
}

static bool cores_differ(const struct recording *r, const struct aux *a)
{
	for (size_t i = 1; i < a->areas.n; i++)
		if (aux_midr(r, &a->areas.v[i]) != aux_midr(r, &a->areas.v[0]))
			return true;
	return false;
}

/* Version 2: for each CPU a magic word, its number, the number of parameters, these. perf 6.12 only reads version 1. */
static void put_cores(const struct recording *r, const struct aux *a, struct out *o)
{
	size_t n = HEAD_WORDS + a->areas.n * CPU_WORDS;
	uint64_t *words = calloc(n, sizeof(*words)), *to = words;

	if (!words) {
		o->error = -ENOMEM;
		return;
	}
	*to++ = 2;
	*to++ = HEAD_WORDS;
	*to++ = a->pmu;
	*to++ = a->areas.n;
	for (size_t i = 0; i < a->areas.n; i++) {
		*to++ = UINT64_C(0x1010101010101010);
		*to++ = (uint64_t)r->rings.v[a->areas.v[i].ring].cpu;
		*to++ = CPU_WORDS - 3;
		*to++ = aux_midr(r, &a->areas.v[i]);
		*to++ = a->pmu;
		*to++ = r->attrs[a->event].sample_period;
	}
	perf_write_auxtrace_info(o, SPE_KIND, words, n);
	free(words);
}

void aux_begin(struct aux *a, const struct recording *r, struct out *o)
{
	put_clock(r, a, o);
	/* Not more than CORES_MAX fit into one record. */
	if (cores_differ(r, a) && a->areas.n <= CORES_MAX)
		put_cores(r, a, o);
	else
		perf_write_auxtrace_info(o, SPE_KIND, (uint64_t[]){ a->pmu, 0 }, 2);
}

/* --- areas to the file ---------------------------------------------------------------------------------------- */

static int add_place(struct aux *a, uint64_t at, struct err *e)
{
	uint64_t *to[3];

	for (size_t i = !a->index.n ? 0 : 1; i < ARRAY_SIZE(to); i++) {
		to[i] = vec_add(&a->index);
		if (!to[i])
			return err_nomem(e);
	}
	a->index.v[a->index.n - 2] = at;
	a->index.v[a->index.n - 1] = PERF_WRITE_AUXTRACE;
	a->index.v[0]++;
	return 0;
}

/* Write an AUXTRACE record and its data, in one or two pieces, padded with zeros to a multiple of 8. */
static int write_area(struct aux *a, struct recording *r, struct aux_area *area, uint64_t n, struct sink *s,
		      struct err *e)
{
	static const uint8_t zeros[8];
	const struct ring_aux *m = &area->map;
	uint64_t from = m->tail & (m->size - 1), first = MIN(n, m->size - from), pad = -n & 7;
	struct perf_write_auxtrace head = {
		.size = n + pad, .offset = m->tail, .reference = r->sys->now(r->sys, CLOCK_MONOTONIC_RAW),
		.idx = area->ring, .tid = a->tid, .cpu = (uint32_t)r->rings.v[area->ring].cpu,
	};
	uint8_t text[PERF_WRITE_AUXTRACE];
	struct bytes pieces[] = {
		{ text, sizeof(text) }, { m->data + from, first }, { m->data, n - first }, { zeros, pad },
	};
	uint64_t at = s->pos;
	int ret;

	perf_write_auxtrace(text, &head);
	ret = sink_write(s, pieces, ARRAY_SIZE(pieces), e);
	if (ret)
		return ret;
	sink_mark(s);
	a->told.bytes += n;
	return add_place(a, at, e);
}

/* Enable the event again: the kernel disables it when the area is full. */
static void start_again(const struct aux *a, struct recording *r, const struct aux_area *area)
{
	for (size_t i = 0; !a->stopped && i < r->fds.n; i++)
		if (r->fds.v[i].event == a->event && r->fds.v[i].ring == area->ring)
			r->sys->ioctl(r->sys, r->fds.v[i].fd, PERF_IOC_ENABLE, 0);
}

/* Number of bytes in the area, up to *head. */
static int look(const struct recording *r, const struct aux_area *area, uint64_t *head, uint64_t *n, struct err *e)
{
	*head = ring_aux_head(&area->map);
	*n = *head - area->map.tail;
	if (*n <= area->map.size)
		return 0;
	return err_set(e, EBADMSG, "the AUX area of CPU %d tells of more than it can hold",
		       r->rings.v[area->ring].cpu);
}

static int drain_area(struct aux *a, struct recording *r, struct aux_area *area, struct sink *s, struct err *e)
{
	uint64_t head, n;
	int ret = look(r, area, &head, &n, e);

	if (ret)
		return ret;
	if (!n || (!a->stopped && n < area->map.size / PARTS))
		return 0;
	ret = write_area(a, r, area, n, s, e);
	if (ret)
		return ret;
	ring_aux_release(&area->map, head);
	start_again(a, r, area);
	return 0;
}

int aux_drain(struct aux *a, struct recording *r, struct sink *s, struct err *e)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < a->areas.n; i++)
		ret = drain_area(a, r, &a->areas.v[i], s, e);
	return ret;
}

int aux_take(struct aux *a, struct recording *r, size_t i, uint8_t *to, struct bytes *got, uint64_t *base)
{
	struct aux_area *area = &a->areas.v[i];
	const struct ring_aux *m = &area->map;
	uint64_t head, n, from = m->tail & (m->size - 1), first;
	int ret = look(r, area, &head, &n, NULL);

	if (ret)
		return ret;
	first = MIN(n, m->size - from);
	*base = m->tail;
	*got = (struct bytes){ to, n };
	if (!n)
		return 0;
	memcpy(to, m->data + from, first);
	memcpy(to + first, m->data, n - first);
	ring_aux_release(&area->map, head);
	start_again(a, r, area);
	return 0;
}

void aux_tell(struct aux *a, struct feature_set *facts, uint64_t end)
{
	static const uint64_t none;

	if (!a)
		return;
	while (a->index.n && a->index.v[0] && a->index.v[a->index.n - 2] >= end) {
		a->index.n -= 2;
		a->index.v[0]--;
	}
	feature_drop(facts, PERF_FEAT_AUXTRACE);
	feature_raw(facts, PERF_FEAT_AUXTRACE, (struct bytes){
		(const uint8_t *)(a->index.n ? a->index.v : &none), MAX(a->index.n, (size_t)1) * sizeof(none) });
}

void aux_note(struct aux *a, const struct perf_record *rec)
{
	struct cursor c = cur_from(rec->body.p, rec->body.n);
	uint64_t flags;

	cur_skip(&c, 16);
	flags = cur_u64(&c);
	a->told.truncated += !!(flags & PERF_AUX_TRUNCATED);
	a->told.partial += !!(flags & PERF_AUX_PARTIAL);
	a->told.collided += !!(flags & PERF_AUX_COLLISION);
}
