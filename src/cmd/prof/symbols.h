/* symbols.h - names of addresses, and places of names, line by line from standard input. */
#ifndef CMD_PROF_SYMBOLS_H
#define CMD_PROF_SYMBOLS_H

#include "cmd/cmd.h"

/*
 * Lines of /proc/PID/maps say what is where; a line 0xADDRESS behind them is answered with NAME+0xOFFSET, one of a
 * function's name with where it begins in the file `program`; ?? where nothing is known. Returns the exit code.
 */
int prof_symbols(struct ctx *c, const char *program);

#endif
