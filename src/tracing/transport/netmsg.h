/*
 * netmsg.h - what trace-cmd's `record -N` and `listen` say to each other, version 3 of it (trace-cmd 2.6 and newer).
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
 * Either may say NOT_SUPP to what it does not know; ours say with it why they give up, in its data.
 */
#ifndef TRACING_TRANSPORT_NETMSG_H
#define TRACING_TRANSPORT_NETMSG_H

#include "base/cursor.h"
#include "sys/net.h"

enum netmsg_kind {
	NETMSG_CLOSE, NETMSG_TINIT, NETMSG_RINIT, NETMSG_SEND_DATA, NETMSG_FIN_DATA, NETMSG_NOT_SUPP,
	/* Between an agent and who has it record: agentmsg.h. */
	NETMSG_TRACE_REQ, NETMSG_TRACE_RESP, NETMSG_CLOSE_RESP, NETMSG_TIME_SYNC, NETMSG_TRACE_PROXY, NETMSG_CONT,
};

enum {
	NETMSG_HEAD = 12,
	NETMSG_MOST = 8192,
	NETMSG_DATA = NETMSG_MOST - NETMSG_HEAD,
	NETMSG_WAIT_MS = 5000,     /* trace-cmd gives up after that long without a word */
	NETMSG_FIELDS = 10,        /* those of TRACE_RESP */
};

struct netmsg {
	uint32_t kind;
	uint32_t field[NETMSG_FIELDS];   /* those of its own, zero when missing */
	uint32_t n;                /* bytes of data */
	uint8_t bytes[NETMSG_MOST];
	const uint8_t *data;       /* in bytes */
	uint8_t head[NETMSG_HEAD];
	uint32_t have, size;       /* bytes of it that have come, and all of them once the head has */
};

/* n_fields of msg->field; data may be NULL. */
int netmsg_send(const struct sys *sys, int fd, const struct netmsg *m, uint32_t n_fields, const void *data, size_t n);

/* "I cannot do that", with the reason for who reads data behind it. Not sent to who does not read. */
void netmsg_refuse(const struct sys *sys, int fd, const char *why);

/*
 * What has come of the next one, without waiting. 1: it is complete, and the call after that begins the next; 0: not
 * yet, m->have tells whether it has begun. -EBADMSG: what comes is no message; -ENOTCONN: the other side is gone.
 */
int netmsg_take(int fd, struct netmsg *m);

/* Wait for all of it. */
int netmsg_receive(const struct sys *sys, int fd, struct netmsg *m, const struct net_wait *w);

/* The words before the messages. -EPROTO: the other side speaks another version, or something else. */
int netmsg_greet(const struct sys *sys, int fd, const struct net_wait *w, struct err *e);     /* as sender */
int netmsg_welcome(const struct sys *sys, int fd, const struct net_wait *w, struct err *e);   /* as listener */

#endif
