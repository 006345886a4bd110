/* pump.h - the process of one ring: sub-buffers out of the kernel, into a file or a socket. Private to the recorder. */
#ifndef TRACING_TRANSPORT_PUMP_H
#define TRACING_TRANSPORT_PUMP_H

#include "tracing/transport/recorder.h"

struct pump {
	const struct sys *sys;
	const struct recorder_want *want;
	struct recorder_state *state;
	uint32_t subbuf;
	int from, to;          /* trace_pipe_raw; file or socket */
	int stop[2];           /* both ends as inherited */
	int pipe[2];
	size_t chunk;          /* bytes to ask splice for */
	uint64_t pos, max;     /* in the file; max 0: no limit */
	uint8_t *page;
	bool by_copy;          /* the file's file system knows no splice */
};

/* Runs until stop says EOF and the ring is empty. Exit status: 0, 1 state->error is set. */
int pump_run(void *pump);

#endif
