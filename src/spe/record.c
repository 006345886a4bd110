/*
 * record.c - packets to records. Code addresses are in bits 55:0; bits 62:61 are the exception level, bit 63 means
 * non-secure. Data addresses have a tag above bit 55. The bits above 55 are set here for kernel addresses: code of EL1
 * and EL2, and data whose bits 55:52 are all set (Linux, Documentation/arch/arm64/memory).
 */
#include "spe/record.h"

#define ADDRESS ((UINT64_C(1) << 56) - 1)
#define KERNEL  (UINT64_C(0xff) << 56)

static uint64_t code_address(uint64_t v)
{
	unsigned level = v >> 61 & 3;
	bool in_kernel = v >> 63 && (level == 1 || level == 2);

	return (v & ADDRESS) | (in_kernel ? KERNEL : 0);
}

static uint64_t data_address(uint64_t v)
{
	bool in_kernel = (v >> 52 & 0xf) == 0xf;

	return (v & ADDRESS) | (in_kernel ? KERNEL : 0);
}

static void take_address(struct spe_record *r, unsigned which, uint64_t v)
{
	switch (which) {
	case SPE_ADDRESS_PC:
		r->pc = code_address(v);
		r->level = v >> 61 & 3;
		r->is_secure = !(v >> 63);
		break;
	case SPE_ADDRESS_TARGET:
		r->target = code_address(v);
		break;
	case SPE_ADDRESS_VIRTUAL:
		r->addr = data_address(v);
		r->tag = (uint8_t)(v >> 56);
		break;
	case SPE_ADDRESS_PHYSICAL:
		r->physical = v & ADDRESS;
		break;
	default:
		break;
	}
}

static void take_counter(struct spe_record *r, unsigned which, uint64_t v)
{
	uint16_t cycles = (uint16_t)v;

	if (which == SPE_COUNTER_TOTAL)
		r->latency = cycles;
	else if (which == SPE_COUNTER_ISSUE)
		r->issue = cycles;
	else if (which == SPE_COUNTER_TRANSLATION)
		r->translation = cycles;
}

static void take(struct spe_record *r, const struct spe_packet *p)
{
	switch (p->kind) {
	case SPE_TIMESTAMP:
		r->time = p->payload;
		r->has_time = true;
		break;
	case SPE_EVENTS:
		r->events |= p->payload;
		break;
	case SPE_SOURCE:
		r->source = (uint16_t)p->payload;
		break;
	case SPE_CONTEXT:
		r->context = (uint32_t)p->payload;
		r->has_context = true;
		break;
	case SPE_OPERATION:
		r->classes |= (uint8_t)(1u << p->index);
		r->op = (uint8_t)p->payload;
		break;
	case SPE_ADDRESS:
		take_address(r, p->index, p->payload);
		break;
	case SPE_COUNTER:
		take_counter(r, p->index, p->payload);
		break;
	default:
		break;
	}
}

void spe_stream_give(struct spe_stream *s, struct bytes b, uint64_t base)
{
	s->b = b;
	s->base = base;
	s->at = 0;
}

/* Records are aligned, so a large part of a buffer is padding: zero bytes are skipped quickly. */
static int next_packet(struct spe_stream *s, struct spe_packet *p)
{
	while (s->at < s->b.n && !s->b.p[s->at])
		s->at++;
	return spe_packet_next(s->b, s->base, &s->at, p);
}

int spe_stream_next(struct spe_stream *s, struct spe_record *r, struct spe_stats *stats)
{
	struct spe_packet p;
	int got;

	while ((got = next_packet(s, &p)) == 1) {
		if (p.kind == SPE_PAD)
			continue;
		stats->unknown += p.kind == SPE_UNKNOWN;
		take(&s->open, &p);
		s->is_open = true;
		if (p.kind != SPE_END && p.kind != SPE_TIMESTAMP)
			continue;
		*r = s->open;
		s->open = (struct spe_record){ 0 };
		s->is_open = false;
		stats->records++;
		return 1;
	}
	stats->cut += got < 0;
	return 0;
}

void spe_stream_end(struct spe_stream *s, struct spe_stats *stats)
{
	stats->cut += s->is_open;
	s->is_open = false;
}
