/* convert.h - a trace.dat in another version or compression, or with more options: the same pages and texts. */
#ifndef TRACING_TRANSPORT_CONVERT_H
#define TRACING_TRANSPORT_CONVERT_H

#include "tracing/transport/datfile.h"

/* Write it to `path`; -EOPNOTSUPP when the format cannot hold something. On failure no file is left. */
int convert_run(const struct sys *sys, struct tdat *d, const char *path, enum tdat_format format, struct err *e);

/* The same with n more options. Of the kinds in `once` (a bit for each) existing options are dropped. */
int convert_add(const struct sys *sys, struct tdat *d, const char *path, const struct tdat_option *more, size_t n,
		uint64_t once, struct err *e);

#endif
