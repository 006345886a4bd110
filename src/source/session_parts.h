/* session_parts.h - records of each form as the items of a session. */
#ifndef SOURCE_SESSION_PARTS_H
#define SOURCE_SESSION_PARTS_H

#include "source/session.h"

/* session.c; as session_next, but for -ENOMEM without a text. */
int session_perf_next(struct session *s, struct session_item *item, struct err *e);

/* session_trace.c: the same. open: the resolver is there; 0 or -ENOMEM. */
int session_trace_open(struct session *s);
void session_trace_close(struct session *s);
int session_trace_next(struct session *s, struct session_item *item, struct err *e);

#endif
