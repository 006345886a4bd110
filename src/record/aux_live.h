/* aux_live.h - traces of AUX areas that are read while they are written, beside what comes through the rings. */
#ifndef RECORD_AUX_LIVE_H
#define RECORD_AUX_LIVE_H

#include "record/recording.h"
#include "source/source.h"

struct aux_live;

/*
 * *source, the rings of the recording (record/tee.h), becomes one that has the samples of its traces, too: of events
 * that are added to its head. The recording has such areas, and outlives it. 0 or -ENOMEM: *source is what it was.
 */
int aux_live_open(struct aux_live **to, struct source **source, struct recording *r, struct err *e);
void aux_live_free(struct aux_live *l);   /* behind the source; may be NULL */

#endif
