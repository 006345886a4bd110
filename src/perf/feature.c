/*
 * feature.c - bodies of feature sections. Layouts: file_feature.c, and perf.data-file-format (Linux
 * tools/perf).
 */
#include "perf/feature_parts.h"

#include "perf/write_parts.h"

void feature_set_init(struct feature_set *s)
{
	*s = (struct feature_set){ 0 };
	mem_out_init(&s->bodies);
}

void feature_set_deinit(struct feature_set *s)
{
	vec_free(&s->parts);
	mem_out_deinit(&s->bodies);
}

struct out *feature_begin(struct feature_set *s, enum perf_feature f)
{
	struct feature_part *p = vec_add(&s->parts);

	if (p) {
		*p = (struct feature_part){ .bit = (uint8_t)f, .off = (size_t)s->bodies.out.total };
		s->bits[f / 64] |= PERF_BIT(f % 64);
	} else {
		s->error = -ENOMEM;
	}
	return &s->bodies.out;
}

void feature_end(struct feature_set *s)
{
	struct feature_part *p = s->parts.n ? &s->parts.v[s->parts.n - 1] : NULL;

	if (p && !s->error)
		p->n = (size_t)s->bodies.out.total - p->off;
}

void feature_string(struct feature_set *s, enum perf_feature f, const char *text)
{
	perf_write_string(feature_begin(s, f), text);
	feature_end(s);
}

void feature_strings(struct feature_set *s, enum perf_feature f, const char *const *v, size_t n)
{
	struct out *o = feature_begin(s, f);

	write_u32(o, (uint32_t)n);
	for (size_t i = 0; i < n; i++)
		perf_write_string(o, v[i]);
	feature_end(s);
}

void feature_u64(struct feature_set *s, enum perf_feature f, uint64_t v)
{
	write_u64(feature_begin(s, f), v);
	feature_end(s);
}

void feature_cpus(struct feature_set *s, uint32_t available, uint32_t online)
{
	struct out *o = feature_begin(s, PERF_FEAT_NRCPUS);

	write_u32(o, available);
	write_u32(o, online);
	feature_end(s);
}

void feature_sample_time(struct feature_set *s, uint64_t first, uint64_t last)
{
	struct out *o = feature_begin(s, PERF_FEAT_SAMPLE_TIME);

	write_u64(o, first);
	write_u64(o, last);
	feature_end(s);
}

void feature_compressed(struct feature_set *s, uint32_t ratio, uint32_t most)
{
	enum { VERSION = 1, ZSTD = 1, LEVEL = 1 };
	struct out *o = feature_begin(s, PERF_FEAT_COMPRESSED);

	write_u32(o, VERSION);
	write_u32(o, ZSTD);
	write_u32(o, LEVEL);
	write_u32(o, ratio);
	write_u32(o, most);
	feature_end(s);
}

void feature_clock_data(struct feature_set *s, uint32_t clockid, uint64_t wall_ns,
			uint64_t clock_ns)
{
	enum { VERSION = 1 };
	struct out *o = feature_begin(s, PERF_FEAT_CLOCK_DATA);

	write_u32(o, VERSION);
	write_u32(o, clockid);
	write_u64(o, wall_ns);
	write_u64(o, clock_ns);
	feature_end(s);
}

void feature_events(struct feature_set *s, const struct perf_write_event *ev, size_t n)
{
	struct out *o = feature_begin(s, PERF_FEAT_EVENT_DESC);
	uint32_t size = perf_write_attr_size(ev, n);

	write_u32(o, (uint32_t)n);
	write_u32(o, size);
	for (size_t i = 0; i < n; i++) {
		perf_write_raw_attr(o, &ev[i].attr, size);
		write_u32(o, (uint32_t)ev[i].n_ids);
		perf_write_string(o, ev[i].name);
		out_bytes(o, ev[i].ids, ev[i].n_ids * sizeof(uint64_t));
	}
	feature_end(s);
}

/* Number of events in the group that starts at `leader`, leader included. */
static uint32_t members(const struct perf_write_event *ev, size_t n, size_t leader)
{
	uint32_t count = 0;

	for (size_t i = leader; i < n && ev[i].group_leader == leader; i++)
		count++;
	return count;
}

