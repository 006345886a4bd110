/* test_caches.c - four CPUs (tests/data/root/caches): two of them share a second level, of one nothing is known. */
#include "machine/caches.h"
#include "t.h"

static struct caches caches(const char *root)
{
	const char *tests = getenv("TESTS_DIR");
	struct caches c;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/data/root/%s", tests ? tests : "tests", root);
	struct sys sys = sys_with_root(path);
	CHECK(!caches_read(&c, &sys));
	return c;
}

TEST(caches_that_cpus_share)
{
	struct caches c = caches("caches");

	CHECK_EQ(c.last, 2);
	CHECK_EQ(caches_shared(&c, 0, 1), 2);
	CHECK_EQ(caches_shared(&c, 1, 1), 1);
	CHECK_EQ(caches_shared(&c, 0, 2), 0);
	CHECK(caches_share(&c, 1, 0, 2));
	CHECK(!caches_share(&c, 1, 0, 1));
	CHECK(!caches_share(&c, 1, 0, 3));
	CHECK(!caches_share(&c, 1, 0, 0));
	caches_deinit(&c);
}

TEST(caches_that_are_not_known_are_not_shared)
{
	struct caches c = caches("caches");

	CHECK_EQ(caches_shared(&c, 2, 3), 0);
	CHECK_EQ(caches_shared(&c, 3, 3), 0);
	CHECK_EQ(caches_shared(&c, 0, 4000000), 0);
	caches_deinit(&c);
	c = caches("vm");
	CHECK_EQ(c.last, 0);
	CHECK(!caches_share(&c, 0, 0, c.last));
	caches_deinit(&c);
}
