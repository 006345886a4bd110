#include "sys/image_files.h"

static int map(void *arg, const char *path, const uint8_t **p, size_t *n)
{
	return sys_map_file(arg, path, p, n, NULL);
}

static void unmap(void *arg, const uint8_t *p, size_t n)
{
	sys_unmap_file(arg, p, n);
}

/* Only whole pages can be dropped. */
static void forget(void *arg, const void *bytes, size_t n)
{
	const struct sys *sys = arg;
	uintptr_t page = (uintptr_t)sys->page_size(sys), start = ((uintptr_t)bytes + page - 1) & ~(page - 1);
	uintptr_t end = ((uintptr_t)bytes + n) & ~(page - 1);

	if (sys->forget && end > start)
		sys->forget(sys, (void *)start, end - start);
}

struct image_files sys_image_files(const struct sys *sys)
{
	return (struct image_files){
		.arg = (void *)(uintptr_t)sys, .map = map, .unmap = unmap, .forget = forget, .mapped = sys->mapped,
	};
}
