/*
 * wanted.h - which samples are made of records: perf's kinds, by the letters of its --itrace. One record may be a
 * sample of several.
 */
#ifndef SPE_WANTED_H
#define SPE_WANTED_H

#include "spe/record.h"

enum spe_sample {
	SPE_L1D_MISS, SPE_L1D_ACCESS, SPE_LLC_MISS, SPE_LLC_ACCESS, SPE_TLB_MISS, SPE_TLB_ACCESS, SPE_BRANCH_MISS,
	SPE_REMOTE_ACCESS, SPE_MEMORY, SPE_INSTRUCTIONS, SPE_SAMPLES,
};

struct spe_want {
	unsigned kinds;          /* 1 << enum spe_sample */
	uint64_t period;         /* of instructions: one sample for so many records */
};

/* letters NULL: what perf makes when nobody asks. -EINVAL: none of them, or not of this extension. */
int spe_want_parse(struct spe_want *w, const char *letters, struct err *e);

/* As perf names the event: "l1d-miss". */
const char *spe_sample_name(enum spe_sample kind);

/* All kinds that a record is a sample of. */
unsigned spe_samples_of(const struct spe_record *r);

#endif
