/*
 * agentmsg.h - the protocol between trace-cmd's `record -A` (the host) and `agent` (the guest): messages of netmsg.h,
 * without its greeting.
 *
 *   host      TRACE_REQ   u32 flags (1: fifos exist), u32 unused, u64 id of the host's recording
 *                         data: parts of u32 kind, u32 length, bytes:
 *                           0  u32 number of arguments, each with a NUL: options of `record`
 *                           1  the supported protocols for comparing clocks, each with a NUL, then an empty one
 *                         unknown kinds are skipped
 *   agent     TRACE_RESP  u32 flags (bit 31, only sonde's: tracing is on when FIN_DATA is sent; other agents start some
 *                         time later without a sign), u32 CPUs, u32 page size, u64 id of the guest's recording,
 *                         char[16] the clock protocol ("": none), u32 port for it
 *                         data: a port for each CPU, in decimal, each with a NUL; the host connects to them
 *   agent     SEND_DATA   the description: a trace.dat up to its rings, version 7 unless asked otherwise: trace-cmd's
 *                         host writes the rings behind version 6, too, but warns that their description is missing
 *             FIN_DATA    the host may start the workload, and connects to the ports meanwhile
 *             the pages of each CPU, through its port
 *   host      CLOSE       asks the agent to stop tracing
 *   agent     CLOSE_RESP  tracing has stopped, and all pages were sent
 *
 * On the clock port both send TIME_SYNC: char[16] the protocol, u32 kind of message; its data (clocksync.h).
 */
#ifndef TRACING_TRANSPORT_AGENTMSG_H
#define TRACING_TRANSPORT_AGENTMSG_H

#include "tracing/transport/netmsg.h"

enum {
	AGENTMSG_PORT = 823,       /* agents listen on it by default */
	AGENTMSG_ARGS = 400,
	AGENTMSG_PROTOS = 8,
	AGENTMSG_NAME = 16,        /* may lack the NUL */
};

struct agentmsg_request {
	uint64_t id;
	const char *args[AGENTMSG_ARGS + 1];     /* borrowed from the message; NULL-terminated */
	size_t n_args;
	const char *protos[AGENTMSG_PROTOS];
	size_t n_protos;
};

struct agentmsg_answer {
	uint64_t id;
	uint32_t cpus, page_size;
	char proto[AGENTMSG_NAME + 1];           /* "": clocks are not compared */
	uint32_t proto_port;
	bool traces;                             /* tracing is on when FIN_DATA comes */
	struct sv ports;                         /* borrowed; see agentmsg_port */
};

/* Send a request. -E2BIG: more arguments than a message holds. */
int agentmsg_ask(const struct sys *sys, int fd, const struct agentmsg_request *q, struct err *e);

/* Parse a request. -EBADMSG: not a request, or over its limits. */
int agentmsg_request(struct agentmsg_request *q, const struct netmsg *m, struct err *e);

/* Send or parse an answer. a->ports: in decimal, each with its NUL. */
int agentmsg_tell(const struct sys *sys, int fd, const struct agentmsg_answer *a);
int agentmsg_answer(struct agentmsg_answer *a, const struct netmsg *m, struct err *e);

/* Take the next port off an answer's ports; false: there is none. */
bool agentmsg_port(struct sv *ports, uint32_t *port);

/* Send TIME_SYNC, or parse it: agentmsg_sync returns its kind, or -EBADMSG if it is of another protocol. */
int agentmsg_sync_send(const struct sys *sys, int fd, const char *proto, uint32_t kind, const void *data, size_t n);
int64_t agentmsg_sync(const struct netmsg *m, const char *proto);

#endif
