/* keep.h - one counting run, and who keeps its counts: for `stat` nobody does (NULL), `stat record` does. */
#ifndef CMD_STAT_KEEP_H
#define CMD_STAT_KEEP_H

#include "cmd/cmd.h"
#include "cmd/stat/want.h"
#include "live/counter.h"

struct stat_keeper;

/* Returns the exit code. */
int stat_count(struct ctx *c, const struct stat_want *w, struct stat_keeper *keeper, int argc, char **argv);

/* The counters are open; pid of the command, if there is one. */
int stat_keeper_begin(struct stat_keeper *k, const struct counters *c, const struct target *t, int pid,
		      struct err *e);

/* They were read, so many ns after the start. */
void stat_keeper_take(struct stat_keeper *k, uint64_t ns);

/* Nothing is to be shown of them. */
bool stat_keeper_is_silent(const struct stat_keeper *k);

/* perf takes its verb behind options, too (perf stat -e cycles record): its exit code, or -1: it is none. */
int stat_verb_behind(struct ctx *c, struct stat_want *w, int argc, char **argv);

#endif
