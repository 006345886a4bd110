/* calltable.h - the system calls that are met: their names, and their arguments as the kernel's formats tell them. */
#ifndef SYSCALLS_CALLTABLE_H
#define SYSCALLS_CALLTABLE_H

#include "base/arena.h"
#include "sys/sys.h"
#include "syscalls/pointee.h"
#include "syscalls/value.h"
#include "tracefs/format/events.h"

enum { CALLS_MOST = 1024, CALLS_ARGS = 6 };

struct call_arg {
	const char *name;
	struct value_type type;
};

/* What a call does to descriptors of its process, if it does not fail. */
enum call_fds {
	CALL_FDS_NOTHING, CALL_FDS_OPENS, CALL_FDS_NEW, CALL_FDS_PAIR, CALL_FDS_COPIES, CALL_FDS_FCNTL, CALL_FDS_CLOSES,
	CALL_FDS_RANGE, CALL_FDS_FORKS, CALL_FDS_EXECS,
};

struct call {
	const char *name;                /* "openat", or "nr_1000" */
	struct call_arg arg[CALLS_ARGS];
	unsigned n_args;
	enum value_result result;
	struct pointee points[2][ARGMEM_MOST];   /* of its beginning, its end */
	unsigned n_points[2];
	enum call_fds fds;
	const char *fds_are;             /* with NEW: what /proc calls them, or how that begins */
	bool known;                      /* n_args is what the kernel says */
	bool never_returns;
};

struct calltable {
	const struct sys *sys;
	const struct arch *arch;
	const struct tevents *events;    /* of a recording; it may have such formats */
	struct arena arena;
	struct call *of[CALLS_MOST];
	struct call other;               /* whose number is impossible */
};

void calltable_deinit(struct calltable *c);

/* How many of its arguments are used: some calls look at fewer, depending on the first ones. */
unsigned calltable_used(const struct call *c, const uint64_t arg[CALLS_ARGS]);

/* Has the call an enum call_fds? */
bool calltable_changes_fds(const char *name);

/* Never NULL but without memory. */
const struct call *calltable_get(struct calltable *c, uint64_t nr);

#endif
