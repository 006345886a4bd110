/*
 * maps.h - what is mapped where in one address space: sorted ranges that do not overlap, shared
 * between processes until one of them changes (fork). Also the lines of /proc/PID/maps.
 */
#ifndef SYM_MAPS_H
#define SYM_MAPS_H

#include "base/base.h"
#include "base/str.h"

struct maps;

struct maps_range {
	uint64_t start, end;    /* end is exclusive */
	uint64_t pgoff;         /* file offset of start, bytes */
	uint32_t dso;           /* the owner's number for the file */
};

/*
 * As many ranges as Linux allows a process by default (vm.max_map_count), rounded up: more are
 * refused.
 */
enum { MAPS_MAX = 65536 };

/*
 * Map a range; what was there before is cut or split. *m is NULL for an empty space, and may become
 * another pointer. 0, -EINVAL (empty range), -ENOSPC (too many), -ENOMEM.
 */
int maps_put(struct maps **m, const struct maps_range *r);

/* Unmap a range. */
int maps_cut(struct maps **m, uint64_t start, uint64_t end);

/* One more owner of the same ranges; NULL stays NULL. */
struct maps *maps_share(struct maps *m);

/* One owner less. */
void maps_free(struct maps *m);

/* The range with addr, or NULL. Borrowed until the next change. m may be NULL. */
const struct maps_range *maps_find(struct maps *m, uint64_t addr);

/* The first range that ends behind addr, or NULL: from 0 on, each one's end leads to the next. */
const struct maps_range *maps_behind(const struct maps *m, uint64_t addr);

size_t maps_count(const struct maps *m);

/* How many ranges and blocks of them were moved for its changes so far: what they cost. */
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

/* Without its newline. false: not such a line. */
bool maps_parse_line(struct sv line, struct maps_line *l);

#endif
