/* caches.h - which CPUs of this machine share a cache (Linux Documentation/ABI/testing/sysfs-devices-system-cpu). */
#ifndef MACHINE_CACHES_H
#define MACHINE_CACHES_H

#include "base/vec.h"
#include "sys/sys.h"

enum { CACHES_LEVELS = 4, CACHES_INDEXES = 16 };

/* Of a CPU's cache, by the kernel's index of it: its level, 0: there is none; the first CPU of those that share it. */
unsigned caches_level(const struct sys *s, int cpu, unsigned index);
unsigned caches_first(const struct sys *s, int cpu, unsigned index);

/* Of each CPU and level (less one) the first of those that share it, + 1; 0: it has none, or that is not known. */
struct caches {
	VEC(struct { uint32_t first[CACHES_LEVELS]; }) cpus;
	unsigned last;             /* level of the last cache that any CPU has; 0: none is known */
};

int caches_read(struct caches *c, const struct sys *s);   /* of the CPUs that are on; 0 or -ENOMEM */
void caches_deinit(struct caches *c);

/* Level of the nearest cache that the two share, 0: none that is known. */
unsigned caches_shared(const struct caches *c, uint32_t a, uint32_t b);

/* Do they share the one of that level? */
bool caches_share(const struct caches *c, uint32_t a, uint32_t b, unsigned level);

#endif
