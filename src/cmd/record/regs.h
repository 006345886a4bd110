/* regs.h - names of the registers that samples can hold. */
#ifndef CMD_RECORD_REGS_H
#define CMD_RECORD_REGS_H

#include "base/err.h"

/* "x0,lr" to a mask of perf's bits; NULL: all that every kernel gives. For "?" the error lists the names. */
int record_regs_parse(uint64_t *mask, const char *value, struct err *e);

#endif
