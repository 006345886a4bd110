/* feed_parts.h - opening a feed, and waiting of a live one; for src/engine/feed*.c only. */
#ifndef ENGINE_FEED_PARTS_H
#define ENGINE_FEED_PARTS_H

#include "engine/feed.h"

/* Open the events, still disabled, and make the taps, but for `event` and `filter`. */
int feed_live_open(struct feed *f, struct err *e);
void feed_live_close(struct feed *f);

/* The rings are empty: sleep. FEED_TICK, or FEED_HIT: there may be new records. */
enum feed_got feed_live_wait(struct feed *f);

/* The same without sleeping, while records keep coming. FEED_HIT: no tick. */
enum feed_got feed_live_look(struct feed *f);

/* At the end: lost events that the kernel has counted, but had no room to report in a LOST record (Linux 6.1). */
uint64_t feed_live_untold(const struct feed *f);

/* Join the feed's filter to the rule of a tracepoint's tap; -errno: the tracepoint does not have the data for it. */
int feed_filter_rule(struct feed *f, struct tap *t, struct err *e);
/* Check the feed's filter for a recorded event that is no tracepoint: -EINVAL if only a live kernel can evaluate it. */
int feed_filter_recorded(const struct feed *f, const struct tap *t, struct err *e);
/* Replace names of enum values in a live tracepoint's rule by numbers, for the kernel. 0 or -errno. */
int feed_enum_rule(struct feed *f, struct tap *t, const struct event *ev, struct err *e);
/* Attach the filter's program to each open event that samples and is no tracepoint. */
int feed_filter_attach(struct feed *f, struct err *e);
/* Does the feed's filter reject a sample of that process? */
bool feed_filter_is_out(const struct feed *f, const struct tap *t, uint32_t pid);

/* Make the taps of a recording: its events that match a spec. */
int feed_file_open(struct feed *f, struct err *e);

struct tap *feed_tap_add(struct feed *f, const struct spec *spec, const char *label, struct err *e);

/* Tap number `tap` gets the samples of the head's event number `event`. 0 or -ENOMEM. */
int feed_tap_bind(struct feed *f, uint32_t tap, size_t event, struct err *e);

#endif
