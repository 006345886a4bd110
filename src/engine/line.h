/* line.h - a hit as a line of text: date (live), name, thread, flags, CPU, time, event, its fields. */
#ifndef ENGINE_LINE_H
#define ENGINE_LINE_H

#include "engine/feed.h"

/* The line up to and including the event's name. */
void line_place(struct feed *f, const struct hit *h, struct out *o);

/* The whole line, without a newline. */
void line_put(struct feed *f, const struct hit *h, struct out *o);

/* The fields of a tracepoint's hit, as the kernel prints them. */
void line_text(struct feed *f, const struct hit *h, struct out *o);

/* "2026-11-27 05:38:27.435398 " for a time of a live event; nothing for a recording, whose clock has no known date. */
void line_date(const struct feed *f, uint64_t time, struct out *o);

/* "12.345 ms", with a suitable unit. */
enum { LINE_TIME = 32 };
const char *line_time(char buf[LINE_TIME], uint64_t ns);

/* Parse a time with a unit, "5ms", or without, in ns. False: invalid. */
bool line_read_time(const char *text, uint64_t *ns);

#endif
