/* ring_aux.h - an AUX area beside a ring of ring_map.h, and the conversion of its time stamps. */
#ifndef SYS_RING_AUX_H
#define SYS_RING_AUX_H

#include "sys/ring_map.h"

/*
 * The area that a PMU writes directly (Linux 4.1): `pages`, a power of two. fd: of the ring's event, which is that
 * PMU's. -EPERM: over the locked-memory limit; -EINVAL, -EOPNOTSUPP: the PMU has no AUX area.
 */
struct ring_aux {
	const struct ring_map *ring;
	uint8_t *data;
	uint64_t size;          /* bytes, a power of two */
	uint64_t tail;          /* as in struct ring_map */
};
int ring_aux_init(struct ring_aux *a, const struct ring_map *r, const struct sys *s, int fd, size_t pages);
void ring_aux_deinit(struct ring_aux *a, const struct sys *s);

uint64_t ring_aux_head(const struct ring_aux *a);            /* as ring_map_head and ring_map_release */
void ring_aux_release(struct ring_aux *a, uint64_t tail);

/* Conversion of the CPU's counter to times of records (perf_event_mmap_page); false: not provided by the kernel. */
struct ring_clock {
	uint64_t shift, mult, zero, cycles, mask;
	bool is_short;          /* the counter is narrower than 64 bits: `mask` has the valid ones */
};
bool ring_map_clock(const struct ring_map *r, struct ring_clock *c);

#endif
