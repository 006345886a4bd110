/* calltable.h - the system calls that are met: their names, and their arguments as the kernel's formats tell them. */
#ifndef SYSCALLS_CALLTABLE_H
#define SYSCALLS_CALLTABLE_H

#include "base/arena.h"
#include "syscalls/value.h"
#include "tracefs/events.h"
#include "sys/sys.h"

enum { CALLS_MOST = 1024, CALLS_ARGS = 6 };

struct call_arg {
	const char *name;
	struct value_type type;
};

struct call {
	const char *name;                /* "openat", or "nr_1000" */
	struct call_arg arg[CALLS_ARGS];
	unsigned n_args;
	enum value_result result;
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

/* Never NULL but without memory. */
const struct call *calltable_get(struct calltable *c, uint64_t nr);

#endif
