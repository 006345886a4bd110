/* sched.h - what the scheduler did: each view is a profiler (prof/prof.h), which cmd/cmd_sched.c runs. */
#ifndef SCHED_SCHED_H
#define SCHED_SCHED_H

#include "prof/prof.h"

extern const struct prof_kind sched_latency;    /* sonde sched latency */
extern const struct prof_kind sched_timehist;   /* sonde sched timehist */
extern const struct prof_kind sched_map;        /* sonde sched map */
extern const struct prof_kind sched_replay;     /* sonde sched replay */

#endif
