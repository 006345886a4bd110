/* account.c - users and their groups; set by system calls of our own, for there are no other threads to take along. */
#include "sys/account.h"

#include <grp.h>
#include <pwd.h>
#include <sys/syscall.h>
#include <unistd.h>

int account_find(struct account *a, const char *name, struct err *e)
{
	const struct passwd *p = getpwnam(name);

	if (!p)
		return err_set(e, ENOENT, "no user '%s' on this machine", name);
	if (geteuid() && geteuid() != p->pw_uid)
		return err_set(e, EPERM, "only root can run a command as '%s'", name);
	*a = (struct account){ .uid = p->pw_uid, .gid = p->pw_gid, .n_groups = ACCOUNT_GROUPS };
	snprintf(a->name, sizeof(a->name), "%s", p->pw_name);
	snprintf(a->home, sizeof(a->home), "%s", p->pw_dir);
	if (getgrouplist(a->name, a->gid, a->groups, &a->n_groups) < 0)
		a->n_groups = ACCOUNT_GROUPS;
	return 0;
}

int account_become(const struct account *a)
{
	bool is_root = !geteuid();

	if ((is_root && syscall(SYS_setgroups, (size_t)a->n_groups, a->groups)) ||
	    syscall(SYS_setresgid, a->gid, a->gid, a->gid) || syscall(SYS_setresuid, a->uid, a->uid, a->uid) ||
	    setenv("HOME", a->home, 1) || setenv("USER", a->name, 1) || setenv("LOGNAME", a->name, 1))
		return -errno;
	return 0;
}
