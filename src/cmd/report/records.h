/* records.h - what a recording is made of: numbers of records, tasks, maps. */
#ifndef CMD_REPORT_RECORDS_H
#define CMD_REPORT_RECORDS_H

#include "cmd/cmd.h"
#include "cmd/report/want.h"

/* For OPT_SUB: --stats, --tasks, --mmaps. */
extern const struct opt records_opts[];

/* The option that asks for it, or NULL. */
const char *records_wanted(const struct records_want *w);

/* In perf's words. 0 or -errno. */
int report_records(struct ctx *c, const struct records_want *w, struct session *s, struct err *e);

#endif
