/*
 * netmsg.h - the protocol between trace-cmd's `record -N` and `listen`, version 3 (trace-cmd 2.6 and newer).
 *
 *   listener  "tracecmd"             sender   "-1V3\0"
 *   listener  "V3\0"                 sender   "766679\0\0"
 *   listener  "OK"
 * then messages, all numbers big-endian:
 *   u32 size of all, u32 kind, u32 size of the kind's own fields, those fields, data
 *   sender    TINIT     u32 CPUs, u32 page size, u32 number of options; data: the options ("tcp\0")
 *   listener  RINIT     u32 CPUs; data: a port for each CPU, in decimal, each with a NUL
 *   sender    SEND_DATA the description: a trace.dat up to its rings; FIN_DATA
 *             pages of each CPU go to its port
 *   sender    CLOSE
 * Either side may answer NOT_SUPP to an unknown message; sonde puts the reason for giving up into its data.
 */
#ifndef TRACING_TRANSPORT_NETMSG_H
#define TRACING_TRANSPORT_NETMSG_H

#include "base/cursor.h"
#include "sys/net.h"

enum netmsg_kind {
	NETMSG_CLOSE, NETMSG_TINIT, NETMSG_RINIT, NETMSG_SEND_DATA, NETMSG_FIN_DATA, NETMSG_NOT_SUPP,
	/* Between an agent and the recording host: agentmsg.h. */
	NETMSG_TRACE_REQ, NETMSG_TRACE_RESP, NETMSG_CLOSE_RESP, NETMSG_TIME_SYNC, NETMSG_TRACE_PROXY, NETMSG_CONT,
};

enum {
	NETMSG_HEAD = 12,
	NETMSG_MOST = 8192,
	NETMSG_DATA = NETMSG_MOST - NETMSG_HEAD,
	NETMSG_WAIT_MS = 5000,     /* trace-cmd gives up after that much silence */
	NETMSG_FIELDS = 10,        /* TRACE_RESP has the most */
};

struct netmsg {
	uint32_t kind;
	uint32_t field[NETMSG_FIELDS];   /* the fields of the kind; 0 when missing */
	uint32_t n;                /* bytes of data */
	uint8_t bytes[NETMSG_MOST];
	const uint8_t *data;       /* points into bytes */
	uint8_t head[NETMSG_HEAD];
	uint32_t have, size;       /* bytes received; bytes of the whole message, known once the head is complete */
};

/* Send n_fields of m->field and the data; data may be NULL. */
int netmsg_send(const struct sys *sys, int fd, const struct netmsg *m, uint32_t n_fields, const void *data, size_t n);

/* Send NOT_SUPP with the reason in its data. Dropped if the peer does not read. */
void netmsg_refuse(const struct sys *sys, int fd, const char *why);

/*
 * Receive what is there of the next message, without waiting. 1: it is complete, and the next call begins another; 0:
 * not yet, m->have tells whether it has begun. -EBADMSG: not a message; -ENOTCONN: the peer is gone.
 */
int netmsg_take(int fd, struct netmsg *m);

/* Wait for a complete message. */
int netmsg_receive(const struct sys *sys, int fd, struct netmsg *m, const struct net_wait *w);

/* The greeting. -EPROTO: the peer speaks another version or protocol. */
int netmsg_greet(const struct sys *sys, int fd, const struct net_wait *w, struct err *e);     /* as sender */
int netmsg_welcome(const struct sys *sys, int fd, const struct net_wait *w, struct err *e);   /* as listener */

#endif
