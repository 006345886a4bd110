/* Two bytes of choices, then pages of random sizes: every record lies inside its page, and the merge loses nothing. */
#include "tracefs/ring/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { RINGS = 3 };

struct input {
	const uint8_t *p;
	size_t n;
	struct tpage_layout layout;
	bool swap;
	uint64_t pages, events, bad;
	const uint8_t *page[RINGS];
	size_t size[RINGS];
};

/* A page of its own allocation, so that a read beyond it is seen. */
static const uint8_t *own(struct input *in, uint32_t ring, size_t n)
{
	uint8_t *copy = malloc(n ? n : 1);

	if (!copy)
		abort();
	if (n)
		memcpy(copy, in->p, n);
	free((void *)(uintptr_t)in->page[ring]);
	in->page[ring] = copy;
	in->size[ring] = n;
	return copy;
}

static void count_events(struct input *in, const uint8_t *page, size_t n)
{
	struct tpage_event ev;
	struct tpage p;

	if (tpage_init(&p, &in->layout, in->swap, page, n)) {
		in->bad++;
		return;
	}
	while (tpage_next(&p, &ev)) {
		if (ev.raw < page || ev.raw + ev.n > page + n || ev.n % 4)
			abort();
		in->events++;
	}
	in->bad += p.bad;
}

static int next_page(void *arg, uint32_t ring, const uint8_t **page, size_t *n, struct err *e)
{
	struct input *in = arg;
	size_t want;

	(void)e;
	if (!in->n)
		return 0;
	want = in->p[0] * 4u;
	in->p++;
	in->n--;
	*n = MIN(want, in->n);
	*page = own(in, ring, *n);
	in->p += *n;
	in->n -= *n;
	in->pages++;
	count_events(in, *page, *n);
	return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct tstream_ring rings[RINGS];
	const struct tstream_stats *st;
	struct tstream_rec rec;
	struct input in = { 0 };
	struct tstream *s;
	uint64_t given = 0;

	if (n < 2)
		return 0;
	in = (struct input){ .p = p + 2, .n = n - 2, .swap = p[0] & 1 };
	in.layout = (struct tpage_layout){ .commit_offset = 8, .commit_size = p[0] & 2 ? 4 : 8,
					   .data_offset = p[0] & 4 ? p[1] : 16 };
	for (uint32_t i = 0; i < RINGS; i++)
		rings[i] = (struct tstream_ring){
			.cpu = i, .layout = in.layout, .ts_offset = p[0] & 8 ? -(int64_t)i : 0,
		};
	s = tstream_new(rings, RINGS, in.swap, next_page, &in);
	if (!s)
		abort();
	while (tstream_next(s, UINT64_MAX, &rec, NULL) > 0) {
		const uint8_t *page = in.page[rec.ring];

		if (rec.ring >= RINGS || rec.raw < page || rec.raw + rec.n > page + in.size[rec.ring])
			abort();
		given++;
		if (p[0] & 16 && tstream_peek(s, &rec, NULL) > 0 && rec.n & 4) {
			tstream_skip(s);
			given++;
		}
	}
	st = tstream_stats(s);
	if (given != st->events || given != in.events || st->pages != in.pages || st->bad_pages != in.bad)
		abort();
	tstream_free(s);
	for (uint32_t i = 0; i < RINGS; i++)
		free((void *)(uintptr_t)in.page[i]);
	return 0;
}
