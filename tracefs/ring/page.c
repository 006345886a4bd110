/*
 * page.c - walks over one sub-buffer.
 *
 * type_len  0      u32 length (itself included) follows, then the record
 *           1..28  record of type_len words
 *           29     padding: delta 0: nothing follows; else a discarded record with its u32 length
 *           30     time extend: a u32 with the bits of the delta from 27 up follows
 *           31     absolute time: the same, but of the low 59 bits of the time itself
 * A little-endian writer has type_len in the low 5 bits, a big-endian one in the high 5.
 */
#include "tracefs/ring/page.h"

#include "base/cursor.h"

enum { TYPE_PADDING = 29, TYPE_EXTEND = 30, TYPE_STAMP = 31, DELTA_BITS = 27 };

#define COMMIT_MASK   ((UINT32_C(1) << 27) - 1)
#define LOST_SOME     (UINT32_C(1) << 31)
#define LOST_STORED   (UINT32_C(1) << 30)
#define STAMP_BITS    59

static uint64_t lost_count(const struct cursor *data, uint32_t commit, uint32_t word_size)
{
	uint64_t at = commit & COMMIT_MASK;

	if (!(commit & (LOST_SOME | LOST_STORED)))
		return 0;
	if (!(commit & LOST_STORED) || at > cur_left(data) || cur_left(data) - at < word_size)
		return TPAGE_LOST_UNKNOWN;
	return traw_load(data->pos + at, word_size, data->swap);
}

int tpage_init(struct tpage *p, const struct tpage_layout *l, bool swap, const void *bytes, size_t n)
{
	struct cursor c = cur_from(bytes, n), at = cur_sub(&c, l->commit_offset, l->commit_size);
	uint32_t commit;
	size_t used;

	*p = (struct tpage){ .pos = bytes, .end = bytes, .start = bytes, .data = bytes, .swap = swap };
	c.swap = swap;
	p->ts = cur_u64(&c);
	cur_seek(&c, l->data_offset);
	if (c.bad || at.bad || (l->commit_size != 4 && l->commit_size != 8))
		return -EBADMSG;
	/* only the low half of a 64-bit commit counts: the kernel adds the flag of bit 31 sign-extended */
	commit = (uint32_t)traw_load(at.pos, l->commit_size, swap);
	used = commit & COMMIT_MASK;
	p->lost = lost_count(&c, commit, l->commit_size);
	p->cut = used > cur_left(&c);
	p->pos = p->data = c.pos;
	p->end = c.pos + MIN(used, cur_left(&c));
	return 0;
}

/* An absolute time lacks its top 5 bits: take those of the previous time, plus one if the low bits wrapped since. */
static uint64_t whole_stamp(uint64_t stamp, uint64_t before)
{
	const uint64_t wrap = UINT64_C(1) << STAMP_BITS;

	stamp |= before & ~(wrap - 1);
	if (stamp < before && (before >= wrap || before - stamp > wrap / 2))
		stamp += wrap;
	return stamp;
}

static bool stop(struct tpage *p, bool bad)
{
	p->pos = p->end;
	p->bad |= bad;
	return false;
}

/* Read the event header at the cursor. */
static uint32_t header(struct cursor *c, uint32_t *delta)
{
	uint32_t head = cur_u32(c);

	*delta = c->swap ? head & ((1u << DELTA_BITS) - 1) : head >> TPAGE_TYPE_BITS;
	return c->swap ? head >> DELTA_BITS : head & ((1u << TPAGE_TYPE_BITS) - 1);
}

/* Read a length word, which counts itself, and the bytes behind it; NULL when they are not there. */
static const uint8_t *long_record(struct cursor *c, uint32_t *n)
{
	uint32_t length = cur_u32(c);

	*n = length - 4;
	return length < 4 || length % 4 ? NULL : cur_bytes(c, *n);
}

bool tpage_next_any(struct tpage *p, struct tpage_event *ev)
{
	struct cursor c = { .start = p->pos, .pos = p->pos, .end = p->end, .swap = p->swap };
	uint32_t delta, n;

	while (cur_left(&c)) {
		uint32_t type = header(&c, &delta);
		const uint8_t *raw = NULL;
		uint64_t time;

		switch (type) {
		case TYPE_PADDING:
			if (!delta)
				return stop(p, false);
			if (!long_record(&c, &n))
				return stop(p, true);
			/* delta 1 of a discarded record replaces 0, which would mean the end of the page */
			p->ts += delta == 1 ? 0 : delta;
			continue;
		case TYPE_EXTEND:
		case TYPE_STAMP:
			time = (uint64_t)cur_u32(&c) << DELTA_BITS | delta;
			if (c.bad)
				return stop(p, true);
			p->ts = type == TYPE_EXTEND ? p->ts + time : whole_stamp(time, p->ts);
			continue;
		case 0:
			raw = long_record(&c, &n);
			break;
		default:
			n = type * 4;
			raw = cur_bytes(&c, n);
		}
		if (!raw || c.bad)
			return stop(p, true);
		p->ts += delta;
		p->pos = c.pos;
		*ev = (struct tpage_event){ .ts = p->ts, .raw = raw, .n = n };
		return true;
	}
	return stop(p, p->cut);
}

bool tpage_entry(const struct tpage *p, const uint8_t *at, struct tpage_entry *entry)
{
	struct cursor c = { .start = at, .pos = at, .end = p->end, .swap = p->swap };
	uint32_t delta = 0, type = cur_left(&c) ? header(&c, &delta) : TYPE_PADDING;

	*entry = (struct tpage_entry){ .kind = TPAGE_RECORD, .next = at };
	if (at == p->end || c.bad)
		return false;
	entry->delta = delta;
	if (type == TYPE_EXTEND || type == TYPE_STAMP) {
		entry->kind = type == TYPE_EXTEND ? TPAGE_EXTEND : TPAGE_STAMP;
		entry->delta |= (uint64_t)cur_u32(&c) << DELTA_BITS;
	} else if (type == TYPE_PADDING) {
		entry->kind = TPAGE_PADDING;
		if (!delta || !long_record(&c, &entry->n))
			return false;
	} else {
		entry->n = type * 4;
		entry->raw = type ? cur_bytes(&c, entry->n) : long_record(&c, &entry->n);
	}
	entry->next = c.pos;
	return !c.bad;
}
