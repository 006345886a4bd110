/*
 * jitcode.h - code made at run time, by a jit-PID.dump (obj/jit/jitdump.h): what was at an address at which time.
 *
 * Addresses are used again. So each piece of code gets a place of its own, as if all that were ever made lay one behind
 * the other in a file: places have names in a symbol table, as addresses of other files have.
 */
#ifndef SYM_JITCODE_H
#define SYM_JITCODE_H

#include "arch/arch.h"
#include "base/vec.h"
#include "image/files.h"
#include "image/symtab.h"
#include "obj/jit/jitdump.h"

/* What is taken of one dump: pieces of code; and ranges of addresses between whose ends nothing ends, once for each. */
enum { JITCODE_MAX = 1 << 19, JITCODE_RANGES_MAX = 1 << 22 };

/* Places are no addresses of a program's. */
#define JITCODE_PLACES (UINT64_C(1) << 63)

/* A piece of code; it stays the same when it moves. */
struct jitcode_piece {
	uint64_t place, size;
	uint64_t addr;            /* where it was first, which the lines' addresses are counted from */
	struct jitdump_lines lines;
};

/* From when on it is where. */
struct jitcode_load {
	uint64_t time, addr, size;
	uint32_t piece;
	uint32_t number;          /* in which order the dump tells */
};

struct jitcode {
	const struct image_files *files;   /* that the dump is of */
	const uint8_t *bytes;
	size_t n;
	VEC(struct jitcode_piece) pieces;  /* by place */
	VEC(struct jitcode_load) loads;    /* by time */
	VEC(uint64_t) edge;       /* addresses where a piece of code begins or ends, ascending */
	uint32_t *first;          /* for each edge: where those that were behind it begin in `version`; and the end */
	uint32_t *version;        /* loads, those of an edge by time */
	VEC(uint64_t) reused;     /* when a place was used again, ascending; empty where the times mean nothing */
	bool is_timed;            /* the recording's times are of the same clock */
	bool is_reused;
	bool is_cut;              /* there is more than what is taken */
	bool lacks_lines;         /* the same of the lines of the source */
	bool is_broken;           /* it breaks off */
};

struct jitcode_want {
	const struct image_files *files;
	const char *path;
	struct image_inside inside;        /* whose file it is; pid 0: only ours */
	const struct arch *arch;           /* NULL: any */
	bool is_monotonic;                 /* the recording's times are CLOCK_MONOTONIC's */
};

/* Names go to t, which is not finished. 0; -ENOMEM; -ENOENT, -EBADMSG, -ESTALE (of another machine or process). */
int jitcode_open(struct jitcode *j, struct symtab *t, const struct jitcode_want *w);
void jitcode_close(struct jitcode *j);   /* a zeroed one is closed */

/* The place of what an address had at a time; 0: no code that is known. */
uint64_t jitcode_place(const struct jitcode *j, uint64_t addr, uint64_t time);

/* How often places were used again until then, and between which times this is so: since <= time < until. */
size_t jitcode_epoch(const struct jitcode *j, uint64_t time, uint64_t *since, uint64_t *until);

/* The line of the source at a place; false: not known. */
bool jitcode_line(const struct jitcode *j, uint64_t place, struct jitdump_line *line);

#endif
