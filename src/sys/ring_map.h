/*
 * ring_map.h - a mapped perf ring with its data_head and data_tail, which are shared with the kernel. Besides
 * ring_aux.c the only place with acquire and release.
 *
 * ring_map_head() takes a snapshot of how far the kernel has written; the bytes up to there may be read until
 * ring_map_release().
 */
#ifndef SYS_RING_MAP_H
#define SYS_RING_MAP_H

#include "sys/sys.h"

struct ring_map {
	uint8_t *base;          /* control page, then data */
	size_t mapped;          /* bytes of the mapping */
	const uint8_t *data;
	uint64_t size;          /* bytes of data, a power of two */
	uint64_t tail;          /* first byte not yet consumed; grows without limit, used modulo size */
};

/*
 * Map fd's ring with `pages` data pages (a power of two). -EPERM: over the locked-memory limit. newest_only: when full,
 * the kernel overwrites the oldest records instead of dropping new ones (Linux 4.7; with PERF_ATTR_WRITE_BACKWARD the
 * newest record is at the head, and older ones follow).
 */
int ring_map_init(struct ring_map *r, const struct sys *s, int fd, size_t pages, bool newest_only);
void ring_map_deinit(struct ring_map *r, const struct sys *s);

uint64_t ring_map_head(const struct ring_map *r);            /* load-acquire */
void ring_map_release(struct ring_map *r, uint64_t tail);    /* store-release: the kernel may overwrite up to here */

#endif
