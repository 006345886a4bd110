/* spe_build.h - packets of the statistical profiling extension, by hand. */
#ifndef SPE_BUILD_H
#define SPE_BUILD_H

#include "base/base.h"

struct spe_image {
	uint8_t v[4096];
	size_t n;
};

static inline void spe_put(struct spe_image *m, unsigned header, uint64_t payload, size_t size)
{
	m->v[m->n++] = (uint8_t)header;
	for (size_t i = 0; i < size; i++)
		m->v[m->n++] = (uint8_t)(payload >> 8 * i);
}

static inline void spe_put_address(struct spe_image *m, unsigned index, uint64_t v)
{
	spe_put(m, 0xb0 | index, v, 8);
}

static inline void spe_put_counter(struct spe_image *m, unsigned index, uint64_t v)
{
	spe_put(m, 0x98 | index, v, 2);
}

static inline void spe_put_time(struct spe_image *m, uint64_t v)
{
	spe_put(m, 0x71, v, 8);
}

#endif
