/*
 * packet.c - headers, in the order in which they must be told apart:
 *   00000000           padding                01001 0cc  operation of class cc
 *   00000001           end of a record        001000ii   extended: bits 4:3 of an index; the header follows. 0 there:
 *   01110001           time stamp                        padding up to a multiple of 2 << (the low four bits)
 *   01ss0010           events                 10110iii   address
 *   01ss0011           data source            10011iii   counter
 *   011001ii           context
 * ss, at the same place in all that have a payload, is its size: 1 << ss bytes, little endian.
 */
#include "spe/packet.h"

#include "base/cursor.h"

enum { EXTENDED = 0x20, SIZED = 0xc0 };

struct form {
	uint8_t kind;
	uint8_t index;           /* mask of the index in the header */
};

static struct form form_of(uint8_t header)
{
	switch (header & 0xf8) {
	case 0xb0:
		return (struct form){ SPE_ADDRESS, 7 };
	case 0x98:
		return (struct form){ SPE_COUNTER, 7 };
	default:
		break;
	}
	switch (header & 0xfc) {
	case 0x48:
		return (struct form){ SPE_OPERATION, 3 };
	case 0x64:
		return (struct form){ SPE_CONTEXT, 3 };
	default:
		break;
	}
	if ((header & 0xcf) == 0x42)
		return (struct form){ SPE_EVENTS, 0 };
	if ((header & 0xcf) == 0x43)
		return (struct form){ SPE_SOURCE, 0 };
	return (struct form){ header == 0x71 ? SPE_TIMESTAMP : header == 0x01 ? SPE_END : SPE_UNKNOWN, 0 };
}

/* After an extended header only addresses and counters are defined. */
static struct form extended_form(uint8_t header)
{
	struct form f = form_of(header);

	return f.kind == SPE_ADDRESS || f.kind == SPE_COUNTER ? f : (struct form){ SPE_UNKNOWN, 0 };
}

static uint64_t payload_of(struct cursor *c, uint8_t header)
{
	switch (header >> 4 & 3) {
	case 0:
		return cur_u8(c);
	case 1:
		return cur_u16(c);
	case 2:
		return cur_u32(c);
	default:
		return cur_u64(c);
	}
}

/* Skip alignment padding, which may be truncated by the end of the bytes. */
static void skip_alignment(struct cursor *c, uint64_t base, uint8_t header)
{
	uint64_t unit = UINT64_C(2) << (header & 0xf), from = base + cur_off(c) - 2;
	uint64_t left = unit - (from & (unit - 1));

	cur_skip(c, left < 2 ? 0 : left - 2 < cur_left(c) ? (size_t)(left - 2) : cur_left(c));
}

static void read_packet(struct cursor *c, uint64_t base, struct spe_packet *p)
{
	uint8_t header = cur_u8(c), high = 0;
	bool extended = (header & 0xfc) == EXTENDED;
	struct form f;

	if (!header)
		return;
	if (extended) {
		uint8_t second = cur_u8(c);

		if (!c->bad && !second) {
			skip_alignment(c, base, header);
			return;
		}
		high = (uint8_t)((header & 3) << 3);
		header = second;
	}
	f = extended ? extended_form(header) : form_of(header);
	p->kind = f.kind;
	p->index = high | (header & f.index);
	/* Reserved headers without a size have no payload. */
	if (header & SIZED)
		p->payload = payload_of(c, header);
}

int spe_packet_next(struct bytes b, uint64_t base, size_t *at, struct spe_packet *p)
{
	struct cursor c = cur_from(b.p, b.n);

	*p = (struct spe_packet){ .kind = SPE_PAD };
	cur_seek(&c, *at);
	if (c.bad || !cur_left(&c))
		return 0;
	read_packet(&c, base, p);
	*at = c.bad ? b.n : cur_off(&c);
	return c.bad ? -EBADMSG : 1;
}
