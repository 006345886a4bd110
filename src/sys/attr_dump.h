/*
 * attr_dump.h - records how events were opened, for perf's tests: with PERF_TEST_ATTR=DIR in the environment, each
 * event writes a file DIR/event-TYPE-CONFIG-FD with the arguments of perf_event_open and its attr, in perf's format.
 */
#ifndef SYS_ATTR_DUMP_H
#define SYS_ATTR_DUMP_H

#include "sys/sys.h"

struct attr_dump {
	int fd, group, cpu, pid;
	unsigned long flags;
};

/* Does nothing without that variable, or when its folder is not writable. */
void attr_dump(const struct sys *s, const struct attr_dump *d, const struct perf_attr *a);

#endif
