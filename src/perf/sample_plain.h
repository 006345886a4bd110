/*
 * sample_plain.h - samples as tracepoints mostly have them, decoded where they are asked for: raw data and no more
 * behind the fields at the start, in this machine's byte order; and as flat profiles have them, without.
 */
#ifndef PERF_SAMPLE_PLAIN_H
#define PERF_SAMPLE_PLAIN_H

#include "perf/sample.h"

/* What stands before READ, 8 bytes each. */
#define SAMPLE_HEAD (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | \
		     PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/* In parts: of the whole at once GCC makes a string instruction on x86, which takes longer than the stores. */
static inline void sample_clear(struct sample *s)
{
	enum { PART = 64 };
	char *p = (char *)s;

#pragma GCC unroll 4
	for (size_t i = 0; i + PART <= sizeof(*s); i += PART)
		memset(p + i, 0, PART);
	memset(p + sizeof(*s) / PART * PART, 0, sizeof(*s) % PART);
	s->pid = s->tid = s->cpu = UINT32_MAX;
}

/* All of them are there: they are taken as they lie. */
static inline const uint8_t *sample_head_word(uint64_t there, const uint8_t *p, uint64_t *v)
{
	if (there)
		memcpy(v, p, sizeof(*v));
	return there ? p + sizeof(*v) : p;
}

static inline const uint8_t *sample_whole_head(uint64_t type, const uint8_t *p, struct sample *s)
{
	p = sample_head_word(type & PERF_SAMPLE_IDENTIFIER, p, &s->id);
	p = sample_head_word(type & PERF_SAMPLE_IP, p, &s->ip);
	if (type & PERF_SAMPLE_TID) {
		memcpy(&s->pid, p, sizeof(s->pid));
		memcpy(&s->tid, p + 4, sizeof(s->tid));
		p += 8;
	}
	p = sample_head_word(type & PERF_SAMPLE_TIME, p, &s->time);
	p = sample_head_word(type & PERF_SAMPLE_ADDR, p, &s->addr);
	p = sample_head_word(type & PERF_SAMPLE_ID, p, &s->id);
	p = sample_head_word(type & PERF_SAMPLE_STREAM_ID, p, &s->stream_id);
	if (type & PERF_SAMPLE_CPU) {
		memcpy(&s->cpu, p, sizeof(s->cpu));
		p += 8;
	}
	return sample_head_word(type & PERF_SAMPLE_PERIOD, p, &s->period);
}

/* Of tracepoints, as recorders ask for them; perf adds the identifier where there are several. */
#define SAMPLE_TRACED (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/* Where each field lies is known when this is compiled, for the two that are usual. */
static inline const uint8_t *sample_traced_head(uint64_t type, const uint8_t *p, struct sample *s)
{
	if (type == (SAMPLE_TRACED | PERF_SAMPLE_IDENTIFIER))
		return sample_whole_head(SAMPLE_TRACED | PERF_SAMPLE_IDENTIFIER, p, s);
	return type == SAMPLE_TRACED ? sample_whole_head(SAMPLE_TRACED, p, s) : sample_whole_head(type, p, s);
}

/* Raw data and no more behind the head, or nothing, in this machine's byte order. */
static inline bool sample_is_plain(const struct sample_layout *l)
{
	return !l->swap && !(l->sample_type & ~(SAMPLE_HEAD | PERF_SAMPLE_RAW));
}

/* Nothing but the head, which begins with the place and the thread, and ends with the weight where it has one. */
static inline bool sample_is_placed(const struct sample_layout *l)
{
	uint64_t both = PERF_SAMPLE_IP | PERF_SAMPLE_TID;

	return !l->swap && l->head && !(l->sample_type & ~SAMPLE_HEAD) && (l->sample_type & both) == both;
}

/* What is behind the head. False: it is cut. */
static inline bool sample_plain_raw(const struct sample_layout *l, struct bytes body, struct bytes *raw)
{
	uint32_t n;

	*raw = (struct bytes){ 0 };
	if (body.n < l->head)
		return false;
	if (!(l->sample_type & PERF_SAMPLE_RAW))
		return true;
	if (body.n < l->head + sizeof(n))
		return false;
	memcpy(&n, body.p + l->head, sizeof(n));
	*raw = (struct bytes){ body.p + l->head + sizeof(n), n };
	return n <= body.n - l->head - sizeof(n);
}

/*
 * As sample_decode. False: it is none of these. *known: the fields of the sample that *s has from here, of this file,
 * 0: none of any; what is not among them is clear already.
 */
static inline bool sample_decode_plain(const struct sample_layout *l, struct bytes body, uint16_t misc,
				       struct sample *s, uint64_t *known)
{
	bool same = *known && *known == l->sample_type;
	struct bytes raw;

	if ((!same && !sample_is_plain(l)) || !sample_plain_raw(l, body, &raw))
		return false;
	if (!same) {
		sample_clear(s);
		*known = l->sample_type;
	}
	s->cpumode = misc & PERF_MISC_CPUMODE_MASK;
	s->period = l->period;
	s->raw = raw;
	sample_traced_head(l->sample_type & SAMPLE_HEAD, body.p, s);
	return true;
}

#endif
