/* doctor_counters.h - between the files that look at the counters. */
#ifndef MACHINE_DOCTOR_COUNTERS_H
#define MACHINE_DOCTOR_COUNTERS_H

#include "machine/doctor_parts.h"

/* Rows that say why there is no core PMU and what happens instead. */
void doctor_no_pmu(struct doctor *d);

/* Rows about one core PMU. */
void doctor_core_pmu(struct doctor *d, const struct pmu *p);

#endif
