/*
 * packet.h - one packet of the Arm Statistical Profiling Extension's stream: a header of one or two bytes, and a
 * payload of 1, 2, 4 or 8. Arm ARM (DDI 0487), chapter "Statistical Profiling Extension Sample Record Specification".
 */
#ifndef SPE_PACKET_H
#define SPE_PACKET_H

#include "perf/record.h"

enum spe_kind {
	SPE_PAD, SPE_END, SPE_TIMESTAMP, SPE_EVENTS, SPE_SOURCE, SPE_CONTEXT, SPE_OPERATION, SPE_ADDRESS, SPE_COUNTER,
	SPE_UNKNOWN,             /* reserved headers; skipped by the size in the header */
};

enum spe_address {
	SPE_ADDRESS_PC, SPE_ADDRESS_TARGET, SPE_ADDRESS_VIRTUAL, SPE_ADDRESS_PHYSICAL, SPE_ADDRESS_PREVIOUS,
};
enum spe_counter { SPE_COUNTER_TOTAL, SPE_COUNTER_ISSUE, SPE_COUNTER_TRANSLATION };
enum spe_class { SPE_CLASS_OTHER, SPE_CLASS_MEMORY, SPE_CLASS_BRANCH };

struct spe_packet {
	enum spe_kind kind;
	uint8_t index;           /* of addresses, counters, contexts: its index; of operations: enum spe_class */
	uint64_t payload;
};

/*
 * Read the packet at *at and move *at behind it. 1; 0: the end; -EBADMSG: it is truncated, *at is the end then.
 * base: offset of the first byte in the AUX buffer, to which alignment is relative.
 */
int spe_packet_next(struct bytes b, uint64_t base, size_t *at, struct spe_packet *p);

#endif
