/*
 * data_source.h - where the data of a sampled access came from, as perf's data source word (perf/data_src.h has its
 * text). Each implementation numbers data sources in its own way; for cores whose numbers are undocumented, the level
 * comes from the record's events.
 */
#ifndef SPE_DATA_SOURCE_H
#define SPE_DATA_SOURCE_H

#include "spe/record.h"

/* 0: the operation accesses no memory. midr: MIDR_EL1 of the core that ran it; 0: unknown. */
uint64_t spe_data_source(const struct spe_record *r, uint64_t midr);

#endif
