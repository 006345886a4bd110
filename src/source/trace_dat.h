/* trace_dat.h - a trace.dat as a source: the kinds of events that occur in it are the events of its head. */
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
	struct dat_kinds kinds;        /* by the index of the event */
	struct tdat_reader *reader;    /* of the second time; NULL: it has not begun */
};

/* found stays borrowed. -EBADMSG: it is none, or hostile; -ENOMEM. */
int trace_dat_open(struct source **to, const struct found *found, struct err *e);

/* NULL: the source is another. */
struct trace_dat *trace_dat_of(struct source *s);

#endif
