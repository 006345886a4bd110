/* stat_keep.h - one counting run for a command that keeps the counts: `stat` itself does not, `stat record` does. */
#ifndef CMD_STAT_KEEP_H
#define CMD_STAT_KEEP_H

#include "cmd/cmd.h"
#include "cmd/stat_want.h"
#include "live/counter.h"

/* Who is given the counts. */
struct stat_keeper {
	void *arg;
	/* The counters are open; pid of the command, if there is one. */
	int (*opened)(void *arg, const struct counters *c, const struct target *t, int pid, struct err *e);
	/* They were read, so many ns after the start. */
	void (*counted)(void *arg, uint64_t ns);
	bool silent;           /* standard output and error show nothing of them */
};

/* keeper NULL: nobody. Returns the exit code. */
int stat_count(struct ctx *c, const struct stat_want *w, const struct stat_keeper *keeper, int argc, char **argv);

#endif
