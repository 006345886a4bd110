/* line.h - a hit as a line of text: date (live), name, thread, flags, CPU, time, event, what it tells. */
#ifndef ENGINE_LINE_H
#define ENGINE_LINE_H

#include "engine/feed.h"

/* Up to and with the event's name: what it tells comes behind it. */
void line_place(struct feed *f, const struct hit *h, struct out *o);

/* No newline at the end. */
void line_put(struct feed *f, const struct hit *h, struct out *o);

/* What a tracepoint's hit tells, as the kernel writes it. */
void line_text(struct feed *f, const struct hit *h, struct out *o);

/* "2026-11-27 05:38:27.435398 " of a time of the events; nothing of a recording, whose clock is nobody's. */
void line_date(const struct feed *f, uint64_t time, struct out *o);

/* "12.345 ms", as it is read best. */
enum { LINE_TIME = 32 };
const char *line_time(char buf[LINE_TIME], uint64_t ns);

/* With such a unit or a bare number of ns: "5ms". False: it is none. */
bool line_read_time(const char *text, uint64_t *ns);

#endif
