/*
 * spe_rings.h - the rings of open counters and the AUX areas of live SPE events as one source: samples of loads and
 * stores come whenever the rings have no records.
 */
#ifndef SOURCE_SPE_RINGS_H
#define SOURCE_SPE_RINGS_H

#include "source/spe_feed.h"

/* rings is closed with *to; on an error the caller still owns it. Adds events to its head. 0 or -ENOMEM. */
int spe_rings_open(struct source **to, struct source *rings, const struct spe_live *live, struct err *e);

/* NULL: s is another kind of source. */
const struct spe_told *spe_rings_told(const struct source *s);

#endif
