/* sched_stats.h - sonde sched stats: the counters that the scheduler keeps in /proc/schedstat. */
#ifndef CMD_SCHED_STATS_H
#define CMD_SCHED_STATS_H

#include "base/command.h"

extern const struct cmd sched_stats;

#endif
