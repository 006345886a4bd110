/*
 * jit.h - the names of code made at run time, as its maker writes them to /tmp/perf-PID.map:
 *   START SIZE NAME\n      hex; the name may have blanks
 * Places are used again: of two lines for one address the later one counts.
 */
#ifndef SYM_JIT_H
#define SYM_JIT_H

#include "image/symtab.h"

/* What is taken of one file: the largest programs write some hundred thousand lines. */
enum { JIT_NAMES_MAX = 1 << 19, JIT_BYTES_MAX = 1 << 26 };

struct jit {
	struct symtab *to;
	char line[1024];          /* begun, not yet ended; names that do not fit are cut */
	size_t n;
	uint64_t bytes;
	bool is_cut;              /* there is more than what is taken */
};

/* The next bytes of the file. 0; 1: enough; -ENOMEM. */
int jit_feed(struct jit *j, const char *text, size_t n);

/* A last line without its end may be half written: it is left out. Sort what was found. 0 or -ENOMEM. */
int jit_finish(struct jit *j);

#endif
