/*
 * ptp.h - two clocks compared as PTP does: one side sends a probe and gets it back, many times; each notes its own time
 * when a probe passes, and the probe that was back first tells most.
 *
 * What the two say is in messages TIME_SYNC (agentmsg.h) of the way "ptp", numbers big-endian. The guest leads:
 *   guest   START   u32 series, u32 flags (1: the quickest probe counts; 2: times are those of the trace clock)
 *   host    START   the same
 *   guest   PROBE   u32 number, from 1 on; host PROBE: the same, PTP_PROBES times
 *   guest   END
 *   host    PROBES  u32 series, u32 count, {i64 time, u32 number} for twice PTP_PROBES
 *   guest   OFFSET  i64 time of the guest, i64 what makes it the host's
 */
#ifndef TRACING_TRANSPORT_PTP_H
#define TRACING_TRANSPORT_PTP_H

#include "base/base.h"

enum {
	PTP_PROBES = 339,
	PTP_START = 1, PTP_PROBE, PTP_RESULTS, PTP_OFFSET, PTP_END,
	PTP_FASTEST = 1, PTP_MARKER = 2,
	PTP_RESULTS_BYTES = 8 + 2 * PTP_PROBES * 12,
};

/* Times of the probes by number - 1; 0: not seen. */
struct ptp_times {
	int64_t sent[PTP_PROBES], back[PTP_PROBES];   /* of the guest */
	int64_t met[PTP_PROBES];                      /* of the host */
};

/* The quickest probe's: false when none was seen at all three places. *offset makes *time of the guest the host's. */
bool ptp_offset(const struct ptp_times *t, int64_t *time, int64_t *offset);

/* RESULTS: `met` as bytes, and back. -EBADMSG. */
void ptp_put_results(uint8_t bytes[PTP_RESULTS_BYTES], uint32_t series, const struct ptp_times *t);
int ptp_take_results(struct ptp_times *t, const void *bytes, size_t n);

#endif
