/*
 * attr_dump.h - what events were opened as, for tests of perf: with PERF_TEST_ATTR=DIR in the environment, each event
 * leaves a file DIR/event-TYPE-CONFIG-FD with the arguments of perf_event_open and its attribute, as perf writes it.
 */
#ifndef SYS_ATTR_DUMP_H
#define SYS_ATTR_DUMP_H

#include "sys/sys.h"

struct attr_dump {
	int fd, group, cpu, pid;
	unsigned long flags;
};

/* Nothing without that variable, or where its folder cannot be written. */
void attr_dump(const struct sys *s, const struct attr_dump *d, const struct perf_attr *a);

#endif
