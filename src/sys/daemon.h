/*
 * daemon.h - go on in the background: what is in the foreground waits for the word that all is set up, and ends.
 *
 * To be called before there are threads, descriptors or journals that belong to this process' number.
 */
#ifndef SYS_DAEMON_H
#define SYS_DAEMON_H

#include "base/err.h"

struct daemon {
	int word;      /* in the background: the way to the foreground; else -1 */
	int status;    /* in the foreground: what to exit with */
};

/*
 * 0: this is the background, in a session of its own. What it says on standard error passes through the foreground; its
 * input and output are /dev/null, so that neither it nor what it starts keeps the caller's terminal or pipes (ssh waits
 * for the last that has them). 1: this is the foreground, and d->status what it ends with: 0 once daemon_ready was
 * called, or what the background ended with before that; if it dies while it waits, the background gets SIGTERM.
 * -errno: there is no background.
 */
int daemon_begin(struct daemon *d, struct err *e);

/* Standard error is /dev/null, too, from now on; the foreground ends. Again: nothing. */
void daemon_ready(struct daemon *d);

#endif
