/*
 * wanted.h - which samples are synthesized from records: perf's kinds, chosen by the letters of its --itrace. A record
 * may become samples of several kinds.
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
	uint64_t period;         /* SPE_INSTRUCTIONS: one sample for every `period` records */
};

/* letters NULL: perf's default. -EINVAL: an unknown letter, or one that does not apply to SPE. */
int spe_want_parse(struct spe_want *w, const char *letters, struct err *e);

/* perf's name of the event: "l1d-miss". */
const char *spe_sample_name(enum spe_sample kind);

/* All kinds of samples that a record becomes: 1 << enum spe_sample. */
unsigned spe_samples_of(const struct spe_record *r);

#endif
