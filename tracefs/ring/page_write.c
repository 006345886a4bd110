/* page_write.c - writes headers, deltas and lost counts of a sub-buffer; page.c describes the layout. */
#include "tracefs/ring/page_write.h"

enum { DELTA_BITS = 27, SMALL_MOST = 112, TYPE_EXTEND = 30, TYPE_STAMP = 31 };

#define LOST_SOME (UINT64_C(1) << 31)
#define LOST_COUNTED (UINT64_C(1) << 30)

static void store(const struct tpage_writer *w, uint32_t at, uint64_t v, uint32_t size)
{
	uint32_t small = (uint32_t)v;

	if (w->swap) {
		v = __builtin_bswap64(v);
		small = __builtin_bswap32(small);
	}
	memcpy(w->bytes + at, size == 8 ? (const void *)&v : &small, size);
}

/* type_len is in the low bits, on a big-endian machine in the high bits. */
static uint32_t head(const struct tpage_writer *w, uint32_t type, uint32_t delta)
{
	bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != w->swap;

	return big ? type << DELTA_BITS | delta : delta << 5 | type;
}

static void put_u32(struct tpage_writer *w, uint32_t v)
{
	store(w, w->pos, v, 4);
	w->pos += 4;
}

static void begin(struct tpage_writer *w, uint64_t ts, uint64_t lost)
{
	memset(w->bytes, 0, w->layout.data_offset + w->layout.data_size);
	store(w, 0, ts, 8);
	w->pos = w->layout.data_offset;
	w->ts = ts;
	w->lost = lost;
}

bool tpage_put(struct tpage_writer *w, const struct tpage_event *ev, uint64_t lost)
{
	uint32_t end = w->layout.data_offset + w->layout.data_size, n = ALIGN_UP(ev->n, 4u);
	uint32_t need = n + (n && n <= SMALL_MOST ? 4 : 8);

	if (ev->n > w->layout.data_size || need > w->layout.data_size)
		return false;
	if (!w->pos)
		begin(w, ev->ts, lost);
	else if (lost)
		return false;

	uint64_t delta = ev->ts - w->ts;
	bool back = ev->ts < w->ts;

	if (need + (back || delta >> DELTA_BITS ? 8 : 0) > end - w->pos)
		return false;
	if (back || delta >> DELTA_BITS) {
		uint64_t v = back ? ev->ts : delta;

		put_u32(w, head(w, back ? TYPE_STAMP : TYPE_EXTEND, v & ((1u << DELTA_BITS) - 1)));
		put_u32(w, (uint32_t)(v >> DELTA_BITS));
		delta = 0;
	}
	put_u32(w, head(w, need == n + 4 ? n / 4 : 0, (uint32_t)delta));
	if (need != n + 4)
		put_u32(w, n + 4);
	memcpy(w->bytes + w->pos, ev->raw, ev->n);
	w->pos += n;
	w->ts = ev->ts;
	return true;
}

bool tpage_put_end(struct tpage_writer *w)
{
	uint32_t used = w->pos - w->layout.data_offset, size = w->layout.commit_size;
	uint64_t commit = used;

	if (!w->pos)
		return false;
	if (w->lost) {
		commit |= LOST_SOME;
		if (w->lost != TPAGE_LOST_UNKNOWN && w->layout.data_size - used >= size) {
			store(w, w->pos, w->lost, size);
			commit |= LOST_COUNTED;
		}
	}
	store(w, w->layout.commit_offset, commit, size);
	w->pos = 0;
	return true;
}
