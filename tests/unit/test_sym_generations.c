#include "t.h"

#include "sym/resolver.h"

/* pid UINT32_MAX: in the kernel. */
static void map_at(struct resolver *r, uint32_t pid, uint64_t start, const char *name)
{
	struct sym_map m = { .pid = pid, .kernel = pid == UINT32_MAX, .start = start, .len = 0x1000, .name = name };

	CHECK_EQ(resolver_mmap(r, &m), 0);
}

/* What was looked up in a generation holds for all of it: it ends where what is mapped changes, and not before. */
TEST(resolver_generations_end_with_the_maps)
{
	static const struct sym_want want;
	struct resolver *r = resolver_new(&want, NULL);
	uint32_t nothing = resolver_generation(r, 7, false), parent, child, kernel;

	CHECK(nothing);
	CHECK_EQ(resolver_generation(r, 8, false), nothing);
	map_at(r, 7, 0xaaaa0000, "/bin/p");
	parent = resolver_generation(r, 7, false);
	CHECK(parent && parent != nothing);
	resolver_comm(r, 7, 7, "name", false);
	CHECK_EQ(resolver_generation(r, 7, false), parent);
	resolver_fork(r, 8, 7, 8, 7);
	CHECK_EQ(resolver_generation(r, 8, false), parent);
	resolver_comm(r, 8, 8, "ls", true);
	CHECK_EQ(resolver_generation(r, 8, false), parent);   /* until the program's first map */
	map_at(r, 8, 0xbbbb0000, "/bin/c");
	child = resolver_generation(r, 8, false);
	CHECK(child != parent && child != nothing);
	CHECK_EQ(resolver_generation(r, 7, false), parent);

	kernel = resolver_generation(r, 7, true);
	CHECK(kernel != parent && kernel != child && kernel != nothing);
	map_at(r, UINT32_MAX, 0xffff800008000000, "[ext4]");
	CHECK(resolver_generation(r, 7, true) != kernel);
	kernel = resolver_generation(r, 8, true);
	CHECK_EQ(resolver_ksymbol(r, 0xffff800009000000, 64, "bpf_prog_1", false), 0);
	CHECK(resolver_generation(r, 8, true) != kernel);
	resolver_free(r);
}
