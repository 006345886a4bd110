/*
 * child.h - the workload: forked and held before its exec until the events are open, then let go; and signals as a
 * descriptor.
 */
#ifndef SYS_CHILD_H
#define SYS_CHILD_H

#include "sys/account.h"
#include "sys/sys.h"

#include <sys/resource.h>

struct child {
	int pid;
	int go_fd;      /* a byte here lets it exec */
	int err_fd;     /* errno of a failed exec comes back here; EOF: it succeeded */
	void (*leaving)(void *arg, int pid);
	void *arg;      /* of leaving */
};

enum child_stdout {
	CHILD_STDOUT_SHARED,
	CHILD_STDOUT_IS_STDERR,   /* ours carries a recording: what the command prints goes to standard error */
	CHILD_NO_STDIO,           /* /dev/null: it runs in the background */
};

struct child_how {
	enum child_stdout out;
	const struct account *as;   /* or NULL: as we are */
	/* Called when it is about to end, while it still has its memory; or NULL. Debuggers cannot have it then. */
	void (*leaving)(void *arg, int pid);
	void *arg;
};

/* Fork; the child waits. argv must stay until child_go. how: NULL, or as told there. */
int child_hold(struct child *c, char *const argv[], const struct child_how *how, struct err *e);

/* Is there a program of that name in $PATH? */
bool child_in_path(const char *name);

/* Let it exec. -ENOENT, -EACCES...: the exec failed, with the command's name in e, and there is no child any more. */
int child_go(struct child *c, const char *name, struct err *e);

/* SIGTERM; does not wait. */
void child_terminate(const struct child *c);

/* SIGTERM, and wait for the end. */
void child_stop(struct child *c);

/* This process' id. */
int sys_self(void);

/* Wait for it: exit status as a shell gives it (128 + signal). *ru may be NULL. */
int child_wait(const struct child *c, struct rusage *ru);

/* 1: it has ended and *status, *ru are filled; 0: it runs. */
int child_poll(const struct child *c, int *status, struct rusage *ru);

/*
 * Block SIGINT, SIGTERM, SIGHUP (unless it is ignored: nohup), SIGCHLD and SIGWINCH and read them from a descriptor
 * instead: no handler, no global. The child of child_hold starts with nothing blocked. asked: SIGUSR2, too, which stays
 * blocked: one that comes too late ends nobody.
 */
int signals_open(bool asked, struct err *e);
int signals_next(const struct sys *s, int fd);   /* signal number, or 0 when none is waiting */
void signals_close(int fd);   /* and they are delivered again; those not yet read at once */

#endif
