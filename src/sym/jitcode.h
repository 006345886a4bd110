/*
 * jitcode.h - JIT code by a jit-PID.dump (obj/jitdump.h): which code was at an address at which time.
 *
 * Addresses are reused. So each piece of code gets a unique place, as if all pieces ever made were one after the other
 * in a file: the symbol table has names by place, as it has them by address for other files.
 */
#ifndef SYM_JITCODE_H
#define SYM_JITCODE_H

#include "arch/arch.h"
#include "base/vec.h"
#include "image/files.h"
#include "image/symtab.h"
#include "obj/jitdump.h"

/* Limits for one dump: pieces of code; and entries of jitcode.version. */
enum { JITCODE_MAX = 1 << 19, JITCODE_RANGES_MAX = 1 << 22 };

/* Base of all places: no program has such addresses. */
#define JITCODE_PLACES (UINT64_C(1) << 63)

/* A piece of code; it keeps its place when the runtime moves it. */
struct jitcode_piece {
	uint64_t place, size;
	uint64_t addr;            /* its first address, on which the addresses in `lines` are based */
	struct jitdump_lines lines;
};

/* From `time` on the piece is at `addr`. */
struct jitcode_load {
	uint64_t time, addr, size;
	uint32_t piece;
	uint32_t number;          /* order in the dump */
};

struct jitcode {
	const struct image_files *files;   /* the dump was mapped with these */
	const uint8_t *bytes;
	size_t n;
	VEC(struct jitcode_piece) pieces;  /* sorted by place */
	VEC(struct jitcode_load) loads;    /* sorted by time */
	VEC(uint64_t) edge;       /* addresses where any piece ever began or ended, ascending */
	uint32_t *first;          /* for each edge: start of its range's group in `version`; and the end */
	uint32_t *version;        /* indices of loads, grouped by range, each group sorted by time */
	VEC(uint64_t) reused;     /* times at which an address was reused, ascending; empty if is_timed is false */
	bool is_timed;            /* the recording uses the clock of the dump's times */
	bool is_reused;           /* an address was reused */
	bool is_cut;              /* the dump exceeds the limits */
	bool lacks_lines;         /* its source lines do */
	bool is_broken;           /* the dump ends within a record */
};

struct jitcode_want {
	const struct image_files *files;
	const char *path;
	struct image_inside inside;        /* open it as this process sees it; pid 0: only as we do */
	const struct arch *arch;           /* NULL: any */
	bool is_monotonic;                 /* the recording's times are of CLOCK_MONOTONIC */
};

/* Names are added to t, unsorted. 0; -ENOMEM; -ENOENT, -EBADMSG, -ESTALE (of another machine or process). */
int jitcode_open(struct jitcode *j, struct symtab *t, const struct jitcode_want *w);
void jitcode_close(struct jitcode *j);   /* a zeroed one is closed */

/* The place of the code that was at an address at a time; 0: no known code. */
uint64_t jitcode_place(const struct jitcode *j, uint64_t addr, uint64_t time);

/* The epoch of a time: how many times in `reused` are not later; and its bounds, since <= time < until. */
size_t jitcode_epoch(const struct jitcode *j, uint64_t time, uint64_t *since, uint64_t *until);

/* The line of the source at a place; false: not known. */
bool jitcode_line(const struct jitcode *j, uint64_t place, struct jitdump_line *line);

#endif
