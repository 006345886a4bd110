/* trecord.h - what record and extract share: the file's format, and the words at the end. */
#ifndef CMD_FTRACE_TRECORD_H
#define CMD_FTRACE_TRECORD_H

#include "cmd/cmd.h"
#include "cmd/ftrace/want.h"
#include "live/dat_recording.h"

struct trecord_format {
	uint64_t version;          /* 0: not given */
	const char *compression;
};

extern const struct opt trecord_format_opts[];   /* --file-version --compression */

int trecord_format(const struct trecord_format *w, enum tdat_format *f, struct err *e);

/* Tracers that keep the worst case as a text; all others leave events. */
bool trecord_leaves_text(const char *tracer);

/*
 * What programs write to trace_marker, and trace_printk, is in the top buffer and needs no switching on:
 * -e ftrace:print is the wish for that buffer. After want_finish.
 */
void trecord_markers(struct want *w);

/* -H and --ts-offset as options of the file; at most OPT_LIST_MAX + 1 of them. How many. */
size_t trecord_options(const struct want *w, struct tdat_option *to);

enum trecord_how {
	TRECORD_SAY,         /* sizes on standard output, as trace-cmd has them */
	TRECORD_SAY_STDERR,
	TRECORD_QUIET,       /* only what went wrong, and losses */
};

/* r: of dat_recording_run, with e. The exit code. */
int trecord_finish(struct ctx *c, const struct dat_recording *rec, enum trecord_how how, int r, struct err *e);

#endif
