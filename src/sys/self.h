/* self.h - what this process itself has taken so far. */
#ifndef SYS_SELF_H
#define SYS_SELF_H

#include "base/base.h"

struct self_usage {
	uint64_t user_ns, system_ns;     /* CPU time */
	long kbytes;                     /* the most memory at a time */
};

struct self_usage self_usage(void);

#endif
