#include "source/unpacker.h"

#include "abi/perf_event.h"
#include "base/cursor.h"
#include "pack/pack.h"

#include <stddef.h>
#include <stdlib.h>

struct unpacker {
	struct zstd_stream *z;
	struct bytes made;         /* unpacked bytes, not yet returned */
	size_t n;                  /* bytes of an incomplete record in `rest` */
	uint8_t rest[UINT16_MAX];
};

struct unpacker *unpacker_new(void)
{
	struct unpacker *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->z = zstd_stream_new();
	if (u->z)
		return u;
	free(u);
	return NULL;
}

void unpacker_free(struct unpacker *u)
{
	if (u)
		zstd_stream_free(u->z);
	free(u);
}

void unpacker_give(struct unpacker *u, struct bytes packed)
{
	zstd_stream_give(u->z, packed.p, packed.n);
}

/* Size of the record at p; as long as the header is incomplete, the header's size. */
static size_t record_size(const uint8_t *p, size_t n, bool swap)
{
	struct cursor c = cur_from(p, n);

	c.swap = swap;
	cur_skip(&c, offsetof(struct perf_rec, size));

	uint16_t size = cur_u16(&c);

	return c.bad ? sizeof(struct perf_rec) : MAX(size, sizeof(struct perf_rec));
}

static void pass(struct unpacker *u, size_t n)
{
	u->made.p += n;
	u->made.n -= n;
}

/* The next record: whole in `made`, or `rest` completed by the front of `made`. */
static bool take(struct unpacker *u, bool swap, struct bytes *record)
{
	const uint8_t *at = u->n ? u->rest : u->made.p;
	size_t size = record_size(at, u->n ? u->n : u->made.n, swap), n;

	if (!u->n && size <= u->made.n) {
		*record = (struct bytes){ at, size };
		pass(u, size);
		return true;
	}
	n = MIN(u->made.n, size - u->n);
	memcpy(u->rest + u->n, u->made.p, n);
	u->n += n;
	pass(u, n);
	if (u->n != record_size(u->rest, u->n, swap))
		return false;
	*record = (struct bytes){ u->rest, u->n };
	u->n = 0;
	return true;
}

int unpacker_next(struct unpacker *u, bool swap, struct bytes *record, struct err *e)
{
	for (;;) {
		while (u->made.n)
			if (take(u, swap, record))
				return 1;

		int got = zstd_stream_take(u->z, &u->made.p, &u->made.n, e);

		if (got != 1)
			return got;
	}
}
