/*
 * sample_plain.h - inline fast paths for two frequent layouts, in the host's byte order: samples of tracepoints, with
 * nothing but RAW behind the fields at the start; and samples of flat profiles, without RAW.
 */
#ifndef PERF_SAMPLE_PLAIN_H
#define PERF_SAMPLE_PLAIN_H

#include "perf/sample.h"

/* The fields before READ, 8 bytes each. */
#define SAMPLE_HEAD (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | \
		     PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/* In parts of 64 bytes: for the whole struct GCC emits "rep stos" on x86, which is slower than the stores. */
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

/* Helpers for a head that is known to be complete: no bounds checks. */
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

/* The head of tracepoint samples as recorders request it; with several events perf adds IDENTIFIER. */
#define SAMPLE_TRACED (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/* For the two usual sample types the compiler knows the offset of each field. */
static inline const uint8_t *sample_traced_head(uint64_t type, const uint8_t *p, struct sample *s)
{
	if (type == (SAMPLE_TRACED | PERF_SAMPLE_IDENTIFIER))
		return sample_whole_head(SAMPLE_TRACED | PERF_SAMPLE_IDENTIFIER, p, s);
	return type == SAMPLE_TRACED ? sample_whole_head(SAMPLE_TRACED, p, s) : sample_whole_head(type, p, s);
}

/* Is there nothing but RAW, or nothing at all, behind the head, in the host's byte order? */
static inline bool sample_is_plain(const struct sample_layout *l)
{
	return !l->swap && !(l->sample_type & ~(SAMPLE_HEAD | PERF_SAMPLE_RAW));
}

/* Is there nothing but a head with IP and TID, in the host's byte order? (PERIOD, if any, is its last field.) */
static inline bool sample_is_placed(const struct sample_layout *l)
{
	uint64_t both = PERF_SAMPLE_IP | PERF_SAMPLE_TID;

	return !l->swap && l->head && !(l->sample_type & ~SAMPLE_HEAD) && (l->sample_type & both) == both;
}

/* The RAW data behind the head; p NULL: none. False: the body is cut. */
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
 * As sample_decode(). False: the layout is not plain, or the body is cut. *known is the sample_type that *s was last
 * decoded with by this function, 0: none; with the same one, the fields that samples lack need not be cleared again.
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
