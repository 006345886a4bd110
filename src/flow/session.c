/* session.c - a perf.data: its records put in order, followed, given. */
#include "flow/session_parts.h"

#include "sym/kernel.h"
#include "tracefs/blob.h"

enum {
	KALLSYMS_MAX = 1 << 27,
	FORGET_AFTER = 2 << 20,
	FORGET_KEEP = 3 << 20,
	FORGET_UNIT = 1 << 16
};

static int read_formats(struct session *s, struct err *e)
{
	struct tblob blob;
	struct err why;

	tevents_init(&s->trace, (struct tmachine){ .long_size = 8, .swap = s->file.swap });
	if (!s->file.tracing.p)
		return 0;
	if (tblob_init(&blob, s->file.tracing.p, s->file.tracing.n, &why)) {
		struct err *note = vec_add(&s->file.notes);

		if (note) {
			*note = why;
			err_wrap(note, "formats of the tracepoints");
		}
	}

	int r = tevents_add_blob(&s->trace, &blob, e);

	tblob_deinit(&blob);
	return r == -ENOMEM ? r : 0;
}

static int open_perf(struct session *s, struct err *e)
{
	int r = perf_file_init(&s->file, s->bytes, e);

	if (r)
		return r;
	s->order = order_new();
	return s->order ? read_formats(s, e) : err_nomem(e);
}

static void close_perf(struct session *s)
{
	order_free(s->order);
	map_deinit(&s->group_values);
}

/* --- follow --- */

static void forget(struct session *s, uint64_t from, uint64_t upto)
{
	if (upto > from && !s->owned && s->sys->forget)
		s->sys->forget(s->sys, (void *)(uintptr_t)(s->bytes.p + from), (size_t)(upto - from));
}

/*
 * What was read stays resident though nothing needs it any more: let it go from time to time, but for the newest
 * stretch, whose records wait for their turn in time. Older ones that come back are read again from the page cache.
 */
static void touch(struct session *s, const struct perf_record *r)
{
	if (r->off < s->forgotten) {
		s->touched += r->body.n;
		if (s->touched < FORGET_AFTER)
			return;
		forget(s, 0, s->forgotten);
		s->touched = 0;
	} else if (r->off - s->forgotten > FORGET_AFTER + FORGET_KEEP) {
		uint64_t upto = (r->off - FORGET_KEEP) & ~(uint64_t)(FORGET_UNIT - 1);

		forget(s, s->forgotten, upto);
		s->forgotten = upto;
	}
}

static struct cursor body_cursor(const struct session *s, const struct perf_record *r)
{
	struct cursor c = cur_from(r->body.p, r->body.n);

	c.swap = s->file.swap;
	return c;
}

static int follow_comm(struct session *s, const struct perf_record *r)
{
	struct cursor c = body_cursor(s, r);
	uint32_t pid = cur_u32(&c), tid = cur_u32(&c);
	const char *comm = cur_str(&c);

	return c.bad ? -EBADMSG : resolver_comm(s->resolver, pid, tid, comm, r->misc & PERF_MISC_COMM_EXEC);
}

static int follow_fork(struct session *s, const struct perf_record *r)
{
	struct cursor c = body_cursor(s, r);
	uint32_t pid = cur_u32(&c), ppid = cur_u32(&c), tid = cur_u32(&c), ptid = cur_u32(&c);

	if (c.bad)
		return -EBADMSG;
	if (r->type == PERF_REC_EXIT)
		return resolver_exit(s->resolver, pid, tid);
	if (r->misc & PERF_MISC_COMM_EXEC)
		return resolver_fork_running(s->resolver, pid, tid, ptid);
	return resolver_fork(s->resolver, pid, ppid, tid, ptid);
}

/* The 20 bytes of MMAP2 that are either device and inode, or a build id. */
static void mmap2_extra(struct cursor *c, uint16_t misc, struct sym_map *m)
{
	if (misc & PERF_MISC_MMAP_BUILD_ID) {
		uint8_t size = cur_u8(c);

		m->build_id_size = MIN(size, (uint8_t)sizeof(m->build_id));
		cur_skip(c, 3);

		const uint8_t *id = cur_bytes(c, sizeof(m->build_id));

		if (id)
			memcpy(m->build_id, id, sizeof(m->build_id));
	} else {
		cur_skip(c, 24);
	}
	cur_skip(c, 8);   /* protection, flags */
}

