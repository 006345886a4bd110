/* trace_dat.h - a trace.dat as a source; the kinds of events that occur in it become the events of its head. */
#ifndef SOURCE_TRACE_DAT_H
#define SOURCE_TRACE_DAT_H

#include "source/dat_events.h"
#include "source/found.h"
#include "source/source.h"
#include "tracefs/dat/dat.h"

struct trace_dat {
	struct source source;
	struct perf_head head;
	struct tdat file;
	struct dat_kinds kinds;        /* indexed like the head's events */
	struct tdat_reader *reader;    /* of the second pass; NULL: not started */
};

/* found stays borrowed. -EBADMSG: not a trace.dat, or one with impossible values; -ENOMEM. */
int trace_dat_open(struct source **to, const struct found *found, struct err *e);

/* NULL: s is another kind of source. */
struct trace_dat *trace_dat_of(struct source *s);

#endif
