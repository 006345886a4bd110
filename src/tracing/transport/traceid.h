/* traceid.h - the number by which recordings that were made together are matched (option TRACEID). */
#ifndef TRACING_TRANSPORT_TRACEID_H
#define TRACING_TRANSPORT_TRACEID_H

#include "sys/sys.h"

/* Never 0, and unique among recordings that might be read together. */
uint64_t traceid_make(const struct sys *sys);

#endif
