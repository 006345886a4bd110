/*
 * dpdk_text.h - parse a DPDK program's answers to /ethdev/list, /ethdev/stats, /ethdev/info (20.05 and later),
 * /eal/lcore/list, /eal/lcore/info (22.11) and /eal/lcore/usage (23.03, if the program counts). All counters are totals
 * since the program's start. Pure: JSON in, numbers out.
 */
#ifndef PACKETS_DPDK_TEXT_H
#define PACKETS_DPDK_TEXT_H

#include "base/json_read.h"

enum { DPDK_PORTS = 256, DPDK_CORES = 1024, DPDK_NAME = 64 };

/* Reasons for which a port lost packets: full queues, no buffers, ... */
enum dpdk_drop { DPDK_MISSED, DPDK_NO_BUFFER, DPDK_RX_ERRORS, DPDK_TX_ERRORS, DPDK_DROPS };
const char *dpdk_drop_name(enum dpdk_drop d);          /* "rx missed" */

struct dpdk_port {
	unsigned id;
	char name[DPDK_NAME];          /* not trusted: may have any bytes */
	uint64_t received, sent;       /* packets */
	uint64_t dropped[DPDK_DROPS];
};

struct dpdk_core {
	unsigned id;                   /* DPDK's number of the thread (lcore) */
	int cpu;                       /* the CPU that it is pinned to, or -1 */
	bool has_usage;
	uint64_t busy, total;          /* cycles */
};

struct dpdk_stats {
	VEC(struct dpdk_port) ports;
	VEC(struct dpdk_core) cores;
};

/* Make ports or cores from a list, { "/ethdev/list": [0, 1] }; counters are 0. 0, -EBADMSG, -E2BIG, -ENOMEM. */
int dpdk_read_ports(struct dpdk_stats *s, const struct json_doc *d, struct err *e);
int dpdk_read_cores(struct dpdk_stats *s, const struct json_doc *d, struct err *e);

/* Fill in values; those that are missing stay 0. */
void dpdk_read_port_stats(struct dpdk_port *p, const struct json_doc *d);
void dpdk_read_port_info(struct dpdk_port *p, const struct json_doc *d);
void dpdk_read_core_info(struct dpdk_core *c, const struct json_doc *d);
void dpdk_read_usage(struct dpdk_stats *s, const struct json_doc *d);

void dpdk_clear(struct dpdk_stats *s);
void dpdk_deinit(struct dpdk_stats *s);

#endif
