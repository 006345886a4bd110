/* aux_live.h - read traces in AUX areas live, together with the rings. */
#ifndef RECORD_AUX_LIVE_H
#define RECORD_AUX_LIVE_H

#include "record/recording.h"
#include "source/source.h"

struct aux_live;

/*
 * Wrap *source, the rings of the recording (record/tee.h), in a source that also delivers samples synthesised from the
 * traces; their events are added to its head. The recording must have AUX areas and outlive the source. 0, or -ENOMEM
 * with *source unchanged.
 */
int aux_live_open(struct aux_live **to, struct source **source, struct recording *r, struct err *e);
void aux_live_free(struct aux_live *l);   /* after closing the source; may be NULL */

#endif
