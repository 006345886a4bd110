/* ring.c - a ring's bytes, with and without a wrap. */
#include "perf/ring.h"

#include "abi/perf_event.h"
#include "base/cursor.h"

enum { RECORD_ALIGN = 8 };   /* the kernel rounds each record's size up to it, so no header wraps */

static int check(const struct ring *r, struct err *e)
{
	if (!r->size || r->size & (r->size - 1))
		return err_set(e, EBADMSG, "ring of %llu bytes: not a power of two",
			       (unsigned long long)r->size);
	if (r->head - r->tail > r->size)
		return err_set(e, EBADMSG,
			       "ring was overrun: %llu bytes between tail and head, it holds %llu",
			       (unsigned long long)(r->head - r->tail),
			       (unsigned long long)r->size);
	return 0;
}

int ring_spans(const struct ring *r, struct bytes out[2], struct err *e)
{
	int err = check(r, e);
	uint64_t at = r->tail & (r->size - 1), n = r->head - r->tail;

	if (err || !n)
		return err;

	uint64_t first = MIN(n, r->size - at);

	out[0] = (struct bytes){ r->data + at, (size_t)first };
	out[1] = (struct bytes){ r->data, (size_t)(n - first) };
	return n > first ? 2 : 1;
}

static const uint8_t *joined(const struct ring *r, uint8_t *bounce, uint64_t at, size_t size)
{
	uint64_t first = r->size - at;

	if (size <= first)
		return r->data + at;
	memcpy(bounce, r->data + at, (size_t)first);
	memcpy(bounce + first, r->data, (size_t)(size - first));
	return bounce;
}

int ring_next(struct ring *r, uint8_t bounce[static RING_BOUNCE], struct perf_record *rec, struct err *e)
{
	uint64_t at = r->tail & (r->size - 1), n = r->head - r->tail;
	int err = check(r, e);

	if (err || !n)
		return err;
	if (n < sizeof(struct perf_rec) || r->tail % RECORD_ALIGN || r->size < RECORD_ALIGN)
		return err_at(e, EBADMSG, r->tail, "ring: no record can be here");

	struct cursor c = cur_from(r->data + at, sizeof(struct perf_rec));

	rec->off = r->tail;
	rec->type = cur_u32(&c);
	rec->misc = cur_u16(&c);

	uint16_t size = cur_u16(&c);

	if (size < sizeof(struct perf_rec) || size > n || size % RECORD_ALIGN)
		return err_at(e, EBADMSG, r->tail,
			      "ring: record of type %u has %u bytes, %llu are there", rec->type,
			      size, (unsigned long long)n);

	const uint8_t *p = joined(r, bounce, at, size);

	rec->body = (struct bytes){ p + sizeof(struct perf_rec), size - sizeof(struct perf_rec) };
	r->tail += size;
	return 1;
}
