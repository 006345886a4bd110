/*
 * account.c - users and their groups. Parses the files itself: the C library's getpwnam and getgrouplist bring in stdio
 * and a client of nscd (11 KB). Ids are set by plain system calls, as there are no other threads to change along.
 */
#include "sys/account.h"

#include <sys/syscall.h>
#include <unistd.h>

/* Split the next line with a name in front into up to n fields. False: the end. */
static bool next_entry(struct sv *text, struct sv *v, size_t n)
{
	struct sv line;

	while (sv_cut(text, '\n', &line)) {
		for (size_t i = 0; i < n; i++)
			if (!sv_cut(&line, ':', &v[i]))
				v[i] = SV("");
		if (v[0].n)
			return true;
	}
	return false;
}

static bool number(struct sv s, unsigned *to)
{
	uint64_t v;

	if (!str_u64(s, 10, &v) || v >= UINT32_MAX)
		return false;
	*to = (unsigned)v;
	return true;
}

/* name:password:uid:gid:text:home:shell */
static bool find_user(struct account *a, struct sv text)
{
	struct sv v[6];

	while (next_entry(&text, v, ARRAY_SIZE(v))) {
		if (!sv_eq(v[0], a->name) || !number(v[2], &a->uid) || !number(v[3], &a->gid))
			continue;
		str_copy(a->home, sizeof(a->home), v[5]);
		return true;
	}
	return false;
}

/* name:password:gid:member,member */
static void find_groups(struct account *a, struct sv text)
{
	struct sv v[4], member;
	unsigned gid;

	a->groups[a->n_groups++] = a->gid;
	while (a->n_groups < ACCOUNT_GROUPS && next_entry(&text, v, ARRAY_SIZE(v)))
		while (number(v[2], &gid) && gid != a->gid && sv_cut(&v[3], ',', &member))
			if (sv_eq(member, a->name)) {
				a->groups[a->n_groups++] = gid;
				break;
			}
}

int account_find(struct account *a, const struct sys *sys, const char *name, struct err *e)
{
	enum { FILE_MAX = 1 << 20 };
	char *text;
	size_t n;
	bool found;
	int r = sys_read_all(sys, "/etc/passwd", FILE_MAX, &text, &n, e);

	if (r)
		return r;
	*a = (struct account){ 0 };
	snprintf(a->name, sizeof(a->name), "%s", name);
	found = !strcmp(a->name, name) && find_user(a, (struct sv){ text, n });
	free(text);
	if (!found)
		return err_set(e, ENOENT, "no user '%s' on this machine", name);
	if (geteuid() && geteuid() != a->uid)
		return err_set(e, EPERM, "only root can run a command as '%s'", name);
	r = sys_read_all(sys, "/etc/group", FILE_MAX, &text, &n, NULL);
	find_groups(a, r ? SV("") : (struct sv){ text, n });
	if (!r)
		free(text);
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
