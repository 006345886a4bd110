/*
 * sender.h - a recording to another machine: the description first, then each ring's pages. To a listener that waits
 * for it (netmsg.h), or, by an agent, to who has asked for it (agentmsg.h).
 */
#ifndef TRACING_TRANSPORT_SENDER_H
#define TRACING_TRANSPORT_SENDER_H

#include "tracefs/dat/write.h"
#include "tracing/transport/agentmsg.h"
#include "tracing/transport/recorder.h"

/* Who has asked an agent for a recording, and what he is told. */
struct sender_asked {
	int fd;                 /* the connection; borrowed */
	struct net_addr peer;   /* only he gets pages */
	unsigned timeout_ms;    /* until he has connected to all rings, and takes what is sent */
	uint64_t id;            /* of the recording */
	bool ptp;               /* he can compare clocks so */
};

struct sender {
	const struct sys *sys;
	const char *whom;       /* "listener", "host": for messages */
	const struct sender_asked *asked;   /* NULL: we have */
	struct net_addr to;
	int stop;               /* readable: he is not waited for any more; -1 */
	int fd;
	uint16_t *ports;        /* of each ring of the recorder */
	int *rings;             /* a connection for each; the recorder takes them over. -1: it comes later */
	size_t n;
	int *waits;             /* for who has asked: where the connection of each CPU comes in; -1: it is there */
	size_t n_waits, missing;   /* missing: rings without one */
	uint64_t until;         /* CLOCK_MONOTONIC ns, for these */
	struct netmsg msg;
	bool closed;            /* CLOSE was sent, or has come from who has asked */
};

void sender_init(struct sender *s, const struct sys *sys);

/* Connect to "host:port", and learn where the pages of r's rings are to go. */
int sender_open(struct sender *s, const char *to, const struct recorder *r, uint32_t page_size, struct err *e);

/*
 * Instead of that: r's rings get ports of ours, of which he who has asked is told. a has the rest of the answer; fd is
 * s->fd from now on.
 */
int sender_answer(struct sender *s, const struct sender_asked *asked, const struct recorder *r,
		  struct agentmsg_answer *a, struct err *e);

/* What there is before the rings' pages. */
int sender_describe(struct sender *s, const struct tdat_write_want *want, struct err *e);

/*
 * That was it. A listener's rings are connected now. Who has asked may start what is to be traced as soon as he hears
 * this, and connects to the rings when he likes.
 */
int sender_described(struct sender *s, struct err *e);

/* The port for the connection of a CPU's ring, to be polled; -1: none is missing. */
int sender_port(const struct sender *s, uint32_t cpu);

/* That connection, if it is there: the caller's from now on. -EAGAIN: it is not. */
int sender_take(struct sender *s, uint32_t cpu);

/* How long the missing ones are waited for, in ms, at most `most` (-1: no end). sender_late: their time is up. */
int sender_patience(const struct sender *s, int most);
int sender_late(const struct sender *s, struct err *e);
int sender_lacks(const struct sender *s, int code, struct err *e);

/*
 * That was all: the recorder has ended. What the listener makes of it is still to come; who has asked has said that he
 * wanted the end, or is waited for until he does.
 */
int sender_close(struct sender *s, struct err *e);

/*
 * What the other side has said meanwhile, without waiting; s->fd is to be polled for it. 0: nothing. 1: it has ended in
 * good order, after sender_close; or who has asked wants the end. -errno: it has given up.
 */
int sender_heard(struct sender *s, struct err *e);
void sender_deinit(struct sender *s);

#endif
