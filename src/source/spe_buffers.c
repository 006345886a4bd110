/*
 * spe_buffers.c - AUXTRACE_INFO: type 4, then u64 words. Up to Linux 6.12: the PMU's type, and whether buffers are per
 * CPU. Later: version 2, the number of words of this header, the PMU's type, the number of CPUs; then for each CPU a
 * magic word, its number, the number of parameters, and these, the first of which is its MIDR.
 */
#include "source/spe_buffers.h"

#include "base/str.h"

enum { ARM_SPE = 4, VERSION = 2, HEAD_MIN = 4, CPU_MIN = 4, CORES_MAX = 1 << 16, QUEUES_MAX = 1 << 16 };

static int add_cpu(struct spe_buffers *b, struct cursor c)
{
	uint64_t cpu, *midr;

	cur_skip(&c, 8);
	cpu = cur_u64(&c);
	cur_skip(&c, 8);
	midr = map_add(&b->midrs, cpu, NULL);
	if (!midr)
		return -ENOMEM;
	*midr = cur_u64(&c);
	return 0;
}

static int take_cpus(struct spe_buffers *b, struct cursor *c, uint64_t head)
{
	uint64_t cpus = cur_u64(c), each;
	int r = 0;

	if (c->bad || head < HEAD_MIN || head > CORES_MAX)
		return 0;
	cur_skip(c, (size_t)(head - HEAD_MIN) * 8);
	each = cpus && cpus <= CORES_MAX ? cur_left(c) / 8 / cpus : 0;
	if (c->bad || each < CPU_MIN)
		return 0;
	for (uint64_t i = 0; !r && i < cpus; i++) {
		r = add_cpu(b, cur_sub(c, cur_off(c), each * 8));
		cur_skip(c, each * 8);
	}
	return r;
}

static int take_info(struct spe_buffers *b, struct cursor c)
{
	uint64_t first, second;

	if (cur_u32(&c) != ARM_SPE)
		return 0;
	cur_skip(&c, 4);
	first = cur_u64(&c);
	second = cur_u64(&c);
	if (c.bad)
		return 0;
	b->found = true;
	b->pmu = (uint32_t)first;
	if (!cur_left(&c) || first != VERSION)
		return 0;
	b->pmu = (uint32_t)cur_u64(&c);
	return take_cpus(b, &c, second);
}

static void take_clock(struct spe_clock *to, struct cursor c)
{
	struct spe_clock clock = { 0 };

	clock.shift = cur_u64(&c);
	clock.mult = cur_u64(&c);
	clock.zero = cur_u64(&c);
	if (c.bad || clock.shift > 63)
		return;
	/* Since Linux 5.9. */
	clock.cycles = cur_u64(&c);
	clock.mask = cur_u64(&c);
	cur_skip(&c, 1);
	clock.is_short = cur_u8(&c) && !c.bad;
	*to = clock;
}

/* The queue of idx, which is added if it is new. NULL: no memory, or, with *too_many, an absurd number of queues. */
static struct spe_queue *queue_of(struct spe_buffers *b, uint32_t idx, bool *too_many)
{
	uint64_t *at = map_get(&b->by_idx, idx);
	struct spe_queue *q;

	if (at)
		return &b->queues.v[*at];
	*too_many = b->queues.n >= QUEUES_MAX;
	at = *too_many ? NULL : map_add(&b->by_idx, idx, NULL);
	q = at ? vec_add(&b->queues) : NULL;
	if (q)
		*at = b->queues.n - 1;
	return q;
}

/* Add the buffer behind an AUXTRACE record; perf_file_next() has checked that the file has all of it. */
static int take_buffer(struct spe_buffers *b, const struct perf_file *file, const struct perf_record *r)
{
	struct cursor c = perf_head_cursor(&file->head, r->body);
	struct spe_buffer new = { .off = r->off + sizeof(struct perf_rec) + r->body.n };
	struct spe_buffer *to;
	struct spe_queue *q;
	bool too_many = false;
	uint32_t idx, tid;

	new.n = cur_u64(&c);
	new.base = cur_u64(&c);
	cur_skip(&c, 8);
	idx = cur_u32(&c);
	tid = cur_u32(&c);
	if (c.bad || new.off > file->bytes.n || new.n > file->bytes.n - new.off)
		return 0;
	q = queue_of(b, idx, &too_many);
	if (!q)
		return too_many ? 0 : -ENOMEM;
	q->tid = q->at_tid = tid;
	q->at_pid = UINT32_MAX;
	q->cpu = cur_u32(&c);
	to = vec_add(&q->buffers);
	if (!to)
		return -ENOMEM;
	*to = new;
	return 0;
}

int spe_buffers_find(struct spe_buffers *b, const struct perf_file *file)
{
	uint64_t off = file->data_off;
	struct perf_record r;
	int err = 0;

	while (!err && perf_file_next(file, &off, &r, NULL) == 1) {
		struct cursor c = perf_head_cursor(&file->head, r.body);

		if (r.type == PERF_REC_AUXTRACE_INFO)
			err = take_info(b, c);
		else if (r.type == PERF_REC_TIME_CONV)
			take_clock(&b->clock, c);
		else if (r.type == PERF_REC_AUXTRACE)
			err = take_buffer(b, file, &r);
	}
	str_u64(sv_from(strncmp(file->head.cpuid, "0x", 2) ? "" : file->head.cpuid + 2), 16, &b->midr);
	return err;
}

void spe_buffers_deinit(struct spe_buffers *b)
{
	for (size_t i = 0; i < b->queues.n; i++)
		vec_free(&b->queues.v[i].buffers);
	vec_free(&b->queues);
	map_deinit(&b->by_idx);
	map_deinit(&b->midrs);
}

uint64_t spe_clock_ns(const struct spe_clock *c, uint64_t ticks)
{
	uint64_t rest;

	if (c->is_short)
		ticks = c->cycles + ((ticks - c->cycles) & c->mask);
	rest = ticks & ((UINT64_C(1) << c->shift) - 1);
	return c->zero + (ticks >> c->shift) * c->mult + ((rest * c->mult) >> c->shift);
}

uint64_t spe_buffers_midr(const struct spe_buffers *b, uint32_t cpu)
{
	const uint64_t *midr = map_get(&b->midrs, cpu);

	return midr ? *midr : b->midr;
}
