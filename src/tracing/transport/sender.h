/*
 * sender.h - sends a recording to another machine: the description first, then the pages of each ring. To a waiting
 * listener (netmsg.h), or, as an agent, to the host that requested it (agentmsg.h).
 */
#ifndef TRACING_TRANSPORT_SENDER_H
#define TRACING_TRANSPORT_SENDER_H

#include "tracefs/dat/write.h"
#include "tracing/transport/agentmsg.h"
#include "tracing/transport/recorder.h"

/* For an agent: the host that requested a recording, and what its answer says. */
struct sender_asked {
	int fd;                 /* the connection; borrowed */
	struct net_addr peer;   /* only this host gets pages */
	unsigned timeout_ms;    /* limit for connecting to all rings, and for blocking our data */
	uint64_t id;            /* of the recording */
	bool ptp;               /* the host supports PTP for comparing clocks */
};

struct sender {
	const struct sys *sys;
	const char *whom;       /* "listener", "host": for messages */
	const struct sender_asked *asked;   /* NULL: we connect to a listener */
	struct net_addr to;
	int stop;               /* readable: stop waiting for the peer; -1: none */
	int fd;
	uint16_t *ports;        /* for each ring of the recorder */
	int *rings;             /* a connection for each ring, taken over by the recorder; -1: it comes later */
	size_t n;
	int *waits;             /* agent: listening socket for each CPU; -1: connected */
	size_t n_waits, missing;   /* missing: number of rings without a connection */
	uint64_t until;         /* CLOCK_MONOTONIC ns, deadline for these */
	struct netmsg msg;
	bool closed;            /* CLOSE was sent, or the host sent it */
};

void sender_init(struct sender *s, const struct sys *sys);

/* Connect to "host:port", and learn where to send the pages of r's rings. */
int sender_open(struct sender *s, const char *to, const struct recorder *r, uint32_t page_size, struct err *e);

/*
 * As agent, in place of sender_open: open ports for r's rings and send the answer `a`, completed with them. s->fd
 * becomes asked->fd.
 */
int sender_answer(struct sender *s, const struct sender_asked *asked, const struct recorder *r,
		  struct agentmsg_answer *a, struct err *e);

/* Send the description: everything before the pages of the rings. */
int sender_describe(struct sender *s, const struct tdat_write_want *want, struct err *e);

/*
 * End the description. A listener's rings are connected now. A requesting host may start its workload when it gets
 * this, and connects to the rings later.
 */
int sender_described(struct sender *s, struct err *e);

/* The listening socket for a CPU's ring, to be polled; -1: none needed. */
int sender_port(const struct sender *s, uint32_t cpu);

/* Accept that connection; the caller owns it. -EAGAIN: there is none yet. */
int sender_take(struct sender *s, uint32_t cpu);

/* How long to wait for missing connections, in ms, at most `most` (-1: no limit). sender_late: has the time run out? */
int sender_patience(const struct sender *s, int most);
int sender_late(const struct sender *s, struct err *e);
int sender_lacks(const struct sender *s, int code, struct err *e);

/*
 * Call when the recorder has ended. A listener still has to make its recording; a requesting host has asked for the
 * end, or we wait until it does.
 */
int sender_close(struct sender *s, struct err *e);

/*
 * Read without waiting what the peer has sent; poll s->fd for it. 0: nothing. 1: it has ended properly after
 * sender_close, or the requesting host wants the end. -errno: it has given up.
 */
int sender_heard(struct sender *s, struct err *e);
void sender_deinit(struct sender *s);

#endif
