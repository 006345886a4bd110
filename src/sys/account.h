/* account.h - runs the workload as another user, looked up in /etc/passwd and /etc/group. */
#ifndef SYS_ACCOUNT_H
#define SYS_ACCOUNT_H

#include "sys/sys.h"

enum { ACCOUNT_GROUPS = 64 };   /* further groups are dropped */

struct account {
	char name[64], home[256];
	unsigned uid, gid;
	unsigned groups[ACCOUNT_GROUPS];
	unsigned n_groups;
};

/* Find a user by name. -ENOENT: no such user; -EPERM: we are another user, and not root. */
int account_find(struct account *a, const struct sys *sys, const char *name, struct err *e);

/* Become that user, with its HOME, USER and LOGNAME: 0 or -errno. Only for a process with a single thread. */
int account_become(const struct account *a);

#endif
