/* session_parts.h - records of tracefs as the items of a session. */
#ifndef SOURCE_SESSION_PARTS_H
#define SOURCE_SESSION_PARTS_H

#include "source/session.h"

/* The resolver is there. 0 or -ENOMEM. */
int session_trace_open(struct session *s);
void session_trace_close(struct session *s);

/* As session_next, but for -ENOMEM without a text. */
int session_trace_next(struct session *s, struct session_item *item, struct err *e);

#endif
