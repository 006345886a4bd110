/*
 * dpdk_text.h - what a DPDK program answers to /ethdev/list, /ethdev/stats, /ethdev/info (20.05 and later),
 * /eal/lcore/list, /eal/lcore/info (22.11) and /eal/lcore/usage (23.03, where the program counts). All is since its
 * start. Pure: JSON in, numbers out.
 */
#ifndef PACKETS_DPDK_TEXT_H
#define PACKETS_DPDK_TEXT_H

#include "base/json_read.h"

enum { DPDK_PORTS = 256, DPDK_CORES = 1024, DPDK_NAME = 64 };

/* Packets that a port has lost: for want of room in its queues, of buffers, ... */
enum dpdk_drop { DPDK_MISSED, DPDK_NO_BUFFER, DPDK_RX_ERRORS, DPDK_TX_ERRORS, DPDK_DROPS };
const char *dpdk_drop_name(enum dpdk_drop d);          /* "rx missed" */

struct dpdk_port {
	unsigned id;
	char name[DPDK_NAME];          /* anybody's text */
	uint64_t received, sent;       /* packets */
	uint64_t dropped[DPDK_DROPS];
};

struct dpdk_core {
	unsigned id;                   /* DPDK's own number of the thread */
	int cpu;                       /* the only one that it runs on, else -1 */
	bool has_usage;
	uint64_t busy, total;          /* cycles */
};

struct dpdk_stats {
	VEC(struct dpdk_port) ports;
	VEC(struct dpdk_core) cores;
};

/* { "/ethdev/list": [0, 1] }: each becomes a port or core without numbers. 0, -EBADMSG, -E2BIG, -ENOMEM. */
int dpdk_read_ports(struct dpdk_stats *s, const struct json_doc *d, struct err *e);
int dpdk_read_cores(struct dpdk_stats *s, const struct json_doc *d, struct err *e);

/* What is not told stays 0. */
void dpdk_read_port_stats(struct dpdk_port *p, const struct json_doc *d);
void dpdk_read_port_info(struct dpdk_port *p, const struct json_doc *d);
void dpdk_read_core_info(struct dpdk_core *c, const struct json_doc *d);
void dpdk_read_usage(struct dpdk_stats *s, const struct json_doc *d);

void dpdk_clear(struct dpdk_stats *s);
void dpdk_deinit(struct dpdk_stats *s);

#endif
