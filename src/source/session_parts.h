/* session_parts.h - records of tracefs as the items of a session. */
#ifndef SOURCE_SESSION_PARTS_H
#define SOURCE_SESSION_PARTS_H

#include "source/session.h"

/* To be called after the resolver was made. 0 or -ENOMEM. */
int session_trace_open(struct session *s);
void session_trace_close(struct session *s);

/* As session_next(), but -ENOMEM does not set e. */
int session_trace_next(struct session *s, struct session_item *item, struct err *e);

#endif