static int follow_mmap(struct session *s, const struct perf_record *r)
{
	struct cursor c = body_cursor(s, r);
	struct sym_map m = { .pid = cur_u32(&c) };

	cur_skip(&c, 4);
	m.start = cur_u64(&c);
	m.len = cur_u64(&c);
	m.pgoff = cur_u64(&c);
	if (r->type == PERF_REC_MMAP2)
		mmap2_extra(&c, r->misc, &m);
	m.name = cur_str(&c);
	m.kernel = (r->misc & PERF_MISC_CPUMODE_MASK) == PERF_MISC_KERNEL;
	return c.bad ? -EBADMSG : resolver_mmap(s->resolver, &m);
}

static int follow_ksymbol(struct session *s, const struct perf_record *r)
{
	struct cursor c = body_cursor(s, r);
	uint64_t addr = cur_u64(&c);
	uint32_t len = cur_u32(&c);

	cur_skip(&c, 2);

	uint16_t flags = cur_u16(&c);
	const char *name = cur_str(&c);

	return c.bad ? -EBADMSG : resolver_ksymbol(s->resolver, addr, len, name, flags & 1);
}

static int follow_lost(struct session *s, const struct perf_record *r)
{
	struct cursor c = body_cursor(s, r);

	if (r->type == PERF_REC_LOST)
		cur_skip(&c, 8);

	uint64_t n = cur_u64(&c);

	*(r->type == PERF_REC_LOST ? &s->stats.lost : &s->stats.lost_samples) += n;
	return c.bad ? -EBADMSG : 0;
}

static int follow(struct session *s, const struct perf_record *r)
{
	switch (r->type) {
	case PERF_REC_COMM:
		return follow_comm(s, r);
	case PERF_REC_FORK:
	case PERF_REC_EXIT:
		return follow_fork(s, r);
	case PERF_REC_MMAP:
	case PERF_REC_MMAP2:
		return follow_mmap(s, r);
	case PERF_REC_KSYMBOL:
		return follow_ksymbol(s, r);
	case PERF_REC_LOST:
	case PERF_REC_LOST_SAMPLES:
		return follow_lost(s, r);
	case PERF_REC_THROTTLE:
		s->stats.throttled++;
		break;
	}
	return 0;
}

/*
 * {a,b}:S - the leader's sample holds the counters of the whole group: each event of it, the leader too, gets a sample
 * whose period is what it counted since the sample before. (The leader's own period is only what it was to be: the
 * kernel samples later than that when it is late.) Nothing counted is no sample.
 */
static int give_value(struct session *s, const struct session_ops *ops, const struct sample *smp,
		      const struct sample_value *v, bool per_thread)
{
	const uint64_t *index = map_get(&s->file.ids, v->id);
	struct perf_event *ev = index && *index < s->file.events.n ? &s->file.events.v[*index] : NULL;
	/* A counter that is inherited has the same id in every thread. */
	uint64_t thread = per_thread ? (uint64_t)smp->tid << 32 : 0;
	uint64_t *last = ev ? map_add(&s->group_values, v->id ^ thread, NULL) : NULL;
	struct sample one = *smp;

	if (!ev) {
		s->stats.unknown_event++;
		return 0;
	}
	if (!last)
		return -ENOMEM;
	one.id = v->id;
	one.period = v->value >= *last ? v->value - *last : v->value;
	*last = v->value;
	if (!one.period)
		return 0;
	ev->n_samples++;
	return ops->sample(ops->arg, ev, &one);
}

static int give_group(struct session *s, const struct session_ops *ops, const struct perf_event *leader,
		      const struct sample *smp)
{
	struct sample_value v;
	int r = 0;

	for (uint64_t i = 0; !r && sample_read(&leader->layout, smp, i, &v); i++)
		r = give_value(s, ops, smp, &v, leader->attr.flags & PERF_ATTR_INHERIT);
	return r;
}

static int give_sample(struct session *s, const struct session_ops *ops, const struct perf_record *r)
{
	struct perf_event *ev = perf_file_event(&s->file, r);
	struct sample smp;

	if (!ev) {
		s->stats.unknown_event++;
		return 0;
	}
	if (sample_decode(&ev->layout, r->body, r->misc, &smp, NULL)) {
		s->stats.undecodable++;
		return 0;
	}
	s->stats.samples++;
	if (!s->stats.first_time || smp.time < s->stats.first_time)
		s->stats.first_time = smp.time;
	if (smp.time > s->stats.last_time)
		s->stats.last_time = smp.time;
	if (!ops->sample)
		return 0;
	if (ev->layout.sample_type & PERF_SAMPLE_READ && ev->layout.read_format & PERF_FORMAT_GROUP)
		return give_group(s, ops, ev, &smp);
	ev->n_samples++;
	return ops->sample(ops->arg, ev, &smp);
}

