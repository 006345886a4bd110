#include "sys/bpf_ring.h"

#include <sys/mman.h>

#define BUSY    (UINT32_C(1) << 31)
#define DISCARD (UINT32_C(1) << 30)

enum { HEAD = 8 };

int bpf_ring_init(struct bpf_ring *r, const struct sys *s, int fd, size_t size)
{
	size_t page = (size_t)s->page_size(s);
	int ret;

	*r = (struct bpf_ring){ .page = page, .size = size };
	ret = s->mmap(s, &r->ours, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ret < 0) {
		r->ours = NULL;
		return ret;
	}
	ret = s->mmap(s, &r->theirs, page + 2 * size, PROT_READ, MAP_SHARED, fd, page);
	if (ret < 0) {
		r->theirs = NULL;
		bpf_ring_deinit(r, s);
	}
	return MIN(ret, 0);
}

void bpf_ring_deinit(struct bpf_ring *r, const struct sys *s)
{
	if (r->ours)
		s->munmap(s, r->ours, r->page);
	if (r->theirs)
		s->munmap(s, r->theirs, r->page + 2 * r->size);
	*r = (struct bpf_ring){ 0 };
}

/* Records are 8-byte aligned in a page-aligned mapping, so their lengths are aligned for atomic access. */
static uint32_t length_at(const struct bpf_ring *r, uint64_t at)
{
	const uint8_t *data = (const uint8_t *)r->theirs + r->page;

	return __atomic_load_n((const uint32_t *)(const void *)(data + (at & (r->size - 1))), __ATOMIC_ACQUIRE);
}

const uint8_t *bpf_ring_next(struct bpf_ring *r, size_t *n)
{
	while (r->ours && r->at != __atomic_load_n((const uint64_t *)r->theirs, __ATOMIC_ACQUIRE)) {
		uint64_t at = r->at;
		uint32_t length = length_at(r, at), bytes = length & ~(BUSY | DISCARD);

		if (length & BUSY || bytes > r->size - HEAD)
			return NULL;
		r->at += (HEAD + (uint64_t)bytes + 7) & ~UINT64_C(7);
		if (length & DISCARD)
			continue;
		*n = bytes;
		return (const uint8_t *)r->theirs + r->page + (at & (r->size - 1)) + HEAD;
	}
	return NULL;
}

void bpf_ring_release(struct bpf_ring *r)
{
	if (r->ours)
		__atomic_store_n((uint64_t *)r->ours, r->at, __ATOMIC_RELEASE);
}
