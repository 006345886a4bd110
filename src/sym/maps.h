/*
 * maps.h - the mappings of one address space: sorted ranges that do not overlap, shared between
 * processes after a fork until one of them changes. Also the lines of /proc/PID/maps.
 */
#ifndef SYM_MAPS_H
#define SYM_MAPS_H

#include "base/base.h"
#include "base/str.h"

struct maps;

struct maps_range {
	uint64_t start, end;    /* end is exclusive */
	uint64_t pgoff;         /* file offset of start, bytes */
	uint32_t dso;           /* number of the file, given by the caller */
};

/*
 * As many ranges as Linux allows a process by default (vm.max_map_count), rounded up: more are
 * refused.
 */
enum { MAPS_MAX = 65536 };

/*
 * Map a range; ranges that it overlaps are cut or split. *m is NULL for an empty space, and may become
 * another pointer. 0, -EINVAL (empty range), -ENOSPC (too many), -ENOMEM.
 */
int maps_put(struct maps **m, const struct maps_range *r);

/* Unmap a range. */
int maps_cut(struct maps **m, uint64_t start, uint64_t end);

/* Add an owner of the same ranges; NULL stays NULL. */
struct maps *maps_share(struct maps *m);

/* Remove an owner, and free the ranges with the last one. */
void maps_free(struct maps *m);

/* The range with addr, or NULL. Borrowed until the next change. m may be NULL. */
const struct maps_range *maps_find(struct maps *m, uint64_t addr);

/* The first range that ends behind addr, or NULL. To walk all: start with 0, continue with each range's end. */
const struct maps_range *maps_behind(const struct maps *m, uint64_t addr);

size_t maps_count(const struct maps *m);

/* How many ranges and blocks were moved in memory by changes so far: a measure of their cost. */
uint64_t maps_moves(const struct maps *m);

enum maps_prot { MAPS_READ = 1, MAPS_WRITE = 2, MAPS_EXEC = 4 };    /* PROT_* of mmap(2) */

/* One line of /proc/PID/maps: "START-END rwxp OFFSET MAJ:MIN INODE    NAME". */
struct maps_line {
	uint64_t start, end, pgoff, inode;
	uint32_t major, minor;
	uint8_t prot;           /* maps_prot */
	bool shared;
	struct sv name;         /* borrowed from the line; empty for anonymous memory */
};

/* line: without the newline. false: not a line of /proc/PID/maps. */
bool maps_parse_line(struct sv line, struct maps_line *l);

#endif
