/* options_list.h - sonde --options, for the tests: lists the options of each command. */
#ifndef CMD_OPTIONS_LIST_H
#define CMD_OPTIONS_LIST_H

#include "cmd/cmd.h"

int options_list(struct ctx *c);

#endif
