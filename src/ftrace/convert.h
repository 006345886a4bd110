/* convert.h - a trace.dat in another version or compression: the same pages, texts and options. */
#ifndef FTRACE_CONVERT_H
#define FTRACE_CONVERT_H

#include "ftrace/datfile.h"

/* Into `path`; -EOPNOTSUPP for what the format has no place for. Nothing is left where it fails. */
int convert_run(const struct sys *sys, struct tdat *d, const char *path, enum tdat_format format, struct err *e);

#endif
