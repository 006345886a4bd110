/* symbols.h - answers lines of standard input: addresses with symbols, functions' names with file offsets. */
#ifndef CMD_PROF_SYMBOLS_H
#define CMD_PROF_SYMBOLS_H

#include "cmd/cmd.h"

/*
 * Lines of /proc/PID/maps define mappings. A line 0xADDRESS after them is answered with NAME+0xOFFSET; a function's
 * name with its offset in the file `program`; either with ?? if it is unknown. Returns the exit code.
 */
int prof_symbols(struct ctx *c, const char *program);

#endif