static int give(struct session *s, const struct session_ops *ops, const struct perf_record *r)
{
	struct sample id = { 0 };
	struct perf_event *ev;
	int ret;

	if (r->type == PERF_REC_SAMPLE)
		return give_sample(s, ops, r);
	ret = follow(s, r);
	if (ret == -ENOMEM)
		return ret;
	if (ret)
		s->stats.undecodable++;
	if (!ops->record)
		return 0;
	ev = r->type < PERF_REC_USER ? perf_file_event(&s->file, r) : NULL;
	if (ev)
		sample_decode_trailer(&ev->layout, r->body, &id, NULL);
	return ops->record(ops->arg, r, &id);
}

/* --- order --- */

/*
 * Time of a record: at a fixed place of a sample, in the trailer of others. False: it has none, and belongs where it
 * stands.
 */
static bool time_of(const struct session *s, const struct perf_record *r, uint64_t *time)
{
	const struct perf_event *ev = perf_file_event(&s->file, r);
	struct sample id;

	if (!ev || !(ev->layout.sample_type & PERF_SAMPLE_TIME))
		return false;
	if (r->type != PERF_REC_SAMPLE) {
		if (!ev->layout.id_all || sample_decode_trailer(&ev->layout, r->body, &id, NULL))
			return false;
		*time = id.time;
		return true;
	}

	const uint64_t before = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	struct cursor c = body_cursor(s, r);

	cur_skip(&c, 8 * (size_t)__builtin_popcountll(ev->layout.sample_type & before));
	*time = cur_u64(&c);
	return !c.bad;
}

static int give_ready(struct session *s, const struct session_ops *ops, struct err *e)
{
	struct order_item it;
	int r = 0;

	while (!r && order_pop(s->order, &it) == 1) {
		struct perf_record rec;
		uint64_t off = it.off;

		if (perf_file_next(&s->file, &off, &rec, e) == 1) {
			touch(s, &rec);
			r = give(s, ops, &rec);
		}
	}
	return r;
}

static int take(struct session *s, const struct session_ops *ops, const struct perf_record *r, struct err *e)
{
	uint64_t time;

	s->stats.records++;
	touch(s, r);
	if (r->type == PERF_REC_FINISHED_ROUND) {
		order_round(s->order);
		return give_ready(s, ops, e);
	}
	if (r->type == PERF_REC_COMPRESSED)
		s->stats.compressed++;
	if (r->type >= PERF_REC_USER)
		return give(s, ops, r);
	if (s->raw_order || !time_of(s, r, &time))
		return give(s, ops, r);
	return order_push(s->order, (struct order_item){ time, r->off }) ? err_nomem(e) : 0;
}

static int run_perf(struct session *s, const struct session_ops *ops, struct err *e)
{
	uint64_t off = s->file.data_off;
	struct perf_record rec;
	int r = 0, got;

	while (!r && (got = perf_file_next(&s->file, &off, &rec, &s->end)) == 1)
		r = take(s, ops, &rec, e);
	if (!r) {
		order_end(s->order);
		r = give_ready(s, ops, e);
	}
	forget(s, 0, s->bytes.n);
	return r;
}

static bool symbol_name(void *arg, uint64_t addr, struct tprint_symbol *t)
{
	const struct session *s = arg;
	const struct sym_loc *l = resolver_find(s->resolver, 0, PERF_MISC_KERNEL, addr);
	struct kernel_symbol thing;

	if (resolver_kernel_thing(s->resolver, addr, &thing)) {
		*t = (struct tprint_symbol){ .name = thing.name, .offset = addr - thing.start, .size = thing.len };
		return true;
	}
	if (!l || !l->sym)
		return false;
	*t = (struct tprint_symbol){ .name = l->sym, .offset = l->addr - l->start, .size = l->len };
	return true;
}

static const char *string_at(void *arg, uint64_t addr)
{
	struct session *s = arg;

	return tevents_string(&s->trace, addr);
}

struct tprint_names session_names(struct session *s)
{
	return (struct tprint_names){ .arg = s, .symbol = symbol_name, .string = string_at };
}

static int kallsyms_perf(const struct session *s, char **text, size_t *n)
{
	return sys_read_all(s->sys, "/proc/kallsyms", KALLSYMS_MAX, text, n, NULL);
}

const struct session_kind session_perf = {
	.open = open_perf, .close = close_perf, .run = run_perf, .kallsyms = kallsyms_perf,
};
