/*
 * jit.h - names of JIT code in /tmp/perf-PID.map, which the runtime writes:
 *   START SIZE NAME\n      hex; the name may have blanks
 * Addresses are reused: of two lines for one address the later one counts.
 */
#ifndef SYM_JIT_H
#define SYM_JIT_H

#include "image/symtab.h"

/* Limits for one file: the largest programs write some hundred thousand lines. */
enum { JIT_NAMES_MAX = 1 << 19, JIT_BYTES_MAX = 1 << 26 };

struct jit {
	struct symtab *to;
	char line[1024];          /* the incomplete line; longer names are cut */
	size_t n;
	uint64_t bytes;
	bool is_cut;              /* the file exceeds the limits */
};

/* Feed the next bytes of the file. 0; 1: a limit is reached; -ENOMEM. */
int jit_feed(struct jit *j, const char *text, size_t n);

/* Sort the table. A last line without newline is dropped: it may be half written. 0 or -ENOMEM. */
int jit_finish(struct jit *j);

#endif
