/* bpf_ring_fake.h - a ring as the kernel maps it (sys/bpf_ring.h), which the test writes. */
#ifndef TESTS_BPF_RING_FAKE_H
#define TESTS_BPF_RING_FAKE_H

#include "sys/bpf_ring.h"
#include "t.h"

enum { RING_PAGE = 4096, RING_BYTES = 1 << 15 };

/* The data twice, as the kernel maps them. */
static struct {
	_Alignas(8) uint8_t ours[RING_PAGE];
	_Alignas(8) uint8_t theirs[RING_PAGE + 2 * RING_BYTES];
	uint64_t head;
} ring;

static inline long page_size(const struct sys *s UNUSED)
{
	return RING_PAGE;
}

static inline int map_ring(const struct sys *s UNUSED, void **p, size_t n, int prot UNUSED, int flags UNUSED,
			   int fd UNUSED, uint64_t off)
{
	CHECK_EQ(n, off ? sizeof(ring.theirs) : sizeof(ring.ours));
	*p = off ? ring.theirs : ring.ours;
	return 0;
}

static inline int unmap_ring(const struct sys *s UNUSED, void *p UNUSED, size_t n UNUSED)
{
	return 0;
}

static inline void write_ring(uint32_t flags, const void *bytes, uint32_t n)
{
	uint32_t length = n | flags;
	uint64_t at = ring.head & (RING_BYTES - 1);

	for (unsigned twice = 0; twice < 2; twice++) {
		uint8_t *data = ring.theirs + RING_PAGE + twice * RING_BYTES;

		memcpy(data + at, &length, sizeof(length));
		if (at + 8 + n <= (twice ? RING_BYTES : 2 * RING_BYTES))
			memcpy(data + at + 8, bytes, n);
		/* What goes beyond the end lies at the beginning, too. */
		if (!twice && at + 8 + n > RING_BYTES)
			memcpy(data, data + RING_BYTES, at + 8 + n - RING_BYTES);
	}
	ring.head += (8 + n + 7) / 8 * 8;
	memcpy(ring.theirs, &ring.head, sizeof(ring.head));
}

static const struct sys ring_sys = { .page_size = page_size, .mmap = map_ring, .munmap = unmap_ring };

#endif
