/*
 * control.h - --control: another process sends commands, one per line, by a descriptor or named pipe; they are
 * acknowledged on another one.
 *
 *	fd:CTL[,ACK]  fifo:CTL[,ACK]
 *
 * As in perf, the line "ack" acknowledges each command that is known.
 */
#ifndef LIVE_CONTROL_H
#define LIVE_CONTROL_H

#include "sys/sys.h"

enum control_what {
	CONTROL_NOTHING,      /* no complete line yet */
	CONTROL_ENABLE, CONTROL_DISABLE, CONTROL_PING, CONTROL_STOP, CONTROL_SNAPSHOT,
	CONTROL_UNKNOWN,      /* the line is in control.line */
	CONTROL_END,          /* end of file: no writer is left */
};

struct control {
	const struct sys *sys;
	int fd, ack;              /* -1: none */
	bool ended;               /* end of file, or an error */
	bool ours;                /* opened by control_open, so control_close closes them */
	char line[128];           /* the line last returned, without its newline */
	char text[512];           /* read, but not returned yet */
	size_t n;
};

int control_open(struct control *c, const struct sys *sys, const char *how, struct err *e);
void control_close(struct control *c);

/* To be called when fd is readable. */
void control_read(struct control *c);

/* Take the next line that was read. */
enum control_what control_next(struct control *c);

void control_ack(struct control *c);

#endif
