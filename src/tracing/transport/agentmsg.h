/*
 * agentmsg.h - what trace-cmd's `record -A` (the host) and `agent` (the guest) say to each other, in messages of
 * netmsg.h and without its greeting:
 *
 *   host      TRACE_REQ   u32 flags (1: fifos are there), u32 not used, u64 id of the host's recording
 *                         data: parts of u32 kind, u32 length, bytes:
 *                           0  u32 number of arguments, each with a NUL: options of `record`
 *                           1  the ways to compare clocks that are known, each with a NUL, and an empty one
 *                         and others, which are skipped
 *   agent     TRACE_RESP  u32 flags (bit 31, of ours alone: it traces when it sends FIN_DATA; others do some time
 *                         later, and do not say when), u32 CPUs, u32 page size, u64 id of the guest's recording,
 *                         char[16] the way to compare clocks ("": none), u32 port for that
 *                         data: a port for each CPU, in decimal, each with a NUL; the host connects to them
 *   agent     SEND_DATA   the description: a trace.dat up to its rings, version 7 unless asked otherwise: trace-cmd's
 *                         host puts the rings to 6, too, but warns that it finds no description of their buffer
 *             FIN_DATA      the host may run what is to be seen, and connects to the ports meanwhile
 *             pages of each CPU through its port
 *   host      CLOSE       tracing is to end
 *   agent     CLOSE_RESP  it has, and all pages were sent
 *
 * On the port for clocks both send TIME_SYNC: char[16] the way, u32 kind of message; data of that way (clocksync.h).
 */
#ifndef TRACING_TRANSPORT_AGENTMSG_H
#define TRACING_TRANSPORT_AGENTMSG_H

#include "tracing/transport/netmsg.h"

enum {
	AGENTMSG_PORT = 823,       /* agents listen there unless told otherwise */
	AGENTMSG_ARGS = 400,
	AGENTMSG_PROTOS = 8,
	AGENTMSG_NAME = 16,        /* not always with a NUL */
};

struct agentmsg_request {
	uint64_t id;
	const char *args[AGENTMSG_ARGS + 1];     /* borrowed from the message; a NULL behind them */
	size_t n_args;
	const char *protos[AGENTMSG_PROTOS];
	size_t n_protos;
};

struct agentmsg_answer {
	uint64_t id;
	uint32_t cpus, page_size;
	char proto[AGENTMSG_NAME + 1];           /* "": clocks are not compared */
	uint32_t proto_port;
	bool traces;                             /* when FIN_DATA comes */
	struct sv ports;                         /* borrowed: agentmsg_port */
};

/* -E2BIG: more arguments than a message holds. */
int agentmsg_ask(const struct sys *sys, int fd, const struct agentmsg_request *q, struct err *e);

/* -EBADMSG: it is none, or more than a request may be. */
int agentmsg_request(struct agentmsg_request *q, const struct netmsg *m, struct err *e);

/* a->ports: each with its NUL. */
int agentmsg_tell(const struct sys *sys, int fd, const struct agentmsg_answer *a);
int agentmsg_answer(struct agentmsg_answer *a, const struct netmsg *m, struct err *e);

/* The next port of an answer; false: there is none. */
bool agentmsg_port(struct sv *ports, uint32_t *port);

/* TIME_SYNC. agentmsg_sync: is it one of that way? Its kind, or -EBADMSG. */
int agentmsg_sync_send(const struct sys *sys, int fd, const char *proto, uint32_t kind, const void *data, size_t n);
int64_t agentmsg_sync(const struct netmsg *m, const char *proto);

#endif
