/*
 * spe_rings.h - the rings of open counters and what tracers of Arm's SPE write beside them, as one source: samples of
 * loads and stores come whenever the rings have nothing older.
 */
#ifndef SOURCE_SPE_RINGS_H
#define SOURCE_SPE_RINGS_H

#include "source/spe_feed.h"

/* rings are closed with it; on error they stay the caller's. The events are added to their head. 0 or -ENOMEM. */
int spe_rings_open(struct source **to, struct source *rings, const struct spe_live *live, struct err *e);

/* NULL: it is no such source. */
const struct spe_told *spe_rings_told(const struct source *s);

#endif
