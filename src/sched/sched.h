/* sched.h - sonde sched: each view is a profiler (prof/prof.h) run by cmd/cmd_sched.c. */
#ifndef SCHED_SCHED_H
#define SCHED_SCHED_H

#include "prof/prof.h"

extern const struct prof_kind sched_latency;    /* sonde sched latency */
extern const struct prof_kind sched_timehist;   /* sonde sched timehist */
extern const struct prof_kind sched_map;        /* sonde sched map */
extern const struct prof_kind sched_replay;     /* sonde sched replay */

#endif
