/*
 * daemon.h - continue in the background: the foreground process waits until everything is set up, then exits.
 *
 * Call it before there are threads, or descriptors and journals that depend on the pid.
 */
#ifndef SYS_DAEMON_H
#define SYS_DAEMON_H

#include "base/err.h"

struct daemon {
	int word;      /* background: pipe to the foreground; else -1 */
	int status;    /* foreground: exit status */
};

/*
 * 0: this is the background process, in a session of its own. Its stderr is forwarded by the foreground; its stdin and
 * stdout are /dev/null, so that neither it nor its children keep the caller's terminal or pipes open (ssh waits for the
 * last one that has them). 1: this is the foreground process, and d->status its exit status: 0 after daemon_ready, or
 * that of a background that ended before; if the foreground dies while waiting, the background gets SIGTERM. -errno:
 * there is no background process.
 */
int daemon_begin(struct daemon *d, struct err *e);

/* Redirect stderr to /dev/null, too, and let the foreground exit. A second call does nothing. */
void daemon_ready(struct daemon *d);

#endif
