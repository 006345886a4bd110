/* usage.h - resources used by this process: --usage-self. */
#ifndef PROF_USAGE_H
#define PROF_USAGE_H

#include "sys/sys.h"

struct usage {
	uint64_t at, user, system;       /* ns: CLOCK_MONOTONIC, and CPU times so far */
};

void usage_begin(struct usage *u, const struct sys *sys);

/* "2026-11-27 05:38:27.435398 CPU %usr 0.20 %sys 0.40 MAXRSS 4012k", since the previous line. */
void usage_line(struct usage *u, const struct sys *sys, char *line, size_t size);

#endif
