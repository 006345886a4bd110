/* report.h - `sonde stat report`, a verb of stat. */
#ifndef CMD_STAT_REPORT_H
#define CMD_STAT_REPORT_H

#include "cmd/cmd.h"

extern const struct cmd *const stat_verbs[];   /* all verbs of stat; NULL at the end */

#endif
