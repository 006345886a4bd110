/* ring_aux.c - maps AUX areas, reads the clock's conversion. Offsets are those of struct perf_event_mmap_page. */
#include "sys/ring_aux.h"

#include <sys/mman.h>

/* The page is page-aligned, so its words are aligned for atomic access. */
static uint64_t *shared_word(const struct ring_map *r, size_t off)
{
	return (uint64_t *)(void *)(r->base + off);
}

int ring_aux_init(struct ring_aux *a, const struct ring_map *r, const struct sys *s, int fd, size_t pages)
{
	uint64_t size = pages * (uint64_t)s->page_size(s), off = r->mapped;
	void *p = NULL;
	int ret;

	/*
	 * Place and size of the area are written to the control page; the kernel takes a mapping there as the AUX area.
	 */
	memcpy(r->base + PERF_PAGE_AUX_OFFSET, &off, sizeof(off));
	memcpy(r->base + PERF_PAGE_AUX_SIZE, &size, sizeof(size));
	/* Writable: the kernel then overwrites only what aux_tail says was read. */
	ret = s->mmap(s, &p, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, off);
	if (ret < 0)
		return ret;
	*a = (struct ring_aux){ .ring = r, .data = p, .size = size };
	return 0;
}

void ring_aux_deinit(struct ring_aux *a, const struct sys *s)
{
	if (a->data)
		s->munmap(s, a->data, a->size);
	*a = (struct ring_aux){ 0 };
}

uint64_t ring_aux_head(const struct ring_aux *a)
{
	return __atomic_load_n(shared_word(a->ring, PERF_PAGE_AUX_HEAD), __ATOMIC_ACQUIRE);
}

void ring_aux_release(struct ring_aux *a, uint64_t tail)
{
	a->tail = tail;
	__atomic_store_n(shared_word(a->ring, PERF_PAGE_AUX_TAIL), tail, __ATOMIC_RELEASE);
}

static void read_clock(const uint8_t *page, struct ring_clock *c, uint64_t *caps)
{
	uint16_t shift;
	uint32_t mult;

	memcpy(caps, page + PERF_PAGE_CAPS, sizeof(*caps));
	memcpy(&shift, page + PERF_PAGE_TIME_SHIFT, sizeof(shift));
	memcpy(&mult, page + PERF_PAGE_TIME_MULT, sizeof(mult));
	memcpy(&c->zero, page + PERF_PAGE_TIME_ZERO, sizeof(c->zero));
	memcpy(&c->cycles, page + PERF_PAGE_TIME_CYCLES, sizeof(c->cycles));
	memcpy(&c->mask, page + PERF_PAGE_TIME_MASK, sizeof(c->mask));
	c->shift = shift;
	c->mult = mult;
	c->is_short = *caps & PERF_PAGE_CAP_TIME_SHORT;
}

bool ring_map_clock(const struct ring_map *r, struct ring_clock *c)
{
	enum { TRIES = 10000 };
	const uint32_t *lock = (const uint32_t *)(const void *)(r->base + PERF_PAGE_LOCK);
	uint64_t caps;

	for (unsigned i = 0; i < TRIES; i++) {
		uint32_t seq = __atomic_load_n(lock, __ATOMIC_ACQUIRE);

		read_clock(r->base, c, &caps);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (!(seq & 1) && __atomic_load_n(lock, __ATOMIC_RELAXED) == seq)
			return caps & PERF_PAGE_CAP_TIME_ZERO;
	}
	return false;
}
