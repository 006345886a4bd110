/* ring_aux.h - an AUX area, mapped, and the clock that its contents count: beside a ring of ring_map.h. */
#ifndef SYS_RING_AUX_H
#define SYS_RING_AUX_H

#include "sys/ring_map.h"

/*
 * The area beside a ring that a PMU fills itself (Linux 4.1): `pages`, a power of two. fd: the ring's own, of an event
 * of that PMU. -EPERM: over the locked-memory limit; -EINVAL, -EOPNOTSUPP: it is no event of such a PMU.
 */
struct ring_aux {
	const struct ring_map *ring;
	uint8_t *data;
	uint64_t size;          /* bytes, a power of two */
	uint64_t tail;          /* as the ring's */
};
int ring_aux_init(struct ring_aux *a, const struct ring_map *r, const struct sys *s, int fd, size_t pages);
void ring_aux_deinit(struct ring_aux *a, const struct sys *s);

uint64_t ring_aux_head(const struct ring_aux *a);            /* as ring_map_head and ring_map_release */
void ring_aux_release(struct ring_aux *a, uint64_t tail);

/* What turns the processor's counter into times of records; false: the kernel does not tell. */
struct ring_clock {
	uint64_t shift, mult, zero, cycles, mask;
	bool is_short;          /* the counter wraps: `mask` of it are told */
};
bool ring_map_clock(const struct ring_map *r, struct ring_clock *c);

#endif
