/* plugin_options.h - what report -O understands, told by `options` and `list -O` as trace-cmd tells them. */
#ifndef CMD_FTRACE_PLUGIN_OPTIONS_H
#define CMD_FTRACE_PLUGIN_OPTIONS_H

#include "base/fmt.h"

void plugin_options_out(struct out *o);

#endif
