/*
 * control.h - --control: another process switches counting on and off, with commands read from a descriptor or named
 * pipe, one per line, and acknowledged on another one.
 *
 *	fd:CTL[,ACK]  fifo:CTL[,ACK]
 *
 * As in perf, each command that was understood is answered with "ack".
 */
#ifndef LIVE_CONTROL_H
#define LIVE_CONTROL_H

#include "sys/sys.h"

enum control_what {
	CONTROL_NOTHING,      /* no complete line yet */
	CONTROL_ENABLE, CONTROL_DISABLE, CONTROL_PING, CONTROL_STOP, CONTROL_SNAPSHOT,
	CONTROL_UNKNOWN,      /* unknown command: see control.line */
	CONTROL_END,          /* all writers have closed it */
};

struct control {
	const struct sys *sys;
	int fd, ack;              /* -1: none */
	bool ended;               /* all writers have closed it */
	bool ours;                /* opened by control_open, so control_close closes it */
	char line[128];           /* the line last returned, without its newline */
	char text[512];           /* read but not yet returned */
	size_t n;
};

int control_open(struct control *c, const struct sys *sys, const char *how, struct err *e);
void control_close(struct control *c);

/* Call when the descriptor is readable. */
void control_read(struct control *c);

/* Returns the lines that were read, one at a time. */
enum control_what control_next(struct control *c);

void control_ack(struct control *c);

#endif
