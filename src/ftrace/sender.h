/* sender.h - a recording to a listener on another machine (netmsg.h): the description first, then each ring's pages. */
#ifndef FTRACE_SENDER_H
#define FTRACE_SENDER_H

#include "ftrace/netmsg.h"
#include "ftrace/recorder.h"
#include "tracefs/dat_write.h"

struct sender {
	const struct sys *sys;
	struct net_addr to;
	int fd;
	uint16_t *ports;        /* of each ring of the recorder */
	int *rings;             /* a connection for each; the recorder takes them over */
	size_t n;
	struct netmsg msg;
	bool closed;            /* CLOSE was sent */
};

void sender_init(struct sender *s, const struct sys *sys);

/* Connect to "host:port", and learn where the pages of r's rings are to go. */
int sender_open(struct sender *s, const char *to, const struct recorder *r, uint32_t page_size, struct err *e);

/* What tdat_write_begin makes of it, as version 6; then the rings are connected. */
int sender_describe(struct sender *s, const struct tdat_write_want *want, struct err *e);

/* That was all: the recorder has ended. What the listener makes of it is still to come. */
int sender_close(struct sender *s, struct err *e);

/*
 * What the listener has said meanwhile, without waiting; s->fd is to be polled for it. 0: nothing. 1: it has ended in
 * good order, after sender_close. -errno: it has given up.
 */
int sender_heard(struct sender *s, struct err *e);
void sender_deinit(struct sender *s);

#endif
