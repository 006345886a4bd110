/* trecord.h - what the verbs that record share: the file's format, options in the file, and the summary at the end. */
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

/* Is it a latency tracer? These keep the worst case as text; all other tracers leave events in the ring. */
bool trecord_leaves_text(const char *tracer);

/*
 * Replace -e ftrace:print (bprint, bputs) by the choice of the top buffer: programs that write to trace_marker, and
 * trace_printk, write there without being enabled. Call it after want_finish().
 */
void trecord_markers(struct want *w);

/* -H and --ts-offset as options of the file, at most OPT_LIST_MAX + 1. Returns their number. */
size_t trecord_options(const struct want *w, struct tdat_option *to);

enum trecord_how {
	TRECORD_SAY,         /* print sizes to standard output, as trace-cmd does */
	TRECORD_SAY_STDERR,
	TRECORD_QUIET,       /* print only errors, losses and missing markers */
};

/* Print the summary of a recording, or the error in e; r: the result of dat_recording_run(). Returns the exit code. */
int trecord_finish(struct ctx *c, const struct dat_recording *rec, enum trecord_how how, int r, struct err *e);

#endif
