/*
 * control.h - who has started us tells when to count: lines from a descriptor or named pipe, answered on another one.
 *
 *	fd:CTL[,ACK]  fifo:CTL[,ACK]
 *
 * As perf has it, "ack" is the answer to each line that was understood.
 */
#ifndef LIVE_CONTROL_H
#define LIVE_CONTROL_H

#include "sys/sys.h"

enum control_what {
	CONTROL_NOTHING,      /* no whole line yet */
	CONTROL_ENABLE, CONTROL_DISABLE, CONTROL_PING, CONTROL_STOP, CONTROL_SNAPSHOT,
	CONTROL_UNKNOWN,      /* control.line */
	CONTROL_END,          /* nobody writes any more */
};

struct control {
	const struct sys *sys;
	int fd, ack;              /* -1: none */
	bool ended;               /* nobody writes any more */
	bool ours;                /* opened here, and closed */
	char line[128];           /* the newest that was told, without its end */
	char text[512];           /* read, and not told yet */
	size_t n;
};

int control_open(struct control *c, const struct sys *sys, const char *how, struct err *e);
void control_close(struct control *c);

/* When the descriptor is ready. */
void control_read(struct control *c);

/* The lines that were read, one by one. */
enum control_what control_next(struct control *c);

void control_ack(struct control *c);

#endif
