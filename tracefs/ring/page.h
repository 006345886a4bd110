/*
 * page.h - one sub-buffer of the kernel's trace ring: events with their times, and how many were lost before it.
 *
 * A sub-buffer is header_page's time stamp and commit word, then events of a u32 header (type_len:5, time_delta:27).
 * Sizes come from events/header_page (tfmt_page in format.h), never from the machine's page size.
 * Layout: Linux kernel/trace/ring_buffer.c; time extends and absolute stamps carry 59 bits.
 */
#ifndef TRACEFS_RING_PAGE_H
#define TRACEFS_RING_PAGE_H

#include "base/err.h"
#include "tracefs/format/format.h"

#define TPAGE_LOST_UNKNOWN UINT64_MAX   /* events were lost, the kernel does not say how many */

enum { TPAGE_TYPE_DATA_MAX = 28, TPAGE_TYPE_BITS = 5 };   /* type_len 1..28: a record of that many words */

struct tpage_event {
	uint64_t ts;           /* ns, or the unit of the trace clock */
	const uint8_t *raw;    /* borrowed from the page; starts with the common fields */
	uint32_t n;            /* bytes of raw, as the ring counts them: a multiple of 4 */
};

struct tpage {
	const uint8_t *pos, *end;
	const uint8_t *start, *data;   /* start of the sub-buffer; its first entry */
	uint64_t ts;           /* time of the previous event */
	uint64_t lost;         /* before the first event: 0, a count, or TPAGE_LOST_UNKNOWN */
	bool swap;
	bool cut;              /* the commit word counts more bytes than were given */
	bool bad;              /* the page ended in an invalid entry; the events before it were given */
};

/* Start with the n bytes of one sub-buffer (if it is truncated, `bad` is set at its end). -EBADMSG: no whole header. */
int tpage_init(struct tpage *p, const struct tpage_layout *l, bool swap, const void *bytes, size_t n);

/* The entries of a sub-buffer: records, and what the ring puts between them. */
enum tpage_kind { TPAGE_RECORD, TPAGE_PADDING, TPAGE_EXTEND, TPAGE_STAMP };

struct tpage_entry {
	enum tpage_kind kind;
	uint64_t delta;        /* of a STAMP: the low bits of the time itself */
	uint32_t n;            /* bytes of data behind the entry's header */
	const uint8_t *raw;    /* of a RECORD */
	const uint8_t *next;
};

/* The entry at `at`, which is p->data or the `next` of another; false at the end or at an invalid entry. */
bool tpage_entry(const struct tpage *p, const uint8_t *at, struct tpage_entry *entry);

/* tpage_next for the rare cases: everything but a short record in this machine's byte order. */
bool tpage_next_any(struct tpage *p, struct tpage_event *ev);

/* The next event, or false at the end. */
static inline bool tpage_next(struct tpage *p, struct tpage_event *ev)
{
	size_t left = (size_t)(p->end - p->pos);
	uint32_t head, words;

	if (p->swap || left < sizeof(head))
		return tpage_next_any(p, ev);
	memcpy(&head, p->pos, sizeof(head));
	words = head & ((1u << TPAGE_TYPE_BITS) - 1);
	if (words - 1 >= TPAGE_TYPE_DATA_MAX || left < (words + 1) * 4)
		return tpage_next_any(p, ev);
	p->ts += head >> TPAGE_TYPE_BITS;
	*ev = (struct tpage_event){ .ts = p->ts, .raw = p->pos + 4, .n = words * 4 };
	p->pos += (words + 1) * 4;
	return true;
}

#endif
