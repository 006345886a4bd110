/*
 * pane.h - bytes of a file by their place in it, of which a stretch is in memory: a pane. To read what is in the page
 * cache takes little longer than to map it, and of large files 2 MiB are mapped at a time, and counted as ours (Linux
 * 6.7 and later), whatever is looked at.
 */
#ifndef PERF_PANE_H
#define PERF_PANE_H

#include "perf/record.h"

enum {
	PANE_RECORD = 64 << 10,                /* no record is longer */
	PANE_CAP = PANE_RECORD + (4 << 10),    /* bytes of one that holds any record */
};

/* A file that panes are of. */
struct pane_file {
	struct bytes all;          /* all.n: where it ends */
	/* n bytes at off into p: how many, fewer where the file ends or cannot be read. NULL: all is there. */
	size_t (*read)(void *arg, void *p, size_t n, uint64_t off);
	void *arg;
};

struct pane {
	uint8_t *v;                /* of the caller: cap bytes */
	size_t cap;
	uint64_t from;             /* offset of the first byte that is there */
	size_t n;
};

/* Read from off on, so many bytes at most. */
void pane_read(const struct pane_file *f, struct pane *p, uint64_t off, size_t most);

/*
 * The bytes from off on: the one at off is b.p[off], and b.n is the offset behind the last one that is there. At
 * least `least` of them, or those up to the end; if they have to be read, `most` are. Both are at most p->cap.
 */
static inline struct bytes pane_look(const struct pane_file *f, struct pane *p, uint64_t off, size_t least, size_t most)
{
	uint64_t end = off + least;

	if (!f->read)
		return f->all;
	if (off < p->from || (end < f->all.n ? end : f->all.n) > p->from + p->n)
		pane_read(f, p, off, most);
	/* By the number, since there is nothing that the sum would point into. */
	return (struct bytes){ (const uint8_t *)((uintptr_t)p->v - p->from), (size_t)(p->from + p->n) };
}

/* Is the record at off there as a whole? */
bool pane_holds(struct bytes b, bool swap, uint64_t off);

/* The same, of a whole record and what may be told of it: b.n is the end of the file, but where that is cut. */
struct bytes pane_record(const struct pane_file *f, struct pane *p, bool swap, uint64_t off, size_t most);

#endif
