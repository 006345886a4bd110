/* caches.h - which CPUs of this machine share a cache (Linux Documentation/ABI/testing/sysfs-devices-system-cpu). */
#ifndef MACHINE_CACHES_H
#define MACHINE_CACHES_H

#include "base/vec.h"
#include "sys/sys.h"

enum { CACHES_LEVELS = 4, CACHES_INDEXES = 16 };

/* Level of the CPU's cache with the kernel's index; 0: no such cache. caches_first: the first CPU that shares it. */
unsigned caches_level(const struct sys *s, int cpu, unsigned index);
unsigned caches_first(const struct sys *s, int cpu, unsigned index);

/* For each CPU and level - 1: the first of the CPUs that share the cache, + 1; 0: no such cache, or unknown. */
struct caches {
	VEC(struct { uint32_t first[CACHES_LEVELS]; }) cpus;
	unsigned last;             /* level of the last-level cache of any CPU; 0: unknown */
};

int caches_read(struct caches *c, const struct sys *s);   /* of online CPUs; 0 or -ENOMEM */
void caches_deinit(struct caches *c);

/* Level of the nearest cache that both CPUs share, 0: none known. */
unsigned caches_shared(const struct caches *c, uint32_t a, uint32_t b);

/* Do both CPUs share the cache of that level? */
bool caches_share(const struct caches *c, uint32_t a, uint32_t b, unsigned level);

#endif
