/*
 * data_source.h - where the data of a sampled access came from, as perf's word for it (perf/data_src.h has its text).
 * Numbers of data sources are each implementation's own; of cores whose numbers nobody has told, events say what they
 * know.
 */
#ifndef SPE_DATA_SOURCE_H
#define SPE_DATA_SOURCE_H

#include "spe/record.h"

/* 0: it accesses no memory. midr: of the core that it was on; 0: unknown. */
uint64_t spe_data_source(const struct spe_record *r, uint64_t midr);

#endif
