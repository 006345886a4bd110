/* self.h - resources that this process has used so far. */
#ifndef SYS_SELF_H
#define SYS_SELF_H

#include "base/base.h"

struct self_usage {
	uint64_t user_ns, system_ns;     /* CPU time */
	long kbytes;                     /* maximum resident memory */
};

struct self_usage self_usage(void);

#endif
