/*
 * histed.h - count events with tracefs histogram triggers, when BPF programs are not allowed: numbers of events and
 * sums of their fields, by a field or by task; on all CPUs, for all tasks. They are in a tracefs instance of this run,
 * which is removed however the run ends (tracing/undo.h).
 */
#ifndef ENGINE_HISTED_H
#define ENGINE_HISTED_H

#include "engine/feed.h"
#include "tracing/undo.h"

struct histed {
	struct feed *feed;
	const struct tally_event *asks;  /* borrowed */
	struct undo *undo;
	struct tfs top, tfs;
	struct names keys;               /* (event, part, key) -> index in before */
	VEC(struct tally_count) before;  /* counts at the last read */
	uint64_t dropped;                /* the same for dropped hits */
};

/* asks: as for BPF programs. 0: f->histed is open; else why it is not. */
int histed_open(struct histed *h, struct feed *f, const struct tally_event *asks, struct err *why);
/* -errno: something could not be removed. */
int histed_close(struct histed *h, struct err *e);

/* Count from now on. */
int histed_start(struct histed *h, struct err *e);

/* Call `each` with the counts since the last call. *full: hits dropped because a histogram was full. 0, the result of
 * `each`, -errno. */
int histed_read(struct histed *h, int (*each)(void *arg, const struct tally_entry *n), void *arg, uint64_t *full);

#endif
