/*
 * ring_map.c - map, acquire, release. Offsets are those of struct perf_event_mmap_page; the data size comes from the
 * page.
 */
#include "sys/ring_map.h"

#include <sys/mman.h>

static uint64_t page_u64(const struct ring_map *r, size_t off)
{
	uint64_t v;

	memcpy(&v, r->base + off, sizeof(v));
	return v;
}

int ring_map_init(struct ring_map *r, const struct sys *s, int fd, size_t pages, bool newest_only)
{
	size_t page = (size_t)s->page_size(s), n = (pages + 1) * page;
	void *p = NULL;
	/* With a read-only mapping the kernel ignores data_tail, and overwrites. */
	int ret = s->mmap(s, &p, n, newest_only ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (ret < 0)
		return ret;
	*r = (struct ring_map){ .base = p, .mapped = n };

	uint64_t off = page_u64(r, PERF_PAGE_DATA_OFFSET), size = page_u64(r, PERF_PAGE_DATA_SIZE);

	/* data_offset and data_size exist since 4.1; before that they read as zero. */
	r->data = r->base + (off ? off : page);
	r->size = size ? size : pages * page;
	return 0;
}

void ring_map_deinit(struct ring_map *r, const struct sys *s)
{
	if (r->base)
		s->munmap(s, r->base, r->mapped);
	*r = (struct ring_map){ 0 };
}

/* The page is page-aligned, so its words are aligned for atomic access. */
static uint64_t *shared_word(const struct ring_map *r, size_t off)
{
	return (uint64_t *)(void *)(r->base + off);
}

uint64_t ring_map_head(const struct ring_map *r)
{
	return __atomic_load_n(shared_word(r, PERF_PAGE_DATA_HEAD), __ATOMIC_ACQUIRE);
}

void ring_map_release(struct ring_map *r, uint64_t tail)
{
	r->tail = tail;
	__atomic_store_n(shared_word(r, PERF_PAGE_DATA_TAIL), tail, __ATOMIC_RELEASE);
}
