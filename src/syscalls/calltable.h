/* calltable.h - system calls by number: their names, and their arguments as in the kernel's event formats. */
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

/* What a successful call does to its process' file descriptors. */
enum call_fds {
	CALL_FDS_NOTHING, CALL_FDS_OPENS, CALL_FDS_NEW, CALL_FDS_PAIR, CALL_FDS_COPIES, CALL_FDS_FCNTL, CALL_FDS_CLOSES,
	CALL_FDS_RANGE, CALL_FDS_FORKS, CALL_FDS_EXECS,
};

struct call {
	const char *name;                /* "openat", or "nr_1000" */
	struct call_arg arg[CALLS_ARGS];
	unsigned n_args;
	enum value_result result;
	struct pointee points[2][ARGMEM_MOST];   /* at entry; at exit */
	unsigned n_points[2];
	enum call_fds fds;
	const char *fds_are;             /* for NEW: the link in /proc/PID/fd, or its beginning */
	bool known;                      /* arg and n_args are from the kernel's format */
	bool never_returns;
};

struct calltable {
	const struct sys *sys;
	const struct arch *arch;
	const struct tevents *events;    /* of a recording, which may contain the formats */
	struct arena arena;
	struct call *of[CALLS_MOST];
	struct call other;               /* for numbers of CALLS_MOST and above */
};

void calltable_deinit(struct calltable *c);

/* Number of arguments in use: some calls ignore the last ones, depending on the first ones. */
unsigned calltable_used(const struct call *c, const uint64_t arg[CALLS_ARGS]);

/* Does the call have an entry with an enum call_fds? */
bool calltable_changes_fds(const char *name);

/* NULL only if out of memory. */
const struct call *calltable_get(struct calltable *c, uint64_t nr);

#endif
