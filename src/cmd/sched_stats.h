/* sched_stats.h - sonde sched stats: what the scheduler counts by itself, /proc/schedstat. */
#ifndef CMD_SCHED_STATS_H
#define CMD_SCHED_STATS_H

#include "base/command.h"

extern const struct cmd sched_stats;

#endif
