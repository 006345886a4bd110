/* account.h - another user for the command that is run: from /etc/passwd and /etc/group. */
#ifndef SYS_ACCOUNT_H
#define SYS_ACCOUNT_H

#include "sys/sys.h"

enum { ACCOUNT_GROUPS = 64 };   /* more than that are left out, the first ones stay */

struct account {
	char name[64], home[256];
	unsigned uid, gid;
	unsigned groups[ACCOUNT_GROUPS];
	unsigned n_groups;
};

/* By its name. -ENOENT: there is none; -EPERM: we are another one, and not root. */
int account_find(struct account *a, const struct sys *sys, const char *name, struct err *e);

/* This process runs as that user from now on, with its HOME, USER and LOGNAME: 0 or -errno. For one thread only. */
int account_become(const struct account *a);

#endif
