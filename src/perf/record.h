/*
 * record.h - one record of a perf recording or ring, as it lies in memory. Borrowed from whoever
 * gave it.
 */
#ifndef PERF_RECORD_H
#define PERF_RECORD_H

#include "base/base.h"

struct bytes {
	const uint8_t *p;
	size_t n;
};

struct perf_record {
	uint64_t off;            /* of the header: in the file, or position in the ring */
	uint32_t type;           /* enum perf_rec_type */
	uint16_t misc;
	struct bytes body;       /* bytes after the header */
};

#endif
