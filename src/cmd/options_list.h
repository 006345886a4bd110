/* options_list.h - sonde --options, for the tests: what each command takes. */
#ifndef CMD_OPTIONS_LIST_H
#define CMD_OPTIONS_LIST_H

#include "cmd/cmd.h"

int options_list(struct ctx *c);

#endif
