/* calltable.h - system calls by number: their names, and their arguments according to the kernel's format files. */
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

/* What a successful call does to the process' file descriptors. */
enum call_fds {
	CALL_FDS_NOTHING, CALL_FDS_OPENS, CALL_FDS_NEW, CALL_FDS_PAIR, CALL_FDS_COPIES, CALL_FDS_FCNTL, CALL_FDS_CLOSES,
	CALL_FDS_RANGE, CALL_FDS_FORKS, CALL_FDS_EXECS,
};

struct call {
	const char *name;                /* "openat", or "nr_1000" */
	struct call_arg arg[CALLS_ARGS];
	unsigned n_args;
	enum value_result result;
	struct pointee points[2][ARGMEM_MOST];   /* what to read at its beginning [0] and end [1] */
	unsigned n_points[2];
	enum call_fds fds;
	const char *fds_are;             /* with NEW: the descriptor's link in /proc, or a prefix of it */
	bool known;                      /* n_args is from the kernel's format */
	bool never_returns;
};

struct calltable {
	const struct sys *sys;
	const struct arch *arch;
	const struct tevents *events;    /* formats of a recording, which may include sys_enter_* */
	struct arena arena;
	struct call *of[CALLS_MOST];
	struct call other;               /* for numbers beyond CALLS_MOST */
};

void calltable_deinit(struct calltable *c);

/* The number of arguments that this call uses: for some calls that depends on the first ones. */
unsigned calltable_used(const struct call *c, const uint64_t arg[CALLS_ARGS]);

/* Does the call change file descriptors (see enum call_fds)? */
bool calltable_changes_fds(const char *name);

/* NULL: no memory. */
const struct call *calltable_get(struct calltable *c, uint64_t nr);

#endif
