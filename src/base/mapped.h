/*
 * mapped.h - the list of mapped input files: where each has data and where holes, whether it was truncated after it
 * was mapped, and whether the user wants to stop reading.
 *
 * A sparse file of a terabyte may hold one page of data: a walk over its zeros would take hours. And when somebody
 * truncates a mapped file, access to the lost pages raises SIGBUS: the handler (sys/cut.h) maps zeros there.
 */
#ifndef BASE_MAPPED_H
#define BASE_MAPPED_H

#include "base/base.h"
#include "base/map.h"

/* Bytes. Shorter holes count as data: `cp --sparse` makes them of linkers' padding. No table has a longer one. */
enum { MAPPED_HOLE = 1 << 20 };

/* At most so many stretches of data are kept per file; what follows the last one counts as a hole. */
enum { MAPPED_STRETCHES = 256 };

struct mapped_stretch {
	uint64_t from, to;            /* offsets in the file; to is exclusive */
};

struct mapped_files;

struct mapped {
	const uint8_t *p;
	size_t n;
	VEC(struct mapped_stretch) data;   /* ascending; empty: the whole file is data */
	volatile bool cut;            /* set by the SIGBUS handler: the file was truncated, some pages are now zeros */
	bool told;                    /* the reader of the file knows of `cut`, and reports or ignores the file */
	char *path;
	uint64_t dev, ino;            /* identify the file that path named when it was mapped */
	struct mapped_files *in;
	struct mapped *next, *prev;
};

/* Zeroed, the list is empty. There is one for the process. */
struct mapped_files {
	struct mapped *first;         /* the newest */
	struct map by_start;          /* address of the mapping -> that of its struct mapped; 0: was removed */
	/* Does the user want to stop? NULL: a signal ends the process. Not called again after it returned true. */
	bool (*ask)(void *arg);
	void *arg;
	bool stopped;                 /* ask() returned true */
	unsigned asked;               /* rounds since ask() was called */
	char *cut;                    /* path of the first file that was removed with `cut` but not `told` */
};

/* Add the mapping of n bytes at p. NULL: no memory, and the mapping stays unlisted. */
struct mapped *mapped_add(struct mapped_files *fs, const void *p, size_t n, const char *path);
void mapped_remove(struct mapped_files *fs, const void *p);

/* The file whose mapping starts at p; NULL: none. fs may be NULL. */
struct mapped *mapped_find(const struct mapped_files *fs, const void *p);

/* The file whose mapping contains p. Safe in a signal handler: the list is consistent at each instruction. */
struct mapped *mapped_at(const struct mapped_files *fs, const void *p);

/* Append a stretch of data behind the others; merged with the last one over a short hole. False: no room for more. */
bool mapped_add_data(struct mapped *m, uint64_t from, uint64_t to);

/* Number of the n bytes at p that come before the next long hole. m may be NULL. */
size_t mapped_until_hole(const struct mapped *m, const void *p, size_t n);

/* Set the function that tells whether to stop; NULL: none. fs may be NULL. */
void mapped_ask(struct mapped_files *fs, bool (*ask)(void *arg), void *arg);

/* Rounds of a loop between two calls of ask(): less than a millisecond. */
enum { MAPPED_ROUNDS = 4096 };

/*
 * Should a loop over a file's bytes end here? To be called after so many rounds of it; most calls cost no more than a
 * comparison. m may be NULL.
 */
bool mapped_stopped_after(const struct mapped *m, unsigned rounds);

/* The same, for a call in each round. */
static inline bool mapped_stopped(const struct mapped *m)
{
	return m && mapped_stopped_after(m, 1);
}

/* Was the file truncated? If so the caller has to deal with it: `told` is set. m may be NULL. */
bool mapped_was_cut(struct mapped *m);

#endif
