/* sym/resolver_trim: programs that come and go by the thousand, each a file of its own. */
#include "base/map.h"
#include "sym_disk.h"

enum { PROGRAMS = 4000, MOST = 2 << 20 };

static int map_any(void *arg, const char *path, const uint8_t **p, size_t *n)
{
	(void)path;
	return disk_map(arg, "/any", p, n);
}

static struct resolver *new_of_any(struct disk *d)
{
	struct sym_want want = want_of(d);

	want.files.map = map_any;
	add_program(d, "/any", "work", NULL);
	return resolver_new(&want, NULL);
}

static void run(struct resolver *r, uint32_t pid)
{
	char name[32];

	snprintf(name, sizeof(name), "/bin/p%u", pid);
	map_at(r, pid, 0xaaaa0000, name, NULL);
	snprintf(name, sizeof(name), "work+0x8 p%u", pid);
	CHECK_STR(user(r, pid, 0xaaaa0418), name);
}

TEST(resolver_trim_keeps_only_what_is_needed)
{
	struct disk d = { 0 };
	struct resolver *r = new_of_any(&d);
	struct map needed = { 0 };
	size_t most = 0, given = 0;
	unsigned before;

	run(r, 1);
	CHECK(map_add(&needed, (uintptr_t)resolver_find(r, 1, USER, 0xaaaa0418)->dso, NULL) != NULL);
	for (uint32_t pid = 2; pid < PROGRAMS; pid++) {
		run(r, pid);
		CHECK_EQ(resolver_exit(r, pid, pid), 0);
		most = MAX(most, resolver_bytes(r));
		if (resolver_bytes(r) > MOST)
			given += resolver_trim(r, &needed);
	}
	CHECK(most < MOST + MOST / 4);
	CHECK(given > PROGRAMS / 2);
	CHECK_EQ(d.maps - d.unmaps, PROGRAMS - 1 - given);

	/* The one that is needed stayed open, the others are opened anew: once. */
	before = d.maps;
	CHECK_STR(user(r, 1, 0xaaaa0418), "work+0x8 p1");
	CHECK_EQ(d.maps, before);
	run(r, 2);
	run(r, 2);
	CHECK_EQ(d.maps, before + 1);
	map_deinit(&needed);
	resolver_free(r);
	CHECK_EQ(d.maps, d.unmaps);
}

TEST(resolver_trim_without_files_has_nothing_to_do)
{
	struct disk d = { 0 };
	struct resolver *r = new_of(&d);
	static const struct map none;

	map_at(r, 7, 0xaaaa0000, "/bin/gone", NULL);
	CHECK_STR(user(r, 7, 0xaaaa0418), "?+0x418 gone");
	CHECK_EQ(resolver_bytes(r), 0);
	CHECK_EQ(resolver_trim(r, &none), 0);
	resolver_free(r);
}