void feature_groups(struct feature_set *s, const struct perf_write_event *ev, size_t n)
{
	uint32_t groups = 0;

	for (size_t i = 0; i < n; i++)
		groups += members(ev, n, i) > 1;
	if (!groups)
		return;

	struct out *o = feature_begin(s, PERF_FEAT_GROUP_DESC);

	write_u32(o, groups);
	for (size_t i = 0; i < n; i++) {
		if (members(ev, n, i) < 2)
			continue;
		perf_write_string(o, "{anon_group}");
		write_u32(o, (uint32_t)i);
		write_u32(o, members(ev, n, i));
	}
	feature_end(s);
}

void feature_build_ids(struct feature_set *s, const struct perf_build_id *v, size_t n)
{
	struct out *o = feature_begin(s, PERF_FEAT_BUILD_ID);

	for (size_t i = 0; i < n; i++)
		perf_write_build_id_entry(o, &v[i]);
	feature_end(s);
}

void feature_raw(struct feature_set *s, enum perf_feature f, struct bytes body)
{
	feature_begin(s, f);
	if (!s->error)
		s->parts.v[s->parts.n - 1].borrowed = body;
}

void feature_tracing(struct feature_set *s, struct bytes blob)
{
	feature_raw(s, PERF_FEAT_TRACING_DATA, blob);
}

void feature_drop(struct feature_set *s, enum perf_feature f)
{
	size_t n = 0;

	for (size_t i = 0; i < s->parts.n; i++)
		if (s->parts.v[i].bit != f)
			s->parts.v[n++] = s->parts.v[i];
	s->parts.n = n;
	s->bits[f / 64] &= ~PERF_BIT(f % 64);
}

void feature_pmus(struct feature_set *s, const struct feature_pmu *v, size_t n)
{
	struct out *o = feature_begin(s, PERF_FEAT_PMU_MAPPINGS);

	write_u32(o, (uint32_t)n);
	for (size_t i = 0; i < n; i++) {
		write_u32(o, v[i].type);
		perf_write_string(o, v[i].name);
	}
	feature_end(s);
}

static int by_bit(const void *a, const void *b)
{
	const struct feature_part *x = a, *y = b;

	return x->bit - y->bit;
}

/* Sort the parts by bit and complete the memory stream; the set's error. */
static int finish(struct feature_set *s)
{
	mem_out_str(&s->bodies);
	if (!s->error)
		s->error = s->bodies.out.error;
	if (s->parts.n)
		qsort(s->parts.v, s->parts.n, sizeof(*s->parts.v), by_bit);
	return s->error;
}

static struct bytes body_of(const struct feature_set *s, const struct feature_part *p)
{
	if (p->borrowed.p)
		return p->borrowed;
	return (struct bytes){ (const uint8_t *)s->bodies.v + p->off, p->n };
}

int feature_write_file(struct feature_set *s, struct out *o, uint64_t at)
{
	int err = finish(s);

	if (err)
		return err;
	at += s->parts.n * 2 * sizeof(uint64_t);
	for (size_t i = 0; i < s->parts.n; i++) {
		struct bytes b = body_of(s, &s->parts.v[i]);

		write_u64(o, at);
		write_u64(o, b.n);
		at += b.n;
	}
	for (size_t i = 0; i < s->parts.n; i++) {
		struct bytes b = body_of(s, &s->parts.v[i]);

		out_bytes(o, b.p, b.n);
	}
	return o->error;
}

static bool has_own_record(uint8_t bit)
{
	return bit == PERF_FEAT_TRACING_DATA || bit == PERF_FEAT_BUILD_ID ||
	       bit == PERF_FEAT_EVENT_DESC;
}

int feature_write_pipe(struct feature_set *s, struct out *o)
{
	int err = finish(s);

	for (size_t i = 0; i < s->parts.n && !err; i++) {
		struct bytes b = body_of(s, &s->parts.v[i]);
		size_t padded = ALIGN_UP(b.n, (size_t)8);

		if (has_own_record(s->parts.v[i].bit) || padded > WRITE_MAX - sizeof(uint64_t))
			continue;
		write_rec(o, PERF_REC_HEADER_FEATURE, 0,
			  sizeof(struct perf_rec) + sizeof(uint64_t) + padded);
		write_u64(o, s->parts.v[i].bit);
		out_bytes(o, b.p, b.n);
		out_fill(o, '\0', padded - b.n);
	}
	return err ? err : o->error;
}
