/* buildid_cache.c - see buildid_cache.h. */
#include "sym/buildid_cache.h"

enum { PATH_SIZE = 4096 };

const char *buildid_cache_path(const char *dir, const struct build_id *id, const char *what, char *buf, size_t size)
{
	char hex[2 * BUILD_ID_MAX + 1];

	build_id_text(id, hex, sizeof(hex));
	snprintf(buf, size, "%s/.build-id/%.2s/%s/%s", dir, hex, id->size ? hex + 2 : "", what);
	return buf;
}

static bool is_there(const struct image_files *files, const char *path)
{
	const uint8_t *p;
	size_t n;

	if (!files->map || files->map(files->arg, path, &p, &n))
		return false;
	if (files->unmap)
		files->unmap(files->arg, p, n);
	return true;
}

int buildid_cache_module(struct module *m, const struct image_files *files, const struct module_want *w,
			 const char *dir, const char *what)
{
	struct module_want at = { .symfs = w->symfs, .id = w->id, .arch = w->arch };
	char path[PATH_SIZE], debug[PATH_SIZE];
	int r;

	if (!dir || w->id.size < 2)
		return -ENOENT;
	at.path = buildid_cache_path(dir, &w->id, what, path, sizeof(path));
	if (is_there(files, buildid_cache_path(dir, &w->id, "debug", debug, sizeof(debug))))
		at.debug = debug;
	r = module_open(m, files, &at, NULL);
	if (r != -ENOENT && r != -ENOTDIR)
		return r;
	path[strlen(path) - strlen(what) - 1] = '\0';
	at.debug = NULL;
	return module_open(m, files, &at, NULL);
}
