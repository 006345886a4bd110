/* regs.h - registers that samples hold, by name. */
#ifndef CMD_RECORD_REGS_H
#define CMD_RECORD_REGS_H

#include "base/err.h"

/* "x0,lr" to a mask of perf's bits; NULL: all that every kernel gives. Any other text, "?", is told which there are. */
int record_regs_parse(uint64_t *mask, const char *value, struct err *e);

#endif
