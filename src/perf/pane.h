/*
 * pane.h - a pane is a buffer with a contiguous part of a file, addressed by file offset. Reading from the page cache
 * takes little longer than mapping, and a mapping costs memory: of a large file Linux 6.7 and later map 2 MiB at a time
 * and count them in our RSS, even if only a few bytes are looked at.
 */
#ifndef PERF_PANE_H
#define PERF_PANE_H

#include "perf/record.h"

enum {
	PANE_RECORD = 64 << 10,                /* no record is longer */
	PANE_CAP = PANE_RECORD + (4 << 10),    /* bytes of one that holds any record */
};

/* A file to be read through panes. */
struct pane_file {
	struct bytes all;          /* all.n: size of the file; all.p is used only with read NULL */
	/* Read n bytes at off into p; returns how many, fewer at the file's end or on an error. NULL: use all.p. */
	size_t (*read)(void *arg, void *p, size_t n, uint64_t off);
	void *arg;
};

struct pane {
	uint8_t *v;                /* the caller's buffer of cap bytes */
	size_t cap;
	uint64_t from;             /* file offset of v[0] */
	size_t n;                  /* bytes that are valid */
};

/* Fill the pane with at most `most` bytes from file offset off on. */
void pane_read(const struct pane_file *f, struct pane *p, uint64_t off, size_t most);

/*
 * The file's bytes from off on, addressed by file offset: the byte at off is b.p[off], and b.n is the offset behind the
 * last valid byte. At least `least` bytes are valid, or all up to the file's end; if the pane lacks them, `most` bytes
 * are read. Both are at most p->cap.
 */
static inline struct bytes pane_look(const struct pane_file *f, struct pane *p, uint64_t off, size_t least, size_t most)
{
	uint64_t end = off + least;

	if (!f->read)
		return f->all;
	if (off < p->from || (end < f->all.n ? end : f->all.n) > p->from + p->n)
		pane_read(f, p, off, most);
	/* As an integer: v - from points outside of the buffer, which C does not allow for pointers. */
	return (struct bytes){ (const uint8_t *)((uintptr_t)p->v - p->from), (size_t)(p->from + p->n) };
}

/* Is the whole record at off within b? */
bool pane_holds(struct bytes b, bool swap, uint64_t off);

/*
 * The same for the whole record at off. b.n is the size of the file, so that perf_record_next() can tell a record that
 * the file's end cuts; but if the record could not be read as a whole, b.n is where the pane ends.
 */
struct bytes pane_record(const struct pane_file *f, struct pane *p, bool swap, uint64_t off, size_t most);

#endif
