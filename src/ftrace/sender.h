/*
 * sender.h - a recording to another machine: the description first, then each ring's pages. To a listener that waits
 * for it (netmsg.h), or, by an agent, to who has asked for it (agentmsg.h).
 */
#ifndef FTRACE_SENDER_H
#define FTRACE_SENDER_H

#include "ftrace/agentmsg.h"
#include "ftrace/recorder.h"
#include "tracefs/dat_write.h"

/* Who has asked an agent for a recording, and what he is told. */
struct sender_asked {
	int fd;                 /* the connection; borrowed */
	struct net_addr peer;   /* only he gets pages */
	unsigned timeout_ms;    /* until he has taken the connections of all rings, and takes what is sent */
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
	int *rings;             /* a connection for each; the recorder takes them over */
	size_t n;
	int *waits;             /* for who has asked: where the connection of each CPU comes in */
	size_t n_waits;
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

/* What tdat_write_begin makes of it, as version 6; then the rings are connected. */
int sender_describe(struct sender *s, const struct tdat_write_want *want, const struct recorder *rec, struct err *e);

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
