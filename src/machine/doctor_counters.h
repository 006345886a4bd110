/* doctor_counters.h - shared by the files that examine counters. */
#ifndef MACHINE_DOCTOR_COUNTERS_H
#define MACHINE_DOCTOR_COUNTERS_H

#include "machine/doctor_parts.h"

/* Add rows that say why there is no core PMU, and what is used instead. */
void doctor_no_pmu(struct doctor *d);

/* Add rows about one core PMU. */
void doctor_core_pmu(struct doctor *d, const struct pmu *p);

#endif
