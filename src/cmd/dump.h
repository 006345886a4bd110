/*
 * dump.h - perf's `-D`: each record of a recording as hex bytes and as text. Records are printed in file order, when
 * the session reads them; thread and dso of a sample follow when the session hands out that sample.
 */
#ifndef CMD_DUMP_H
#define CMD_DUMP_H

#include "source/frames.h"
#include "source/session.h"

struct dump {
	struct session *session;
	struct out *o;
	bool of_script;          /* perf's script and its report print ": unhandled!" for different record types */
	const char *path;        /* as perf prints it: "pipe" for a pipe */
	uint64_t before;         /* bytes that perf's offsets do not count: the header of a pipe */
	uint64_t combined;       /* sample_type of the n_events so far, ORed; a pipe has a HEADER_ATTR for each */
	bool id_all;             /* all of these events have sample_id_all */
	size_t n_events;         /* events that are in the two above */
};

/* 0, or -EOPNOTSUPP for a trace.dat, which has no perf records. */
int dump_can(const struct session *s, struct err *e);

/* Call it before the first session_next(). It sets the session's watch, so d and o must outlive the session. */
void dump_begin(struct dump *d, struct session *s, struct out *o, bool of_script);

/* Print the thread and the dso of a sample; comm is the thread's name. 0 or -ENOMEM. */
int dump_place(struct dump *d, const struct frames *f, const struct sample *smp, const char *comm);

#endif
