/*
 * restore.h - makes a recording of the ring files (TRACE.cpuN, TRACE.INSTANCE.cpuN) that a killed recorder or a network
 * sender left, and a description: that of another recording, or of this kernel.
 */
#ifndef TRACING_TRANSPORT_RESTORE_H
#define TRACING_TRANSPORT_RESTORE_H

#include "tracing/transport/datfile.h"

struct restore_want {
	const struct sys *sys;
	const char *output;
	const struct tdat *like;     /* recording with the description; NULL: this kernel's */
	const char *tracing;         /* path of a copied tracefs to use instead of this kernel's */
	const char *kallsyms;        /* path for this kernel's symbols: DATFILE_KALLSYMS */
	enum tdat_format format;
	bool once;                   /* as datfile_want's */
	const struct tdat_option *more;   /* options that the description lacks */
	size_t n_more;
	char **files;                /* no files: write only the description */
	size_t n_files;
};

struct restore_result {
	size_t rings;
	uint64_t pages;
};

int restore_run(const struct restore_want *w, struct restore_result *res, struct err *e);

#endif
