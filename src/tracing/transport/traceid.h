/* traceid.h - the number by which recordings that were made together know each other (option TRACEID). */
#ifndef TRACING_TRANSPORT_TRACEID_H
#define TRACING_TRANSPORT_TRACEID_H

#include "sys/sys.h"

/* Never 0, and no two alike that might come to be read together. */
uint64_t traceid_make(const struct sys *sys);

#endif
