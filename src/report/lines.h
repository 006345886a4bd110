/*
 * lines.h - format items of a recording as text in several threads: the reading thread adds items one after another,
 * any thread formats batches of them, and the texts are written in the order in which items were added. The output is
 * the same whatever the number of threads.
 *
 * With a single thread each item is formatted at once, into `out` itself. With more, each batch has a buffer of its
 * own, and there are just enough batches to keep all threads busy: memory is bounded.
 */
#ifndef REPORT_LINES_H
#define REPORT_LINES_H

#include "base/fmt.h"

struct lines;

struct lines_want {
	unsigned jobs;           /* threads, including the one that reads */
	struct out *out;         /* errors stay in out->error */
	/*
	 * Format an item, which is discarded afterwards. May be called by several threads at the same time, but with
	 * different `own`: a scratch area of so many bytes for each batch, zeroed at first, to cache what need not be
	 * computed for every item.
	 */
	void (*write)(const void *arg, void *own, void *item, struct out *o);
	const void *arg;
	size_t own;
};

struct lines *lines_new(const struct lines_want *want);   /* NULL: no memory */

/* Items not written yet are dropped. May be NULL. */
void lines_free(struct lines *l);

/*
 * Room for an item of at most n bytes, aligned to 8; valid until lines_add(). A second call for more room may move it,
 * and copies its contents. NULL: no memory.
 */
void *lines_room(struct lines *l, size_t n);

/* Add the item in that room, which has n bytes. 0, -ENOMEM, or the error of `out`: then nothing more can be written. */
int lines_add(struct lines *l, size_t n);

/* Write all items; then no thread works on one. Returns as lines_add(). */
int lines_settle(struct lines *l);

#endif
