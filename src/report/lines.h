/*
 * lines.h - items of a recording to text: taken in by the thread that reads, one after another; written by any thread,
 * many at a time; and put out in the order in which they were taken in. What comes out is the same whatever the number
 * of threads.
 *
 * One thread alone writes each item as it comes, into `out` itself. Of more, each batch has its own buffer, and
 * the batches are as many as keep all threads busy: memory is bounded.
 */
#ifndef REPORT_LINES_H
#define REPORT_LINES_H

#include "base/fmt.h"

struct lines;

struct lines_want {
	unsigned jobs;           /* threads, the one that takes in included */
	struct out *out;         /* its errors stay in it */
	/*
	 * Writes an item, which nobody needs any more then. It may be called by several threads at a time, but not
	 * with the same `own`: of these bytes each batch has so many for itself, zeroed at first, for what is not to
	 * be worked out again for every item.
	 */
	void (*write)(const void *arg, void *own, void *item, struct out *o);
	const void *arg;
	size_t own;
};

struct lines *lines_new(const struct lines_want *want);   /* NULL: no memory */

/* What was not put out yet is forgotten. May be NULL. */
void lines_free(struct lines *l);

/*
 * Room for an item of at most n bytes, aligned to 8; valid until lines_add. Asked again for more, it may be elsewhere,
 * with what was written. NULL: no memory.
 */
void *lines_room(struct lines *l, size_t n);

/* It is filled, with so many bytes of them. 0, -ENOMEM, or the error of `out`: then nothing more is of use. */
int lines_add(struct lines *l, size_t n);

/* Everything that was taken in is put out. Nobody works on an item then. As lines_add. */
int lines_settle(struct lines *l);

#endif
