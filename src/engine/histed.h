/*
 * histed.h - events counted by the tracing file system's histograms, where no program may: how many, and the sums of
 * their fields, by a field or by task; of all CPUs and all tasks. They stand in an instance of this run's own, which
 * goes with it, however it ends (tracing/undo.h).
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
	struct names keys;               /* what was read: event, part, key */
	VEC(struct tally_count) before;
	uint64_t dropped;                /* likewise */
};

/* The same asks as programs have. 0: f->histed is open; or why it is not. */
int histed_open(struct histed *h, struct feed *f, const struct tally_event *asks, struct err *why);
/* -errno: something of it is still there. */
int histed_close(struct histed *h, struct err *e);

/* They count from here on. */
int histed_start(struct histed *h, struct err *e);

/* What is new since the last time. *full: hits that had no place. 0, what `each` returned, -errno. */
int histed_read(struct histed *h, int (*each)(void *arg, const struct tally_entry *n), void *arg, uint64_t *full);

#endif
