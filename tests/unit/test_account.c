/* account: users of files that are as they should be, and of lines that are not. */
#include "sys/account.h"

#include "t.h"

static int find(struct account *a, const char *name, struct err *e)
{
	char root[512];
	const char *tests = getenv("TESTS_DIR");

	snprintf(root, sizeof(root), "%s/data/root/accounts", tests ? tests : "tests");

	struct sys sys = sys_with_root(root);

	return account_find(a, &sys, name, e);
}

TEST(account_has_its_groups)
{
	struct account a;
	struct err e = { 0 };
	int r = find(&a, "ann", &e);

	if (r == -EPERM)
		SKIP("not root");
	CHECK_EQ(r, 0);
	CHECK_EQ(a.uid, 1001);
	CHECK_EQ(a.gid, 100);
	CHECK_STR(a.home, "/srv/ann");
	CHECK_EQ(a.n_groups, 3);
	CHECK_EQ(a.groups[0], 100);
	CHECK_EQ(a.groups[1], 29);
	CHECK_EQ(a.groups[2], 31);
	CHECK_EQ(find(&a, "short", &e), 0);
	CHECK_STR(a.home, "");
	CHECK_EQ(a.n_groups, 1);
}

TEST(account_refuses_what_is_none)
{
	struct account a;
	struct err e = { 0 };

	CHECK_EQ(find(&a, "an", &e), -ENOENT);
	CHECK_EQ(find(&a, "", &e), -ENOENT);
	CHECK_EQ(find(&a, "broken", &e), -ENOENT);
	CHECK_EQ(find(&a, "big", &e), -ENOENT);
	CHECK_STR(e.text, "no user 'big' on this machine");
	CHECK_EQ(find(&a, "0123456789012345678901234567890123456789012345678901234567890123456789", &e), -ENOENT);
}
