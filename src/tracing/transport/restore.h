/*
 * restore.h - a recording out of the files of its rings (TRACE.cpuN, TRACE.INSTANCE.cpuN) that a killed recorder or a
 * sender over the network left, and a description: that of another recording, or of this kernel.
 */
#ifndef TRACING_TRANSPORT_RESTORE_H
#define TRACING_TRANSPORT_RESTORE_H

#include "tracing/transport/datfile.h"

struct restore_want {
	const struct sys *sys;
	const char *output;
	const struct tdat *like;     /* the description; NULL: this kernel's */
	const char *tracing;         /* copy of a tracing folder instead of this kernel's */
	const char *kallsyms;        /* of this kernel: DATFILE_KALLSYMS */
	enum tdat_format format;
	bool once;                   /* as datfile_want's */
	const struct tdat_option *more;   /* options that the description lacks */
	size_t n_more;
	char **files;                /* none: only the description */
	size_t n_files;
};

struct restore_result {
	size_t rings;
	uint64_t pages;
};

int restore_run(const struct restore_want *w, struct restore_result *res, struct err *e);

#endif
