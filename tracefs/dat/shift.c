/* shift.c - see shift.h, and guest.h for the layout. */
#include "tracefs/dat/shift.h"

static int by_time(const void *a, const void *b)
{
	int64_t x = ((const struct tshift_sample *)a)->time, y = ((const struct tshift_sample *)b)->time;

	return x < y ? -1 : x > y;
}

void tshift_sort(struct tshift_cpu *c)
{
	uint32_t n = 0;

	if (c->n)
		qsort(c->v, c->n, sizeof(*c->v), by_time);
	for (uint32_t i = 0; i < c->n; i++)
		if (!n || c->v[i].time != c->v[n - 1].time)
			c->v[n++] = c->v[i];
	c->n = n;
}

/* Read one field of all samples of a CPU: they are stored field by field. */
static void read_field(struct tshift_cpu *cpu, size_t field, struct cursor *c)
{
	for (uint32_t i = 0; i < cpu->n; i++) {
		uint64_t v = cur_u64(c);

		memcpy((char *)&cpu->v[i] + field, &v, sizeof(v));
	}
}

static int parse_cpu(struct tshift_cpu *cpu, struct cursor *c, struct arena *a)
{
	cpu->n = cur_u32(c);
	if (c->bad || cpu->n > cur_left(c) / 24)
		return -EBADMSG;
	cpu->v = arena_alloc(a, (cpu->n + 1) * sizeof(*cpu->v));
	if (!cpu->v)
		return -ENOMEM;
	memset(cpu->v, 0, cpu->n * sizeof(*cpu->v));
	read_field(cpu, offsetof(struct tshift_sample, time), c);
	read_field(cpu, offsetof(struct tshift_sample, offset), c);
	read_field(cpu, offsetof(struct tshift_sample, scaling), c);
	return 0;
}

static bool is_possible(const struct tshift_cpu *cpu)
{
	for (uint32_t i = 0; i < cpu->n; i++)
		if (cpu->v[i].fraction < 0 || cpu->v[i].fraction > 63)
			return false;
	return true;
}

int tshift_parse(struct tshift *s, struct cursor c, struct arena *a)
{
	bool fractions;
	int r = 0;

	s->peer = cur_u64(&c);
	s->flags = cur_u32(&c);
	s->ncpus = cur_u32(&c);
	if (c.bad || s->ncpus > cur_left(&c) / 4)
		return -EBADMSG;
	s->cpus = arena_alloc(a, (s->ncpus + 1) * sizeof(*s->cpus));
	if (!s->cpus)
		return -ENOMEM;
	memset(s->cpus, 0, s->ncpus * sizeof(*s->cpus));
	for (uint32_t i = 0; !r && i < s->ncpus; i++)
		r = parse_cpu(&s->cpus[i], &c, a);
	fractions = cur_left(&c);
	for (uint32_t i = 0; !r && fractions && i < s->ncpus; i++)
		read_field(&s->cpus[i], offsetof(struct tshift_sample, fraction), &c);
	for (uint32_t i = 0; !r && i < s->ncpus; i++) {
		s->cpus[i].flags = s->flags;
		if (!is_possible(&s->cpus[i]))
			r = -EBADMSG;
		tshift_sort(&s->cpus[i]);
	}
	return r || c.bad ? -EBADMSG : 0;
}

static void put_field(const struct tshift_cpu *cpu, size_t field, struct out *o)
{
	for (uint32_t i = 0; i < cpu->n; i++)
		out_bytes(o, (const char *)&cpu->v[i] + field, sizeof(int64_t));
}

void tshift_put(struct out *o, const struct tshift *s)
{
	out_bytes(o, &s->peer, sizeof(s->peer));
	out_bytes(o, &s->flags, sizeof(s->flags));
	out_bytes(o, &s->ncpus, sizeof(s->ncpus));
	for (uint32_t i = 0; i < s->ncpus; i++) {
		const struct tshift_cpu *cpu = &s->cpus[i];

		out_bytes(o, &cpu->n, sizeof(cpu->n));
		put_field(cpu, offsetof(struct tshift_sample, time), o);
		put_field(cpu, offsetof(struct tshift_sample, offset), o);
		put_field(cpu, offsetof(struct tshift_sample, scaling), o);
	}
	for (uint32_t i = 0; i < s->ncpus; i++)
		put_field(&s->cpus[i], offsetof(struct tshift_sample, fraction), o);
}

/* Rounded as trace-cmd does it: half of the divisor is added whatever the sign. */
static int64_t offset_at(const struct tshift_sample *a, const struct tshift_sample *b, uint32_t flags, uint64_t ts)
{
	__int128 span = (__int128)b->time - a->time;
	__int128 rise = (__int128)((int64_t)ts - a->time) * (b->offset - a->offset);

	return flags & TSHIFT_INTERPOLATE ? a->offset + (int64_t)((rise + span / 2) / span) : a->offset;
}

/* The last sample not later than ts, but never the very last one: the interpolation needs a successor. */
static const struct tshift_sample *before(const struct tshift_cpu *c, int64_t ts)
{
	uint32_t low = 0, high = c->n - 1;

	while (high - low > 1) {
		uint32_t mid = low + (high - low) / 2;

		if (c->v[mid].time <= ts)
			low = mid;
		else
			high = mid;
	}
	return &c->v[low];
}

uint64_t tshift_time(const struct tshift_cpu *c, uint64_t ts)
{
	const struct tshift_sample *s;
	uint64_t scaled;

	if (!c->n)
		return ts;
	if (c->n == 1)
		return ts + (uint64_t)c->v[0].offset;
	s = before(c, (int64_t)ts);
	scaled = (uint64_t)(((unsigned __int128)ts * (uint64_t)s->scaling) >> s->fraction);
	return scaled + (uint64_t)offset_at(s, s + 1, c->flags, ts);
}
