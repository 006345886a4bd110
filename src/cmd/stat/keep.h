/* keep.h - a counting run with an optional keeper of its counts: NULL for `stat`, the file of `stat record`. */
#ifndef CMD_STAT_KEEP_H
#define CMD_STAT_KEEP_H

#include "cmd/cmd.h"
#include "cmd/stat/want.h"
#include "live/counter.h"

struct stat_keeper;

/* Returns the exit code. */
int stat_count(struct ctx *c, const struct stat_want *w, struct stat_keeper *keeper, int argc, char **argv);

/* Call when the counters are open. pid: of the command, if there is one. */
int stat_keeper_begin(struct stat_keeper *k, const struct counters *c, const struct target *t, int pid,
		      struct err *e);

/* Write the counts that were read `ns` after the start. */
void stat_keeper_take(struct stat_keeper *k, uint64_t ns);

/* Are the counts only kept, not printed? */
bool stat_keeper_is_silent(const struct stat_keeper *k);

/* perf takes the verb behind options, too (perf stat -e cycles record): the verb's exit code, or -1: no verb. */
int stat_verb_behind(struct ctx *c, struct stat_want *w, int argc, char **argv);

#endif
