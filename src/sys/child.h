/*
 * child.h - the workload: forked, held before its exec until the events are open, then released. Also signals as a
 * descriptor.
 */
#ifndef SYS_CHILD_H
#define SYS_CHILD_H

#include "sys/account.h"
#include "sys/sys.h"

#include <sys/resource.h>

struct child {
	int pid;
	int go_fd;      /* a byte written here releases it */
	int err_fd;     /* delivers the errno of a failed exec; EOF: it succeeded */
	void (*leaving)(void *arg, int pid);
	void *arg;      /* of leaving */
};

enum child_stdout {
	CHILD_STDOUT_SHARED,
	CHILD_STDOUT_IS_STDERR,   /* our stdout carries a recording: the workload's goes to stderr */
	CHILD_NO_STDIO,           /* /dev/null: it runs in the background */
};

struct child_how {
	enum child_stdout out;
	const struct account *as;   /* NULL: our own user */
	/*
	 * Called when the workload is about to exit, while its memory still exists; or NULL. It is ptraced, so no
	 * debugger can attach.
	 */
	void (*leaving)(void *arg, int pid);
	void *arg;
};

/* Fork; the child waits. argv must live until child_go. how: NULL for defaults. */
int child_hold(struct child *c, char *const argv[], const struct child_how *how, struct err *e);

/* Is there a program of that name in $PATH? */
bool child_in_path(const char *name);

/* Let it exec. -ENOENT, -EACCES...: exec failed, e names the command, and the child is gone. */
int child_go(struct child *c, const char *name, struct err *e);

/* Send SIGTERM; does not wait. */
void child_terminate(const struct child *c);

/* Send SIGTERM, and wait for the end. */
void child_stop(struct child *c);

/* Our pid. */
int sys_self(void);

/* Wait for the end: exit status as in a shell (128 + signal). ru may be NULL. */
int child_wait(const struct child *c, struct rusage *ru);

/* 1: it has ended, *status and *ru are set; 0: it runs. */
int child_poll(const struct child *c, int *status, struct rusage *ru);

/*
 * Block SIGINT, SIGTERM, SIGHUP (unless ignored: nohup), SIGCHLD and SIGWINCH and read them from a signalfd: no
 * handler, no global. The child of child_hold starts with an empty signal mask. asked: also SIGUSR2, which stays
 * blocked later, so that a late one does not kill us.
 */
int signals_open(bool asked, struct err *e);
int signals_next(const struct sys *s, int fd);   /* signal number, or 0 when none is waiting */
void signals_close(int fd);   /* unblocks them; pending ones are delivered at once */

#endif
