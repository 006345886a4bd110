/*
 * mapped.h - the files of others that are mapped now: where each has bytes and where only a hole, whether it was cut
 * meanwhile, and whether the user still wants what is being read of them.
 *
 * A file of a terabyte may have no more than a page of bytes: a walk over its zeros would take hours. And any page of
 * a mapping is gone when the owner cuts the file: the one who catches that (sys/cut.h) puts zeros there.
 */
#ifndef BASE_MAPPED_H
#define BASE_MAPPED_H

#include "base/base.h"
#include "base/map.h"

/* Shorter holes are padding that linkers leave and `cp --sparse` finds; nobody's table has a longer one. */
enum { MAPPED_HOLE = 1 << 20 };

/* Stretches of data that are kept for one file; what lies behind them counts as a hole. */
enum { MAPPED_STRETCHES = 256 };

struct mapped_stretch {
	uint64_t from, to;            /* offsets in the file; to is exclusive */
};

struct mapped_files;

struct mapped {
	const uint8_t *p;
	size_t n;
	VEC(struct mapped_stretch) data;   /* ascending; none: all of it is data */
	volatile bool cut;            /* by a signal handler: from some page on it is zeros that are not in the file */
	bool told;                    /* whoever reads it has said so, or has done without it */
	char *path;
	uint64_t dev, ino;            /* which file the path was */
	struct mapped_files *in;
	struct mapped *next, *prev;
};

/* Zeroed: there are none. One for the process. */
struct mapped_files {
	struct mapped *first;         /* the newest */
	struct map by_start;          /* address -> the struct's address; 0: it was here once */
	/* Does the user want to stop? NULL: a signal ends the process. Not asked again once it has said so. */
	bool (*ask)(void *arg);
	void *arg;
	bool stopped;
	unsigned asked;
	char *cut;                    /* path of the first one that was cut and nobody told */
};

/* NULL without memory: then nothing is known of this mapping. */
struct mapped *mapped_add(struct mapped_files *fs, const void *p, size_t n, const char *path);
void mapped_remove(struct mapped_files *fs, const void *p);

/* The file that starts there; NULL: none. fs may be NULL. */
struct mapped *mapped_find(const struct mapped_files *fs, const void *p);

/* The file that has this byte, for a signal handler: whatever it interrupted, the list is whole. */
struct mapped *mapped_at(const struct mapped_files *fs, const void *p);

/* Another stretch of data, behind those before; joined with the last one over a short hole. false: enough. */
bool mapped_add_data(struct mapped *m, uint64_t from, uint64_t to);

/* How many of n bytes at p come before the next long hole. m may be NULL. */
size_t mapped_until_hole(const struct mapped *m, const void *p, size_t n);

/* Whom to ask from now on; NULL: nobody. fs may be NULL. */
void mapped_ask(struct mapped_files *fs, bool (*ask)(void *arg), void *arg);

/* Rounds of a walk between two questions whether to go on: less than a millisecond. */
enum { MAPPED_ROUNDS = 4096 };

/*
 * To be asked in a walk over a file's bytes, after so many rounds: should it end here? Most answers take no more than
 * a comparison. m may be NULL.
 */
bool mapped_stopped_after(const struct mapped *m, unsigned rounds);

/* In each round. */
static inline bool mapped_stopped(const struct mapped *m)
{
	return m && mapped_stopped_after(m, 1);
}

/* Was it cut? Then the asker deals with it. m may be NULL. */
bool mapped_was_cut(struct mapped *m);

#endif
