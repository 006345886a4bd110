/* feed_parts.h - how a feed is opened, and how a live one waits. */
#ifndef ENGINE_FEED_PARTS_H
#define ENGINE_FEED_PARTS_H

#include "engine/feed.h"

/* The events are opened and held, the taps are there but for `event` and `filter`. */
int feed_live_open(struct feed *f, struct err *e);
void feed_live_close(struct feed *f);

/* Nothing is in the rings: sleep. FEED_TICK, or FEED_HIT: there may be something now. */
enum feed_got feed_live_wait(struct feed *f);

/* The same without sleep, now and then. FEED_HIT: nothing has happened. */
enum feed_got feed_live_look(struct feed *f);

/* When all was given: lost events that the kernel has counted, and had no room to tell of (Linux 6.1). */
uint64_t feed_live_untold(const struct feed *f);

/* The feed's filter for a tracepoint's tap, or a refusal: its rule becomes both. 0 or -errno. */
int feed_filter_rule(struct feed *f, struct tap *t, struct err *e);
/* Of what is no tracepoint: -EINVAL where only a live kernel can decide it. */
int feed_filter_recorded(const struct feed *f, const struct tap *t, struct err *e);
/* Names of enums' values in a live tracepoint's rule become numbers, which the kernel knows. 0 or -errno. */
int feed_enum_rule(struct feed *f, struct tap *t, const struct event *ev, struct err *e);
/* When the events are open: to each that samples and is no tracepoint. */
int feed_filter_attach(struct feed *f, struct err *e);
/* A sample of that process is left out here. */
bool feed_filter_is_out(const struct feed *f, const struct tap *t, uint32_t pid);

/* The taps of a recording: its events that are asked for. */
int feed_file_open(struct feed *f, struct err *e);

struct tap *feed_tap_add(struct feed *f, const struct spec *spec, const char *label, struct err *e);

/* Index of an event of the head: that tap is of it. 0 or -ENOMEM. */
int feed_tap_bind(struct feed *f, uint32_t tap, size_t event, struct err *e);

#endif
