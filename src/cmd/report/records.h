/* records.h - report --stats, --tasks and --mmaps: the records of a recording instead of its profile. */
#ifndef CMD_REPORT_RECORDS_H
#define CMD_REPORT_RECORDS_H

#include "cmd/cmd.h"
#include "cmd/report/want.h"

/* For OPT_SUB: --stats, --tasks, --mmaps. */
extern const struct opt records_opts[];

/* The name of the option that was given, or NULL. */
const char *records_wanted(const struct records_want *w);

/* Print the listing that was asked for, in perf's layout. 0 or -errno. */
int report_records(struct ctx *c, const struct records_want *w, struct session *s, struct err *e);

#endif
