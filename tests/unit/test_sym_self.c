/* sym on this very program: what the linker and the kernel made must come out. */
#include "abi/perf_event.h"
#include "sym/maps.h"
#include "sym/resolver.h"
#include "t.h"

/* A file of any kind, read whole. */
static char *slurp(const char *path, size_t *n)
{
	FILE *f = fopen(path, "re");
	size_t cap = 1 << 26;
	char *p = f ? malloc(cap) : NULL;

	*n = p ? fread(p, 1, cap, f) : 0;
	if (f)
		fclose(f);
	return p;
}

static int map(void *arg, const char *path, const uint8_t **p, size_t *n)
{
	(void)arg;
	*p = (const uint8_t *)slurp(path, n);
	return *p ? 0 : -ENOENT;
}

static void unmap(void *arg, const uint8_t *p, size_t n)
{
	(void)arg;
	(void)n;
	free((void *)(uintptr_t)p);
}

static void feed_maps(struct resolver *r)
{
	size_t n;
	char *text = slurp("/proc/self/maps", &n), name[4096];
	struct sv rest = { text, n }, line;
	struct maps_line l;

	while (sv_cut(&rest, '\n', &line)) {
		if (!maps_parse_line(line, &l) || !(l.prot & MAPS_EXEC))
			continue;
		str_copy(name, sizeof(name), l.name);
		CHECK_EQ(resolver_mmap(r, &(struct sym_map){
			.pid = 1, .start = l.start, .len = l.end - l.start, .pgoff = l.pgoff, .name = name,
		}), 0);
	}
	free(text);
}

static void check_name(struct resolver *r, uintptr_t addr, const char *name)
{
	const struct sym_loc *l = resolver_find(r, 1, PERF_MISC_USER, addr);

	CHECK_STR(l->sym, name);
	CHECK_EQ(l->start, l->addr);
}

TEST(resolver_names_functions_of_this_program)
{
	struct sym_want want = { .files = { .map = map, .unmap = unmap }, .arch = arch_native() };
	struct resolver *r = resolver_new(&want, NULL);

	feed_maps(r);
	check_name(r, (uintptr_t)resolver_find, "resolver_find");
	check_name(r, (uintptr_t)maps_parse_line, "maps_parse_line");
	check_name(r, (uintptr_t)test_resolver_names_functions_of_this_program,
		   "test_resolver_names_functions_of_this_program");
	CHECK_EQ(resolver_stats(r)->unmapped, 0);
	resolver_free(r);
}

TEST(kallsyms_of_the_running_kernel_is_read)
{
	size_t n;
	char *text = slurp("/proc/kallsyms", &n);
	struct sym_want want = { .files = { .map = map, .unmap = unmap }, .arch = arch_native() };
	struct resolver *r;
	const struct sym_loc *l;
	uint64_t addr = 0;

	for (char *at = text; at && (at = strstr(at, " T schedule\n")); at++)
		str_u64((struct sv){ at - 16, 16 }, 16, &addr);
	free(text);
	if (!addr)
		SKIP("kernel addresses are hidden");
	want.kallsyms = "/proc/kallsyms";
	r = resolver_new(&want, NULL);
	l = resolver_find(r, 1, PERF_MISC_KERNEL, addr + 1);
	CHECK_STR(l->sym, "schedule");
	CHECK_STR(l->dso, "[kernel.kallsyms]");
	CHECK_EQ(l->start, addr);
	resolver_free(r);
}
