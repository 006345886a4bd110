/* record.h - stat record: count, and keep the counts in a perf.data. */
#ifndef CMD_STAT_RECORD_H
#define CMD_STAT_RECORD_H

#include "cmd/cmd.h"

extern const struct cmd cmd_stat_record;

#endif
