/* plugin_options.h - prints the options that report -O understands, for `options` and `list -O`, as trace-cmd does. */
#ifndef CMD_FTRACE_PLUGIN_OPTIONS_H
#define CMD_FTRACE_PLUGIN_OPTIONS_H

#include "base/fmt.h"

void plugin_options_out(struct out *o);

#endif
