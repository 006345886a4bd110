/*
 * data_source.h - where the data of a sampled access came from, as a perf_mem_data_src word (perf/data_src.h prints
 * it). The numbers in data source packets are implementation defined; for cores whose numbers are not documented, the
 * word is made from the events packet.
 */
#ifndef SPE_DATA_SOURCE_H
#define SPE_DATA_SOURCE_H

#include "spe/record.h"

/* 0: the operation accesses no memory. midr: MIDR_EL1 of the core that took the sample; 0: unknown. */
uint64_t spe_data_source(const struct spe_record *r, uint64_t midr);

#endif
