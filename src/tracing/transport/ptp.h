/*
 * ptp.h - compares two clocks as PTP does: one side sends probes and gets each back; both note their own time when a
 * probe passes. The probe with the shortest round trip has the smallest error.
 *
 * The protocol is in messages TIME_SYNC (agentmsg.h) of the name "ptp", numbers big-endian. The guest leads:
 *   guest   START   u32 series, u32 flags (1: the fastest probe counts; 2: times are of the trace clock)
 *   host    START   the same
 *   guest   PROBE   u32 number, from 1 on; host PROBE: the same, PTP_PROBES times
 *   guest   END
 *   host    PROBES  u32 series, u32 count, {i64 time, u32 number} for twice PTP_PROBES
 *   guest   OFFSET  i64 time of the guest, i64 offset to add for the host's
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

/* Times of the probes, index number - 1; 0: not recorded. */
struct ptp_times {
	int64_t sent[PTP_PROBES], back[PTP_PROBES];   /* of the guest */
	int64_t met[PTP_PROBES];                      /* of the host */
};

/* The fastest probe's result: the host's time is *time + *offset. False when no probe has all three times. */
bool ptp_offset(const struct ptp_times *t, int64_t *time, int64_t *offset);

/* Encode `met` as the bytes of RESULTS, and decode it. -EBADMSG. */
void ptp_put_results(uint8_t bytes[PTP_RESULTS_BYTES], uint32_t series, const struct ptp_times *t);
int ptp_take_results(struct ptp_times *t, const void *bytes, size_t n);

#endif
